// Every format on the logs of all others: which lines it detects, and what becomes of logs that are cut, mixed and
// damaged.
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFormat, detectFormat } from '../../../src/log/format/detect.js';
import { clearFields, createFields, FORMAT_NAMES, type FormatName } from '../../../src/log/format/format.js';
import { read, total, type Reading } from '../reading.js';
import { NAMED, SAMPLES } from './samples.js';
import { amount, isAll } from '../../amount.js';

function expectCounted({ summary, rows, rejects }: Reading): void {
  const rejected = total(summary.rejected);
  const counted = {
    records: rows.length,
    rejected: rejects.length,
    lines: rows.length + total(summary.dropped) + rejected,
  };
  expect(counted).toEqual({ records: summary.records, rejected, lines: summary.lines });
}

/** Formats that the user can force on any text: a table without a header is a different error. */
const GIVEN = new Set(SAMPLES.map(({ format }) => format).filter((name) => name !== 'csv' && name !== 'tsv'));

test('every line format has a sample', () => {
  const sampled = new Set<string>(SAMPLES.map(({ format }) => format));
  // Documents have no lines, and a custom format is defined by the user.
  expect(FORMAT_NAMES.filter((name) => !sampled.has(name) && !/^(sitemap|har|custom)$/.test(name))).toEqual([]);
});

describe.each(SAMPLES)('$name', ({ format, text }) => {
  const lines = text.trimEnd().split('\n');

  test('is detected, from its beginning or any line on', () => {
    expect(detectFormat(Buffer.from(text))).toBe(format);
    const needsHead = format === 'csv' || format === 'tsv' || format === 'w3c' || format === 'cdx';
    for (let from = 0; from < lines.length - 3 && !needsHead; from++) {
      expect([from, detectFormat(Buffer.from(lines.slice(from).join('\n')))]).toEqual([from, format]);
    }
  });

  test('has no line that another format reads', () => {
    if (format === 'csv' || format === 'tsv') return; // of which only the header is distinctive
    for (const line of lines) expect([format, null, 'w3c']).toContain(detectFormat(Buffer.from(line)));
    const known = lines.filter((line) => detectFormat(Buffer.from(line)) === format);
    if (format !== 'w3c' && format !== 'cdx') expect(known.length).toBeGreaterThan(lines.length / 2);
  });
});

/** Formats that read one another's lines, and why that is right. */
const FAMILIES: readonly (readonly FormatName[])[] = [
  ['common', 'combined', 'vhost', 'lighttpd'], // they differ at the end, or in one word of the head
  ['common', 'combined', 'envoy'], // a line of Envoy goes on after its time as theirs do, which never look at the client
  ['jsonl', 'caddy', 'traefik', 'logpush'], // all JSON, with other names
  ['jsonl', 'docker'], // JSON with a line inside
  // A request with its status is read wherever it stands.
  ['framework', 'common'],
  ['framework', 'combined'],
  ['framework', 'vhost'],
  ['framework', 'lighttpd'],
  ['framework', 'envoy'],
];

test('a format makes records of its own lines only', async () => {
  for (const sample of SAMPLES) {
    for (const format of GIVEN) {
      if (format === 'urls' || format === sample.format) continue;
      if (FAMILIES.some((family) => family.includes(format) && family.includes(sample.format))) continue;
      const reading = await read(sample.text, { format });
      expectCounted(reading);
      expect([sample.name, format, reading.rows.length]).toEqual([sample.name, format, 0]);
    }
  }
});

/** At every byte, or at every seventh. */
const STEP = isAll ? 1 : 7;

describe.each(NAMED)('$name', { timeout: 20_000 }, ({ format, text, brief }) => {
  const bytes = Buffer.from(brief);

  test('cut off at every byte loses no complete line', async () => {
    const whole = await read(bytes, { format });
    for (let length = 0; length < bytes.length; length += STEP) {
      const cut = await read(bytes.subarray(0, length), { format });
      expectCounted(cut);
      // The truncated line may be read with less in it, or not at all.
      const ended = bytes.subarray(0, length).lastIndexOf(0x0a) + 1;
      const before = (await cutAt(ended)).rows.length;
      expect(cut.rows.slice(0, before)).toEqual(whole.rows.slice(0, before));
      expect(cut.rows.length - before).toBeLessThan(2);
    }
    async function cutAt(end: number): Promise<Reading> {
      const known = cuts.get(end) ?? (await read(bytes.subarray(0, end), { format }));
      cuts.set(end, known);
      return known;
    }
  });
  const cuts = new Map<number, Reading>();

  test('started at every byte throws nothing', async () => {
    for (let from = 0; from < bytes.length; from += STEP) {
      expectCounted(await read(bytes.subarray(from), { format }));
    }
  });

  test('with a foreign line every tenth, and lines of up to a megabyte, keeps all its records', async () => {
    const foreign = [
      '',
      '\u0000\u0016\u0003',
      '<html>',
      'x'.repeat(amount(1 << 20, 8)),
      '{'.repeat(amount(1 << 18, 8)),
      ' ".'.repeat(amount(1 << 18, 8)),
    ];
    const own = text.trimEnd().split('\n');
    const mixed = own.flatMap((line, at) =>
      at % 10 === 9 ? [foreign[((at / 10) % foreign.length) | 0]!, line] : [line],
    );
    const reading = await read([...foreign, ...mixed, ...foreign].join('\n'), { format });
    expectCounted(reading);
    expect(reading.rows).toEqual((await read(text, { format })).rows);
  });

  test('after another log costs that log, not this one', async () => {
    const other = NAMED.find((sample) => sample.format !== format && sample.format !== 'w3c')!;
    const reading = await read(`${other.text}${text}`, { format });
    expectCounted(reading);
    const own = (await read(text, { format })).rows;
    expect(reading.rows.slice(-own.length)).toEqual(own);
  });

  test('with fields missing, swapped and empty counts every line', async () => {
    const words = brief.split('\n').flatMap((line) => {
      const parts = line.split(/(?<=[ \t,])/);
      return parts.flatMap((part, at) => {
        const without = [...parts.slice(0, at), ...parts.slice(at + 1)];
        const swapped = [...parts.slice(0, at), parts[at + 1] ?? '', part, ...parts.slice(at + 2)];
        const empty = [...parts.slice(0, at), /\s$/.test(part) ? part.slice(-1) : '', ...parts.slice(at + 1)];
        return line.startsWith('#') ? [] : [without, swapped, empty].map((pieces) => pieces.join(''));
      });
    });
    const head = text
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .slice(0, 4);
    expectCounted(await read([...head, ...words].join('\n'), { format }));
  });

  test('of any bytes never throws, and reads nothing beyond the line', () => {
    const lines = text.split('\n').map((line) => Buffer.from(line));
    const one = createFormat(format);
    const fields = createFields();
    const spans = [fields.url, fields.host, fields.sketch, fields.time, fields.agent];
    fc.assert(
      fc.property(
        fc.nat(lines.length - 1),
        fc.array(fc.tuple(fc.nat(600), fc.uint8Array({ maxLength: 3 }), fc.nat(9))),
        (at, edits) => {
          let line = lines[at]!;
          for (const [place, put, cut] of edits) {
            const from = place % (line.length + 1);
            line = Buffer.concat([line.subarray(0, from), put, line.subarray(from + cut)]);
          }
          line = Buffer.from(line.toString('latin1').replaceAll('\n', ' '), 'latin1');
          const within = (padding: Buffer) => {
            const batch = Buffer.concat([padding, line, padding]);
            clearFields(fields);
            const cause = one.parse(batch, padding.length, padding.length + line.length, fields);
            const texts = spans.map((span) => {
              // By itself: `expect` takes longer than the line.
              if (span.start > span.end || span.end > span.bytes.length) expect.fail(`${span.start} to ${span.end}`);
              return Buffer.from(span.bytes.subarray(span.start, span.end)).toString('latin1');
            });
            // Fields of a rejected line do not count.
            return cause ?? { texts, method: fields.method, status: fields.status, size: fields.size };
          };
          if (line[0] === 0x23 || /^.?CDX /.test(line.toString('latin1'))) return;
          expect(within(Buffer.from('"} "]\n'))).toEqual(within(Buffer.from('\n9/x?%41 200 {')));
        },
      ),
      { numRuns: amount(200, 5) },
    );
  });
});

test('combined lines of Traefik, with more after them, are common log lines', async () => {
  const line =
    '192.0.2.1 - - [04/Mar/2025:09:00:01 +0000] "GET /a HTTP/2.0" 200 12 "-" "-" 1 "web@docker" "http://10.0.0.2:80" 5ms';
  const { rows, summary } = await read(line);
  expect(rows).toEqual([{ url: '/a', size: 12, sketch: '' }]);
  expect(summary.format).toBe('common');
});
