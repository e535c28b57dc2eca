// `canonize --columns url=NAME`: tables in and out, as a process.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRules } from '../../../../src/rule/file.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(async () => {
  folder = scratchFolder();
  const index = sampleRule('/index.html', '/', { anchor: 'end', site: '*' });
  write('dustbuster-rules.json', [...writeRules(sampleFile([index]))].join(''));
  write('t.csv', 'link,n\n"http://h/index.html",1\n-,2\n');
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const rows = `SELECT 'http://h/' || n || '/index.html' AS link, 'x' AS url FROM range(3) t(n)`;
  await connection.run(`COPY (${rows}) TO '${join(folder.path, 't.parquet')}' (FORMAT parquet)`);
});
afterAll(() => folder.remove());

const write = (name: string, content: string | Buffer) => writeFileSync(join(folder.path, name), content);
async function canonize(args: readonly string[], input: string | Buffer = '') {
  const { code, stdout, stderr } = await run(['canonize', ...args], { cwd: folder.path, input });
  return { code, stdout: stdout.toString(), stderr };
}

describe('dustbuster canonize --columns', { timeout: 120_000 }, () => {
  it('writes the table with the forms in place of the URLs', async () => {
    const { code, stdout, stderr } = await canonize(['--columns', 'url=link', '-i', 't.csv']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('link,n\n"http://h/",1\n-,2\n');
  });

  it('adds them with --pairs, also to JSON in a compressed pipe', async () => {
    const json = gzipSync('{"a":{"link":"http://h/index.html"}}\n');
    const { stdout } = await canonize(['--columns', 'url=a.link', '--pairs'], json);
    expect(stdout).toBe('{"a":{"link":"http://h/index.html"},"canonical":"http://h/"}\n');
  });

  it('replaces the table by itself, and counts', async () => {
    write('own.tsv', 'n\tlink\n1\thttp://h/index.html\n');
    const { stdout } = await canonize(['--columns', 'url=link', '-i', 'own.tsv', '-o', 'own.tsv', '--json']);
    expect(readFileSync(join(folder.path, 'own.tsv'), 'utf8')).toBe('n\tlink\n1\thttp://h/\n');
    expect(JSON.parse(stdout)).toMatchObject({ lines: 1, urls: 1, changed: 1, dropped: 0, damages: [] });
  });

  it('takes the named column of a Parquet file, as lines', async () => {
    const { code, stdout } = await canonize(['--columns', 'url=link', '-i', 't.parquet']);
    expect([code, stdout]).toEqual([0, 'http://h/0/\nhttp://h/1/\nhttp://h/2/\n']);
  });

  it('exits with 3 if no row has a URL there', async () => {
    const { code, stdout, stderr } = await canonize(['--columns', 'url=n', '-i', 't.csv']);
    expect([code, stdout]).toEqual([3, readFileSync(join(folder.path, 't.csv'), 'utf8')]);
    expect(stderr).toContain('no row has a URL in the column "n"');
  });

  it.each([
    [['--columns', 'url=u', '-i', 't.csv'], 't.csv: has the columns ["link","n"]; expected one that is called "u"'],
    [['--columns', 'size=n', '-i', 't.csv'], 'got size=n; expected url=NAME'],
    [['--columns', 'url=link', '-i', 't.csv', '--unique'], 'got --unique with a table of text'],
    [
      ['--columns', 'url=link', '-i', 't.csv', '-i', 't.parquet'],
      'got the Parquet file t.parquet beside tables of text',
    ],
    [['--columns', 'url=link', 'http://h/'], 'got URLs beside it'],
    [['--columns', 'url=u', '--engine', 'spark', '-i', 't.csv', '-o', 'x'], 'expected --spark-read csv'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await canonize(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
