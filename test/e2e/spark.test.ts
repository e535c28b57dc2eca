// `mine --engine spark` on a real Spark: the bytes of a local run, whatever happens to processes in the middle.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, runProcess, scratchFolder } from '../cli/process.js';
import { executorOf, nodesBelow, QUICK_JOB, sparkEnv, sparkHome, startCluster, type Cluster } from './spark-cluster.js';

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
    const site = siteOf(draw);
    const page = draw(site === 0 ? 6000 : 25);
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
      `s${site}.example 10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET ${path[draw(5)]} HTTP/1.1" ${bot} ${size} "-" "Mozilla/5.0"`,
    );
  }
  return Buffer.from(`${lines.join('\n')}\nnot a line\n`, 'latin1');
}

beforeAll(async () => {
  if (sparkHome === undefined) return;
  folder = scratchFolder();
  writeFileSync(
    join(folder.path, 'giant.log'),
    logOf(40_000, (draw) => (draw(20) > 0 ? 0 : 1 + draw(40)), 3),
  );
  writeFileSync(join(folder.path, 'b.log.gz'), gzipSync(logOf(1500, (draw) => draw(20), 2)));
  writeFileSync(
    join(folder.path, 'urls.txt'),
    'http://s1.example/story/1\nhttp://s1.example/story/1?sid=4\n'.repeat(9),
  );
  cluster = await startCluster(folder.path);
}, 240_000);
afterAll(() => {
  cluster?.stop();
  folder?.remove();
});

const env = { ...sparkEnv, SPARK_HOME: sparkHome ?? '' };
const inSpark = (...args: readonly string[]) => {
  const settings = [...QUICK_JOB, '--spark-conf', 'spark.default.parallelism=3'];
  return ['mine', ...args, '--engine', 'spark', '--spark-master', cluster.master, ...settings];
};
const bytesOf = (name: string) => readFileSync(join(folder.path, name));

/** Processes of Node in executors, one after another, each once. */
async function* nodesInExecutors(): AsyncGenerator<number> {
  const seen = new Set<number>();
  for (const until = Date.now() + 240_000; Date.now() < until; await wait(10)) {
    for (const pid of nodesBelow(folder.path)) {
      if (!seen.has(pid)) yield pid;
      seen.add(pid);
    }
  }
  throw new Error('no executor ran Node');
}

/** Kills the first process of Node, which reads; and the JVM of the executor that runs the first one which mines. */
async function killTwice(tables: number): Promise<void> {
  let count = 0;
  for await (const node of nodesInExecutors()) {
    count++;
    // Each table is read by one process, and that of the first by one more.
    const pid = count === 1 ? node : count > tables + 1 ? executorOf(node, folder.path) : undefined;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    if (pid !== undefined && count > 1) return;
  }
}

// A job takes ten seconds of CPU, most of it to start: minutes on a machine that is busy otherwise.
describe.skipIf(sparkHome === undefined)('mine --engine spark', { timeout: 300_000 }, () => {
  // Several inputs and formats, URLs that are no UTF-8, and a site that has 90 % of all.
  it('writes the bytes of a local run, though a process of Node and then an executor are killed in the middle', async () => {
    const inputs = ['giant.log', 'b.log.gz', 'urls.txt'];
    const cwd = folder.path;
    const local = await runProcess(['mine', ...inputs, '-o', 'local.json'], { cwd });
    const running = runProcess(inSpark(...inputs, '-o', 'spark.json'), { cwd, env });
    await killTwice(2);
    const spark = await running;
    expect(spark.stderr).toMatch(/executors \d, \d/);
    expect(spark.stderr).toMatch(/: 2 tables, 3 shares \((8[89]|9\d) % of the rows in the largest\)/);
    expect(spark.stderr).toMatch(/[2-9] tasks failed, and ran again/);
    expect(spark.code).toBe(local.code);
    expect(bytesOf('spark.json').equals(bytesOf('local.json'))).toBe(true);
    expect(spark.stdout.toString().replace('spark.json', 'local.json')).toBe(local.stdout.toString());
    expect(JSON.parse(bytesOf('spark.json').toString()).rules.length).toBeGreaterThan(50);
  });

  it('names the application and its last lines if the job fails, and writes no rules', async () => {
    const failing = inSpark('urls.txt', '-o', 'none.json', '--spark-node', '/nowhere/node');
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
    await nodesInExecutors().next();
    child.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
    for (let tries = 0; tries < 2000 && nodesBelow(folder.path).length > 0; tries++) await wait(10);
    expect(nodesBelow(folder.path)).toEqual([]);
    expect(existsSync(join(folder.path, 'none.json'))).toBe(false);
  });
});
