// Lines of a file by ranges: each line once, whole, wherever the file is cut.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { linesBetween } from '../../src/log/lines-between.js';
import { scratchFolder } from '../cli/process.js';

const folder = scratchFolder();
afterAll(() => folder.remove());
const path = join(folder.path, 'text');

const read = (start: number, end: number, textStart = 0) =>
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
          if (read(start, end) !== twin(text, start, end)) return false;
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
      const lines = read(start, end);
      expect(lines.length).toBe(twin(text, start, end).length);
      all += lines;
    }
    expect(all === text).toBe(true);
  }
});

it('begins after a byte order mark', () => {
  writeFileSync(path, '\xef\xbb\xbfa\nb\n', 'latin1');
  expect(read(3, 5, 3)).toBe('a\n');
  expect(read(5, 7, 3)).toBe('b\n');
  expect(read(4, 7, 3)).toBe('b\n');
});
