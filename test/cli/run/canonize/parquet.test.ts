// `canonize --out-parquet`: the rows of --pairs as a Parquet file, read back by DuckDB and as an input.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRules } from '../../../../src/rule/file.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { run as runCommand, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
  const index = sampleRule('/index.html', '/', { anchor: 'end', site: '*' });
  write('dustbuster-rules.json', [...writeRules(sampleFile([index]))].join(''));
  write('urls.txt', lines);
});
afterAll(() => folder.remove());

const lines = Buffer.from(
  '/a/index.html\r\n/a/\nno\turl\n\n/' + 'x'.repeat(1 << 20) + '\n/caf%E9#part\nhttp://H/index.html',
);
const rows = [
  ['/a/index.html', '/a/'],
  ['/a/', '/a/'],
  ['no\turl', null],
  ['', null],
  [null, null],
  ['/caf%E9#part', '/caf%E9'],
  ['http://H/index.html', 'http://h/'],
];

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder.path, name), content);
}

async function canonize(args: readonly string[], input: string | Buffer = '') {
  const { code, stdout, stderr } = await runCommand(['canonize', ...args], { cwd: folder.path, input });
  return { code, stdout, stderr };
}

async function query(sql: string): Promise<readonly (readonly unknown[])[]> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  return (await connection.runAndReadAll(sql.replaceAll('$', `${folder.path}/`))).getRows();
}

/** Of lines of URL and form, the first of each form. */
function firstOfEach(pairs: string): string {
  const seen = new Set<string>();
  return pairs
    .split(/(?<=\n)/)
    .filter((line) => {
      const form = line.slice(line.indexOf('\t'));
      const isFirst = !seen.has(form);
      seen.add(form);
      return isFirst;
    })
    .join('');
}

describe('dustbuster canonize --out-parquet', { timeout: 60_000 }, () => {
  it('writes each line and its form as a row, and nothing to standard output', async () => {
    expect(await canonize(['-i', 'urls.txt', '--out-parquet', 'out.parquet'])).toEqual({
      code: 0,
      stdout: Buffer.alloc(0),
      stderr: '',
    });
    expect(await query("FROM '$out.parquet'")).toEqual(rows);
    expect(await query("SELECT DISTINCT typeof(url), typeof(canonical) FROM '$out.parquet'")).toEqual([
      ['VARCHAR', 'VARCHAR'],
    ]);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('writes to a pipe, and reads its own file as a list of URLs', async () => {
    const piped = await canonize(['--out-parquet', '-'], lines);
    write('piped.parquet', piped.stdout);
    expect(await query("FROM '$piped.parquet'")).toEqual(rows);
    const again = await canonize(['-i', 'piped.parquet', '--out-parquet', 'again.parquet', '--pairs']);
    expect([again.code, again.stderr]).toEqual([0, '']);
    const [tab, ...others] = [
      ['no\x01url', null],
      ['', null],
    ];
    expect(await query("FROM '$again.parquet'")).toEqual([
      ...rows.slice(0, 2),
      tab,
      others[0],
      others[0],
      ...rows.slice(5),
    ]);
  });

  it.each([
    [['--unique'], rows.filter((_, at) => at !== 1)],
    [['--changed'], [rows[0], rows[5], rows[6]]],
    [
      ['--changed', '--unique'],
      [rows[0], rows[5], rows[6]],
    ],
  ])('with %j has the rows that it would print', async (flags, expected) => {
    await canonize(['-i', 'urls.txt', '--out-parquet', 'some.parquet', ...flags]);
    expect(await query("FROM '$some.parquet'")).toEqual(expected);
  });

  it('keeps bytes that are no UTF-8, in columns of bytes, and says so', async () => {
    const url = Buffer.from('/caf\xe9/index.html', 'latin1');
    const { code, stderr } = await canonize(
      ['--out-parquet', 'bytes.parquet'],
      Buffer.concat([url, Buffer.from('\n/é')]),
    );
    expect([code, stderr]).toEqual([
      0,
      'dustbuster: bytes.parquet: its columns are bytes instead of texts, as some URLs are no UTF-8\n',
    ]);
    expect(await query("SELECT hex(url), hex(canonical), typeof(url) FROM '$bytes.parquet'")).toEqual([
      [url.toString('hex').toUpperCase(), Buffer.from('/caf%E9/').toString('hex').toUpperCase(), 'BLOB'],
      ['2FC3A9', Buffer.from('/%C3%A9').toString('hex').toUpperCase(), 'BLOB'],
    ]);
    expect((await canonize(['--out-parquet', 'bytes.parquet', '-q'], url)).stderr).toBe('');
    const back = await canonize(['-i', 'bytes.parquet']);
    expect(back.stdout).toEqual(Buffer.from('/caf%E9/\n'));
  });

  it('has the rows of --pairs and the same bytes in several threads, whatever --memory', async () => {
    const folders = 'a-folder/'.repeat(5);
    const large = Array.from(
      { length: 130_000 },
      (_, n) => `http://h.example/${(n * 7919) % 90_000}/${folders}index.html\n`,
    );
    write('large.txt', large.join(''));
    for (const flags of [[], ['--unique']]) {
      const files = [
        ['--threads', '1'],
        ['--threads', '2'],
        ['--threads', '1', '--memory', '16m'],
      ].map((own, at) => ({ name: `large-${at}.parquet`, own }));
      for (const { name, own } of files) {
        expect(await canonize(['-i', 'large.txt', '--out-parquet', name, ...flags, ...own])).toMatchObject({ code: 0 });
      }
      const [first, ...others] = files.map(({ name }) => readFileSync(join(folder.path, name)));
      for (const other of others) expect(other.equals(first!)).toBe(true);
      const pairs = await canonize(['-i', 'large.txt', '--pairs']);
      expect(pairs.code).toBe(0);
      write('pairs.tsv', flags.length > 0 ? firstOfEach(pairs.stdout.toString()) : pairs.stdout);
      const differences = await query(
        `SELECT count(*) FROM (SELECT url, canonical, row_number() OVER () AS n FROM '$large-0.parquet') FULL JOIN
         (SELECT url, canonical, row_number() OVER () AS n
          FROM read_csv('$pairs.tsv', delim = '\\t', header = false, columns = {'url': 'VARCHAR', 'canonical': 'VARCHAR'}))
         USING (n, url, canonical)`,
      );
      const distinct = flags.length > 0 ? 90_000n : 130_000n;
      expect(differences).toEqual([[distinct]]);
    }
  });

  it('says what cannot be', async () => {
    for (const [flags, reason] of [
      [['-o', 'x.txt'], /--out-parquet: got -o x.txt too/],
      [['--line-buffered'], /--out-parquet: got --line-buffered too/],
    ] as const) {
      const got = await canonize(['-i', 'urls.txt', '--out-parquet', 'no.parquet', ...flags]);
      expect(got).toMatchObject({ code: 2, stdout: Buffer.alloc(0) });
      expect(got.stderr).toMatch(reason);
    }
    const rules = await canonize(['-i', 'urls.txt', '--out-parquet', 'dustbuster-rules.json']);
    expect([rules.code, rules.stderr]).toEqual([2, expect.stringMatching(/is the rules file/)]);
    expect(existsSync(join(folder.path, 'no.parquet'))).toBe(false);
  });

  it('counts as JSON on standard output', async () => {
    const { stdout } = await canonize(['-i', 'urls.txt', '--out-parquet', 'out.parquet', '--json']);
    expect(JSON.parse(stdout.toString())).toMatchObject({ lines: 7, urls: 4 });
  });
});
