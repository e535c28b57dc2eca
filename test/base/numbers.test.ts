// A column holds what an array would.
import { expect, test } from 'vitest';
import { greatest, Growing, listsOf } from '../../src/base/numbers.js';
import { AliasFinder } from '../../src/mirrors/copies.js';
import { startOf } from '../../src/mirrors/graph.js';
import { seeded } from '../sketch/sample.js';

const range = (count: number) => Array.from({ length: count }, (_, k) => k);

test('a list grows, gives back its last number, and is copied', () => {
  const growing = new Growing();
  for (const number of range(1000)) growing.push(number);
  expect([growing.pop(), growing.length, growing.at(500)]).toEqual([999, 999, 500]);
  expect(growing.slice(990)).toEqual(Uint32Array.from(range(999).slice(990)));
});

test('the greatest of more numbers than a call may have arguments', () => {
  expect(greatest(Array.from({ length: 300_000 }, (_, k) => (k * 7919) % 300_007))).toBe(300_006);
  expect(greatest([])).toBe(-Infinity);
  expect(greatest([1, 3, 2], 5)).toBe(5);
});

// Columns hold what arrays would.

test('lists of numbers are those that filter finds', () => {
  const random = seeded(1);
  for (const count of range(30)) {
    const keys = Uint32Array.from(range(2 * count), () => Math.floor(random() * count));
    const { starts, items } = listsOf(count, keys);
    const lists = range(count).map((k) => [...items.subarray(starts[k], starts[k + 1])]);
    expect(lists).toEqual(range(count).map((k) => range(2 * count).filter((at) => keys[at] === k)));
  }
});

test('a walk begins where all that can reach it can be reached from, with the first of these', () => {
  const random = seeded(2);
  for (const seed of range(300)) {
    const count = 1 + (seed % 12);
    const next = range(count).map(() => range(Math.floor(random() * 3)).map(() => Math.floor(random() * count)));
    const reached = (start: number) => {
      const all = new Set([start]);
      for (const node of all) for (const other of next[node]!) all.add(other);
      return all;
    };
    const sources = range(count).filter((node) =>
      range(count).every((other) => !reached(other).has(node) || reached(node).has(other)),
    );
    const before = (a: number, b: number) => ((a * 7) % 13) - ((b * 7) % 13);
    const starts = Uint32Array.from(range(count + 1), (k) => next.slice(0, k).flat().length);
    const first = startOf({ starts, items: Uint32Array.from(next.flat()) }, before);
    expect(first).toBe(sources.sort(before)[0]);
  }
});

test('an alias is the prefix that all URLs change, and no shorter one', () => {
  const random = seeded(3);
  const word = () => 'ab/'[Math.floor(random() * 3)]!;
  let found = 0;
  for (let seed = 0; seed < 3000; seed++) {
    const urls = range(1 + (seed % 3)).map(
      () =>
        `http://h/${range(1 + (seed % 4))
          .map(word)
          .join('')}`,
    );
    const partners = urls.map((url) =>
      seed % 2 === 0 ? url.replace('http://h/a', 'http://i/') : `http://i/${range(3).map(word).join('')}`,
    );
    const finder = new AliasFinder();
    urls.forEach((url, k) => finder.add(url, partners[k]!));
    // Every folder of the first URL that all of them are in, the shortest first, with what its partner has there.
    const naive = range(urls[0]!.length + 1)
      .filter((length) => length > 8 && urls[0]![length - 1] === '/')
      .map((length) => {
        const rest = urls[0]!.slice(length);
        return { from: urls[0]!.slice(0, length), to: partners[0]!.slice(0, partners[0]!.length - rest.length) };
      })
      .filter(({ to }) => to.length > 8 && to.endsWith('/'))
      .find(({ from, to }) =>
        urls.every((url, k) => url.startsWith(from) && partners[k] === to + url.slice(from.length)),
      );
    const isChanged = urls.some((url, k) => url !== partners[k]);
    expect(finder.alias).toEqual(isChanged ? naive : undefined);
    if (finder.alias !== undefined) found++;
  }
  expect(found).toBeGreaterThan(100);
});
