// How long will a validation by fetching take? The number of requests decides, as a host gets only so many a second.
//
//   live site, test/bench/sites   URLs    requests   expected
//   WordPress                     3,113   1,342      1,334
//   MediaWiki                     4,576   1,626      1,773
//   DokuWiki                      7,414   2,349      2,624
//   gitweb and cgit               8,740   3,600      3,022
import { many } from '../../../base/amounts.js';
import type { Effects } from '../../../base/effects.js';
import type { MineSummary } from '../../../mine/mine.js';
import { lengthWords } from '../../../report/validation.js';
import type { ValidationFlags } from '../../flags/validation.js';

/**
 * The requests that every site is allowed: more would not pay on a small site, as its last questions save too little.
 * `--max-fetches` can lower the number.
 */
const SITE_REQUESTS = 1000;
const REQUESTS_PER_URL = 0.3;
/** Requests that a site is expected to take, apart from its URLs: both the need and the allowance grow with these. */
const USUAL_REQUESTS = 400;
/** A URL of a small site is fetched with its form, and once more for an audit. */
const MOST_PER_URL = 3;

export interface Requests {
  readonly expected: number;
  readonly most: number;
}

/** The expected and the largest number of requests for a site with this number of URLs. */
export function requestsFor(urls: number, { maxFetches, audit, auditAlone }: Asking): Requests {
  const most = Math.min(maxFetches, Math.round(SITE_REQUESTS + REQUESTS_PER_URL * urls));
  const usual = auditAlone === true ? 2 * audit : USUAL_REQUESTS + REQUESTS_PER_URL * urls;
  return { expected: Math.round(Math.min(most, usual, MOST_PER_URL * urls)), most };
}

/** How long `mine --fetch` would take for all sites of a log. */
export function timeToAsk(
  { largestSites }: Pick<MineSummary, 'largestSites'>,
  flags: Asking & Pick<ValidationFlags, 'rate'>,
): string {
  const requests = largestSites.list().reduce((sum, { urls }) => sum + requestsFor(urls, flags).expected, 0);
  return lengthWords(requests / flags.rate);
}

type Asking = Pick<ValidationFlags, 'maxFetches' | 'audit' | 'auditAlone'>;

/** Such as `about 29 minutes at 1 request a second, at most 2 h 47 min, if the site answers within a second`. */
export function timeWords({ expected, most }: Requests, rate: number): string {
  const [about, limit] = [expected, most].map((requests) => lengthWords(requests / rate)) as [string, string];
  const pace = `at ${many(rate, 'request')} a second`;
  const length = about === limit ? `at most ${limit} ${pace}` : `about ${about} ${pace}, at most ${limit}`;
  return `${length}, if the site answers within ${pauseWords(1 / rate)}`;
}

/** Such as `a second`, `2 seconds`, `50 ms`. */
function pauseWords(seconds: number): string {
  if (seconds === 1) return 'a second';
  const digits = Number(seconds.toPrecision(2));
  return seconds > 1 ? many(digits, 'second') : `${Number((1000 * digits).toPrecision(2))} ms`;
}

// The estimate is updated during the run. At first only the rate is known; from the tenth page on, and from the fiftieth
// part of the expected pages, the time per page is more exact. A new estimate is printed when it is far from the last
// one, on a terminal or elsewhere:
//
//     about 45 minutes at 1 request a second             the first estimate: 2,632 pages
//     53 pages took 3 minutes; about 2 h left            it answers in 3 seconds
//     400 pages took 9 minutes; about 50 minutes left    most are in the cache, or the site has less to do
//
// The estimate uses the mean pause without the longest few: at the start, and before each round of questions, the
// program itself computes for seconds. If the newer half of the pages came faster, it uses their mean: a site that wakes
// up, or a cache that begins later, would otherwise make hours of seconds. Pages from the cache count too, as the
// expected number includes them.

/** From this page on, and from this share of the expected pages, the time per page is used: a start may be slow. */
const ENOUGH = 10;
const ENOUGH_SHARE = 0.02;
/** How many pauses are kept, the newest ones. */
const REMEMBERED = 200;
/** A new estimate is printed if the time left is longer or shorter than the last one by this factor. */
const FAR = 1.5;
/**
 * A smaller change is also printed if it is this share of the whole time, and the number of pages has grown by this
 * factor.
 */
const MUCH = 0.1;
const LATER = 2;
/** In milliseconds. With less time left, no estimate is printed. */
const SHORT = 5000;
/** The share of pauses, the longest ones, that is ignored. */
const LONGEST = 0.03;

interface Pace {
  /** Pages that were taken so far. */
  readonly pages: number;
  /** Call this for each page, from the site or the cache, with the number of requests that it takes from the site. */
  note(requests: number): void;
}

/** `most` requests at the announced rate. */
export function createPace(
  { expected, most }: Requests,
  rate: number,
  effects: Pick<Effects, 'now'> & { readonly say: (line: string) => unknown },
): Pace {
  const begin = effects.now().getTime();
  let [pages, last] = [0, begin];
  const pauses: number[] = [];
  const enough = Math.max(ENOUGH, ENOUGH_SHARE * expected);
  /** The end of the run by the last printed estimate. */
  let said = { end: begin + (1000 * expected) / rate, pages: enough / LATER };
  return {
    get pages() {
      return pages;
    },
    note(requests) {
      const now = effects.now().getTime();
      for (let k = 0; k < requests; k++) pauses[pages++ % REMEMBERED] = (now - last) / requests;
      last = now;
      if (pages < LATER * said.pages) return;
      const each = usual(pauses, pages);
      const left = leftOf(pages, expected, most) * each;
      const before = Math.max(0, said.end - now);
      const isNear = left <= FAR * before && before <= FAR * left;
      if (isNear || Math.max(left, before) < SHORT || Math.abs(left - before) < MUCH * (now - begin + left)) return;
      said = { end: now + left, pages };
      const longest = Math.max(0, most - pages) * each;
      effects.say(`${paceLine(pages, now - begin, left, longest)}\n`);
    },
  };
}

/** Requests left: up to the expected number; beyond it, a tenth of those made so far. */
function leftOf(pages: number, expected: number, most: number): number {
  return Math.max(0, Math.min(most, Math.max(expected, 1.1 * pages)) - pages);
}

function paceLine(pages: number, ms: number, left: number, longest: number): string {
  const [about, most] = [left, longest].map((one) => lengthWords(one / 1000)) as [string, string];
  const rest = about === most ? `at most ${most} left` : `about ${about} left, at most ${most}`;
  return `${pages.toLocaleString('en')} pages took ${lengthWords(ms / 1000)}; ${rest}`;
}

/** `pauses` are the newest ones of so many pages, each at its place in a ring. */
function usual(pauses: readonly number[], pages: number): number {
  const short = pauses.toSorted((a, b) => a - b).slice(0, -Math.ceil(LONGEST * pauses.length));
  const newer = Array.from({ length: Math.ceil(pauses.length / 2) }, (_, k) => pauses[(pages - 1 - k) % REMEMBERED]!);
  return Math.min(meanOf(short), meanOf(newer));
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
