import { expect, test } from 'vitest';
import { differencesOf, DIFFERENCES, isProvable, LEAST_CERTAIN } from '../../src/mine/difference.js';

const A = 'http://www.x.test/shop/list?id=7';

test.each([
  [A, A, []],
  ['http://www.x.test/a', 'http://x.test/a', ['host']],
  ['http://de.x.test/a', 'http://x.test/a', ['language']],
  ['https://x.test/a', 'http://x.test/a', ['scheme']],
  ['/shop/a', '/a', ['mount']],
  ['/cgi-bin/tool.cgi/a/b', '/tool/a/b', ['folder']],
  ['/de/a', '/a', ['language']],
  ['/de/a', '/pt-br/a', ['language']],
  ['/a/print/b', '/a/b', ['inner']],
  ['/print/b', '/b', ['choice']],
  ['/a/b', '/a/c', ['inner']],
  ['/p/2', '/p/1', ['number']],
  ['/v2.1/a', '/v2.0/a', ['number']],
  ['/a/index.php', '/a/', ['index']],
  ['/a//b', '/a/b', ['slashes']],
  ['/a/', '/a', ['endSlash']],
  ['/a%3Ab', '/a:b', ['spelling']],
  ['/a?b=1;c=2', '/a?b=1&c=2', ['spelling']],
  ['/a?c=2&b=1', '/a?b=1&c=2', ['spelling']],
  ['/a?utm_source=x&utm_medium=y', '/a', ['tracker']],
  ['/a?utm_source=x&utm_source=y', '/a', ['tracker']],
  ['/a?utm_source=x', '/a?utm_source=y', ['choice']],
  ['/a;jsessionid=1', '/a', ['session']],
  ['/a?box=1', '/a', ['parameter']],
  ['/a?box=1', '/a?box=2', ['choice']],
  ['/a?currency=EUR', '/a', ['choice']],
  ['/a?sort=n', '/a', ['choice']],
  ['/a?lang=de', '/a', ['language']],
  ['/a?page=2', '/a', ['number']],
  ['/a?id=1&1795221606', '/a?id=1', ['number']],
  ['/a?do=edit', '/a', ['choice']],
  ['/a?do=', '/a', ['parameter']],
  ['/a?sort=&page=', '/a', ['parameter']],
  ['/a?do', '/a', ['choice']],
  ['/a?do=', '/a?do=edit', ['choice']],
  ['/a?aff=', '/a', ['choice']],
  ['http://www.x.test/shop/a?fbclid=1', 'http://x.test/a', ['host', 'mount', 'tracker']],
])('%s and %s differ in %j', (url, image, kinds) => {
  expect([...differencesOf(url, image)]).toEqual(kinds);
});

test('one kind of which no log can tell is enough', () => {
  expect(isProvable(new Set(['host', 'mount', 'tracker']))).toBe(true);
  expect(isProvable(new Set(['host', 'language']))).toBe(false);
});

test('no kind is less certain than the least certain', () => {
  const { prior, needsPages } = DIFFERENCES[LEAST_CERTAIN];
  expect(prior).toBe(Math.min(...Object.values(DIFFERENCES).map((kind) => kind.prior)));
  expect(needsPages).toBe(true);
});
