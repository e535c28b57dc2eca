// URLs as keys and values, and back: the same URL, but for the order of parameters.
import { expect, test } from 'vitest';
import { keyValuesOf, urlOf } from './key-values.js';
import { changesBetween, deepened, nameOf, transform } from './transformation.js';

test.each([
  'http://en.site.org/wiki/Dust?print&id=7',
  'http://site.org/',
  'http://site.org/a//b/',
  'http://site.org/?a=1&a=2&b=',
  'https://site.org:8080/0/1/2/3/4/5/6/7/8/9/10/11',
])('%s is its keys and values', (url) => {
  expect(urlOf(keyValuesOf(url))).toBe(url);
});

test('the order of parameters is lost', () => {
  expect(urlOf(keyValuesOf('http://a/?y=1&x=2'))).toBe('http://a/?x=2&y=1');
});

test('what changes one URL into the other does so, and a value that one key has is copied', () => {
  const [from, to] = ['http://cnn.com/money/7', 'http://money.cnn.com/7'].map(keyValuesOf);
  const changes = changesBetween(from!, to!);
  expect(nameOf(changes)).toBe('h2=[p0] p0=[p1] p1=');
  expect(urlOf(transform(from!, changes)!)).toBe('http://money.cnn.com/7');
  expect(urlOf(transform(keyValuesOf('http://cnn.com/arts/9'), changes)!)).toBe('http://arts.cnn.com/9');
  expect(transform(to!, changes)).toBeNull();
});

test('deep tokens are copied from either end', () => {
  const [from, to] = ['http://a/red-shoe_5', 'http://a/shoe_5'].map(keyValuesOf);
  const changes = deepened(changesBetween(from!, to!), from!);
  expect(nameOf(changes)).toBe('p0=[p0.-3]"_"[p0.-1]');
  expect(urlOf(transform(keyValuesOf('http://a/old-wide-lamp_12'), changes)!)).toBe('http://a/lamp_12');
});
