// What would the redirects of a server do to the live site? Every URL of a list is replayed through the server, and for
// a uniform draw of those that it redirects, the page at the end is compared with the page that the site has now:
//
//     URL ─▶ server ─▶ URL ─▶ … ─▶ URL that the server lets through ─▶ site
//             └ loop, chain                                             └ same page, gone, redirect, other text
//
// A failure is blamed on the first rule after which the site's answer is another one.
import { encodeText } from '../base/bytes.js';
import type { Rule } from '../rule/rule.js';
import { withoutText, type Document } from '../sketch/document.js';
import type { Explain } from './ask/audit.js';
import type { Judge } from './judge.js';
import { drawNumber } from './sample.js';

/** Where the redirects of the server lead. */
export interface Walk {
  /** The URL after each redirect; empty for a URL that the server lets through. */
  readonly hops: readonly string[];
  readonly isLoop: boolean;
}

export type FailureKind = 'loop' | 'dead' | 'redirecting' | 'different';

export interface RehearsedFailure {
  readonly kind: FailureKind;
  readonly url: string;
  readonly to: string;
  readonly reason: string;
  /** Undefined if no rule changes the URL by itself. */
  readonly rule: Rule | undefined;
}

export interface Rehearsed {
  readonly urls: number;
  readonly redirected: number;
  /** URLs that take several redirects of the server. */
  readonly chains: number;
  /** Redirects that were compared with the site. */
  readonly judged: number;
  readonly failures: readonly RehearsedFailure[];
  /** By cause; a status stands behind its cause. */
  readonly unjudged: Readonly<Record<string, number>>;
  /** Whether the pages that were compared first are gone by now, or blocked. */
  readonly isRefusing: boolean;
  /** `changed`: the site's pages have changed since they were compared, so the result means nothing. */
  readonly stop: 'budget' | 'interrupted' | 'changed' | undefined;
}

export interface RehearseOptions {
  readonly follow: (url: string) => Promise<Walk>;
  readonly judge: Judge;
  readonly explain: Explain;
  /** Redirects to compare. */
  readonly sample: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Whether the URL still has a page when it is asked for again. */
  readonly isThere: (url: string) => Promise<boolean>;
  readonly onUrl?: () => void;
}

/** Requests to the server at once. */
const AT_ONCE = 8;
/** Pages that are asked for again at the end. */
const MOST_AGAIN = 5;

export async function rehearse(urls: readonly string[], options: RehearseOptions): Promise<Rehearsed> {
  const { sample, seed, signal } = options;
  const walks = await walkAll(urls, options);
  const moved = [...walks].filter(([, { hops }]) => hops.length > 0);
  const failures: RehearsedFailure[] = moved
    .filter(([, { isLoop }]) => isLoop)
    .map(([url, { hops }]) => failureOf('loop', url, hops.at(-1)!, 'the server redirects it for ever', options));
  const unjudged: Record<string, number> = {};
  let judged = failures.length;
  let stop: Rehearsed['stop'];
  const right: Right[] = [];
  for (const [url, { hops, isLoop }] of inDrawOrder(moved, seed)) {
    if (isLoop) continue;
    if (judged >= sample || stop !== undefined || signal.aborted) break;
    const found = await compare(url, hops.at(-1)!, options);
    if (found.kind === 'stop') stop = found.reason;
    else if (found.kind === 'unjudged') unjudged[found.reason] = (unjudged[found.reason] ?? 0) + 1;
    else judged++;
    if (found.kind === 'failure') failures.push(found.failure);
    if (found.kind === 'right') right.push({ url, document: withoutText(found.document) });
  }
  // A soft error is recognised only after many pages.
  const soft = 'soft-error' in unjudged ? right.filter(({ document }) => options.judge.isSoft(document)) : [];
  judged -= soft.length;
  if (soft.length > 0) unjudged['soft-error']! += soft.length;
  const isDoubtful = failures.length > 0 || Object.keys(unjudged).length > 0;
  const now = stop === undefined && isDoubtful ? await nowOfFirst(right, options) : undefined;
  if (now === 'other') stop = 'changed';
  return {
    urls: walks.size,
    redirected: moved.length,
    chains: moved.filter(([, { hops, isLoop }]) => hops.length > 1 && !isLoop).length,
    judged,
    failures,
    unjudged,
    isRefusing: now === 'gone',
    stop: signal.aborted ? 'interrupted' : stop,
  };
}

interface Right {
  readonly url: string;
  readonly document: Document;
}

/** What became of most pages compared first: changed if the site itself changes, gone if it blocks. */
async function nowOfFirst(
  right: readonly Right[],
  { judge, signal }: RehearseOptions,
): Promise<'other' | 'gone' | undefined> {
  const found = [];
  for (const { url } of right.slice(0, MOST_AGAIN)) {
    if (!signal.aborted) found.push(await judge.nowOf(url));
  }
  const known = found.filter((now) => now !== undefined);
  return (['other', 'gone'] as const).find((now) => 2 * known.filter((one) => one === now).length > known.length);
}

async function walkAll(
  urls: readonly string[],
  { follow, signal, onUrl }: RehearseOptions,
): Promise<Map<string, Walk>> {
  const walks = new Map<string, Walk>();
  const waiting = urls.values();
  const work = async () => {
    for (const url of waiting) {
      if (signal.aborted) return;
      walks.set(url, await follow(url));
      onUrl?.();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return walks;
}

function inDrawOrder<T>(entries: readonly (readonly [string, T])[], seed: number): readonly (readonly [string, T])[] {
  return entries
    .map((entry) => ({ entry, number: drawNumber(encodeText(entry[0]), seed) }))
    .sort((a, b) => a.number - b.number || (a.entry[0] < b.entry[0] ? -1 : 1))
    .map(({ entry }) => entry);
}

type Compared =
  | { readonly kind: 'right'; readonly document: Document }
  | { readonly kind: 'failure'; readonly failure: RehearsedFailure }
  | { readonly kind: 'unjudged'; readonly reason: string }
  | { readonly kind: 'stop'; readonly reason: 'budget' | 'interrupted' };

async function compare(url: string, to: string, options: RehearseOptions): Promise<Compared> {
  const { judge, follow } = options;
  const told = await tell(url, to, judge);
  if (told.kind !== 'failure') return told;
  if (told.fate === 'different' && ((await judge.isUnsteady(url)) || (await judge.isUnsteady(to)))) {
    return { kind: 'unjudged', reason: 'the page changes by itself' };
  }
  // A site that has begun to refuse everything, or sends it to a login, says nothing about a rule.
  if (told.fate !== 'different' && !(await options.isThere(url))) {
    return { kind: 'unjudged', reason: 'the site refuses it by now' };
  }
  // The site redirects further: perhaps back to a URL that the server redirects.
  const isBack = told.further !== undefined && (await follow(told.further)).hops.length > 0;
  const kind = isBack ? 'loop' : told.fate;
  if (told.isOfUrl === true && !isBack) return { kind: 'unjudged', reason: 'both redirect' };
  const reason = isBack ? `the site redirects to ${told.further}, the server redirects that again` : told.reason;
  return { kind: 'failure', failure: { kind, url, to, reason, rule: await blame(url, options) } };
}

type Told =
  | Exclude<Compared, { kind: 'failure' }>
  | {
      readonly kind: 'failure';
      readonly fate: Exclude<FailureKind, 'loop'>;
      readonly reason: string;
      /** Where the site redirects to. */
      readonly further?: string;
      /** True if the site redirects the URL itself to the same page as well: a folder without its slash. */
      readonly isOfUrl?: boolean;
    };

async function tell(url: string, to: string, judge: Judge): Promise<Told> {
  const judgement = await judge.judge(url, to);
  switch (judgement.kind) {
    case 'positive': {
      const { finalUrl, redirects } = judgement.v;
      const isOfUrl = judgement.u.redirects > 0;
      if (redirects > 0)
        return { kind: 'failure', fate: 'redirecting', reason: 'redirects', further: finalUrl, isOfUrl };
      return judge.isSoft(judgement.document)
        ? { kind: 'unjudged', reason: 'soft-error' }
        : { kind: 'right', document: judgement.document };
    }
    case 'negative': {
      const { reason, v } = judgement;
      const further = v?.kind === 'page' && v.redirects > 0 ? { further: v.finalUrl } : {};
      const fate = reason.startsWith('redirect') ? 'redirecting' : reason.startsWith('status') ? 'dead' : 'different';
      return { kind: 'failure', fate, reason, ...further };
    }
    case 'unjudged': {
      const { reason, status } = judgement;
      return { kind: 'unjudged', reason: status === undefined ? reason : `${reason} ${status}` };
    }
    default:
      return judgement;
  }
}

/** The rule of the first form to which the site gives another answer; the last rule if there is none. */
async function blame(url: string, { judge, explain }: RehearseOptions): Promise<Rule | undefined> {
  let last: Rule | undefined;
  for (const { rule, form } of explain(url)) {
    if (rule === undefined) continue;
    last = rule;
    const told = await tell(url, form, judge);
    if (told.kind === 'failure' && told.isOfUrl !== true) return rule;
  }
  return last;
}

function failureOf(
  kind: FailureKind,
  url: string,
  to: string,
  reason: string,
  { explain }: RehearseOptions,
): RehearsedFailure {
  const rule = explain(url).findLast((step) => step.rule !== undefined)?.rule;
  return { kind, url, to, reason, rule };
}
