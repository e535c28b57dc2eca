// Options that take several values also take what was meant as an argument: errors say so.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack, record, WARCINFO } from '../../log/warc/compose.js';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
  writeFileSync(
    join(folder.path, 'x.warc'),
    pack([WARCINFO, record({ url: 'http://a.example/1', body: 'x' })], 'plain'),
  );
  writeFileSync(join(folder.path, 'urls.txt'), 'http://a.example/1\n');
});
afterAll(() => folder.remove());

const dustbuster = (line: string, input = '') => run(line.split(' '), { cwd: folder.path, input });

describe('an error about a missing argument', () => {
  it.each([
    ['mine --pages x.warc urls.txt', '"urls.txt", is INPUT, name it before --pages'],
    ['mine --pages x.warc x.warc', '"x.warc", is INPUT, name it before --pages'],
    ['mine --pages x.warc --test urls.txt urls.txt', '"urls.txt", is INPUT, name it before --test'],
    ['validate --pages x.warc rules.json', '"rules.json", is RULES, name it before --pages'],
    ['sketch --mirror none x.warc', '"x.warc", is archive, name it before --mirror'],
  ])('of %s names the option that took it', async (line, words) => {
    const { code, stderr } = await dustbuster(line);
    expect(code).toBe(2);
    expect(stderr).toContain(`takes all names up to the next option, here 2; if the last, ${words}\n`);
  });

  it.each([
    'mine --pages x.warc none.txt -o rules.json none.txt',
    'mine none.txt --pages x.warc x.warc',
    'validate --pages x.warc',
    'eval --urls urls.txt none.txt',
  ])('of %s does not, as nothing was taken', async (line) => {
    const { code, stderr } = await dustbuster(line);
    expect(code).toBe(2);
    expect(stderr).not.toContain('takes all names');
  });

  it('is none if standard input has the log', async () => {
    const { code } = await dustbuster('mine --pages x.warc x.warc', 'http://a.example/1\n');
    expect(code).toBe(0);
  });
});

it('a WARC file as a log leads to sketch', async () => {
  const { code, stderr } = await dustbuster('mine x.warc');
  expect(code).toBe(2);
  expect(stderr).toContain('dustbuster sketch FILE -o pages.jsonl');
  const { stdout } = await dustbuster('sketch x.warc');
  expect((await dustbuster('mine --pages x.warc -o rules.json -', stdout.toString())).code).toBe(0);
});
