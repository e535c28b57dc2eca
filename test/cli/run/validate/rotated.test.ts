// The logs of the rules have been renamed since: compressed, numbered, deleted, as logrotate does by the night.
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
const list = (from: number) =>
  Array.from(
    { length: 60 },
    (_, k) => `http://www.example.com/${k % 2 === 0 ? 'old' : 'new'}/${from + (k >> 1)}\n`,
  ).join('');

beforeAll(async () => {
  folder = scratchFolder();
  mkdirSync(at('logs'));
});
afterAll(() => folder.remove());
beforeEach(async () => {
  rmSync(at('logs'), { recursive: true });
  mkdirSync(at('logs'));
  writeFileSync(at('logs/access.log-20261120'), list(0));
  writeFileSync(at('logs/access.log-20261121'), list(30));
  const mined = await run(['mine', 'logs/access.log-*', '-q', '-o', 'rules.json'], { cwd: folder.path });
  expect(mined.code, mined.stderr).toBe(0);
});

const validate = (...flags: string[]) =>
  run(['validate', 'rules.json', '--dry-run', '--base', 'http://www.example.com', ...flags], { cwd: folder.path });

test('a log that was compressed is read under its new name, without a word', async () => {
  const before = await validate();
  expect(before.code, before.stderr).toBe(0);
  rmSync(at('logs/access.log-20261120'));
  writeFileSync(at('logs/access.log-20261120.gz'), gzipSync(list(0)));
  const { code, stdout, stderr } = await validate();
  expect({ code, stdout, stderr: stderr.replaceAll('.gz', '') }).toEqual({
    code: 0,
    stdout: before.stdout,
    stderr: before.stderr,
  });
  expect((await validate('--budget', '50', '-q')).code).toBe(0);
});

test('a log that was deleted is said, and the others are read', async () => {
  rmSync(at('logs/access.log-20261120'));
  const { code, stderr } = await validate();
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('1 of the 2 logs that the rules were mined from is gone'),
  ]);
});

test('if all were renamed, all of the same log are read, the newest first', async () => {
  for (const [k, day] of ['20261120', '20261121'].entries())
    renameSync(at(`logs/access.log-${day}`), at(`logs/access.log.${k + 1}`));
  utimesSync(at('logs/access.log.2'), 1, 1);
  writeFileSync(at('logs/access.log'), '');
  writeFileSync(at('logs/error.log.1'), 'nothing\n');
  const { code, stderr } = await validate();
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('newest first: logs/access.log.1, logs/access.log.2; --test names others'),
  ]);
});

/** Each is a log of pages of its own, from the newest to the oldest. */
const NIGHTS: readonly [title: string, mined: readonly string[], today: readonly string[]][] = [
  [
    'numbered, and the log begun anew',
    ['access.log'],
    ['access.log', 'access.log.1', 'access.log.2.gz', 'access.log.10.gz'],
  ],
  ['numbered one higher', ['access.log', 'access.log.1'], ['access.log', 'access.log.1', 'access.log.2.gz']],
  [
    'compressed and numbered one higher',
    ['access.log.1', 'access.log.2.gz'],
    ['access.log.1', 'access.log.2.gz', 'access.log.3.gz'],
  ],
  ['dated, and the log begun anew', ['access.log'], ['access.log', 'access.log-20261121', 'access.log-20261120.gz']],
  ['numbered, and nothing written since', ['access.log'], ['access.log.1', 'access.log.2.gz']],
];

test.each(NIGHTS)('all of a log are read that was %s', async (_, mined, today) => {
  const names = begun(mined, today);
  const { code, stdout, stderr } = await validate('--json');
  expect([code, stderr]).toEqual([0, expect.stringContaining(`the newest first: ${names.join(', ')}; --test names`)]);
  const pages = [...stdout.toString().matchAll(/\/new\/(\d+)"/g)].map(([, page]) => Number(page));
  expect(new Set(pages.map((page) => Math.floor(page / 30)))).toEqual(new Set(today.keys()));
});

test('nothing is read that is no rotated name of the log, nor one log twice', async () => {
  const names = begun(['access.log'], ['access.log', 'access.log.1']);
  for (const name of [
    'access.log.old',
    'access.log.1.txt',
    'other_access.log.1',
    'access.log.1a',
    'ssl-access.log.2.gz',
  ])
    writeFileSync(at(`logs/${name}`), list(900));
  writeFileSync(at('logs/access.log.1.gz'), gzipSync(list(30)));
  writeFileSync(at('logs/access.log.7'), '');
  mkdirSync(at('logs/access.log.8'));
  const { code, stdout, stderr } = await validate('--json');
  expect([code, stderr]).toEqual([0, expect.stringContaining(`the newest first: ${names.join(', ')}; --test names`)]);
  expect(stdout.toString()).toMatch(/\/new\/\d+"/);
  expect(stdout.toString()).not.toMatch(/\/9\d\d"/);
});

test('a log that has a date in its name stays the one it is, whatever was rotated since', async () => {
  const before = await validate();
  writeFileSync(at('logs/access.log'), list(900));
  writeFileSync(at('logs/access.log-20261122'), list(900));
  expect(await validate()).toEqual(before);
});

test('if the logs of the rules are all that is there, that is not worth a word', async () => {
  begun(['access.log', 'access.log.1'], ['access.log', 'access.log.1']);
  expect((await validate()).stderr).not.toMatch(/rotation|gone/);
});

/** Rules of the mined names, and logs under the names of today; returns these in the order in which they are said. */
function begun(mined: readonly string[], today: readonly string[]): readonly string[] {
  rmSync(at('logs'), { recursive: true });
  mkdirSync(at('logs'));
  const rules = JSON.parse(readFileSync(at('rules.json'), 'utf8')) as { inputs: object[] };
  const inputs = mined.map((name) => ({ ...rules.inputs[0], name: `./logs/${name}` }));
  writeFileSync(at('rules.json'), JSON.stringify({ ...rules, inputs }));
  for (const [k, name] of today.entries()) {
    writeFileSync(at(`logs/${name}`), name.endsWith('.gz') ? gzipSync(list(30 * k)) : list(30 * k));
    utimesSync(at(`logs/${name}`), 1_800_000_000 - 86_400 * k, 1_800_000_000 - 86_400 * k);
  }
  return today.map((name) => `./logs/${name}`);
}

test('if nothing of it is left, that is an error', async () => {
  rmSync(at('logs'), { recursive: true });
  mkdirSync(at('logs'));
  writeFileSync(at('logs/other.log.1'), list(0));
  const { code, stderr } = await validate();
  expect([code, stderr]).toEqual([2, expect.stringContaining('which cannot be read from this folder')]);
});
