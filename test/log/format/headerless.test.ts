import { expect, test } from 'vitest';
import { read } from '../reading.js';

test.each([
  ['csv', 'h.de,"/a, b",200,5\nh.de,/c,404,5\n', ['http://h.de/a, b 5']],
  ['tsv', 'h.de\t/a\t200\t5\nh.de\t/c\t200\t-\n', ['http://h.de/a 5', 'http://h.de/c -1']],
])(
  'the fields of a %s without header are named by place, and the first line is a record',
  async (format, log, urls) => {
    const { rows, summary } = await read(log, { columns: { host: '1', url: '2', status: '3', size: '4' } });
    expect(summary.format).toBe(format);
    expect(summary.lines).toBe(2);
    expect(rows.map(({ url, size }) => `${url} ${size}`)).toEqual(urls);
  },
);

test('a request line may be given by position, and a line may end before the last field', async () => {
  const { rows, summary } = await read('"GET /a HTTP/1.1",1\n"GET /b HTTP/1.1"\n2\n', {
    columns: { request: '1', size: '2' },
  });
  expect(rows.map(({ url, size }) => `${url} ${size}`)).toEqual(['/a 1', '/b -1']);
  expect(summary.dropped).toEqual({ 'no-request': 1 });
});

test('names and positions cannot be combined', async () => {
  await expect(read('a', { columns: { url: '1', size: 'bytes' } })).rejects.toThrow(/got size=bytes beside numbers/);
  await expect(read('a', { columns: { url: '1', nothing: '2' } })).rejects.toThrow(/is no column/);
  const { rows } = await read('url,2\n/a,5\n', { columns: { size: '2' } });
  expect(rows).toEqual([{ url: '/a', size: 5, sketch: '' }]);
});
