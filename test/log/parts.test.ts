// Files read in parts, wherever the parts begin, compared with the same files read as a whole.
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { decodeText } from '../../src/base/bytes.js';
import { giveBackBatch } from '../../src/log/batch.js';
import { HEAD_BYTES } from '../../src/log/format/detect.js';
import { MAX_LINE_BYTES } from '../../src/log/lines.js';
import { nameOfShape, shapeOf } from '../../src/log/format/shape.js';
import { PartParser, sourceOf } from '../../src/log/part-parser.js';
import { filePartsOf, linesBetween, plainFile } from '../../src/log/parts.js';
import { isFew } from '../amount.js';
import { scratchFolder } from '../cli/process.js';
import { NAMED } from './format/samples.js';
import { plainOptions, read, type Row, rowsOf, total } from './reading.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

const time = '[10/Feb/2012:16:42:07 -0500]';
const logs: Record<string, string> = {
  combined: `1.2.3.4 - - ${time} "GET /a HTTP/1.1" 200 5 "-" "x"\r\n\r\nbroken\n\n1.2.3.4 - - ${time} "GET /b HTTP/1.1" 200 0 "-" "y"`,
  vhost: `h.de:443 1.2.3.4 - - ${time} "GET /a HTTP/1.1" 200 5\n- 1.2.3.4 - - ${time} "GET /ö HTTP/1.1" 301 5\n`,
  urls: 'http://h/a\r\n\n  /b \nHTTP://h/\nnothing\n/ö',
  tsv: '\ufeff\r\n\nurl\tsize\r\n/a\t5\r\n/b"\t\r\n\r\n/c\tx\n/d\t7\t8\n/e\t9\n',
  jsonl: '{"url":"/ä","size":5}\r\n{"url":\n{"url":"/b"}\n\n{"bytes":7,"url":"http://h/c"}',
};

/** The combined result of the parts, as `read` returns that of a whole. */
function readInParts(path: string, partBytes: number, format?: 'urls') {
  const file = plainFile(path, HEAD_BYTES)!;
  const options = { ...plainOptions, ...(format !== undefined && { format }) };
  const source = sourceOf(0, file, options)!;
  // Two parsers alternate, so that both get parts from the middle.
  const parsers = [0, 1].map(() => new PartParser({ ...options, wantsRejects: true, memory: 'heap' }));
  const rows: Row[] = [];
  const rejects: [number, string, string][] = [];
  const counts = { lines: 0, records: 0, refused: 0 };
  let lines = 0;
  for (const [index, part] of [...filePartsOf(file, partBytes)].entries()) {
    const parsed = parsers[index & 1]!.parse(source, part);
    for (const batch of parsed.batches) {
      rows.push(...rowsOf(batch));
      giveBackBatch(batch);
    }
    for (const { number, cause, line } of parsed.rejects) rejects.push([lines + number, cause, decodeText(line)]);
    lines += parsed.lines;
    counts.lines += parsed.counts.lines;
    counts.records += parsed.counts.records;
    counts.refused += total(parsed.counts.dropped) + total(parsed.counts.rejected);
  }
  for (const parser of parsers) parser.close();
  return { rows, rejects, counts, format: source.shape === null ? null : nameOfShape(source.shape) };
}

async function readWhole(bytes: Buffer, format?: 'urls') {
  const { rows, rejects, summary } = await read(bytes, format === undefined ? {} : { format });
  const { lines, records, dropped, rejected } = summary;
  return {
    rows,
    rejects,
    counts: { lines, records, refused: total(dropped) + total(rejected) },
    format: summary.format,
  };
}

describe.each(Object.entries(logs))('%s', (format, log) => {
  test('reads the same in parts of any size', async () => {
    const path = join(folder.path, format);
    const bytes = Buffer.from(log);
    writeFileSync(path, bytes);
    const whole = await readWhole(bytes);
    expect(whole.format).toBe(format);
    expect(whole.rows.length).toBeGreaterThan(1);
    for (let partBytes = 1; partBytes <= bytes.length + 1; partBytes++) {
      expect(readInParts(path, partBytes)).toEqual(whole);
    }
  });
});

describe.each(NAMED.filter(({ format }) => format !== 'w3c' && format !== 'cdx'))('$name', ({ name, brief: text }) => {
  test('reads the same in parts of any size', async () => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    const whole = await readWhole(Buffer.from(text));
    for (let partBytes = 1; partBytes <= text.length + 40; partBytes += 1 + (partBytes >> 3)) {
      expect(readInParts(path, partBytes)).toEqual(whole);
    }
  });
});

test('line ends of every kind at every offset are read the same in parts of any size', async () => {
  const path = join(folder.path, 'any');
  const pieces = fc.constantFrom('\n', '\r\n', '\r', '/a', '/b', ' ', '');
  let mostLines = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces, { maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 9 }),
      async (parts, partBytes) => {
        const bytes = Buffer.from(parts.join(''));
        writeFileSync(path, bytes);
        const whole = await readWhole(bytes, 'urls');
        mostLines = Math.max(mostLines, whole.counts.lines);
        expect(readInParts(path, partBytes, 'urls')).toEqual(whole);
      },
    ),
    { numRuns: 300 },
  );
  expect(mostLines).toBeGreaterThan(9);
});

test.skipIf(isFew)('a line longer than several parts is rejected once, by the part in which it begins', async () => {
  const path = join(folder.path, 'long');
  for (const length of [MAX_LINE_BYTES - 1, MAX_LINE_BYTES, MAX_LINE_BYTES + 1, MAX_LINE_BYTES + 2, 3 << 20]) {
    for (const end of ['\n/b\n', '\r\n/b\n', '']) {
      const bytes = Buffer.from(`/a\n/${'x'.repeat(length - 1)}${end}`);
      writeFileSync(path, bytes);
      const whole = await readWhole(bytes, 'urls');
      for (const partBytes of [100_000, 1 << 20, MAX_LINE_BYTES + 3]) {
        expect(readInParts(path, partBytes, 'urls')).toEqual(whole);
      }
    }
  }
});

test('compressed files, quoted tables and what is not a file are not read in parts', () => {
  const write = (name: string, bytes: string | Buffer) => {
    const path = join(folder.path, name);
    writeFileSync(path, bytes);
    return path;
  };
  expect(plainFile(write('packed', gzipSync('/a\n')), 100)).toBeNull();
  expect(plainFile(folder.path, 100)).toBeNull();
  expect(plainFile(join(folder.path, 'none'), 100)).toBeNull();
  const sourceFor = (text: string) => sourceOf(0, plainFile(write('table', text), 10)!, plainOptions);
  expect(sourceFor('url,note\n/a,"b\nc"\n')).toBeNull();
  expect(sourceFor('\n url\ta\n/a\tb\n')?.header).toEqual({ line: Uint8Array.from(Buffer.from(' url\ta')), start: 1 });
  expect(sourceFor('url\tabcdefghijkl\n/a\tb\n')).toBeNull();
  expect(sourceFor('/a\n')?.header).toBeNull();
  expect(sourceFor('#Fields: cs-uri-stem\n/a\n')).toBeNull();
  expect(sourceFor(' CDX a s\nhttp://h/ 200\n')).toBeNull();
});

test('a file that becomes unreadable is reported, with what was read before', () => {
  const path = join(folder.path, 'gone');
  const source = {
    id: 0,
    shape: shapeOf('urls'),
    targets: 'any' as const,
    header: null,
    hasPlainLines: false,
    textStart: 0,
  } as const;
  const parsed = new PartParser({ ...plainOptions, wantsRejects: false, memory: 'heap' }).parse(source, {
    path,
    start: 0,
    end: 5,
  });
  expect(parsed).toMatchObject({ batches: [], reason: 'cannot be read (ENOENT)', lines: 0 });
});

// Lines of a file by ranges: each line once, whole, wherever the file is cut.
const scratch = scratchFolder();
afterAll(() => scratch.remove());
const path = join(scratch.path, 'text');

const linesIn = (start: number, end: number, textStart = 0) =>
  Buffer.concat(Array.from(linesBetween(path, { start, end }, textStart), (chunk) => Buffer.from(chunk))).toString(
    'latin1',
  );

/** Naive: the lines whose first byte is in the range. */
function twin(text: string, start: number, end: number): string {
  let at = 0;
  let found = '';
  for (const line of text.split(/(?<=\n)/)) {
    if (at >= start && at < end) found += line;
    at += line.length;
  }
  return found;
}

it('has the lines that begin in the range, at every cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\xff'), maxLength: 12 }), (text) => {
      writeFileSync(path, text, 'latin1');
      for (let start = 0; start <= text.length; start++) {
        for (let end = start + 1; end <= text.length; end++) {
          if (linesIn(start, end) !== twin(text, start, end)) return false;
        }
      }
      return true;
    }),
    { seed: 19, numRuns: 60 },
  );
});

it('does so with lines that are longer than a chunk, and chunks that end with a line', () => {
  const chunk = 1 << 18;
  const text = `${'a'.repeat(chunk - 1)}\n${'b'.repeat(3 * chunk)}\n${'c'.repeat(chunk)}\nd`;
  writeFileSync(path, text);
  for (const size of [chunk - 1, chunk, chunk + 1, 100_000]) {
    let all = '';
    for (let start = 0; start < text.length; start += size) {
      const end = Math.min(text.length, start + size);
      const lines = linesIn(start, end);
      expect(lines.length).toBe(twin(text, start, end).length);
      all += lines;
    }
    expect(all === text).toBe(true);
  }
});

it('begins after a byte order mark', () => {
  writeFileSync(path, '\xef\xbb\xbfa\nb\n', 'latin1');
  expect(linesIn(3, 5, 3)).toBe('a\n');
  expect(linesIn(5, 7, 3)).toBe('b\n');
  expect(linesIn(4, 7, 3)).toBe('b\n');
});
