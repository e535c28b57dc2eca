// How figures are formatted on the page.
import { expect, test } from 'vitest';
import { createFormats } from '../../../../src/report/page/script/format.js';
import type { Cell, CellKind } from '../../../../src/report/page/table.js';

const { bytes, share, many, parts, classOf } = createFormats();

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [999.6, '1.0 kB'],
  [1000, '1.0 kB'],
  [99_940, '99.9 kB'],
  [99_960, '100 kB'],
  [999_400, '999 kB'],
  [999_600, '1.0 MB'],
  [12_345_678_901, '12.3 GB'],
  [1e18, '1000 PB'],
])('%d bytes are %s', (value, text) => expect(bytes(value)).toBe(text));

test.each([
  [0, '0.0 %'],
  [1 / 3, '33.3 %'],
  [0.0004, '< 0.1 %'],
  [0.9996, '> 99.9 %'],
  [1, '100.0 %'],
])('a share of %d is %s: little is not nothing, and much not all', (value, text) => expect(share(value)).toBe(text));

test('a noun agrees with its number', () => {
  expect([many(0, 'rule'), many(1, 'rule'), many(12_345, 'rule')]).toEqual(['0 rules', '1 rule', '12,345 rules']);
});

test.each<[CellKind, Cell, string]>([
  ['count', 1234, '1,234'],
  ['count', null, '–'],
  ['decimal', 0.98765, '0.988'],
  ['ratio', 1.5, '× 1.50'],
  ['atLeast', [1000, true], '≥ 1,000'],
  ['atLeast', [20, false], '20'],
  ['rule', '`/a` at the end is dropped.', '/a at the end is dropped.'],
  ['url', '/a', '/a'],
])('a %s of %j reads %s', (kind, cell, text) => {
  expect(
    parts(kind, cell)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test('a word is coloured by its beginning', () => {
  expect(classOf('word', 'valid ✓')).toBe('word word is-valid');
  expect(classOf('word', 'pinned, refuted')).toBe('word word is-pinned');
  expect(classOf('text', 'valid')).toBe('text');
});
