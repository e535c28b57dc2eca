// The logs of the rules have been renamed since: compressed, numbered, deleted, as logrotate does by the night.
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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

test('if all were renamed, the newest of the same log is read', async () => {
  for (const [k, day] of ['20261120', '20261121'].entries())
    renameSync(at(`logs/access.log-${day}`), at(`logs/access.log.${k + 1}`));
  utimesSync(at('logs/access.log.2'), 1, 1);
  writeFileSync(at('logs/access.log'), '');
  writeFileSync(at('logs/error.log.1'), 'nothing\n');
  const { code, stderr } = await validate();
  expect([code, stderr]).toEqual([0, expect.stringContaining('samples are drawn from logs/access.log.1')]);
});

test('if nothing of it is left, that is an error', async () => {
  rmSync(at('logs'), { recursive: true });
  mkdirSync(at('logs'));
  writeFileSync(at('logs/other.log.1'), list(0));
  const { code, stderr } = await validate();
  expect([code, stderr]).toEqual([2, expect.stringContaining('which cannot be read from this folder')]);
});
