// Lists in URLs: shapes that shops and wikis have are found at their places, and what only looks like them is not.
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/base/bytes.js';
import { type ListFacts, listFacts } from '../../../src/mine/lists/facts.js';
import { listRules } from '../../../src/mine/lists/rules.js';
import { type ListedUrl, ListSample, wordsHash } from '../../../src/mine/lists/sample.js';
import { seeded } from '../../bench/input/random.js';

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  color: ['red', 'blue', 'green', 'black', 'white', 'grey'],
  size: ['s', 'm', 'l', 'xl'],
  brand: ['acme', 'globex', 'initech', 'umbra'],
  fit: ['slim', 'wide', 'tall'],
};
const WORDS = 'red blue green black white grey small medium large cotton wool silk new sale used acme'.split(' ');

type Draw = (most: number) => number;
type Choices = readonly (readonly [group: string, value: string])[];

function draws(seed: number): Draw {
  const random = seeded(seed);
  return (most) => Math.floor(random() * most);
}

/** Sets of one to four choices of different groups, in any order. */
function someChoices(draw: Draw, count: number): Choices[] {
  return Array.from({ length: count }, () => {
    const groups = Object.keys(GROUPS)
      .map((group) => [draw(1000), group] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, 1 + draw(4));
    return groups.map(([, group]) => [group, GROUPS[group]![draw(GROUPS[group]!.length)]!] as const);
  });
}

function someWords(draw: Draw, count: number, isSorted = false): string[][] {
  return Array.from({ length: count }, () => {
    const words = [...new Set(Array.from({ length: 1 + draw(4) }, () => WORDS[draw(WORDS.length)]!))];
    return isSorted ? words.sort() : words;
  });
}

/** Other pages of the site. */
function others(draw: Draw): string[] {
  const word = () => WORDS[draw(WORDS.length)]!;
  return Array.from(
    { length: 300 },
    (_, k) =>
      [
        `/product/${word()}-${word()}-${k}`,
        `/women/?page=${k}`,
        `/blog/20${10 + draw(9)}/${1 + draw(12)}/${word()}-${k}`,
      ][draw(3)]!,
  );
}

function listed(paths: readonly string[], sizeOf: (path: string) => number = () => -1): ListedUrl[] {
  return [...new Set(paths)].map((path) => {
    const size = sizeOf(path);
    return { text: `http://a.test${path}`, site: 'a.test', hits: 1, minSize: size, maxSize: size, sketch: 0 };
  });
}

const inPairs = (choices: Choices, between: string, among: string) =>
  choices.map(([group, value]) => `${group}${between}${value}`).join(among);

type Shape = readonly [
  shape: string,
  slot: string,
  name: string,
  separator: string,
  isHeaded: boolean,
  paths: (draw: Draw) => string[],
];

const SHAPES: readonly Shape[] = [
  ['a%2Cb', 'parameter', 'tags', ',', false, (d) => someWords(d, 400).map((w) => `/?tags=${w.join('%2C')}`)],
  ['a,b sorted', 'parameter', 'tags', ',', false, (d) => someWords(d, 600, true).map((w) => `/?tags=${w.join(',')}`)],
  [
    'color-red-size-m',
    'parameter',
    'q',
    '-',
    true,
    (d) => someChoices(d, 900).map((c) => `/?q=${inPairs(c, '-', '-')}`),
  ],
  [
    'color-red/size-m',
    'parameter',
    'q',
    '/',
    false,
    (d) => someChoices(d, 900).map((c) => `/?q=${inPairs(c, '-', '/')}`),
  ],
  [
    'f[0]=color:red',
    'repeated',
    'f%5B%5D',
    '&',
    false,
    (d) => someChoices(d, 400).map((c) => `/?${c.map(([g, v], k) => `f%5B${k}%5D=${g}:${v}`).join('&')}`),
  ],
  [
    'facet=a&facet=b',
    'repeated',
    'facet',
    '&',
    false,
    (d) => someChoices(d, 400).map((c) => `/?${c.map(([g, v]) => `facet=${g}:${v}`).join('&')}`),
  ],
  ['/filter/a,b', 'after', 'filter', ',', false, (d) => someWords(d, 400).map((w) => `/men/filter/${w.join(',')}`)],
  [
    '/color/red/size/m/',
    'below',
    '/shop/',
    '/',
    true,
    (d) => someChoices(d, 900).map((c) => `/shop/${inPairs(c, '/', '/')}/`),
  ],
];

describe('lists', () => {
  it.each(SHAPES)('of the shape %s are found', (_, slot, name, separator, isHeaded, paths) => {
    const draw = draws(7);
    const urls = listed([...paths(draw), ...others(draw)]);
    const found = listFacts(urls);
    expect(found.map(({ place }) => [place.slot, place.name, place.separator])).toEqual([[slot, name, separator]]);
    expect(found[0]!.place.heads ?? []).toEqual(isHeaded ? Object.keys(GROUPS).sort() : []);
    expect(found[0]!.urls).toBe(urls.filter(({ text }) => !/product|page=|blog/.test(text)).length);
  });

  const date = (draw: Draw) => [2010 + draw(9), 1 + draw(12), 1 + draw(28)].slice(0, 1 + draw(3));
  const TRAPS: readonly (readonly [string, (draw: Draw) => string])[] = [
    ['names', (d) => `/author?name=Name${d(300)}${d(2) === 0 ? '' : `,First${d(20)}`}`],
    [
      'slugs',
      (d) =>
        `/p/${[0, 1, 2]
          .slice(d(2))
          .map(() => `${WORDS[d(16)]}${d(4)}`)
          .join('-')}`,
    ],
    ['dates', (d) => `/${date(d).join('/')}/`],
    ['dates in a parameter', (d) => `/?day=${date(d).join('-')}`],
    ['versions', (d) => `/v-${d(4)}-${d(6)}${d(2) === 0 ? '' : `-${d(9)}`}/x`],
    ['boxes', (d) => `/map?box=${[d(20), d(20), d(20), d(20)].join(',')}`],
    ['ranges', (d) => `/?price=${d(10)}0-1${d(10)}0`],
    ['orders', (d) => `/?sort=${['price', 'name'][d(2)]}-${['asc', 'desc'][d(2)]}&page=${d(900)}`],
    [
      'languages',
      (d) => `${['', '/de', '/fr'][d(3)]}/${['docs', 'api'][d(2)]}/${WORDS[d(16)]}_${d(40)}/${['', 'print/'][d(2)]}`,
    ],
    [
      'searched words',
      (d) =>
        `/find?q=${[0, 1, 2]
          .slice(d(3))
          .map(() => WORDS[d(16)])
          .join('+')}`,
    ],
  ];

  it.each(TRAPS)('are not found in %s', (_, path) => {
    const draw = draws(3);
    const urls = listed([...Array.from({ length: 1500 }, () => path(draw)), ...others(draw)]);
    expect(urls.length).toBeGreaterThan(300);
    expect(listFacts(urls).map(({ place }) => place)).toEqual([]);
  });
});

/** A log of `/?tags=` with words in any order. */
function tagged(sizeOf: (words: string[]) => number): ListFacts {
  const draw = draws(5);
  const paths = Array.from(
    { length: 900 },
    () => `/?tags=${[...new Set([draw(9), draw(9), draw(9)])].map((k) => WORDS[k]).join()}`,
  );
  const [facts, ...more] = listFacts(listed(paths, (path) => sizeOf(path.slice(7).split(','))));
  expect(more).toEqual([]);
  return facts!;
}

const sizeOfSet = (words: readonly string[]) => 5000 + (wordsHash(encodeText(words.toSorted().join())) % 9000);
const sizeOfList = (words: readonly string[]) => 5000 + (wordsHash(encodeText(words.join(''))) % 3000);

describe('the order of items', () => {
  it('does not matter where pages in two orders are equal, and those of other items are not', () => {
    const facts = tagged(sizeOfSet);
    expect(facts.order.verdict).toBe('likely');
    expect(facts.order.equal).toBe(facts.order.pairs);
    expect(listRules([facts])).toEqual([
      expect.objectContaining({
        site: 'a.test',
        place: { slot: 'parameter', name: 'tags', separator: ',' },
        confidence: 0.9,
      }),
    ]);
  });

  it.each([
    ['matters where pages in two orders differ', sizeOfList, 'matters'],
    ['matters where the last item counts', (words: string[]) => sizeOfSet(words.slice(-1)), 'matters'],
    ['is not judged where all pages are equal', () => 5000, 'unknown'],
    ['is not judged without sizes', () => -1, 'unknown'],
  ] as const)('%s', (_, sizeOf, verdict) => {
    const facts = tagged(sizeOf);
    expect([facts.order.verdict, listRules([facts])]).toEqual([verdict, []]);
  });

  it('makes duplicates, apart from those of repeated items', () => {
    const pairs = WORDS.flatMap((a) => WORDS.slice(0, 3).map((b) => `/?tags=${a},${b}`));
    const [facts] = listFacts(
      listed([...pairs, ...WORDS.map((word) => `/?tags=${word}`), '/?tags=red,new,new', '/?tags=new,red,red']),
    );
    // Of red, blue and green there are three pairs in two orders, and of red and new one, with repetitions.
    expect(facts!.duplicates).toEqual({ urls: 3, hits: 3, repeatedUrls: 2, repeatedHits: 2 });
    expect(facts!.depths.map(({ urls }) => urls)).toEqual([16, 48, 2]);
  });
});

describe('a sample', () => {
  const facts = { site: '', hits: 1, minSize: -1, maxSize: -1, sketch: 0 };

  it('has all URLs if they fit', () => {
    const sample = new ListSample();
    for (let k = 0; k < 100; k++) sample.add(encodeText(`/a?x=${k}`), facts);
    expect([sample.urls().length, sample.share]).toEqual([100, 1]);
  });

  it('keeps orders of the same words together, and is as large as it may be', () => {
    const sample = new ListSample(400);
    for (let k = 0; k < 2000; k++) {
      sample.add(encodeText(`/list?tags=a${k}%2cb${k}`), facts);
      sample.add(encodeText(`/list?tags=b${k},a${k}`), facts);
    }
    const kept = sample.urls().map(({ text }) => text.replace(/.*=/, '').split(/%2c|,/).sort().join());
    expect(kept.length).toBe(2 * new Set(kept).size);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThanOrEqual(400);
    expect(sample.share).toBeLessThan(0.2);
  });
});
