// With a state its URLs are the list of a validation, whatever logrotate left of the logs.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
const day = (from: number) =>
  Array.from(
    { length: 60 },
    (_, k) => `http://www.example.com/${k % 2 === 0 ? 'old' : 'new'}/${from + (k >> 1)}\n`,
  ).join('');
const validate = (...flags: string[]) =>
  run(['validate', 'rules.json', '--dry-run', '--json', ...flags], { cwd: folder.path });
const askedBy = async (...flags: string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await validate(...flags);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout.toString()) as { urls: string[] }).urls;
};
const numbersOf = (urls: readonly string[]) =>
  new Set(urls.flatMap((url) => /\/(?:old|new)\/(\d+)$/.exec(url)?.[1] ?? []).map(Number));

beforeAll(async () => {
  folder = scratchFolder();
  for (const [k, now] of ['2026-11-20', '2026-11-21', '2026-11-22'].entries()) {
    writeFileSync(at('access.log'), day(30 * k));
    const args = ['mine', 'access.log', '--state', 'www', '--now', now, '-q', '-o', 'rules.json'];
    const { code, stderr } = await run(args, { cwd: folder.path });
    expect(code, stderr).toBe(0);
  }
});
afterAll(() => folder.remove());

describe('validate', () => {
  test('draws from the URLs of the state that the rules name, though the log has the newest only', async () => {
    expect(JSON.parse(readFileSync(at('rules.json'), 'utf8'))).toMatchObject({ state: 'www', urls: 180 });
    const numbers = numbersOf(await askedBy());
    expect(Math.min(...numbers)).toBeLessThan(30);
    expect(Math.max(...numbers)).toBeGreaterThanOrEqual(60);
    expect(await askedBy('--state', 'www')).toEqual(await askedBy());
    const newest = numbersOf(await askedBy('--test', 'access.log'));
    expect(Math.min(...newest)).toBeGreaterThanOrEqual(60);
  });

  test('needs no log for that', async () => {
    const before = await askedBy();
    const log = readFileSync(at('access.log'));
    rmSync(at('access.log'));
    expect(numbersOf(await askedBy())).toEqual(numbersOf(before));
    writeFileSync(at('access.log'), log);
  });

  test('reads the logs where the state is not to be found, and says so', async () => {
    const rules = readFileSync(at('rules.json'), 'utf8');
    writeFileSync(at('rules.json'), rules.replace('"state": "www"', '"state": "gone"'));
    const { code, stderr } = await validate();
    expect([code, stderr]).toEqual([0, expect.stringContaining('the state gone is not to be found')]);
    writeFileSync(at('rules.json'), rules);
  });

  test.each([
    [['--state', 'www', '--test', 'access.log'], 'expected one list'],
    [['--state', 'www', '--since', '2026-11-21'], '--state: got it with an option that chooses lines'],
    [['--state', 'nowhere'], 'nowhere'],
  ])('%j is refused', async (flags, message) => {
    const { code, stderr } = await validate(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
