// The order in which the strata of a site are sampled.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interleaved, stratumOf } from '../../src/validate/strata.js';

test.each([
  ['http://h/', 'http://h/'],
  ['http://h/a_100', 'http://h/'],
  ['http://h:8080/news/story?id=/7', 'http://h:8080/news/'],
  ['http://h/a/b/c.html', 'http://h/a/'],
  ['http://h/?u=/a/', 'http://h/'],
  ['/a', '/'],
  ['/a/b', '/a/'],
  ['//a', '//'],
  ['/?/', '/'],
  ['http://h', ''],
])('the stratum of %s is %j', (url, stratum) => {
  expect(stratumOf(url)).toBe(stratum);
});

test('samples of the draw alternate with samples of the next stratum', () => {
  const draw = ['/a/1', '/a/2', '/b/1', '/a/3', '/a/4', '/c/1'];
  expect(interleaved(draw)).toEqual(['/a/1', '/a/2', '/b/1', '/c/1', '/a/3', '/a/4']);
});

test('all samples are tried, each once', () => {
  const anyPath = fc.stringMatching(/^\/[ab]?\/?[a-d]{0,2}$/);
  fc.assert(
    fc.property(fc.uniqueArray(anyPath), (draw) => {
      const order = interleaved(draw);
      expect(order.toSorted()).toEqual(draw.toSorted());
      // The draw is not delayed: its first n are among the first 2n.
      for (let n = 1; n <= draw.length; n++)
        expect(order.slice(0, 2 * n)).toEqual(expect.arrayContaining(draw.slice(0, n)));
    }),
  );
});

test('each of k strata is met within the first 2k samples', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.nat(8), fc.nat(99)), { minLength: 1, selector: String }), (numbers) => {
      const draw = numbers.map(([folder, page]) => `/${folder}/${page}`);
      const strata = new Set(draw.map(stratumOf));
      expect(
        new Set(
          interleaved(draw)
            .slice(0, 2 * strata.size)
            .map(stratumOf),
        ),
      ).toEqual(strata);
    }),
  );
});
