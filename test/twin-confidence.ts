// The confidence of likely rules as SPEC 5 defines it, with arrays and strings: which instances are sampled, how near
// their pages are, and the sum of terms. It shares no code with the miner that it checks, except that rules are applied
// by `rule/apply`. Text is latin1.
//
// - The 512 pairs with the most instances (high + against; ties in the order of phase 2) are sampled.
// - Rows are those of the URL list in its order. Every step-th is used, where the step is the next number from count ×
//   0.618034 on that is coprime to the count; at most 16,000 of them.
// - For each rule as many images are looked up as its share of 16,000 allows, or for the k-th rule an 8 k-th of them if
//   that is more; but 16 to 1,024. And 192 instances at most.
// - By the row of their second URL: each first URL with its own second one, and with those of the next three.
import { imageOf, substitutionOf } from '../src/rule/apply.js';
import type { TwinPair, TwinUrl } from './twin.js';
import { wilson } from './twin.js';

export interface TwinEvidence {
  /** How many pairs there are of each level: equal, 0.1 %, 0.3 %, 1 %, 2 %, 10 %, further. */
  readonly pairs: readonly number[];
  readonly chance: readonly number[];
  /** Instances whose second URL is not known as a page, though the first one is; and all instances. */
  readonly pageless?: number;
  readonly listed?: number;
  /** Instances in which a parameter of the query has another value. */
  readonly revalued?: number;
  /** A parameter that may sort a list. */
  readonly mayOrder?: boolean;
  /**
   * If the name is not known: how near the members of all groups are to their pivots; URLs with values of a kind that
   * fewer than MS groups of the site are for.
   */
  readonly members?: { readonly near: readonly number[]; readonly unvouched: number };
  /** URLs of the list. */
  readonly list: number;
}

export const LEVELS = [0, 1, 2, 3, 4, 5, 6] as const;
type Near = (typeof LEVELS)[number];
type Level = Near | 'silent';
const NOBODY = LEVELS.map(() => 0);

export function twinConfidences(list: readonly TwinUrl[], pairs: readonly TwinPair[], similarity: boolean): number[] {
  const rated = [...pairs].sort((a, b) => b.high + b.against - a.high - a.against).slice(0, 512);
  const sorted = [...list].sort((a, b) => byList(a.url, b.url));
  const evidence = twinEvidence(sorted, rated, similarity);
  const none = { pairs: NOBODY, chance: NOBODY, list: list.length };
  return pairs.map((pair) => twinConfidence(evidence[rated.indexOf(pair)] ?? none, pair));
}

function twinEvidence(urls: readonly TwinUrl[], pairs: readonly TwinPair[], similarity: boolean): TwinEvidence[] {
  const rowOf = new Map(urls.map(({ url }, row) => [url, row]));
  const order: number[] = [];
  const step = stepFor(urls.length);
  for (let k = 0; k < Math.min(urls.length, 16_000); k++) order.push((k * step) % urls.length);
  const levelOf = twinNearness(urls);
  return pairs.map((pair, k) => {
    const share = Math.max(16_000 / pairs.length, 16_000 / (8 * (k + 1)));
    const most = Math.min(1024, Math.max(16, Math.floor(share)));
    const side = (text: string) => Buffer.from(text, 'latin1');
    const rule = substitutionOf({ from: side(pair.from), to: side(pair.to), anchor: pair.anchor });
    const instances: [number, number][] = [];
    let changed = 0;
    for (const row of order) {
      if (changed === most || instances.length === 192) break;
      const url = Buffer.from(urls[row]!.url, 'latin1');
      const image = imageOf(rule, url, 0);
      if (image === url) continue;
      changed++;
      const other = rowOf.get(Buffer.from(image).toString('latin1'));
      if (other !== undefined) instances.push([row, other]);
    }
    instances.sort((a, b) => a[1] - b[1]);
    const revalued = instances.filter(([u, v]) => hasOtherValue(urls[u]!.url, urls[v]!.url)).length;
    const evidence = {
      pairs: [...NOBODY],
      chance: [...NOBODY],
      pageless: 0,
      listed: instances.length,
      revalued,
      list: urls.length,
    };
    const count = (levels: number[], level: Level) => {
      if (level !== 'silent') levels[level]!++;
    };
    if (!similarity) return evidence;
    let unsized = 0;
    for (const [at, [u, v]] of instances.entries()) {
      count(evidence.pairs, levelOf(urls[u]!, urls[v]!));
      const isPage = ({ min, sketch }: TwinUrl) => min !== undefined || sketch !== undefined;
      if (isPage(urls[u]!) && !isPage(urls[v]!)) evidence.pageless++;
      if (!isPage(urls[u]!) && isPage(urls[v]!)) unsized++;
      for (let next = 1; next <= Math.min(3, instances.length - 1); next++) {
        const other = instances[(at + next) % instances.length]![1];
        if (other !== u && other !== v) count(evidence.chance, levelOf(urls[u]!, urls[other]!));
      }
    }
    const byChance = Math.min(unsized, Math.floor(instances.length / 10));
    evidence.pageless = Math.max(0, evidence.pageless - byChance);
    return evidence;
  });
}

function hasOtherValue(url: string, image: string): boolean {
  const [path, ...query] = url.split(/[?&;]/);
  const [imagePath, ...imageQuery] = image.split(/[?&;]/);
  const nameOf = (field: string) => field.split('=')[0];
  const names = new Set(query.map(nameOf));
  return path === imagePath && imageQuery.some((field) => !query.includes(field) && names.has(nameOf(field)));
}

function stepFor(count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, Math.round(count * 0.618034));
  while (divisor(step, count) !== 1) step++;
  return step;
}

/** How near two URLs of this list, in its order, are. */
export function twinNearness(urls: readonly TwinUrl[]): (a: TwinUrl, b: TwinUrl) => Level {
  const looked = urls.filter((_, row) => row % Math.ceil(urls.length / 4096) === 0);
  const again = looked.filter(({ min, max }) => min !== undefined && min > 0 && max !== undefined);
  const wide = again.filter(({ min, max }) => max! > 1.8 * min! && max! < 12 * min!).length;
  const isMixed = wide > 1 && wide >= 0.02 * again.length;
  return (a, b) => {
    if (a.sketch !== undefined && b.sketch !== undefined) return a.sketch === b.sketch ? 0 : 6;
    if (a.min === undefined || b.min === undefined) return 'silent';
    const [s, t] = [
      { min: a.min, max: a.max ?? a.min },
      { min: b.min, max: b.max ?? b.min },
    ];
    const longer = a.url.length - b.url.length;
    const isWide = [s, t].some(({ min, max }) => max > 1.8 * min);
    const ends = ({ min, max }: typeof s) => [min, max].map((size) => ({ min: size, max: size }));
    const levels = isWide
      ? ends(s).flatMap((x) => ends(t).map((y) => sizeLevel(x, y, longer)))
      : [sizeLevel(s, t, longer)];
    const level = Math.min(...levels) as Near;
    const ratio = s.min > t.max ? s.min / t.max : t.min / s.max;
    return level === 6 && isMixed && ratio > 1.8 && ratio < 12 ? 'silent' : level;
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function sizeLevel(a: Range, b: Range, longer: number): Near {
  if (a.min <= b.max && b.min <= a.max) return 0;
  const gap = a.min > b.max ? a.min - b.max : b.min - a.max;
  const echo = a.min > b.max ? longer : -longer;
  const echoes = echo > 0 ? [1, 2, 3, 4, 5, 6].map((k) => Math.abs(gap - k * echo)) : [];
  if (echoes.includes(0)) return 0;
  const share = Math.min(gap, ...echoes) / Math.max(a.min, b.min);
  const within = [0.001, 0.003, 0.01, 0.02, 0.1].findIndex((most) => share <= most);
  return (within < 0 ? 6 : within + 1) as Near;
}

/** Terms as in mine/likeliness, on five levels. */
export function twinConfidence(
  {
    pairs: fine,
    chance: fineChance,
    pageless = 0,
    listed = 0,
    revalued = 0,
    mayOrder = false,
    members,
    list,
  }: TwinEvidence,
  pair: TwinPair | 'remove' | 'set',
): number {
  const sum = (levels: readonly number[]) => levels.reduce((a, b) => a + b, 0);
  const coarse = (levels: readonly number[]) =>
    [[0], [1, 2], [3, 4], [5], [6]].map((fines) => sum(fines.map((level) => levels[level]!)));
  const [pairs, chance] = [coarse(fine), coarse(fineChance)];
  const logOdds = (share: number) => Math.log(share / (1 - share));
  const n = sum(pairs);
  // The level at which other pages show best, with one pair beyond it forgiven.
  const byChance = (levels: readonly number[]) => {
    const [best] = [4, 3, 2, 1]
      .map((level) => {
        const beyond = sum(levels.slice(level));
        const shown = sum(chance.slice(level)) / Math.max(1, sum(chance));
        return { beyond, shown, most: (beyond + 1) / (sum(levels) * shown) };
      })
      .filter(({ most }) => most < 1)
      .sort((a, b) => a.most - b.most);
    return best === undefined ? 0 : wilson(Math.max(0, best.beyond - 1), sum(levels), 1) / best.shown;
  };
  const othersOf = (levels: readonly number[]) =>
    Math.max(byChance(levels), wilson(Math.max(0, levels[4]! - 1), sum(levels), 1));
  const merged = members === undefined ? 0 : othersOf(coarse(members.near));
  const terms = [-2.3];
  if (n === 0) terms.push(0.7, -1.4 * logOdds(0.3));
  else {
    const [equal, , slightly, loosely, other] = pairs as [number, number, number, number, number];
    const surprises = [0, 1, 2].map((level) => {
      const p = (sum(pairs.slice(0, level + 1)) + 0.5) / (n + 1);
      const c = (sum(chance.slice(0, level + 1)) + 0.5) / (sum(chance) + 1);
      return p <= c ? 0 : n * (p * Math.log(p / c) + (1 - p) * Math.log((1 - p) / (1 - c)));
    });
    const shares = [(loosely + other + 0.5) / (n + 1), merged];
    const bounds = [wilson(other, n, 1), byChance(pairs), merged];
    if (typeof pair !== 'string') {
      const against = pair.against * Math.min(0.99, (other + 3 * (equal / n) ** 2) / (n - equal + 3));
      shares.push(against / Math.max(1, pair.low + pair.against));
      bounds.push(wilson(against, pair.low + pair.against, 1));
    }
    const surprise = sum(chance) === 0 ? 0 : Math.min(1, Math.max(...surprises) / 12);
    terms.push(
      Math.min(-1.4 * logOdds(Math.max(...shares)), 2.5 + 4 * surprise),
      -4 * Math.min(1, Math.max(...bounds) / 0.02),
      2.3 * surprise,
      0.5 * wilson(equal, n),
      (-0.5 * slightly) / Math.max(1, n - loosely - other),
    );
  }
  if (pair === 'set') terms.push(-2);
  else if (pair !== 'remove') {
    if (isWordForWord(pair)) terms.push(-1.2);
    if (pair.from.replace(/\d+/g, '#') === pair.to.replace(/\d+/g, '#')) terms.push(-1.8);
  }
  const namesOrder = (side: string) => [...side.matchAll(/([^/?&;=]+)=/g)].some(([, name]) => isOrderName(name!));
  const isOrder = typeof pair !== 'string' && (isCodeForCode(pair) || namesOrder(pair.from) || namesOrder(pair.to));
  const most = [
    isOrder || mayOrder || revalued > listed / 2 ? 0.9 : 1,
    members !== undefined && merged * sum(members.near) > list / 2000 ? 0.9 : 1,
    members !== undefined && members.unvouched > Math.max(1, Math.min(3, list / 1000), list / 2000) ? 0.9 : 1,
    typeof pair !== 'string' && othersOf(pairs) * (pair.high + pair.against) > list / 2000 ? 0.9 : 1,
    pageless >= 3 && pageless > 0.05 * listed ? 0.5 : 1,
  ];
  return Math.min(...most, sixPlaces(1 / (1 + Math.exp(-sum(terms)))));
}

/** A name such as `sort`, `orderBy`, `_sort_desc`, and `C` or `O` of Apache; not `order_id`. */
export function isOrderName(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const has = (word: string) => new RegExp(`(^|[^a-z])(${word})(?![a-z])`).test(words);
  if (/^[CO]$/.test(name) || has('sort(ed|ing|by|order|dir|key)?|order(by|dir|ing)|asc|desc')) return true;
  return has('order|dir(ection)?') && !has('id|no|nr|num|number|key');
}

/** One token of letters and digits replaced by another, between the same tokens. */
function isWordForWord({ from, to }: TwinPair): boolean {
  const tokensOf = (text: string) => text.match(/%[A-Fa-f0-9]{2}|[A-Za-z0-9\x80-\xff]+|[^]/g) ?? [];
  const [alpha, beta] = [tokensOf(from), tokensOf(to)];
  if (alpha.length !== beta.length) return false;
  const places = alpha.flatMap((token, k) => (token === beta[k] ? [] : [k]));
  return places.length === 1 && [alpha, beta].every((side) => /^[A-Za-z0-9\x80-\xff]+$/.test(side[places[0]!]!));
}

/** Punctuation before letters, digits and bytes from 0x80; then by byte. */
export function byList(a: string, b: string): number {
  const [left, right] = [ranksOnce(a), ranksOnce(b)];
  for (let k = 0; k < Math.min(left.length, right.length); k++) {
    if (left[k] !== right[k]) return left[k]! - right[k]!;
  }
  return left.length - right.length;
}

/** Answers that depend on a text alone, each worked out once for the texts of a list. */
export function remembered<T>(ask: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let answer = known.get(text);
    if (answer !== undefined) return answer;
    if (known.size > 5000) known.clear();
    known.set(text, (answer = ask(text)));
    return answer;
  };
}

const ranksOnce = remembered(ranksOf);

const DIGITS = '0123456789ABCDEFabcdef';

/** The digits of an escape come first, then its `%`, other single characters, and those of runs. */
function ranksOf(text: string): number[] {
  return (text.match(/%[A-Fa-f0-9]{2}|[^]/g) ?? []).flatMap((part) => {
    if (part.length === 3) return [23, 1 + DIGITS.indexOf(part[1]!), 1 + DIGITS.indexOf(part[2]!)];
    return [(/[A-Za-z0-9\x80-\xff]/.test(part) ? 256 : 0) + part.charCodeAt(0)];
  });
}

/** One or two letters replaced by one or two others. */
function isCodeForCode(pair: TwinPair): boolean {
  const tokensOf = (text: string) => text.match(/%[A-Fa-f0-9]{2}|[A-Za-z0-9\x80-\xff]+|[^]/g) ?? [];
  const [alpha, beta] = [tokensOf(pair.from), tokensOf(pair.to)];
  const place = alpha.findIndex((token, k) => token !== beta[k]);
  return isWordForWord(pair) && [alpha, beta].every((side) => /^[A-Za-z]{1,2}$/.test(side[place]!));
}

/** Rounded as in a rules file. */
function sixPlaces(share: number): number {
  return Math.round(1e6 * share) / 1e6;
}
