// Does each learner learn what its paper says, and not what the paper says it cannot? The examples are those of the
// papers and of what is known of them, on pages that did not teach.
import { describe, expect, test } from 'vitest';
import { learnContextTrees } from './context-trees.js';
import { learnDuster } from './duster.js';
import { halvesOf } from './halves.js';
import type { Labelled, Learned } from './learner.js';
import { madeUpSite } from './made-up.js';
import { learnPairwise } from './pairwise.js';
import { learnPatternTree } from './pattern-tree.js';

const LEARNERS = {
  pairwise: learnPairwise,
  'context trees': learnContextTrees,
  'pattern tree': learnPatternTree,
  duster: learnDuster,
};
const NAMES = Object.keys(LEARNERS) as (keyof typeof LEARNERS)[];

/** Pages from `first` on, each with all of the URLs that `urlsOf` gives it. */
function pagesOf(count: number, urlsOf: (page: number) => readonly string[]): Labelled[] {
  return Array.from({ length: count }, (_, page) => urlsOf(page).map((url) => ({ url, label: `${page}` }))).flat();
}

/** Whether the URLs are one page to the learner. */
function areOne({ formOf }: Learned, urls: readonly string[]): boolean {
  return new Set(urls.map(formOf)).size === 1;
}

const SECTIONS = ['money', 'sports', 'arts', 'travel', 'food', 'science'];

/** The name of a case, its URLs of a page, and who learns it. */
const CASES: readonly (readonly [string, (page: number) => string[], readonly (keyof typeof LEARNERS)[]])[] = [
  [
    'a section that moves into the host, and matters',
    (page) => {
      const section = SECTIONS[page % SECTIONS.length] ?? 'money';
      const story = Math.floor(page / SECTIONS.length);
      return [`http://cnn.com/${section}/${story}`, `http://${section}.cnn.com/${story}`];
    },
    ['pairwise', 'context trees', 'pattern tree'],
  ],
  [
    'a title that moves into the path',
    (page) => [`http://a.org/wiki?title=Dust${page}`, `http://a.org/wiki/Dust${page}`],
    ['pairwise', 'context trees', 'pattern tree', 'duster'],
  ],
  [
    'story_12 and story?id=12, which need parts of values',
    (page) => [`http://a.org/story_${page}`, `http://a.org/story?id=${page}`],
    ['context trees', 'duster'],
  ],
  [
    'a session that does not matter, by two sessions a page',
    (page) => [`http://a.org/item?id=${page}&sid=${page * 7 + 1}`, `http://a.org/item?id=${page}&sid=${page * 13 + 3}`],
    ['pattern tree', 'duster'],
  ],
  [
    'a session beside a URL without',
    (page) => [`http://a.org/item?id=${page}`, `http://a.org/item?id=${page}&sid=${page * 7 + 1}`],
    ['pairwise', 'context trees', 'pattern tree', 'duster'],
  ],
];

describe.each(CASES)('%s', (_, urlsOf, learnedBy) => {
  test.each(NAMES)('%s', (name) => {
    const learned = LEARNERS[name](pagesOf(60, urlsOf), 1);
    const strangers = Array.from({ length: 20 }, (__, page) => urlsOf(1_000 + page));
    expect(strangers.filter((urls) => areOne(learned, urls)).length).toBe(learnedBy.includes(name) ? 20 : 0);
    expect(new Set(strangers.flat().map(learned.formOf)).size).toBe(learnedBy.includes(name) ? 20 : 40);
  });
});

test.each(NAMES)('%s learns nothing from pages with one URL each, nor where what looks the same is not', (name) => {
  const lists = (page: number) => [`http://a.org/list?page=${page}`, `http://a.org/list?page=${page}&sort=price`];
  const apart = pagesOf(60, lists).map(({ url }) => ({ url, label: url }));
  expect(LEARNERS[name](apart, 1).rules).toEqual([]);
  const mixed = [...apart, ...pagesOf(3, lists)];
  expect(LEARNERS[name](mixed, 1).rules).toEqual([]);
});

test('a context tree finds the condition under which a parameter does not matter', () => {
  const shown = pagesOf(60, (page) => [`http://a.org/show?id=${page}`, `http://a.org/show?id=${page}&v=1`]);
  const edited = pagesOf(60, (page) => [`http://a.org/edit?id=${page}`, `http://a.org/edit?id=${page}&v=1`]);
  const { formOf, rules } = learnContextTrees([...shown, ...edited.map(({ url }) => ({ url, label: url }))], 1);
  expect(rules).toHaveLength(1);
  expect(formOf('http://a.org/show?id=777&v=1')).toBe(formOf('http://a.org/show?id=777'));
  expect(formOf('http://a.org/edit?id=777&v=1')).toBe('http://a.org/edit?id=777&v=1');
});

test.each(NAMES)('%s merges no pages of the other half of a made-up site, and some duplicates', (name) => {
  const { learning, measuring } = halvesOf(madeUpSite(1), 1);
  const { formOf } = LEARNERS[name](learning, 1);
  const labels = new Map<string, Set<string>>();
  for (const { url, label } of measuring) labels.set(formOf(url), (labels.get(formOf(url)) ?? new Set()).add(label));
  expect([...labels.values()].filter(({ size }) => size > 1)).toEqual([]);
  expect(labels.size).toBeLessThan(0.8 * measuring.length);
});

test('halves have no label in common, and all URLs', () => {
  const pages = madeUpSite(2);
  const { learning, measuring } = halvesOf(pages, 3);
  const labels = new Set(learning.map(({ label }) => label));
  expect(measuring.filter(({ label }) => labels.has(label))).toEqual([]);
  expect(learning.length + measuring.length).toBe(pages.length);
});
