// `--engine spark` on a real Spark: the bytes of a local run, whatever happens to processes in the middle.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, runProcess, scratchFolder, type Outcome } from '../cli/process.js';
import {
  commandOf,
  executorOf,
  nodesBelow,
  QUICK_JOB,
  sparkEnv,
  sparkHome,
  startCluster,
  type Cluster,
} from './spark-cluster.js';

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

/** Few URLs of many hosts, which run two kinds of software: of shops, where `token` names the page on some, and of wikis. */
function manyHosts(): string {
  const lines = Array.from({ length: 64 }, (_, host) =>
    [1, 2, 3, 4].flatMap((page) => {
      const size = 2000 + ((host * 7919 + page * 104_729) % 60_011);
      const isOwn = host % 22 === 0;
      const path = host % 2 === 0 ? `shop/item?id=${page}&token=` : `wiki/page${page}.php?printable=`;
      return [1, 2, 3].map((k) => `http://h${host}.test/${path}${k}\t${isOwn ? size + k * 777 : size}\n`);
    }),
  );
  return `url\tsize\n${lines.flat().join('')}`;
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
  writeFileSync(join(folder.path, 'hosts.tsv'), manyHosts());
  cluster = await startCluster(folder.path);
}, 240_000);
afterAll(() => {
  cluster?.stop();
  folder?.remove();
});

const env = { ...sparkEnv, SPARK_HOME: sparkHome ?? '' };
const onCluster = (master = cluster.master, shares = 3) => {
  const settings = [...QUICK_JOB, '--spark-conf', `spark.default.parallelism=${shares}`];
  return ['--engine', 'spark', '--spark-master', master, ...settings];
};
const inSpark = (...args: readonly string[]) => ['mine', ...args, ...onCluster()];
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

/** What happens before the command ends; throws if it ends first. */
function before<T>(running: Promise<Outcome>, happens: Promise<T>): Promise<T> {
  const ended = running.then(({ stderr }): never => {
    throw new Error(`the command ended too early: ${stderr}`);
  });
  return Promise.race([happens, ended]);
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

interface JudgedRule {
  readonly status: string;
  readonly hosts?: unknown;
  readonly name?: string;
}

/** The parameters that rules of classes of hosts are about. */
function namesOfClasses(rules: readonly JudgedRule[]): unknown[] {
  return rules.filter(({ hosts }) => hosts !== undefined).map(({ name }) => name);
}

const lineOfHosts = (stderr: string) => /^Hosts learned from each other: .*$/m.exec(stderr)?.[0];

// A job takes ten seconds of CPU, most of it to start: minutes on a machine that is busy otherwise.
describe.skipIf(sparkHome === undefined)('mine --engine spark', { timeout: 300_000 }, () => {
  // Several inputs and formats, URLs that are no UTF-8, a site that has 90 % of all, and hosts that learn from each other.
  it('writes the bytes of a local run, though a process of Node and then an executor are killed in the middle', async () => {
    const inputs = ['giant.log', 'b.log.gz', 'urls.txt', 'hosts.tsv'];
    const cwd = folder.path;
    const local = await runProcess(['mine', ...inputs, '-o', 'local.json'], { cwd });
    const running = runProcess(inSpark(...inputs, '-o', 'spark.json'), { cwd, env });
    await before(running, killTwice(2));
    const spark = await running;
    // Dealt by hash, its share would have more.
    expect(spark.stderr).toContain(': 2 tables, 3 shares (88 % of the rows in the largest)');
    expect(spark.stderr).toMatch(/\d tasks? failed, and ran again/);
    expect(spark.code).toBe(local.code);
    expect(bytesOf('spark.json').equals(bytesOf('local.json'))).toBe(true);
    expect(spark.stdout.toString().replace('spark.json', 'local.json')).toBe(local.stdout.toString());
    const { rules } = JSON.parse(bytesOf('spark.json').toString());
    expect(rules.length).toBeGreaterThan(50);
    expect(namesOfClasses(rules)).toEqual(expect.arrayContaining(['token', 'printable']));
    expect(lineOfHosts(spark.stderr)).toBe(lineOfHosts(local.stderr));
  });

  it('judges by digests where it mines, with the bytes of a local run', async () => {
    const names = ['', '?sid=7', '?sid=8', 'index.html'];
    const lines = Array.from({ length: 4800 }, (_, k) => {
      const [site, page] = [k % 12, Math.floor(k / 48)];
      return `https://s${site}.example/${'abc'[page % 3]}/${page}/${names[Math.floor(k / 12) % (site % 2 === 0 ? 4 : 3)]},${site}x${page}\n`;
    });
    const small = manyHosts()
      .replace(/^.*\n/, '')
      .replace(/^http:..([^/]*)(.*)\t(\d+)$/gm, 'http://$1$2,$1x$3');
    writeFileSync(join(folder.path, 'digests.csv'), `url,digest\n${lines.join('')}${small}`);
    const cwd = folder.path;
    const local = await runProcess(['mine', 'digests.csv', '--by-sketch', '-o', 'local-judged.json'], { cwd });
    const spark = await runProcess(
      ['mine', 'digests.csv', '--by-sketch', '-o', 'spark-judged.json', ...onCluster(cluster.master, 2)],
      { cwd, env },
    );
    expect(spark.code, spark.stderr).toBe(0);
    expect(bytesOf('spark-judged.json').equals(bytesOf('local-judged.json'))).toBe(true);
    const { rules } = JSON.parse(bytesOf('spark-judged.json').toString()) as { rules: readonly JudgedRule[] };
    const valid = rules.filter(({ status }) => status === 'valid');
    expect(namesOfClasses(valid)).toEqual(expect.arrayContaining(['token', 'printable']));
    expect(valid.some(({ hosts }) => hosts === undefined)).toBe(true);
    expect(spark.stdout.toString().replace('spark-judged', 'local-judged')).toBe(local.stdout.toString());
  });

  it('reads the files of a lake through Spark, with the rules of a local run', async () => {
    const cwd = folder.path;
    mkdirSync(join(cwd, 'lake'));
    writeFileSync(join(cwd, 'lake', 'a.log'), bytesOf('giant.log').subarray(0, 1 << 20));
    writeFileSync(join(cwd, 'lake', 'b.log.gz'), bytesOf('b.log.gz'));
    writeFileSync(join(cwd, 'lake', 'c.tsv'), bytesOf('hosts.tsv'));
    await runProcess(['mine', 'lake', '-o', 'local-lake.json'], { cwd });
    const mounted = `spark.hadoop.fs.viewfs.mounttable.lake.link./logs=file://${join(cwd, 'lake')}`;
    const ours = ['--spark-conf', mounted];
    const oneShare = ['mine', 'viewfs://lake/logs', '-o', 'lake.json', ...ours, ...onCluster(cluster.master, 1)];
    const { code, stderr } = await runProcess(oneShare, { cwd, env });
    expect([code, stderr]).toEqual([0, expect.stringContaining('3 tables, 1 share')]);
    const [local, lake] = ['local-lake.json', 'lake.json'].map((name) => JSON.parse(bytesOf(name).toString()));
    expect(lake.rules).toEqual(local.rules);
    expect(lake.rules.length).toBeGreaterThan(20);
    expect(namesOfClasses(lake.rules)).toContain('token');
    const names = (file: { inputs: readonly { name: string }[] }) => file.inputs.map(({ name }) => name);
    expect(names(lake)).toEqual(names(local).map((name) => name.replace('lake/', 'viewfs://lake/logs/')));
    const none = await runProcess(inSpark('viewfs://lake/none', '-o', 'none.json', ...ours), { cwd, env });
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/^dustbuster: viewfs:..lake.none: Spark finds no such file; .*\n$/);
    const forms = ['canonize', '--accept', 'likely', '-r', 'lake.json', '-i', 'viewfs://lake/logs', '-o', 'lake-forms'];
    const mapped = await runProcess([...forms, ...onCluster(), ...ours], { cwd, env });
    expect(mapped.stderr).toContain('3 parts');
    const parts = readdirSync(join(cwd, 'lake-forms')).filter((name) => name.startsWith('part-'));
    const files = ['a.log', 'b.log.gz', 'c.tsv'].flatMap((name) => ['-i', `lake/${name}`]);
    const local2 = ['canonize', '--accept', 'likely', '-r', 'lake.json', ...files];
    const { stdout } = await runProcess(local2, { cwd });
    expect(Buffer.concat(parts.sort().map((name) => bytesOf(join('lake-forms', name)))).equals(stdout)).toBe(true);
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

/** The package with what it needs and a Node, as executors get it that have neither. */
function packArchive(path: string): void {
  const root = new URL('../..', import.meta.url).pathname;
  const listed = spawnSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: root, encoding: 'utf8' });
  // A package within another one comes with it: listed twice, it would be a hard link, which Spark does not unpack.
  const modules = listed.stdout
    .split('\n')
    .slice(1, -1)
    .filter((module) => module.split('/node_modules/').length === 2);
  const bin = join(folder.path, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  const parts = ['package.json', 'dist/program', 'dist/kernel.wasm', 'dist/sweep.wasm'];
  const own = [...parts, ...modules.map((module) => relative(root, module))];
  const { status, stderr } = spawnSync('tar', ['cf', path, '-C', root, ...own, '-C', bin, 'node'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

/** Lists of the log's URLs: a plain file that is cut, a compressed one, and a Parquet file. */
async function writeLists(cwd: string): Promise<void> {
  const urls = bytesOf('giant.log')
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [, site, path] = /^(\S+) .*"GET (\S+) /.exec(line) ?? [];
      return site === undefined ? [] : [`http://${site}${path}`];
    });
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), Buffer.from(text, 'latin1'));
  // One line that is longer than a part, and no newline at the end.
  write('a.txt', `${urls.slice(0, 20_000).join('\r\n')}\n${'x'.repeat(1_200_000)}\nno url\n${urls[20_000]}`);
  writeFileSync(join(cwd, 'b.txt.gz'), gzipSync(urls.slice(30_000).join('\n')));
  write('ascii.txt', urls.filter((url) => /^[ -~]+$/.test(url)).join('\n'));
  await runProcess(['mine', 'giant.log', 'b.log.gz', '-q', '-o', 'rules.json'], { cwd });
  await runProcess([...CANONIZE, '-i', 'ascii.txt', '--out-parquet', 'c.parquet'], { cwd });
}

const CANONIZE = ['canonize', '-r', 'rules.json', '--accept', 'likely'];
const LISTS = ['a.txt', 'c.parquet', 'b.txt.gz', 'ascii.txt'].flatMap((name) => ['-i', name]);

describe.skipIf(sparkHome === undefined)('canonize --engine spark', { timeout: 300_000 }, () => {
  beforeAll(() => writeLists(folder.path), 240_000);

  it('writes the lines of a local run in parts, by a package and a Node that came in an archive', async () => {
    const cwd = folder.path;
    const archive = join(cwd, 'package.tar');
    packArchive(archive);
    const shipped = ['--spark-conf', `spark.archives=${archive}#dustbuster`, '--spark-node', 'dustbuster/node'];
    const asked = [...CANONIZE, '--pairs', ...LISTS];
    const running = runProcess([...asked, ...onCluster(), ...shipped, '-o', 'forms'], { cwd, env });
    const { value: node } = await before(running, nodesInExecutors().next());
    expect(commandOf(Number(node))).toContain(`./dustbuster/dist/program/`);
    const [spark, local] = [await running, await runProcess([...asked, '-o', 'forms.txt'], { cwd })];
    expect(spark.stderr).toMatch(/: \d parts, in executors 0, 1\n/);
    expect(spark.code).toBe(local.code);
    const parts = readdirSync(join(cwd, 'forms')).sort();
    expect(parts.slice(0, 3)).toEqual(['_SUCCESS', 'part-000000.txt', 'part-000001.txt']);
    const all = Buffer.concat(parts.map((part) => bytesOf(`forms/${part}`)));
    expect(all.equals(bytesOf('forms.txt'))).toBe(true);
  });

  it('writes Parquet files with the rows of a local run, all of bytes if one has URLs that are no UTF-8', async () => {
    const cwd = folder.path;
    const asked = [...CANONIZE, '--changed', ...LISTS];
    const [spark, local] = [
      await runProcess([...asked, ...onCluster(), '--out-parquet', 'table'], { cwd, env }),
      await runProcess([...asked, '--out-parquet', 'table.parquet'], { cwd }),
    ];
    expect(spark.stderr.split('\n')[0]!.replace('table:', 'table.parquet:')).toBe(local.stderr.trim());
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
    const rowsOf = (files: string) => query(`SELECT hex(url), hex(canonical) FROM '${cwd}/${files}'`);
    const rows = await rowsOf('table.parquet');
    expect(await rowsOf('table/*.parquet')).toEqual(rows);
    expect(rows.length).toBeGreaterThan(1000);
    const types = await query(
      `SELECT DISTINCT type FROM parquet_schema('${cwd}/table/*.parquet') WHERE num_children IS NULL`,
    );
    const texts = await query(`FROM parquet_schema('${cwd}/table/*.parquet') WHERE converted_type = 'UTF8'`);
    expect([types, texts]).toEqual([[['BYTE_ARRAY']], []]);
  });

  it('writes the forms of a column that Spark reads', async () => {
    const cwd = folder.path;
    const urls = bytesOf('ascii.txt').toString().split('\n').slice(0, 3000);
    writeFileSync(join(cwd, 'list.csv'), `number,url\n${urls.map((url, at) => `${at},"${url}"\n`).join('')}7,\n`);
    writeFileSync(join(cwd, 'list.txt'), `${urls.join('\n')}\n\n`);
    const asked = [...CANONIZE, '--pairs', '-i'];
    const reading = [...asked, 'list.csv', ...onCluster('local[1]'), '--spark-read', 'csv', '-o', 'column'];
    const spark = await runProcess(reading, { cwd, env });
    const local = await runProcess([...asked, 'list.txt'], { cwd });
    expect(spark.code).toBe(local.code);
    const parts = readdirSync(join(cwd, 'column')).sort();
    const all = Buffer.concat(parts.map((part) => bytesOf(`column/${part}`)));
    expect(all.equals(local.stdout)).toBe(true);
    expect(all.length).toBeGreaterThan(100_000);
  });
});
