import { expect, test } from 'vitest';
import { isFirstPart, partFileName, wholeSet } from '../../src/rule/part-files.js';

const set = (n: number, ...left: number[]) =>
  Array.from({ length: n }, (_, at) => at + 1).flatMap((k) => (left.includes(k) ? [] : [partFileName({ k, n })]));

test('names are in order, and a whole set is found among other files', () => {
  expect(set(12).toSorted()).toEqual(set(12));
  expect(set(12).filter(isFirstPart)).toEqual(['part-01-of-12.json']);
  expect(wholeSet(['rules.local.json', ...set(12).reverse(), 'part-1-of-2.json~'], 'rules')).toEqual(set(12));
  expect(wholeSet(['rules.json'], 'rules')).toBeUndefined();
});

test.each<[string, readonly string[], RegExp]>([
  ['the first file is missing', set(3, 1), /^rules lacks part-1-of-3\.json: a run/],
  ['the last files are missing', set(9, 2, 3, 4, 5, 6, 7, 8, 9), /lacks part-2-of-9\.json, .*part-6-of-9\.json …: /],
  ['files of two sets', [...set(3), ...set(2)], /also has part-1-of-2\.json, part-2-of-2\.json: /],
  ['parts of two sets', [...set(3, 1), ...set(2)], /lacks part-1-of-3\.json/],
  ['a name that no run writes', [...set(2), 'part-7-of-2.json'], /also has part-7-of-2\.json/],
])('%s: refused', (_, names, message) => expect(() => wholeSet(names, 'rules')).toThrow(message));
