// A simulated crawl, refreshed night after night by each policy, is as fresh, as old and as late as the formulas say.
import { tmpdir } from 'node:os';
import { describe, expect, it, test } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import {
  expected,
  type Freshness,
  freshnessOf,
  POLICIES,
  type Policy,
  RateClasses,
} from '../../src/state/freshness.js';
import { changeRate, plannedRate, planRefresh, type RefreshOptions } from '../../src/state/refresh.js';
import type { SeenUrl } from '../../src/state/visits.js';
import { collate, uncollate } from '../../src/url/token.js';
import { seededRandom } from '../planted.js';

interface Page {
  readonly url: Uint8Array;
  readonly rate: number;
  readonly visits: { comparisons: number; changes: number; daysCompared: number; daysChanged: number; lastDay: number };
  /** Of the changes since the last fetch, in days; the first of them is when the copy became old. */
  changed: number[];
}

const room = () => ({ memoryBytes: 1 << 16, tmpdir: tmpdir(), stats: { runs: 0, bytes: 0 } });

function seen(url: Uint8Array, visits: SeenUrl['visits']): SeenUrl {
  return { bytes: url, urlStart: 0, urlEnd: url.length, visits };
}

function plan(urls: readonly SeenUrl[], options: Partial<RefreshOptions>) {
  return planRefresh(urls, { budget: 10, policy: 'root', tonight: 100, formOf: uncollate, room: room(), ...options });
}

/** Measured at the end of each of `nights` days, after the first half of them; rates are estimated from the fetches. */
function simulate(policy: Policy, nights = 160, pages = 200, budget = 20): Freshness & { readonly rates: RateClasses } {
  const random = seededRandom(23);
  const rates = new RateClasses();
  const crawl = Array.from({ length: pages }, (_, k): Page => {
    const rate = 0.003 * Math.exp(6 * random());
    rates.add(rate);
    const visits = { comparisons: 0, changes: 0, daysCompared: 0, daysChanged: 0, lastDay: 0 };
    return { url: collate(encodeText(`http://a.de/${k}`)), rate, visits, changed: [] };
  });
  const total = { freshness: 0, age: 0, delay: 0 };
  for (let day = 1; day <= nights; day++) {
    for (const page of crawl) {
      for (let at = day - 1 - Math.log(1 - random()) / page.rate; at < day; at -= Math.log(1 - random()) / page.rate)
        page.changed.push(at);
    }
    const isMeasured = day > nights / 2;
    const { due } = plan(
      crawl.map(({ url, visits }) => seen(url, visits)),
      { policy, budget, tonight: day },
    );
    for (const { form } of due) {
      const page = crawl[Number(decodeText(form).slice('http://a.de/'.length))]!;
      const { visits, changed } = page;
      const days = day - visits.lastDay;
      visits.comparisons++;
      visits.daysCompared += days;
      if (changed.length > 0) {
        visits.changes++;
        visits.daysChanged += days;
      }
      visits.lastDay = day;
      if (isMeasured) for (const at of changed) total.delay += (day - at) / pages / (nights / 2);
      page.changed = [];
    }
    if (!isMeasured) continue;
    // Over the next day, of which this is the beginning.
    for (const { changed, rate } of crawl) {
      const [oldSince] = changed;
      const next = freshnessOf(rate, 1);
      total.freshness += (oldSince === undefined ? next.freshness : 0) / pages / (nights / 2);
      total.age += (oldSince === undefined ? next.age : day - oldSince + 0.5) / pages / (nights / 2);
    }
  }
  return { ...total, rates };
}

describe('a simulated crawl', () => {
  const measured = Object.fromEntries(POLICIES.map((policy) => [policy, simulate(policy)]));
  const of = (policy: Policy) => measured[policy]!;

  // By the rate, pages that are thought to change seldom are hardly ever seen again, and so their rates stay guesses.
  it.each(['root', 'uniform'] as const)('by %s is about as fresh as expected', (policy) => {
    const { freshness, delay, rates } = of(policy);
    const formula = expected(rates.all, 20, policy);
    expect(Math.abs(freshness - formula.freshness)).toBeLessThan(0.06);
    expect(delay / formula.delay).toBeGreaterThan(0.75);
    expect(delay / formula.delay).toBeLessThan(1.4);
  });

  it('has the least delay by the root, and is fresher if all pages are fetched equally often than by the rate', () => {
    expect(of('root').delay).toBeLessThan(of('uniform').delay);
    expect(of('root').delay).toBeLessThan(of('proportional').delay);
    expect(of('uniform').freshness).toBeGreaterThan(of('proportional').freshness);
  });
});

test('documents come before fonts and pictures, however long these have waited', () => {
  const visits = { comparisons: 0, changes: 0, daysCompared: 0, daysChanged: 0 };
  const urls = ['/a.woff2', '/b', '/img/c.PNG?v=2', '/d.html', '/e.js;v=1', 'http://a.png', '/f.php?x=.css', '/g'];
  const given = urls.map((url, at) => seen(collate(encodeText(url)), { ...visits, lastDay: 10 + at }));
  const listed = (budget: number) => Array.from(plan(given, { budget }).due, ({ form }) => decodeText(form));
  expect(listed(9)).toEqual([
    '/b',
    '/d.html',
    'http://a.png',
    '/f.php?x=.css',
    '/g',
    '/a.woff2',
    '/img/c.PNG?v=2',
    '/e.js;v=1',
  ]);
  expect(listed(2)).toEqual(['/b', '/d.html']);
  const { pages, documents, classes } = plan(given, {});
  expect([pages, documents]).toEqual([8, 5]);
  expect(plan([given[0]!], {}).classes.all).toHaveLength(1);
  expect(classes.all).toHaveLength(1);
});

test('the formulas are those of a page that is fetched again and again', () => {
  const random = seededRandom(5);
  const [rate, interval, rounds] = [0.3, 4, 40_000];
  const sum = { freshness: 0, age: 0, delay: 0 };
  for (let k = 0; k < rounds; k++) {
    let [first, delay] = [interval, 0];
    for (let at = -Math.log(1 - random()) / rate; at < interval; at -= Math.log(1 - random()) / rate) {
      first = Math.min(first, at);
      delay += interval - at;
    }
    sum.freshness += first / interval / rounds;
    sum.age += (interval - first) ** 2 / 2 / interval / rounds;
    sum.delay += delay / interval / rounds;
  }
  const formula = freshnessOf(rate, interval);
  for (const figure of ['freshness', 'age', 'delay'] as const) expect(sum[figure] / formula[figure]).toBeCloseTo(1, 1);
  expect(freshnessOf(1e-4, 0.999999).age).toBeCloseTo(freshnessOf(1e-4, 1.000001).age, 8);
});

test('the budget is spent, and nobody is fetched more than once a night', () => {
  const classes = [
    { rate: 9, pages: 10 },
    { rate: 0.1, pages: 100 },
  ];
  for (const policy of POLICIES) {
    const all = expected(classes, 110, policy);
    const more = expected(classes, 500, policy);
    expect(more.delay, policy).toBeCloseTo(all.delay, 12);
    expect(expected(classes, 50, policy).delay).toBeGreaterThan(all.delay);
  }
});

test('URLs of one form are one page, which is fetched once', () => {
  const visits = { comparisons: 5, changes: 1, daysCompared: 5, daysChanged: 1, lastDay: 90 };
  const urls = ['/a?s=1', '/b', '/a?s=2', '/c'].map((url, k) =>
    seen(collate(encodeText(url)), { ...visits, lastDay: k === 3 ? -1 : 90 + k }),
  );
  const formOf = (bytes: Uint8Array, start: number, end: number) =>
    encodeText(decodeText(uncollate(bytes, start, end)).replace(/\?.*/, ''));
  const found = plan(urls, { formOf });
  const due = Array.from(found.due, ({ form, days, counts }) => [decodeText(form), days, counts.comparisons]);
  expect(due).toEqual([
    ['/b', 9, 5],
    ['/a', 8, 10],
  ]);
  expect([found.urls, found.unseen, found.pages]).toEqual([4, 1, 2]);
});

// The estimator is the paper's where visits are regular, and nearly without bias where they are not.

test('with equal intervals it is log((N + 0.5) / (N − X + 0.5)) an interval', () => {
  for (const [comparisons, changes, days] of [
    [10, 3, 1],
    [7, 7, 3],
    [1, 1, 30],
    [12, 1, 2],
  ] as const) {
    const counts = { comparisons, changes, daysCompared: comparisons * days, daysChanged: changes * days };
    const paper = Math.log((comparisons + 0.5) / (comparisons - changes + 0.5)) / days;
    expect(changeRate(counts)).toBeCloseTo(paper, 12);
    expect(plannedRate(counts, 1)).toBe(changeRate(counts));
  }
  expect(changeRate({ comparisons: 0, changes: 0, daysCompared: 0, daysChanged: 0 })).toBeUndefined();
});

test('pages without a change are planned to be seen again, the less often the longer they stayed the same', () => {
  const never = (comparisons: number, days: number) => ({
    comparisons,
    changes: 0,
    daysCompared: comparisons * days,
    daysChanged: 0,
  });
  const rates = [never(1, 1), never(1, 9), never(9, 9), never(99, 9)].map((counts) => plannedRate(counts, 7));
  expect(rates.toSorted((a, b) => b - a)).toEqual(rates);
  expect(rates.at(-1)).toBeGreaterThan(0);
  expect(plannedRate(never(0, 0), 7)).toBe(7);
});

// Means over 4,000 pages of 30 visits each; the mean interval in place of both sums gives .92 and .75.
test.each([
  ['every second night is missing', 0.5, 0.2, 0.96, 1.04],
  ['four of five nights are missing', 0.8, 0.2, 0.89, 0.98],
  ['nine of ten visits find no change', 0.5, 0.05, 0.96, 1.04],
])('if %s, the mean estimate is near the rate', (_, missing, rate, least, most) => {
  const random = seededRandom(17);
  let sum = 0;
  for (let page = 0; page < 4000; page++) {
    const counts = { comparisons: 30, changes: 0, daysCompared: 0, daysChanged: 0 };
    for (let k = 0; k < counts.comparisons; k++) {
      let gap = 1;
      while (random() < missing) gap++;
      counts.daysCompared += gap;
      if (random() < Math.exp(-rate * gap)) continue;
      counts.changes++;
      counts.daysChanged += gap;
    }
    sum += changeRate(counts)! / rate;
  }
  expect(sum / 4000).toBeGreaterThan(least);
  expect(sum / 4000).toBeLessThan(most);
});
