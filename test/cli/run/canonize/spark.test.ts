// `canonize --engine spark` without a Spark: what it refuses, and what is left when a job does not end well. What it
// writes is in test/e2e/spark.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeRules } from '../../../../src/rule/file.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { BIN, run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
  const index = sampleRule('/index.html', '/', { anchor: 'end', site: '*' });
  writeFileSync(join(folder.path, 'dustbuster-rules.json'), [...writeRules(sampleFile([index]))].join(''));
  writeFileSync(join(folder.path, 'urls.txt'), 'http://a.example/x\n');
  mkdirSync(join(folder.path, 'taken'));
});
afterAll(() => folder.remove());

const spark = (...args: readonly string[]) => run(['canonize', '--engine', 'spark', ...args], { cwd: folder.path });
const names = () => readdirSync(folder.path).sort();

it.each([
  [['http://a.example/x', '-o', 'out'], 'got URLs, expected files (-i) that executors can read'],
  [['-o', 'out'], 'got standard input, expected files'],
  [['-i', '-', '-o', 'out'], 'got standard input, expected files'],
  [['-i', 'urls.txt'], 'got standard output for the result; expected a folder, by -o or --out-parquet'],
  [['-i', 'urls.txt', '-o', 'out', '--out-parquet', 'table'], 'got -o out too; expected one of the two'],
  [['-i', 'urls.txt', '-o', 'out', '--unique'], 'got --unique with it, which compares the forms of all lines'],
  [['-i', 'urls.txt', '-o', 'out', '--as', 'nginx'], 'got --as with it'],
  [['-i', 'urls.txt', '-o', 'out', '--line-buffered'], 'got --line-buffered with it'],
  [['-i', 'urls.txt', '-o', 'out', '--debug'], 'got --debug with it'],
  [['-i', 'none.txt', '-o', 'out'], 'no file matches "none.txt"'],
  [['-i', 'urls.txt', '-o', 'taken'], 'taken exists already; expected the name of a new folder'],
  [['-i', 'urls.txt', '-o', 'nowhere/out'], 'cannot write nowhere/out (ENOENT)'],
])('refuses %j', async (args, message) => {
  const before = names();
  const { code, stderr } = await spark(...args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
  expect(names()).toEqual(before);
});

/** A spark-submit of our own. */
function submitBy(script: string): readonly string[] {
  const home = join(folder.path, 'home');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'spark-submit'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return ['-i', 'urls.txt', '-o', 'out', '--tmpdir', folder.path, '--spark-home', home];
}

it('says why a job failed, and leaves no part of the output', async () => {
  const asked = submitBy(`touch ${folder.path}/.out.*/part-000000.txt; echo 'out of luck' >&2; exit 7`);
  const before = names();
  const { code, stderr } = await spark(...asked);
  expect(stderr).toContain('the Spark job failed (before it was an application, exit 7). out was not written.');
  expect(stderr).toContain('out of luck');
  expect(code).toBe(2);
  expect(names()).toEqual(before);
});

it('leaves no part of the output at Ctrl-C', async () => {
  const asked = submitBy(`touch ${folder.path}/begun ${folder.path}/.out.*/part-000000.txt; exec sleep 60`);
  const before = names();
  const args = ['canonize', '--engine', 'spark', ...asked];
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder.path, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (!existsSync(join(folder.path, 'begun'))) await wait(10);
  child.kill('SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
  expect(names()).toEqual([...before, 'begun'].sort());
});

it.each([
  ['--spark-conf', 'a=b'],
  ['--spark-read', 'csv'],
])('refuses %s for a local run', async (option, value) => {
  const { code, stderr } = await run(['canonize', '-i', 'urls.txt', option, value], { cwd: folder.path });
  expect(stderr).toContain(`${option}: got it for a run on this machine; expected --engine spark with it`);
  expect(code).toBe(2);
});
