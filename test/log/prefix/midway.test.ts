// Prefixes that change within an input, lines between that are no requests, and text that is nothing at all.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FormatName } from '../../../src/log/format/format.js';
import { amount } from '../../amount.js';
import { SAMPLES } from '../format/samples.js';
import { outcome, read, total } from '../reading.js';
import { WRAPPERS, WRITERS } from './writers.js';

const vhost = (k: number) =>
  `shop${k % 2}.example:443 192.0.2.${k} - - [02/Mar/2026:06:00:00 +0000] "GET /p/${k} HTTP/1.1" 200 5 "-" "x"`;
const json = (k: number) => JSON.stringify({ host: `shop${k % 2}.example`, uri: `/p/${k}`, status: 200 });
const LINES = { vhost, json } as const;

/** Those that one line is enough to know by. */
const SURE = WRITERS.filter(({ name }) => !/^(stern|grep)/.test(name));

describe.each(Object.entries(LINES))('%s', (_, line) => {
  const bare = Array.from({ length: 60 }, (_unused, k) => line(k));

  test.each(SURE)('bare lines, then behind $name, and back', async ({ write }) => {
    const log = bare.map((one, k) => (k >= 20 && k < 40 ? write(one, k) : one));
    expect((await read(log.join('\n'))).rows).toEqual((await read(bare.join('\n'))).rows);
    const other = bare.map((one, k) => (k >= 20 && k < 40 ? one : write(one, k)));
    expect((await read(other.join('\n'))).rows).toEqual((await read(bare.join('\n'))).rows);
  });

  test('every prefix in one pipe', async () => {
    const log = bare.map((one, k) => SURE[k % SURE.length]!.write(one, k));
    // Enough of one kind for the format to be known.
    const head = Array.from({ length: 40 }, (_unused, k) => WRITERS[0]!.write(line(k), k));
    const { rows } = await read([...head, ...log].join('\n'));
    expect(rows.slice(40)).toEqual((await read(bare.join('\n'))).rows);
  });

  test.each(WRITERS)('messages between lines are rejected: $name', async ({ write }) => {
    const said = [
      '/docker-entrypoint.sh: Configuration complete; ready for start up',
      'nginx: [warn] {"a',
      'ready',
      '[]',
    ];
    const log = bare.flatMap((one, k) => [one, said[k % said.length]!]).map(write);
    const { rows, summary, rejects } = await read(log.join('\n'));
    expect(rows).toEqual((await read(bare.join('\n'))).rows);
    expect(summary.rejected).toEqual({ 'not-in-format': 60 });
    expect(rejects.map(([number]) => number)).toEqual(Array.from({ length: 60 }, (_unused, k) => 2 * k + 2));
  });
});

test('colours inside of a line are no part of it', async () => {
  const line = (k: number, isColoured: boolean) => {
    const [on, off] = isColoured ? ['\x1b[1m', '\x1b[0m'] : ['', ''];
    return `192.0.2.${k} - - [02/Mar/2026:06:00:00 +0000] "${on}GET /p/${k} HTTP/1.1${off}" ${on}200${off} 5`;
  };
  const lines = Array.from({ length: 20 }, (_, k) => line(k, true));
  const bare = Array.from({ length: 20 }, (_, k) => line(k, false));
  expect((await read(lines.join('\n'), { format: 'common' })).rows).toEqual((await read(bare.join('\n'))).rows);
  expect(await outcome(`\x1b[32m${json(1)}\x1b[0m`)).toBe('http://shop1.example/p/1');
});

test('a half of a line that the runtime has split is no line', async () => {
  const lines = Array.from({ length: 9 }, (_, k) => `2026-03-02T06:00:00Z stdout F ${vhost(k)}`);
  lines[4] = `2026-03-02T06:00:00Z stdout P ${vhost(4)}`;
  const { rows, summary } = await read(lines.join('\n'));
  expect([rows.length, summary.rejected]).toEqual([8, { 'not-in-format': 1 }]);
});

test.each([
  ['shop.example:443', 'https://shop.example/a'],
  ['shop.example', 'http://shop.example/a'],
  ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080/a'],
  ['2001:db8::1', 'http://[2001:db8::1]/a'],
  ['my_host', 'http://my_host/a'],
  ['web-1', 'http://web-1/a'],
])('the host %s is no prefix', async (host, url) => {
  const line = `${host} 192.0.2.1 - - [02/Mar/2026:06:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "x"`;
  for (const log of [line, `${line}\n${line}\nnoise`])
    expect((await read(log)).rows[0]!.url).toBe(url.replace('http://[2001:db8::1]/', 'http://[2001:db8::1]/'));
});

test.each(['2001:db8::506c', '::1', 'fe80::1', '192.0.2.1', 'crawl.example', '-'])(
  'the client %s is no prefix',
  async (client) => {
    const line = `${client} - - [02/Mar/2026:06:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "x"`;
    const { summary, rows } = await read(`${line}\n${line}\nnoise`);
    expect([summary.format, rows.length]).toEqual(['combined', 2]);
  },
);

test('a format that the user describes, behind a prefix and inside of JSON', async () => {
  const log = Array.from({ length: 9 }, (_, k) => `h${k}.de|GET /a?${k} HTTP/1.1|200`);
  const options = { logFormat: '%v|%r|%>s' };
  const bare = await read(log.join('\n'), options);
  expect(bare.rows).toHaveLength(9);
  for (const { name, write } of [...WRITERS, ...WRAPPERS]) {
    const { rows } = await read(log.map(write).join('\n'), options);
    expect([name, rows]).toEqual([name, bare.rows]);
  }
});

test('the column of the first line that does not fit is that of the line in the file', async () => {
  const log = ['h.de GET', 'h.de GET', 'h.de x'].map((line) => `[pod/web/nginx] ${line}`);
  const { summary } = await read(`${log.slice(0, 2).join(' /a 200\n')} /a 200\n${log[2]} /a xx`, {
    logFormat: '%v %m %U %>s',
  });
  expect(summary.misfit?.column ?? 0).toBeGreaterThanOrEqual(0);
});

const formats = SAMPLES.map(({ format }) => format);
const lines = SAMPLES.flatMap(({ text }) => text.split('\n').slice(0, 12));
const bytes = fc.uint8Array({ maxLength: 12 }).map((some) => Buffer.from(some).toString('latin1').replaceAll('\n', ''));
const scrap = fc.oneof(
  bytes,
  fc.constantFrom(
    '"',
    '\\',
    '{',
    '}',
    '\x1b[',
    '\x1b[0m',
    '[',
    ']',
    '\\ud800',
    '{"log":"',
    '{"message":"',
    ' ',
    '\0',
    '<',
    '|',
  ),
);
const damaged = fc
  .tuple(
    fc.constantFrom(...lines),
    fc.array(fc.constantFrom(...WRITERS, ...WRAPPERS), { maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(400), fc.nat(4), scrap), { maxLength: 3 }),
    fc.nat(400),
  )
  .map(([line, writers, changes, cut]) => {
    const written = writers.reduce((text, { write }, k) => write(text, k), line);
    const changed = changes.reduce(
      (text, [at, less, more]) => text.slice(0, at) + more + text.slice(at + less),
      written,
    );
    return cut > 300 ? changed.slice(0, cut - 300) : changed;
  });

test('whatever the lines are, each is a record, or is counted', { timeout: 120_000 }, async () => {
  let records = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(damaged, { minLength: 1, maxLength: 30 }),
      fc.option(fc.constantFrom<FormatName>(...formats.filter((format) => format !== 'csv' && format !== 'tsv'))),
      async (log, format) => {
        const { summary } = await read(Buffer.from(log.join('\n'), 'latin1'), format === null ? {} : { format });
        records += summary.records;
        const counted = summary.records + total(summary.dropped) + total(summary.rejected);
        expect(summary.lines).toBe(counted);
      },
    ),
    { numRuns: amount(1000, 5) },
  );
  expect(records).toBeGreaterThan(10);
});
