// The CSV parser compared with csv-parse.
import { Buffer } from 'node:buffer';
import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearFields, createFields, type Span } from '../../../src/log/format/format.js';
import { createTable } from '../../../src/log/format/table.js';
import { read } from '../reading.js';
import { fieldsOf as fieldsIn } from './fields.js';

/** The first three fields of a record, or why it is not one. */
function fieldsOf(record: string): readonly string[] | string {
  const table = createTable('csv');
  const fields = createFields();
  // With other bytes around it, as a record is in its batch.
  const bytes = Buffer.from(`"url,host,sketch,x${record}",`);
  table.parse(bytes, 1, 18, fields);
  clearFields(fields);
  const cause = table.parse(bytes, 18, bytes.length - 2, fields);
  const textOf = (span: Span) => Buffer.from(span.bytes.subarray(span.start, span.end)).toString();
  return cause ?? [fields.url, fields.host, fields.sketch].map(textOf);
}

test('any fields are read back, however they are quoted', () => {
  const field = fc.string({ unit: fc.constantFrom('"', ',', 'a', 'ö', '\n', ' '), maxLength: 6 });
  let doubled = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(field, fc.boolean()), { minLength: 3, maxLength: 4 }), (fields) => {
      const record = fields.map(([text, quoted]) =>
        quoted || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
      );
      if (record.some((text) => /[^,]""./.test(text))) doubled++;
      expect(fieldsOf(record.join(','))).toEqual(fields.slice(0, 3).map(([text]) => text));
    }),
    { numRuns: 1000 },
  );
  expect(doubled).toBeGreaterThan(100);
});

test('any record, with quotes anywhere, is read as by csv-parse', () => {
  let read = 0;
  let broken = 0;
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '""', ',', 'a', '"a', ',"', '",'), maxLength: 8 }), (record) => {
      fc.pre(record !== '');
      let expected: readonly string[] | string;
      try {
        const cells = parseCsv(record, { relax_quotes: true })[0]!;
        expected = cells.length > 4 ? 'not-in-format' : [0, 1, 2].map((cell) => cells[cell] ?? '');
        read++;
      } catch {
        expected = 'broken-quotes';
        broken++;
      }
      expect([record, fieldsOf(record)]).toEqual([record, expected]);
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(read, broken)).toBeGreaterThan(300);
});

test('URLs in pieces, times and agents are read from columns too', () => {
  const header = 'time\thost\tscheme\tpath\targs\tuser_agent';
  expect(fieldsIn(createTable('tsv'), header, '2025-03-04\th.de\thttps\t/a\tb=1\tx 1')).toEqual({
    time: '2025-03-04',
    host: 'h.de:443',
    url: '/a?b=1',
    agent: 'x 1',
  });
});

test.each([
  [
    'Screaming Frog',
    '"Address","Content Type","Status Code","Status","Indexability","Size (Bytes)","Hash"\n' +
      '"https://h.de/a","text/html; charset=UTF-8","200","OK","Indexable","512","9e107d9d372bb6826bd81d3542a419d6"\n',
    { url: 'https://h.de/a', size: 512, sketch: '9e107d9d372bb6826bd81d3542a419d6' },
  ],
  [
    'Google Cloud',
    'httpRequest.requestMethod,httpRequest.requestUrl,httpRequest.responseSize,httpRequest.status,insertId,timestamp\n' +
      'GET,https://h.de/a,512,200,1x,2025-03-04T09:00:01Z\n',
    { url: 'https://h.de/a', size: 512, sketch: '' },
  ],
])('a table of %s is detected', async (_, text, row) => {
  const { rows, summary } = await read(text);
  expect([summary.format, rows]).toEqual(['csv', [row]]);
});

test('lines above the header are dropped as a title, and the table is read', async () => {
  for (const [name, cut] of [
    ['csv', ','],
    ['tsv', '\t'],
  ] as const) {
    const table = [
      '# Pages, by hits',
      '"Internal - All"',
      '',
      ['Address', 'Size'].join(cut),
      ['/a', '7'].join(cut),
    ].join('\n');
    for (const options of [{}, { format: name }]) {
      const { rows, summary } = await read(table, options);
      expect(rows.map(({ url, size }) => [url, size])).toEqual([['/a', 7]]);
      expect(summary).toMatchObject({
        format: name,
        lines: 4,
        records: 1,
        dropped: { title: 2 },
        rejected: { empty: 1 },
      });
    }
  }
});

test('a table of one column keeps its header, and a table without a URL is refused', async () => {
  expect((await read('url\n/a', { format: 'tsv' })).rows).toHaveLength(1);
  await expect(read('a,b\n/a,1', { format: 'csv' })).rejects.toThrow('none of which is known to be the URL');
  await expect(read('Title\n'.repeat(11), { format: 'csv' })).rejects.toThrow('none of which is known to be the URL');
});

test.each([
  ['Screaming Frog', 'Address,Content Type,Status Code,Status,Size (Bytes),Hash', '/a,text/html,200,OK,512,1f', 512],
  ['Sitebulb', 'URL,Crawl Depth,HTTP Status Code,Indexable', '/a,1,200,Yes', -1],
  ["Google's Search Console", 'Top pages,Clicks,Impressions,CTR,Position', '/a,7,100,7%,3.2', -1],
  ["Google's Search Console, links", 'Target page,Incoming links,Linking pages', '/a,7,100', -1],
])('an export of %s is read by its names', async (_, header, line, size) => {
  const { rows, summary } = await read(`${header}\n${line}`);
  expect(rows).toMatchObject([{ url: '/a', size }]);
  expect(summary.format).toBe('csv');
});
