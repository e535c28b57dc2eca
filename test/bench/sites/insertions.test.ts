// What counts as an insertion, whatever kind of rule made it.
import { expect, test } from 'vitest';
import { isInserted } from './insertions.js';

test.each([
  ['/a', '/a/', true],
  ['/a/b', '/a//b', true],
  ['/a?x=1', '/a?page=2&x=1', true],
  ['/a/', '/a', false],
  ['/a', '/a', false],
  ['/a?id=3', '/article/3', false],
])('%s to %s', (url, form, inserts) => {
  expect(isInserted(url, form)).toBe(inserts);
});
