// Rules that a person wrote mean what their file says.
import { expect, test } from 'vitest';
import { formByHand, trueRulesOf } from './hand-written.js';

const FILE = [
  'true\tS\t/index.html$\t/$\tthe index',
  'partly\tS\ta\tb\tnot everywhere',
  'true\tP\tsid\t""\tsessions',
  'true\tP\tlang\ten\tone language',
  'true\tR\t/(\\d+)/full$\t/\\1\tthe same, whole',
  'true\tS\t8080//\t8080/\tslashes',
].join('\n');
const rules = trueRulesOf(FILE);

test.each([
  ['http://x:8080/index.html', 'http://x:8080/'],
  ['http://x:8080/index.html?a', 'http://x:8080/index.html?a'],
  ['http://x:8080/p?sid=1&a=2;sid=3', 'http://x:8080/p?a=2'],
  ['http://x:8080/p?sid=1', 'http://x:8080/p'],
  ['http://x:8080/p?lang=de&a=2', 'http://x:8080/p?lang=en&a=2'],
  ['http://x:8080/p/17/full', 'http://x:8080/p/17'],
  ['http://x:8080///index.html', 'http://x:8080/'],
])('%s is %s', (url, form) => {
  expect(formByHand(rules, url)).toBe(form);
});

test('only what is true everywhere is applied', () => {
  expect(rules).toHaveLength(5);
  expect(formByHand(rules, 'http://x:8080/a')).toBe('http://x:8080/a');
});

test('a kind that nobody knows is an error', () => {
  expect(() => trueRulesOf('true\tX\ta\tb')).toThrow(/expected S, P or R/);
});
