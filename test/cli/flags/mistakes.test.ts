// An option that has no effect in a run is refused where it is typed, and ignored where a file sets it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack, record, WARCINFO } from '../../log/warc/compose.js';
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

// Options that take several values also take what was meant as an argument: errors say so.

let archives: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  archives = scratchFolder();
  writeFileSync(
    join(archives.path, 'x.warc'),
    pack([WARCINFO, record({ url: 'http://a.example/1', body: 'x' })], 'plain'),
  );
  writeFileSync(join(archives.path, 'urls.txt'), 'http://a.example/1\n');
});
afterAll(() => archives.remove());

const besideArchives = (line: string, input = '') => run(line.split(' '), { cwd: archives.path, input });

describe('an error about a missing argument', () => {
  it.each([
    ['mine --pages x.warc urls.txt', '"urls.txt", is INPUT, name it before --pages'],
    ['mine --pages x.warc x.warc', '"x.warc", is INPUT, name it before --pages'],
    ['mine --pages x.warc --test urls.txt urls.txt', '"urls.txt", is INPUT, name it before --test'],
    ['validate --pages x.warc rules.json', '"rules.json", is RULES, name it before --pages'],
    ['sketch --mirror none x.warc', '"x.warc", is archive, name it before --mirror'],
  ])('of %s names the option that took it', async (line, words) => {
    const { code, stderr } = await besideArchives(line);
    expect(code).toBe(2);
    expect(stderr).toContain(`takes all names up to the next option, here 2; if the last, ${words}\n`);
  });

  it.each([
    'mine --pages x.warc none.txt -o rules.json none.txt',
    'mine none.txt --pages x.warc x.warc',
    'validate --pages x.warc',
    'eval --urls urls.txt none.txt',
  ])('of %s does not, as nothing was taken', async (line) => {
    const { code, stderr } = await besideArchives(line);
    expect(code).toBe(2);
    expect(stderr).not.toContain('takes all names');
  });

  it('is none if standard input has the log', async () => {
    const { code } = await besideArchives('mine --pages x.warc x.warc', 'http://a.example/1\n');
    expect(code).toBe(0);
  });
});

it('a WARC file as a log leads to sketch', async () => {
  const { code, stderr } = await besideArchives('mine x.warc');
  expect(code).toBe(2);
  expect(stderr).toContain('dustbuster sketch FILE -o pages.jsonl');
  const { stdout } = await besideArchives('sketch x.warc');
  expect((await besideArchives('mine --pages x.warc -o rules.json -', stdout.toString())).code).toBe(0);
});
