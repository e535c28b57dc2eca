// What runs beside the tests: one process per worker that has the program loaded (cli/warm), so that a test which runs
// a command line need not start it (cli/process.ts says which do).
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isAll, isFew } from './amount.js';
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
    if (isFew)
      console.log('Not run: what runs on Spark (e2e/spark); TEST_AMOUNT=all and pyspark run it: test/README.md');
    else if (isAll && sparkHome === undefined)
      console.log('Not run: what runs on Spark (e2e/spark), as there is no pyspark');
  };
}
