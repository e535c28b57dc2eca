// `mine --engine spark` where there is no Spark, and options of a cluster for a local run: what is refused. What it
// mines is in test/e2e/spark.test.ts.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
  writeFileSync(join(folder.path, 'urls.txt'), 'http://a.example/x\n');
});
afterAll(() => folder.remove());

const spark = (...args: readonly string[]) => run(['mine', '--engine', 'spark', ...args], { cwd: folder.path });

it.each([
  [['urls.txt', '--state', 'kept'], 'got --state with it'],
  [['urls.txt', '--part-of-sites', '1/2'], 'got --part-of-sites with it'],
  [['urls.txt', '--from-clusters', 'urls.txt'], 'got --from-clusters with it'],
  [['urls.txt', '--stage', 'pairs'], 'got --stage with it'],
  [['urls.txt', '--fetch'], 'got --fetch or a similar option with it'],
  [['urls.txt', '--by-sketch', '--stop', 'fixed'], 'got --trackers, --trace or --stop fixed with --by-sketch'],
  [['urls.txt', '--by-sketch', '--check'], 'mine, then validate --by-sketch'],
  [['-'], 'got standard input, expected files that executors can read'],
  [[], 'got standard input, expected files that executors can read'],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await spark(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

it('says how to name Spark where it is not, and leaves nothing behind', async () => {
  const { code, stderr } = await spark('urls.txt', '--spark-home', '/nowhere/spark', '--tmpdir', folder.path);
  expect(code).toBe(2);
  expect(stderr).toContain('/nowhere/spark/bin/spark-submit cannot be run (ENOENT); expected Spark there');
  expect(stderr).toContain('--spark-home or SPARK_HOME');
  expect(existsSync(join(folder.path, 'dustbuster-rules.json'))).toBe(false);
  expect(readdirSync(folder.path)).toEqual(['urls.txt']);
});

it('says in one line that nothing answers at the address of the master, and starts nothing', async () => {
  const { code, stderr } = await spark('urls.txt', '--spark-master', 'spark://127.0.0.1:1', '--spark-home', '/nowhere');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^dustbuster: the Spark master spark:..127.0.0.1:1 cannot be reached \(ECONNREFUSED\); .*\n$/);
  expect(stderr).toContain('No rules were written');
  expect(readdirSync(folder.path)).toEqual(['urls.txt']);
});

it.each([
  ['--spark-master', 'local[2]'],
  ['--spark-conf', 'spark.ui.enabled=false'],
  ['--spark-home', '/opt/spark'],
  ['--spark-node', '/opt/node'],
])('refuses %s for a local run', async (option, value) => {
  const { code, stderr } = await run(['mine', 'urls.txt', option, value], { cwd: folder.path });
  expect(code).toBe(2);
  expect(stderr).toContain(`${option}: got it for a run on this machine; expected --engine spark with it`);
  expect(existsSync(join(folder.path, 'dustbuster-rules.json'))).toBe(false);
});

it('takes them for a local run from a file or a variable, where they are for other runs', async () => {
  const env = { DUSTBUSTER_SPARK_MASTER: 'local[2]' };
  const { code } = await run(['mine', 'urls.txt', '-q', '-o', '-'], { cwd: folder.path, env });
  expect(code).toBe(0);
});
