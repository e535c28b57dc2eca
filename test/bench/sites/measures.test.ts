// The measures of SPEC 12, on lists that can be counted by hand.
import { expect, test } from 'vitest';
import { measureForms, type Truth } from './measures.js';

const truth: Truth = new Map(
  Object.entries({ '/a': '1', '/a?x': '1', '/a?y': '1', '/b': '2', '/b?x': '2', '/c': '3' }).map(([url, near]) => [
    url,
    { exact: url, near },
  ]),
);

test('rules that change nothing cover nothing and merge nothing', () => {
  const measures = measureForms(truth, new Map());
  expect(measures).toMatchObject({
    urls: 6,
    contents: 3,
    forms: 6,
    coverage: 0,
    paperCoverage: 0,
    falseMerges: 0,
    lostPages: 0,
  });
});

test('one form for each page is full coverage', () => {
  const forms = new Map([
    ['/a?x', '/a'],
    ['/a?y', '/a'],
    ['/b?x', '/b'],
  ]);
  expect(measureForms(truth, forms)).toMatchObject({
    coverage: 1,
    paperCoverage: 1,
    falseMerges: 0,
    longerShare: 0,
    changed: 3,
  });
});

test('a false merge earns nothing but in the measure of the paper, and what no form shows any more is lost', () => {
  const forms = new Map([
    ['/c', '/a'],
    ['/a?x', '/a'],
  ]);
  // Of /a, /a?x, /c the page of /c is in the minority.
  expect(measureForms(truth, forms)).toMatchObject({
    forms: 4,
    coverage: 1 / 3,
    paperCoverage: 2 / 3,
    falseMerges: 1,
    lostPages: 1,
  });
});

test('forms that grow are counted', () => {
  expect(measureForms(truth, new Map([['/a', '/a//']])).longerShare).toBeCloseTo(1 / 6);
});
