// What is said of a table whose URLs are not one text a row.
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUrls } from '../../../src/log/parquet/open.js';
import type { Condition } from '../../../src/log/record.js';
import { scratchFolder } from '../../cli/process.js';

let folder: ReturnType<typeof scratchFolder>;
const path = (name: string) => join(folder.path, `${name}.parquet`);
beforeAll(async () => {
  folder = scratchFolder();
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const tables = {
    list: `SELECT ['http://h/a', 'http://h/b'] AS url, 7 AS size`,
    named: `SELECT ['http://h/a'] AS links, 7 AS size`,
    beside: `SELECT ['http://h/a'] AS url, 'http://h/b' AS page`,
    objects: `SELECT {'href': 'http://h/a'} AS page`,
  };
  for (const [name, rows] of Object.entries(tables))
    await connection.run(`COPY (${rows}) TO '${path(name)}' (FORMAT parquet)`);
});
afterAll(() => folder.remove());

async function read(name: string, column?: string) {
  const condition: Condition = { reason: null };
  let text = '';
  for await (const piece of readUrls(path(name), condition, { column })) text += Buffer.from(piece).toString();
  return { text, reason: condition.reason };
}

const LIST = (column: string) =>
  `is a Parquet file whose column "${column}" (url) is a list; expected one text a row: unnest it first`;

test.each([
  ['list', undefined, LIST('url')],
  ['list', 'url', LIST('url')],
  ['named', 'links', LIST('links')],
  ['named', undefined, 'is a Parquet file with the columns ["links.list.element","size"], none of which is known'],
  ['objects', undefined, 'is a Parquet file with the columns ["page.href"], none of which is known to be the URL'],
] as const)('%s, column %s', async (name, column, reason) => {
  const found = await read(name, column);
  expect(found.text).toBe('');
  expect(found.reason).toContain(reason);
});

test('a column of texts is read, though another one has lists, and a part of an object by its name', async () => {
  expect(await read('beside')).toEqual({ text: 'http://h/b\n', reason: null });
  expect(await read('objects', 'page.href')).toEqual({ text: 'http://h/a\n', reason: null });
});
