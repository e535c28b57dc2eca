// A field that looks like the query of the paths, but has none of the usual names.
import { expect, test } from 'vitest';
import { judgeReading } from '../../../src/cli/run/input/warnings.js';
import { read } from '../reading.js';

const log = (fields: (k: number) => object) =>
  Array.from({ length: 9 }, (_, k) => JSON.stringify(fields(k))).join('\n');

test.each<[string, (k: number) => object, string | undefined]>([
  ["a name of one's own", (k) => ({ path: `/a/${k}`, my_search: `id=${k}&b` }), 'my_search'],
  ['inside of an object', (k) => ({ req: { path: `/a/${k}`, search_part: `?id=${k}` } }), 'req.search_part'],
  ['in some lines', (k) => ({ path: `/a/${k}`, q: k % 3 === 0 ? `id=${k}` : '' }), 'q'],
  ['a query that is read', (k) => ({ path: '/a', args: `id=${k}`, other: `id=${k}` }), undefined],
  ['a query in the URL', (k) => ({ uri: `/a?id=${k}`, other: `id=${k}` }), undefined],
  ['cookies', (k) => ({ path: '/a', cookie: `sid=${k}`, http_cookie: 'a=1', set_cookie: 'x=1' }), undefined],
  ['other text', (k) => ({ path: '/a', message: `id = ${k}`, trace: `${k}`, referrer: 'http://h/?a=1' }), undefined],
  ['no path', (k) => ({ other: `id=${k}` }), undefined],
])('%s', async (_, fields, expected) => {
  const { summary } = await read(log(fields));
  expect(summary.unreadQuery).toBe(expected);
});

test('is said once for each input, with the option that reads it', async () => {
  const text = log((k) => ({ path: '/a', my_search: `id=${k}` }));
  const { summary, rows } = await read(text);
  expect(new Set(rows.map(({ url }) => url)).size).toBe(1);
  let said = '';
  const effects = { stderr: { write: (line: string) => (said += line) } } as never;
  expect(judgeReading({ inputs: [summary] }, effects, {})).toBe(0);
  expect(said).toBe(
    'dustbuster: memory: the field my_search looks like the query of the paths, which have none; ' +
      'if it is, --columns query=my_search reads it\n',
  );
  const columns = { query: 'my_search' };
  const told = await read(text, { columns });
  expect(told.summary.unreadQuery).toBeUndefined();
  expect(told.rows.at(-1)!.url).toBe('/a?id=8');
});
