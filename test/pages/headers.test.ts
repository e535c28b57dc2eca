// Which pages are documents of two kinds?
import { describe, expect, test } from 'vitest';
import { areOtherTypes, mediaTypeOf } from '../../src/pages/headers.js';

test.each<[string | undefined, string | undefined]>([
  ['text/html', 'text/html'],
  [' Text/HTML ; charset=utf-8', 'text/html'],
  ['text/csv,text/csv', 'text/csv'],
  ['text', undefined],
  ['', undefined],
  ['*/*', undefined],
  [undefined, undefined],
])('of %s the type is %s', (header, type) => expect(mediaTypeOf(header)).toBe(type));

describe('two pages are of other types', () => {
  const cases: readonly (readonly [string | undefined, string | undefined, boolean])[] = [
    ['text/html', 'text/csv', true],
    ['text/html', 'text/html', false],
    ['text/html', 'application/xhtml+xml', false],
    ['text/xml', 'application/xml', false],
    ['text/plain', 'application/octet-stream', true],
    ['text/html', undefined, false],
    [undefined, undefined, false],
  ];
  test.each(cases)('if they are %s and %s: %s', (a, b, isOther) => {
    expect(areOtherTypes(a, b)).toBe(isOther);
    expect(areOtherTypes(b, a)).toBe(isOther);
  });
});
