// What tables show of an accepted rule: an example that it changes, and hits.
import { expect, test } from 'vitest';
import { shownRule } from '../../../src/validate/ask/shown.js';
import { sampleParameter } from '../../rule/sample.js';

const urls = ['/a', '/a?utm_source=x', '/b?utm_source=y', '/c'];
const list = { urls, redirected: [], hits: [40, 3, 2, 100] };
const rule = sampleParameter('utm_source');

test('a rule whose direction nobody asks about has the hits that it redirects, and at its forms', () => {
  const { hits, examples } = shownRule(rule, list);
  expect(hits).toEqual({ given: 5, kept: 40 });
  expect(examples).toEqual([
    ['/a?utm_source=x', '/a'],
    ['/b?utm_source=y', '/b'],
  ]);
});

test('hits that are known stay, and none are made up', () => {
  const known = { ...rule, hits: { given: 1, kept: 2 } };
  expect(shownRule(known, list).hits).toBe(known.hits);
  expect(shownRule({ ...rule, use: 'key' }, list).hits).toBeUndefined();
  expect(shownRule({ ...rule, word: 'redirect' }, list).hits).toBeUndefined();
  expect(shownRule(rule, { ...list, hits: [] }).hits).toBeUndefined();
});
