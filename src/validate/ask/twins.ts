// Which starts of URLs have the same continuations? They may be names of one place:
//
//     hosts, schemes   http://www.h/ · http://h/          folders   /docs/2.4/ · /manual/
//     scripts          /cgi-bin/wiki.cgi? · /wiki?        values    /index.php?title= · /wiki/
import type { UrlParts } from './parts.js';

/** A start that may stand for another, and how likely that is. */
export interface TwinStarts {
  readonly from: string;
  readonly to: string;
  readonly prior: number;
}

/** A start ends after the host, one of the first segments, `?`, or one of the first `=` and `/` of the query. */
const MAX_START_SEGMENTS = 3;
const MAX_START_FIELDS = 3;
/** A continuation with more starts says little about any two of them. */
const STARTS_PER_REST = 24;
/** Limit on the pairs of starts that are counted; the first ones met are kept. */
const MAX_PAIRS = 200_000;
const MIN_SHARED_BY_HOSTS = 2;
/** How many continuations two path starts must share, and which share of the continuations of the smaller one. */
const MIN_SHARED = 4;
const MIN_SHARED_SHARE = 0.1;

interface Start {
  readonly text: string;
  /** Scheme and host of the start. */
  readonly origin: string;
  /** Number of segments; 0 for a host. */
  readonly depth: number;
  /** Its index. */
  readonly number: number;
  /** How many URLs begin with it. */
  urls: number;
}

interface Twins {
  readonly a: Start;
  readonly b: Start;
  shared: number;
}

/**
 * Starts of URLs with many common continuations: hosts and schemes (`http://www.h/`), folders (`/docs/2.4/`), scripts
 * (`/cgi-bin/wiki.cgi?`, `/index.php?title=`). The longer start is replaced by the shorter, the rarer host by the
 * commoner.
 */
export function likelyTwins(parts: readonly UrlParts[]): TwinStarts[] {
  const twins = [...twinsOf(parts)].filter(areLike);
  const hosts = new Set(twins.filter(areHosts).map(originsOf));
  const ways = twins
    .filter((pair) => !isImplied(pair, hosts))
    .flatMap((pair) => {
      const { a, b, shared } = pair;
      const [from, to] = isBetter(a, b) ? [b, a] : [a, b];
      if (!areHosts(pair)) return [{ from, to, shared, prior: (isSibling(a, b) ? 0.1 : 0.25) + 0.35 * shareOf(pair) }];
      return [
        { from, to, shared, prior: 0.7 },
        { from: to, to: from, shared, prior: 0.35 },
      ];
    });
  return ways
    .sort((x, y) => y.shared * y.prior - x.shared * x.prior || (x.from.text < y.from.text ? -1 : 1))
    .map(({ from, to, prior }) => ({ from: from.text, to: to.text, prior }));
}

function twinsOf(parts: readonly UrlParts[]): Iterable<Twins> {
  const starts = new Map<string, Start>();
  const byRest = new Map<string, Start[]>();
  const add = (text: string, origin: string, depth: number, rest: string) => {
    let start = starts.get(text);
    if (start === undefined) starts.set(text, (start = { text, origin, depth, number: starts.size, urls: 0 }));
    start.urls++;
    const others = byRest.get(rest);
    if (others === undefined) byRest.set(rest, [start]);
    else if (others.length < STARTS_PER_REST && !others.includes(start)) others.push(start);
  };
  for (const { scheme, host, segments, query } of parts) {
    const origin = scheme + host;
    let text = `${origin}/`;
    const tail = query === undefined ? '' : `?${query}`;
    const most = Math.min(segments.length - 1, MAX_START_SEGMENTS);
    for (let depth = 0; depth <= most; depth++) {
      if (depth > 0) text += `${segments[depth - 1]!}/`;
      const rest = segments.slice(depth).join('/') + tail;
      if (rest !== '' && text !== '/') add(text, origin, depth, rest);
    }
    if (query === undefined || query === '' || segments.length > MAX_START_SEGMENTS) continue;
    const path = `${origin}/${segments.join('/')}`;
    add(`${path}?`, origin, segments.length, `?${query}`);
    // A value in a query may be a path elsewhere, or be in another field: `/index.php?title=A`, `/wiki/A`.
    let fields = 0;
    for (const { index } of query.matchAll(/[=/]/g)) {
      // A number before it is a size or a position, which pages share by chance: `/index.php?limit=500&title=`,
      // `/wiki/`.
      if (/=\d+[&;]/.test(query.slice(0, index))) break;
      if (++fields > MAX_START_FIELDS || index + 1 === query.length) break;
      add(`${path}?${query.slice(0, index + 1)}`, origin, segments.length + fields, query.slice(index + 1));
    }
  }
  const twins = new Map<number, Twins>();
  for (const list of byRest.values()) {
    const often = list.filter((start) => isHost(start) || start.urls >= MIN_SHARED);
    for (const [at, a] of often.entries()) {
      for (const b of often.slice(at + 1)) {
        const key = Math.min(a.number, b.number) * starts.size + Math.max(a.number, b.number);
        const known = twins.get(key);
        if (known !== undefined) known.shared++;
        else if (twins.size < MAX_PAIRS) twins.set(key, { a, b, shared: 1 });
      }
    }
  }
  return twins.values();
}

function isHost({ depth }: Start): boolean {
  return depth === 0;
}

function areHosts({ a, b }: Twins): boolean {
  return isHost(a) && isHost(b);
}

function shareOf({ a, b, shared }: Twins): number {
  return shared / Math.min(a.urls, b.urls);
}

function areLike(pair: Twins): boolean {
  if (areHosts(pair)) return pair.shared >= MIN_SHARED_BY_HOSTS;
  return pair.shared >= MIN_SHARED && shareOf(pair) >= MIN_SHARED_SHARE;
}

/** True if the pair follows from a question about shorter starts, or from its hosts together with another pair. */
function isImplied(pair: Twins, hosts: ReadonlySet<string>): boolean {
  const { a, b } = pair;
  if (isHost(a) || isHost(b)) return false;
  return lastOf(a) === lastOf(b) || (a.depth === b.depth && hosts.has(originsOf(pair)));
}

function lastOf({ text }: Start): string {
  return text.slice(text.lastIndexOf('/', text.length - 2));
}

function originsOf({ a, b }: Twins): string {
  return [a.origin, b.origin].sort().join(' ');
}

/** True if the starts differ in one word, such as the name of a repository, a language or a year. */
function isSibling(a: Start, b: Start): boolean {
  if (a.depth !== b.depth) return false;
  const [some, others] = [a.text.split('/'), b.text.split('/')];
  return some.filter((segment, at) => segment !== others[at]).length === 1;
}

/** True if `a` is the better canonical start: https first, then the host with more URLs, then the shorter one. */
function isBetter(a: Start, b: Start): boolean {
  const [x, y] = [a, b].map(({ text }) => (text.startsWith('https:') ? 0 : 1));
  if (x !== y) return x! < y!;
  if (isHost(a) && isHost(b) && a.urls !== b.urls) return a.urls > b.urls;
  if (a.text.length !== b.text.length) return a.text.length < b.text.length;
  return a.urls !== b.urls ? a.urls > b.urls : a.text < b.text;
}
