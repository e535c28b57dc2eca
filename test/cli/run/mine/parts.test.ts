// One run that writes a rules file for each part of the sites, compared with one that writes one file.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (...names: string[]) => join(folder.path, ...names);

/** 70 shops that have session ids in common, of which each tenth has a referral that may mean money, so a key. */
function shops(): string {
  const lines = ['url\tsize'];
  for (let shop = 0; shop < 70; shop++) {
    for (let page = 0; page < 9; page++) {
      const url = `http://shop${shop}.example/p/${page * 7 + shop}`;
      const size = 1000 + ((page * 7919 + shop * 31) % 5000);
      for (const form of [url, `${url}?sid=${page}${shop}`, ...(shop % 10 === 0 ? [`${url}?ref=${page}`] : [])])
        lines.push(`${form}\t${size}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

async function done(...args: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { code, stdout, stderr } = await run(args, { cwd: folder.path });
  expect(code, stderr).toBe(0);
  return { stdout: stdout.toString(), stderr };
}

beforeAll(async () => {
  folder = scratchFolder();
  writeFileSync(at('log.tsv'), shops());
  const urls = shops().replaceAll(/\t.*/g, '').split('\n').slice(1);
  const others = ['no URL\r', 'HTTP://SHOP3.example:80/p/3?sid=5', 'http://else.example/p?sid=5', '/p/3?sid=5'];
  writeFileSync(
    at('urls.txt'),
    [...urls.slice(0, 300), ...others, ...urls, 'http://shop3.example/p/1?sid=1'].join('\n'),
  );
  await done('mine', 'log.tsv', '-o', 'one.json', '-q');
  await done('mine', 'log.tsv', '--parts', '3', '-o', 'rules', '-q');
});
afterAll(() => folder.remove());

test('the parts merged have the bytes of one file, and a set replaces an earlier one', async () => {
  expect(readdirSync(at('rules'))).toEqual([1, 2, 3].map((k) => `part-${k}-of-3.json`));
  const { stdout } = await done('mine', 'log.tsv', '--parts', '12', '-o', 'again', '--threads', '1');
  expect(stdout).toMatch(/^\d+ rules in 12 files, written to again\n$/);
  expect(readdirSync(at('again')).at(0)).toBe('part-01-of-12.json');
  writeFileSync(at('again', 'mine.txt'), 'stays');
  await done('mine', 'log.tsv', '--parts', '2', '-o', 'again', '-q');
  expect(readdirSync(at('again'))).toEqual(['mine.txt', 'part-1-of-2.json', 'part-2-of-2.json']);
  for (const parts of [['rules'], [2, 1].map((k) => `again/part-${k}-of-2.json`)].map((names) => names.flat())) {
    await done('merge-rules', ...parts, '-o', 'merged.json', '-q');
    expect(readFileSync(at('merged.json'), 'utf8')).toBe(readFileSync(at('one.json'), 'utf8'));
  }
  const { stdout: json } = await done('mine', 'log.tsv', '--parts', '2', '-o', 'again', '--json');
  const { stdout: whole } = await done('mine', 'log.tsv', '-o', 'one.json', '--json');
  expect(JSON.parse(json).rules.likely).toEqual(JSON.parse(whole).rules.likely);
});

test.each([
  [],
  ['--pairs'],
  ['--changed'],
  ['--unique'],
  ['--unique', '--pairs', '--json'],
  ['--unique', '--memory', '1m'],
  ['--line-buffered'],
  ['--debug'],
])('canonize by the folder gives what one file gives: %j', async (...flags: string[]) => {
  const canonized = async (rules: string) => {
    const { stdout, stderr } = await run(
      ['canonize', '-r', rules, '--accept', 'confident', '-i', 'urls.txt', '-o', `${rules}.out`, ...flags],
      { cwd: folder.path },
    );
    return [readFileSync(at(`${rules}.out`), 'latin1'), stdout.toString().replaceAll(rules, ''), stderr];
  };
  const [text, ...said] = await canonized('one.json');
  expect(await canonized('rules')).toEqual([text, ...said]);
  expect(text).toContain('\nhttp://shop3.example/p/');
});

test('other commands read the folder as one file, or say which file they expect', async () => {
  expect((await done('diff', 'one.json', 'rules', '--all')).stdout).toBe('No rule has changed.\n');
  const url = 'http://shop3.example/p/3?sid=5';
  const explained = await done('explain', '-r', 'rules', '--accept', 'confident', url);
  expect(explained).toEqual(await done('explain', '-r', 'one.json', '--accept', 'confident', url));
  const { code, stderr } = await run(['validate', 'rules', '--by-sketch'], { cwd: folder.path });
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/folder .* expected one file, such as rules\/part-1-of-3\.json/),
  ]);
});

test('a set that is not whole is refused, and nothing that a run would lose is replaced', async () => {
  const refusal = async (...args: string[]) => {
    const { code, stderr } = await run(args, { cwd: folder.path });
    expect(code, stderr).toBe(2);
    return stderr;
  };
  mkdirSync(at('half'));
  expect(await refusal('canonize', '-r', 'half', '-i', 'urls.txt')).toMatch(/half is a folder without rules/);
  for (const k of [1, 2]) copyFileSync(at('rules', `part-${k}-of-3.json`), at('half', `part-${k}-of-3.json`));
  expect(await refusal('canonize', '-r', 'half', '-i', 'urls.txt')).toMatch(/half lacks part-3-of-3\.json/);
  await done('mine', 'log.tsv', '--parts', '3', '-o', 'half', '--min-site-urls', '500', '-q');
  rmSync(at('half', 'part-2-of-3.json'));
  copyFileSync(at('rules', 'part-2-of-3.json'), at('half', 'part-2-of-3.json'));
  expect(await refusal('canonize', '-r', 'half', '-i', 'urls.txt')).toMatch(
    /differs from the first part in the options/,
  );

  const text = readFileSync(at('rules', 'part-2-of-3.json'), 'utf8');
  writeFileSync(at('half', 'part-2-of-3.json'), text.replace('{"rank":1,', '{"rank":1,"note":"ours",'));
  expect(await refusal('mine', 'log.tsv', '--parts', '2', '-o', 'half')).toMatch(
    /part-2-of-3\.json has pins, vetoes or notes/,
  );
  writeFileSync(at('empty.tsv'), '');
  expect(await refusal('mine', 'empty.tsv', '--parts', '2', '-o', 'rules')).toMatch(/rules stays as it is/);
  expect(await refusal('mine', 'log.tsv', '--parts', '2')).toMatch(/--parts: got no folder .* -o FOLDER/);
  expect(await refusal('mine', 'log.tsv', '--parts', '2', '-o', 'x', '--by-sketch')).toMatch(
    /--parts: got --fetch or a similar/,
  );
  expect(await refusal('mine', 'log.tsv', '--parts', '2', '-o', 'x', '--part-of-sites', '1/2')).toMatch(
    /got --part-of-sites/,
  );
  expect(await refusal('mine', 'log.tsv', '--parts', '2', '-o', 'one.json')).toMatch(
    /cannot make the folder .*: a file/,
  );
  expect(readdirSync(at('rules'))).toHaveLength(3);
});
