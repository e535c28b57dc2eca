// How long will a validation by fetching take? Hosts are asked at a rate of so many requests a second, so it is the
// number of requests that counts.
//
//   live site, test/bench/sites   URLs    requests   expected
//   WordPress                     3,113   1,342      1,334
//   MediaWiki                     4,576   1,626      1,773
//   DokuWiki                      7,414   2,349      2,624
//   gitweb and cgit               8,740   3,600      3,022
import { many } from '../../../base/plural.js';
import type { MineSummary } from '../../../mine/mine.js';
import { lengthWords } from '../../../report/validation.js';
import type { ValidationFlags } from '../../flags/validation.js';

/**
 * Requests allowed for every site: the last questions of a small site do not save enough to be worth thousands.
 * `--max-fetches` can lower it.
 */
const SITE_REQUESTS = 1000;
const REQUESTS_PER_URL = 0.3;
/** What is expected of a site: the allowance grows with the URLs as the need does. */
const USUAL_REQUESTS = 400;
/** A URL of a small site is fetched with its form, and once more for an audit. */
const MOST_PER_URL = 3;

export interface Requests {
  readonly expected: number;
  readonly most: number;
}

/** For a site of so many URLs that is asked questions. */
export function requestsFor(urls: number, { maxFetches, audit, auditAlone }: Asking): Requests {
  const most = Math.min(maxFetches, Math.round(SITE_REQUESTS + REQUESTS_PER_URL * urls));
  const usual = auditAlone === true ? 2 * audit : USUAL_REQUESTS + REQUESTS_PER_URL * urls;
  return { expected: Math.round(Math.min(most, usual, MOST_PER_URL * urls)), most };
}

/** How long `mine --fetch` would ask all sites of a log. */
export function timeToAsk(
  { largestSites }: Pick<MineSummary, 'largestSites'>,
  flags: Asking & Pick<ValidationFlags, 'rate'>,
): string {
  const requests = largestSites.list().reduce((sum, { urls }) => sum + requestsFor(urls, flags).expected, 0);
  return lengthWords(requests / flags.rate);
}

type Asking = Pick<ValidationFlags, 'maxFetches' | 'audit' | 'auditAlone'>;

/** `about 29 minutes at 1 request a second, at most 2 h 47 min, if the site answers within a second`. */
export function timeWords({ expected, most }: Requests, rate: number): string {
  const [about, limit] = [expected, most].map((requests) => lengthWords(requests / rate)) as [string, string];
  const pace = `at ${many(rate, 'request')} a second`;
  const length = about === limit ? `at most ${limit} ${pace}` : `about ${about} ${pace}, at most ${limit}`;
  return `${length}, if the site answers within ${pauseWords(1 / rate)}`;
}

/** `a second`, `2 seconds`, `50 ms`. */
function pauseWords(seconds: number): string {
  if (seconds === 1) return 'a second';
  const digits = Number(seconds.toPrecision(2));
  return seconds > 1 ? many(digits, 'second') : `${Number((1000 * digits).toPrecision(2))} ms`;
}
