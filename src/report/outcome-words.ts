// Explains the codes of a validation, and what the user can do. Files have the codes, people read these words.
import { many } from '../base/amounts.js';
import type { Undecided } from '../rule/rule.js';
import type { LeftOut } from '../validate/permission/left-out.js';

/** Why a rule is still likely. */
const UNDECIDED: Readonly<Record<Undecided, string>> = {
  'few-samples': 'too few of their URLs could be compared; a longer log has more of them',
  'no-decision': 'the pages neither confirm nor refute them; --N allows more samples',
  budget:
    'the requests that a run may spend on questions were used up, the rest is for the audit; validate again to go on',
  interrupted: 'the run was interrupted; validate again to go on from here',
};

const NOT_ARCHIVED =
  'one of the two forms is not among the pages, so they cannot prove it; ask the site itself (without --pages and ' +
  '--by-sketch), or name a crawl that fetched both';

/** Why two pages could not be compared, or were not requested. */
const UNJUDGED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'action-url': 'looks like an action (logout, delete, add to cart), which is not asked for',
    'both redirect': 'the URL and its form redirect, so neither is the right address',
    credentials: 'a user name or password is in the URL',
    'damaged-sketch': 'its sketch begins like one (db1-, sp1-) but is damaged; write the list anew',
    decoding: 'the page could not be unpacked or read',
    'host-given-up': 'the host failed too often and was left alone; try again later, or with a lower --rate',
    network: 'no connection; check the name and the port of the host, or give its address with --resolve',
    'not-archived': 'not among the pages of the archive or of the list',
    'not-comparable': 'the two pages are of different kinds',
    'not-http': 'neither http nor https, or a port below 1024 that is not one of the web',
    'other-host': "a host or port that is not the site's own by the log; --base or --one-site names it",
    'outside-site': 'leads to another site, which is not asked',
    'private-address': 'the host has a private address; --allow-private fetches from it',
    'rarely-read': 'no crawler and fewer than three clients read URLs of its kind, so nobody knows what it does',
    robots: 'robots.txt forbids it; allow dustbuster there, or the name in --user-agent, if the site is yours',
    'soft-error': 'a page that the site also gives for nonsense, or under many unrelated names',
    'redirect-loop': 'the site redirects for ever, as to a login',
    status: 'the server answered with an error: gone (404), refused (403), or one that may pass (429, 503)',
    'the page changes by itself': 'it is another one when it is asked for again',
    'the site refuses it by now': 'it had a page a moment ago; the site blocks, or breaks',
    'time-out': 'no answer in time; try again with a lower --rate',
    'token-url': 'has a token or a key in it, or confirms something',
    'too-large': 'the page is larger than 5 MiB',
    unsteady: 'the page changes from request to request',
    'visitor-value': 'holds a value that belongs to one visitor',
  }),
);

/** Reasons that concern the connection to the site, not a single URL: a longer log would not help. */
const LOST: ReadonlySet<string> = new Set([
  'host-given-up',
  'network',
  'not-http',
  'private-address',
  'robots',
  'status',
  'time-out',
]);

/** Counts for reasons that concern the connection to the site. */
export function lostPages(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([code]) => LOST.has(reasonOf(code))));
}

interface UnjudgedReason {
  readonly reason: string;
  readonly count: number;
  /** What the reason means, and what the user can do; undefined for an unknown code. */
  readonly words: string | undefined;
}

/**
 * Codes with their words, the most frequent first. `u: robots` (the URL) and `v: robots` (its form) count as one
 * reason.
 */
export function unjudgedReasons(counts: Readonly<Record<string, number>>): UnjudgedReason[] {
  const sums = new Map<string, number>();
  for (const [code, count] of Object.entries(counts)) {
    const reason = reasonOf(code);
    sums.set(reason, (sums.get(reason) ?? 0) + count);
  }
  return [...sums]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([reason, count]) => ({ reason, count, words: wordsFor(reason) }));
}

export function unjudgedLines(counts: Readonly<Record<string, number>>): string[] {
  return unjudgedReasons(counts).map((one) => `not compared, ${countOf(one)}${wordsOf(one.words)}`);
}

/**
 * All reasons on one line, with an explanation of one: a lost connection, or else the most frequent reason. Empty if
 * there is no reason.
 */
export function unjudgedLine(...all: readonly Readonly<Record<string, number>>[]): string[] {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [code, n] of Object.entries(counts)) sums[code] = (sums[code] ?? 0) + n;
  const reasons = unjudgedReasons(sums);
  const worst = reasons.find(({ reason }) => LOST.has(reason) || reason.startsWith('status ')) ?? reasons[0];
  if (worst === undefined) return [];
  const others = reasons.filter((one) => one !== worst).map(countOf);
  const rest = others.length === 0 ? '' : `; also ${others.join(', ')} (--verbose explains all)`;
  return [`not compared, ${countOf(worst)}${wordsOf(worst.words)}${rest}`];
}

/** Such as `network 3`, `status 503, 2`. */
export function countOf({ reason, count }: UnjudgedReason): string {
  return `${reason}${/\d$/.test(reason) ? ',' : ''} ${count}`;
}

function wordsFor(reason: string): string | undefined {
  const status = /^status (\d+)$/.exec(reason)?.[1];
  return status === undefined ? UNJUDGED.get(reason) : statusWords(Number(status));
}

function statusWords(status: number): string {
  if (status === 404 || status === 410) return 'the page is gone; a newer log has fewer of such';
  if ([408, 425, 429, 503].includes(status))
    return 'the server asks for patience; try again later, or with a lower --rate';
  if (status >= 500) return 'the server fails; try again later';
  return 'the server refuses it; allow dustbuster there if the site is yours';
}

function reasonOf(code: string): string {
  return code.replace(/^[uv]: /, '');
}

/** For the start of a run: how many URLs of the list will not be requested, and why. */
export function leftOutLines({ urls, refused }: LeftOut): string[] {
  const all = refused.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return [];
  const reasons = refused.map(([reason, count]) => `${count} ${LEFT_OUT.get(reason) ?? reason}`);
  return [`Not asked for: ${all} of ${many(urls, 'URL')} (${reasons.join(', ')})`];
}

const LEFT_OUT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'action-url': 'look like actions',
    'token-url': 'hold a token',
    'visitor-value': "hold a visitor's value",
    'rarely-read': 'are of kinds that few read',
    'other-host': 'are on other hosts',
  }),
);

/** For a dry run: URLs that would not be requested, by reason. */
export function refusedLines(counts: Iterable<readonly [reason: string, count: number]>): string[] {
  return Array.from(
    counts,
    ([reason, count]) => `refused, ${reason}: ${many(count, 'URL')}${wordsOf(UNJUDGED.get(reason))}`,
  );
}

/** Counts of pages that the archive or the list lacks. */
export function missingPages(counts: Readonly<Record<string, number>>): number {
  return Object.entries(counts).reduce((sum, [code, n]) => sum + (reasonOf(code) === 'not-archived' ? n : 0), 0);
}

/** Rules that stayed likely because pages were missing, which a longer log would not change. */
interface LostRules {
  /** Rules with too few samples because the site was not reached. */
  readonly fewSamples: number;
  /** Other rules, for which an archive or a list lacks the pages. */
  readonly notArchived: number;
  /** True if no page came at all, so that a larger budget would not have helped. */
  readonly isAll: boolean;
}

type UndecidedCounts = Readonly<Partial<Record<Undecided, number>>>;

/** A line for each reason why rules are still likely. */
export function undecidedLines(counts: UndecidedCounts, lost: LostRules): string[] {
  return undecidedReasons(counts, lost).map(({ reason, some, words }) => `still likely, ${reason} ${some}: ${words}`);
}

/** All these reasons on one line; none if there is no reason. */
export function undecidedLine(counts: UndecidedCounts, lost: LostRules): string[] {
  const reasons = undecidedReasons(counts, lost).map(({ some, words }) => `${some}: ${words}`);
  return reasons.length === 0 ? [] : [`still likely, ${reasons.join('. ')}`];
}

function undecidedReasons(counts: UndecidedCounts, { fewSamples, notArchived, isAll }: LostRules) {
  return Object.entries(counts).flatMap(([reason, count]) => {
    const one = (some: number, words: string) => (some === 0 ? [] : [{ reason, some, words }]);
    const words = UNDECIDED[reason as Undecided];
    if (reason === 'budget' && isAll) return one(count, 'given up, as no page came');
    if (reason !== 'few-samples') return one(count, words);
    return [
      ...one(fewSamples, 'their pages could not be had, as counted below'),
      ...one(notArchived, NOT_ARCHIVED),
      ...one(count - fewSamples - notArchived, words),
    ];
  });
}

function wordsOf(words: string | undefined): string {
  return words === undefined ? '' : `: ${words}`;
}
