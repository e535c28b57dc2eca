// Of the rules that only their number speaks for, the first of a site are written, and `all` writes the others too.
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { Miner, type MineSummary } from '../../src/mine/mine.js';
import type { UnrankedRule } from '../../src/mine/site.js';
import { MOST_RATED, Unrated } from '../../src/mine/unrated.js';
import type { RankOrder } from '../../src/mine/rank.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { batchOf, type TestRecord } from '../url-list.js';
import { mineOptions } from './options.js';

/** One token, another for each number. */
const word = (at: number): string =>
  `${Array.from(at.toString(26), (digit) => 'abcdefghijklmnopqrstuvwxyz'[parseInt(digit, 26)]).join('')}q`;

/** Groups of folders with the same names below them: a pair of rules or more for each two folders of a group. */
const GROUPS = 90;
const paths = Array.from({ length: GROUPS }, (_, group) =>
  Array.from({ length: 3 }, (__, folder) =>
    Array.from(
      { length: 3 + ((group * 7) % 5) },
      (___, name) => `/${word(group * 6 + folder)}/${word(12_000 + group * 20 + name)}/`,
    ),
  ),
).flat(2);
const unsized = paths.map((path): TestRecord => ({ url: `http://h.test${path}` }));
/** One page that says nothing about the others. */
const sized = [...unsized, { url: 'http://h.test/z', size: 7 }];

function mined(records: readonly TestRecord[], options: { all?: boolean; rank?: RankOrder }) {
  const miner = new Miner({ ...mineOptions, ...options }, createSiteOf('host'), {
    memoryBytes: 1 << 28,
    tmpdir: tmpdir(),
  });
  miner.add(batchOf(records));
  const rules: readonly UnrankedRule[] = Array.from(miner.eachRule());
  return { rules, summary: miner.summary as MineSummary };
}

const saying = (rule: UnrankedRule) => JSON.stringify(rule);

describe.each(['likeliness', 'support', 'confidence'] as const)('ranked by %s', (rank) => {
  const all = mined(unsized, { rank, all: true });
  const some = mined(unsized, { rank });

  test('the first are those that all of them begin with, in the same order', () => {
    expect(all.rules.length).toBeGreaterThan(3 * MOST_RATED);
    expect(all.summary.passedOver).toBe(0);
    expect(some.rules).toHaveLength(2 * MOST_RATED);
    const written = new Set(some.rules.map(saying));
    expect(all.rules.filter((rule) => written.has(saying(rule)))).toEqual(some.rules);
    // The rest of the frequent ones may rank anywhere, so only these may stand behind one that is missing.
    const firstMissing = all.rules.findIndex((rule) => !written.has(saying(rule)));
    const behind = all.rules.slice(firstMissing).filter((rule) => written.has(saying(rule)));
    expect(firstMissing).toBeGreaterThanOrEqual(MOST_RATED);
    expect(behind.length).toBeLessThanOrEqual(MOST_RATED);
  });

  test('nothing changes where the others are looked at too, because a page could speak against one', () => {
    const looked = mined(sized, { rank });
    expect(looked.rules).toEqual(some.rules);
    expect(looked.summary.passedOver).toBe(all.rules.length - some.rules.length);
    expect(some.summary.passedOver).toBeGreaterThan(0);
  });
});

test('with fewer than that all are written', () => {
  const few = unsized.slice(0, 150);
  const { rules, summary } = mined(few, {});
  expect(rules.length).toBeGreaterThan(0);
  expect(rules).toEqual(mined(few, { all: true }).rules);
  expect(summary.passedOver).toBe(0);
});

test('a pair with as many instances as the last may still be among the first', () => {
  const unrated = new Unrated('likeliness');
  const add = (at: number, low: number) =>
    unrated.add({ from: bytes(`/x${at}/`), to: bytes('/'), anchor: 'none', low, high: low, against: 0, examples: [] });
  for (let at = 0; at < 2 * MOST_RATED; at++) add(at, 10);
  expect([unrated.isClosedTo(11), unrated.isClosedTo(10), unrated.isClosedTo(9)]).toEqual([false, false, true]);
  add(0, 11);
  add(1, 9);
  const first = unrated.finish();
  expect(first).toHaveLength(MOST_RATED);
  expect(first[0]!.low).toBe(11);
  expect(unrated.passedOver).toBe(MOST_RATED + 2);
});

const bytes = (text: string) => Buffer.from(text, 'latin1');
