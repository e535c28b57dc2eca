// An option that has no effect in a run is refused where it is typed, and ignored where a file sets it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(async () => {
  folder = scratchFolder();
  writeFileSync(join(folder.path, 'urls.txt'), 'http://a.example/1\n');
  writeFileSync(join(folder.path, 'idle.toml'), '[mine]\nstop = "fixed"\nseed = 7\n[eval]\nN = 5\n');
  await dustbuster('mine urls.txt -q');
});
afterAll(() => folder.remove());

const dustbuster = (line: string) => run(line.split(' '), { cwd: folder.path });

describe('an option without effect', () => {
  it.each([
    ['mine urls.txt --stop fixed', '--stop: got it without --fetch, --pages or --by-sketch'],
    ['mine urls.txt --rate 5', '--rate: got it without --fetch, --pages or --by-sketch'],
    ['mine urls.txt --min-freq 4', '--min-freq: got it without --from-clusters'],
    ['mine urls.txt --tsv', '--tsv: got it without --stage'],
    ['eval --urls urls.txt --per rule', '--per: got it without --csv'],
    ['eval --urls urls.txt --accept likely --N 7', '--N: got it without --sweep'],
  ])('is refused: %s', async (line, words) => {
    const { code, stdout, stderr } = await dustbuster(line);
    expect([code, stdout.toString()]).toEqual([2, '']);
    expect(stderr).toBe(`dustbuster: ${words}, where it has no effect; add one, or leave it out\n`);
  });

  it.each([
    'mine urls.txt --config idle.toml',
    'mine urls.txt --dry-run --rate 5',
    'mine urls.txt --stage likely --tsv --seed 5',
  ])('is none in %s', async (line) => {
    const { code, stderr } = await dustbuster(line);
    expect(code, stderr).toBe(0);
  });
});
