// Crawler traps: URLs that repeat parts of themselves, as a crawler finds them where links go round in circles, or as
// somebody writes them into a log in order to make mining slow. Each is a shape with any number of distinct URLs.
import { seeded } from './random.js';

export interface Trap {
  readonly name: string;
  /** Distinct URLs of one site, none longer than 2,000 bytes. */
  readonly urls: (count: number) => Iterable<string>;
}

const SITE = 'http://h.example';
/** Values of the last parameter; as many as fit into a bucket. */
const VALUES = 10;

export const TRAPS: readonly Trap[] = [
  {
    name: 'two periods and a tail',
    *urls(count) {
      const most = Math.ceil(Math.sqrt(count / VALUES));
      for (const [k, j, x] of grid(count, most, most, VALUES)) {
        yield `${SITE}/${'a/b/'.repeat(k + 1)}${'a/'.repeat(j + 1)}?x=${x}`;
      }
    },
  },
  {
    name: 'three periods',
    *urls(count) {
      const most = Math.ceil(Math.cbrt(count));
      for (const [k, j, l] of grid(count, most, most, most)) {
        yield `${SITE}/${'a/b/'.repeat(k + 1)}${'a/'.repeat(j + 1)}${'a/b/c/'.repeat(l + 1)}`;
      }
    },
  },
  {
    name: 'periods in the query',
    *urls(count) {
      const most = Math.ceil(Math.sqrt(count / VALUES));
      for (const [k, j, x] of grid(count, most, most, VALUES)) {
        yield `${SITE}/s?${'a=1&b=2&'.repeat(k)}${'a=1&'.repeat(j)}x=${x}`;
      }
    },
  },
  {
    name: 'periods in the host',
    *urls(count) {
      for (const [k, j, x] of grid(count, 40, 40, Math.ceil(count / 1600))) {
        yield `http://${'a.b.'.repeat(k)}${'a.'.repeat(j)}h.example/${x}`;
      }
    },
  },
  {
    name: 'one period, a number in the middle',
    *urls(count) {
      const most = Math.ceil(Math.sqrt(count / VALUES));
      for (const [k, j, x] of grid(count, most, most, VALUES)) {
        yield `${SITE}/${'img/'.repeat(k)}${x}/${'img/'.repeat(j)}`;
      }
    },
  },
  {
    name: 'periods of varying length',
    *urls(count) {
      const random = seeded(9);
      const below = (most: number) => Math.floor(random() * most);
      const words = ['a/', 'b/', 'a/b/', 'a/a/b/'];
      const seen = new Set<string>();
      // Each has one part of the one before in another number.
      const parts = Array.from({ length: 3 }, () => ({ word: 'a/', times: 0 }));
      while (seen.size < count) {
        parts[below(parts.length)] = { word: words[below(words.length)]!, times: below(16) };
        const url = `${SITE}/${parts.map(({ word, times }) => word.repeat(times)).join('')}`;
        if (seen.has(url)) continue;
        seen.add(url);
        yield url;
      }
    },
  },
];

/** The first `count` of all triples of numbers below these. */
function* grid(count: number, a: number, b: number, c: number): Generator<readonly [number, number, number]> {
  let made = 0;
  for (let i = 0; i < a; i++) {
    for (let j = 0; j < b; j++) {
      for (let k = 0; k < c; k++) {
        if (made++ === count) return;
        yield [i, j, k];
      }
    }
  }
}
