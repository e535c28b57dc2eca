// What runs beside the tests: one process per worker that has the program loaded (cli/warm), so that a test which runs
// a command line need not start it (cli/process.ts says which do).
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import glob from 'fast-glob';
import { isAll, isFew } from './amount.js';
import { COSTLY } from './costly.js';
import { sparkHome } from './e2e/spark-cluster.js';

const SERVER = new URL('../dist/test/cli/warm-server.js', import.meta.url).pathname;

export default async function setup({ config }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'dustbuster-warm-'));
  const servers: ChildProcess[] = [];
  for (let id = 1; id <= Number(config.maxWorkers); id++) {
    const server = spawn(process.execPath, [SERVER, join(folder, String(id))], { stdio: ['pipe', 'pipe', 'inherit'] });
    await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
    servers.push(server);
  }
  process.env['TEST_WARM'] = folder;
  return () => {
    for (const server of servers) server.kill();
    rmSync(folder, { recursive: true, force: true });
    if (isFew) console.log(leftOut());
    else if (isAll && sparkHome === undefined)
      console.log('Not run: what runs on Spark (e2e/spark), as there is no pyspark');
  };
}

function leftOut(): string {
  const cwd = new URL('.', import.meta.url).pathname;
  const costly = glob.sync([...COSTLY], { cwd });
  const ends = glob.sync('e2e/*.test.ts', { cwd });
  return (
    `Not run: ${costly.length} files of tests that cost most (test/costly.ts), ${ends.length} with real servers, ` +
    'browsers and Spark (test/e2e), and most random cases.\n' +
    'npm run test:all runs them; npm run test:one -- PATH those of a folder or file.'
  );
}
