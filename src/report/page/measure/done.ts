// Which fixes has the server made already? Those whose URLs it redirects, from a moment on:
//
//   day      1   2   3   4
//   pages    9   8   2   .      requests for URLs of the fix that a page answered
//   301      .   .   6   7      that were redirected: done since day 3, nothing left
//
// What is left are the pages of URLs that one still answered after the first redirect: a fix is done if hardly any is left.
// On a site that redirects some URLs of a fix by chance, most are left, and nothing is said.
//
// Some redirects may be known to be by other causes, as an earlier log had them too. So many of the first are skipped.
import { TopK } from '../../../base/top-k.js';
import { DAY_MS } from '../../../log/time.js';
import type { DoneFix } from '../model.js';
import { dayOf } from './moment.js';

type DoneState = Omit<DoneFix, 'title' | 'site' | 'rules'>;
type Counts = Omit<DoneState, 'state'>;

/** So many of all requests since then may be left of a fix that is done: lines out of order, a clock that jumps. */
export const MOST_LEFT = 0.01;
/** With more left than that, redirects are not by this fix. */
const MOST_LEFT_IN_PART = 0.5;
/** The most URLs whose redirects are skipped. */
const MOST_SKIPPED = 4096;

/** The redirects of a URL, the first of them at a moment. */
interface Redirects {
  readonly count: number;
  readonly since: number;
}

interface Found {
  redirected: number;
  urls: number;
  /** The moment of the first redirect that is not skipped; 0 if there is none, so that all pages are left. */
  since: number;
  before: number;
  left: number;
}

/** Build (`addRedirected` for all URLs, then `skip`, then `addPages`), then read (`of`). */
export class DoneFixes {
  readonly #found = new Map<number, Found>();
  readonly #first = new Map<number, TopK<Redirects>>();

  /** Some redirects of the fixes `skipping` may be skipped. */
  constructor(skipping: readonly number[] = []) {
    for (const fix of skipping) this.#first.set(fix, new TopK(MOST_SKIPPED, byMoment));
  }

  /** A URL that a fix changes, with its redirects since a moment. */
  addRedirected(fix: number, redirected: number, since: number): void {
    const one = this.#foundOf(fix);
    one.redirected += redirected;
    one.urls++;
    if (one.since === 0 || since < one.since) one.since = since;
    this.#first.get(fix)?.add({ count: redirected, since });
  }

  /** So many redirects are not by the fix. */
  skip(fix: number, count: number): void {
    const one = this.#foundOf(fix);
    one.since = 0;
    if (one.redirected <= count) return;
    let skipped = 0;
    for (const some of this.#first.get(fix)!.finish()) {
      one.since = some.since;
      if ((skipped += some.count) > count) return;
    }
  }

  /** The pages of a URL that a fix changes, the last of them at a moment. */
  addPages(fix: number, hits: number, lastly: number): void {
    const one = this.#foundOf(fix);
    if (lastly > one.since) one.left += hits;
    else one.before += hits;
  }

  #foundOf(fix: number): Found {
    let one = this.#found.get(fix);
    if (one === undefined) this.#found.set(fix, (one = { redirected: 0, urls: 0, since: 0, before: 0, left: 0 }));
    return one;
  }

  /** Undefined if few or no URLs of the fix are redirected. */
  of(fix: number): DoneState | undefined {
    const counts = this.countsOf(fix);
    const { redirected, left } = counts;
    if (redirected === 0 || left > MOST_LEFT_IN_PART * (left + redirected)) return undefined;
    return { state: left <= MOST_LEFT * (left + redirected) ? 'done' : 'partly', ...counts };
  }

  countsOf(fix: number): Counts {
    const { redirected, urls: redirectedUrls, before, left, since } = this.#foundOf(fix);
    const day = dayOf(since);
    return { redirected, redirectedUrls, before, left, ...(day >= 0 && { since: dayText(day) }) };
  }
}

function byMoment(a: Redirects, b: Redirects): number {
  return a.since - b.since || a.count - b.count;
}

/** False if a redirect led to a URL that the fix would still change, so it was another redirect. `next` is empty if unknown. */
export function mayBeBy(changes: (url: Uint8Array) => boolean, next: Uint8Array): boolean {
  return next.length === 0 || !changes(next);
}

/** 2026-11-23, of days since 1970. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().replace(/T.*/, '');
}
