// Which fixes has the server made already? Those whose URLs it redirects, from a moment on:
//
//   day      1   2   3   4
//   pages    9   8   2   .      requests for URLs of the fix that a page answered
//   301      .   .   6   7      that were redirected: done since day 3, nothing left
//
// What is left are the pages of URLs that one still answered after the first redirect: a fix is done if hardly any is left.
// On a site that redirects some URLs of a fix by chance, most are left, and nothing is said.
import { DAY_MS } from '../../../log/time.js';
import type { DoneFix } from '../model.js';
import { dayOf } from './moment.js';

export type DoneState = Omit<DoneFix, 'title' | 'site' | 'rules'>;

/** So many of all requests since then may be left of a fix that is done: lines out of order, a clock that jumps. */
const MOST_LEFT = 0.01;
/** With more left than that, redirects are not by this fix. */
const MOST_LEFT_IN_PART = 0.5;

interface Found {
  redirected: number;
  urls: number;
  /** The moment of the first redirect. */
  since: number;
  before: number;
  left: number;
}

/** Build (`addRedirected` for all URLs, then `addPages`), then read (`of`). */
export class DoneFixes {
  readonly #found = new Map<number, Found>();

  /** A URL that a fix changes, with its redirects since a moment. */
  addRedirected(fix: number, redirected: number, since: number): void {
    const one = this.#found.get(fix) ?? { redirected: 0, urls: 0, since: Infinity, before: 0, left: 0 };
    one.redirected += redirected;
    one.urls++;
    one.since = Math.min(one.since, since);
    this.#found.set(fix, one);
  }

  /** The pages of a URL that a fix changes, the last of them at a moment. */
  addPages(fix: number, hits: number, lastly: number): void {
    const one = this.#found.get(fix);
    if (one === undefined) return;
    if (lastly > one.since) one.left += hits;
    else one.before += hits;
  }

  /** Undefined if few or no URLs of the fix are redirected. */
  of(fix: number): DoneState | undefined {
    const state = this.countsOf(fix);
    return state === undefined || state.left > MOST_LEFT_IN_PART * (state.left + state.redirected) ? undefined : state;
  }

  /** Undefined if no URL of the fix is redirected. */
  countsOf(fix: number): DoneState | undefined {
    const one = this.#found.get(fix);
    if (one === undefined) return undefined;
    const { redirected, urls: redirectedUrls, before, left, since } = one;
    const state = left <= MOST_LEFT * (left + redirected) ? 'done' : 'partly';
    const day = dayOf(since);
    return { state, redirected, redirectedUrls, before, left, ...(day >= 0 && { since: dayText(day) }) };
  }
}

/** 2026-11-23, of days since 1970. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().replace(/T.*/, '');
}
