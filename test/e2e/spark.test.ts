// `mine --engine spark` on a real Spark: the bytes of a local run, whatever happens to processes in the middle.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, runProcess, scratchFolder } from '../cli/process.js';
import { nodesBelow, sparkEnv, sparkHome, startCluster, type Cluster } from './spark-cluster.js';

if (process.env['DUSTBUSTER_E2E'] === '1' && sparkHome === undefined) {
  throw new Error('DUSTBUSTER_E2E=1 asks for Spark: install pyspark into a virtual environment, DUSTBUSTER_SPARK');
}

let folder: ReturnType<typeof scratchFolder>;
let cluster: Cluster;

/** Random, but the same every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * below);
}

/** Lines of a log with sizes: pages of a site under several addresses, some of them no UTF-8. */
function logOf(rows: number, siteOf: (draw: (below: number) => number) => number, seed: number): Buffer {
  const draw = numbers(seed);
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    const page = draw(400);
    const path = [
      `/story/${page}`,
      `/story_${page}.html`,
      `/story/${page}?sid=${draw(1e6)}`,
      `/caf\xe9/${page}`,
      `/caf\xff\xfe${page}`,
    ];
    const size = 1000 + page * 37;
    const bot = row % 97 === 0 ? 404 : 200;
    lines.push(
      `s${siteOf(draw)}.example 10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET ${path[draw(5)]} HTTP/1.1" ${bot} ${size} "-" "Mozilla/5.0"`,
    );
  }
  return Buffer.from(`${lines.join('\n')}\nnot a line\n`, 'latin1');
}

beforeAll(async () => {
  if (sparkHome === undefined) return;
  folder = scratchFolder();
  const many = (draw: (below: number) => number) => draw(60);
  writeFileSync(join(folder.path, 'a.log'), logOf(9000, many, 1));
  writeFileSync(join(folder.path, 'b.log.gz'), gzipSync(logOf(9000, many, 2)));
  writeFileSync(
    join(folder.path, 'urls.txt'),
    'http://s1.example/story/1\nhttp://s1.example/story/1?sid=4\n'.repeat(9),
  );
  writeFileSync(
    join(folder.path, 'giant.log'),
    logOf(20_000, (draw) => (draw(10) > 0 ? 0 : 1 + draw(40)), 3),
  );
  cluster = await startCluster(folder.path);
}, 240_000);
afterAll(() => {
  cluster?.stop();
  folder?.remove();
});

const env = { ...sparkEnv, SPARK_HOME: sparkHome ?? '' };
const inSpark = (...args: readonly string[]) => {
  const conf = ['spark.default.parallelism=3', 'spark.executor.memory=512m', 'spark.ui.enabled=false'];
  const settings = conf.flatMap((pair) => ['--spark-conf', pair]);
  return ['mine', ...args, '--engine', 'spark', '--spark-master', cluster.master, ...settings];
};
const bytesOf = (name: string) => readFileSync(join(folder.path, name));

/** Waits for a process of Node in an executor. */
async function nodeInExecutor(): Promise<number> {
  for (const until = Date.now() + 240_000; Date.now() < until; await wait(10)) {
    const [pid] = nodesBelow(folder.path);
    if (pid !== undefined) return pid;
  }
  throw new Error('no executor ran Node');
}

// A job takes ten seconds of CPU, most of it to start: minutes on a machine that is busy otherwise.
describe.skipIf(sparkHome === undefined)('mine --engine spark', { timeout: 300_000 }, () => {
  it('writes the bytes of a local run, from two executors: several inputs and formats, URLs that are no UTF-8', async () => {
    const inputs = ['a.log', 'b.log.gz', 'urls.txt'];
    const cwd = folder.path;
    const [local, spark] = await Promise.all([
      runProcess(['mine', ...inputs, '-o', 'local.json'], { cwd }),
      runProcess(inSpark(...inputs, '-o', 'spark.json'), { cwd, env }),
    ]);
    expect(spark.stderr).toContain('executors 0, 1');
    expect(spark.stderr).toContain(': 2 tables, 3 shares');
    expect(spark.code).toBe(local.code);
    expect(bytesOf('spark.json').equals(bytesOf('local.json'))).toBe(true);
    expect(spark.stdout.toString().replace('spark.json', 'local.json')).toBe(local.stdout.toString());
    expect(JSON.parse(bytesOf('spark.json').toString()).rules.length).toBeGreaterThan(50);
  });

  it('does so with a site that has 90 % of all URLs, though a process of Node is killed in the middle', async () => {
    const cwd = folder.path;
    await runProcess(['mine', 'giant.log', '-q', '-o', 'local.json'], { cwd });
    const running = runProcess(inSpark('giant.log', '-o', 'spark.json'), { cwd, env });
    process.kill(await nodeInExecutor(), 'SIGKILL');
    const { code, stderr } = await running;
    expect(stderr).toMatch(/1 task failed, and ran again/);
    expect(code).toBe(0);
    expect(bytesOf('spark.json').equals(bytesOf('local.json'))).toBe(true);
  });

  it('names the application and its last lines if the job fails, and writes no rules', async () => {
    const failing = inSpark('a.log', '-o', 'none.json', '--spark-node', '/nowhere/node');
    const { code, stderr } = await runProcess([...failing, '--spark-conf', 'spark.task.maxFailures=1'], {
      cwd: folder.path,
      env,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/the Spark job failed \(application app-\d+-\d+, exit 1\)\. No rules were written/);
    expect(stderr).toContain("No such file or directory: '/nowhere/node'");
    expect(existsSync(join(folder.path, 'none.json'))).toBe(false);
  });

  it('cancels the job at Ctrl-C', async () => {
    const child = spawn(process.execPath, [BIN, ...inSpark('giant.log', '-o', 'none.json')], {
      cwd: folder.path,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
    await nodeInExecutor();
    child.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
    for (let tries = 0; tries < 2000 && nodesBelow(folder.path).length > 0; tries++) await wait(10);
    expect(nodesBelow(folder.path)).toEqual([]);
    expect(existsSync(join(folder.path, 'none.json'))).toBe(false);
  });
});
