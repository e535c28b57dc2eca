// Which spot signatures does a text have (SpotSigs, SIGIR 2008; LITERATURE 5.1)?
//
//   At a rally to kick off a weeklong campaign, the mayor is said to be late.
//                                               ^ antecedent, distance 1
//                                                   mayor                    chain 1: a signature is one word
//                                                   mayor : late             chain 2: the next word but stop words
//
// At each antecedent: go `distance` words on, step over stop words, take a word, and so on until the chain is complete.
// The end of the text ends it without a signature. A signature is the fingerprint of its words, without the
// antecedent; how often it occurs counts: |d| is the number of all occurrences, and the resemblance of two pages is
// Σ min / Σ max.
//
// SizeSpotSigs (PAKDD 2011): spot signatures leave too little of a short page, so that what is not its content decides.
// So the number of spot signatures, which is nearly that of its prose, selects the features: from `long` on they are
// spots, below it all shingles. A page whose size is between that and BAND times as many has both, as two versions of a
// short page need not be on one side. Pages are compared by spots if both have them, otherwise by shingles, never by
// one of each.
import { createHash } from 'node:crypto';
import { fingerprintOf, hashWords, HIGH_BASE, LOW_BASE, shinglesOf, type Words } from './shingle.js';
import { ANTECEDENTS, STOP_WORDS, type Antecedents } from './spot-words.js';

/** Features of a page that can occur several times. */
export interface Bag {
  /** Distinct, ascending; integers below 2^40. */
  readonly prints: Float64Array;
  /** How often each occurs: 1 … 255, which stands for more as well. */
  readonly counts: Uint8Array;
}

/** What a page can be compared by: sketches of shingles (`sketch`), or one of the kinds here. */
export const SIGNATURES = ['shingles', 'spotsigs', 'sizespotsigs'] as const;
export type SignatureKind = (typeof SIGNATURES)[number];
export type SpotKind = Exclude<SignatureKind, 'shingles'>;

export interface SpotOptions {
  readonly kind: SpotKind;
  /** Words of a signature, 1 … 9. */
  readonly chain: number;
  /** For sizespotsigs: pages with so many occurrences of spot signatures are compared by these. */
  readonly long: number;
  /** For sizespotsigs: words of a shingle. */
  readonly words: number;
  /** Others than those of `spot-words`. */
  readonly antecedents?: Antecedents | undefined;
  readonly stopWords?: readonly string[] | undefined;
}

export const SPOT_CHAIN = 1;
/** LITERATURE 5.2. */
export const LONG_PAGE = 20;
/** Pages with up to so many times `long` have both kinds of features. */
const BAND = 2;
/** Of more distinct features no signature is made: 80,000 words of prose. */
export const MAX_FEATURES = 1 << 14;

export interface SpotSignature {
  /** What both sides must have made alike to be compared: `spotsigs.1`. */
  readonly making: string;
  /** Undefined if the page is not compared by these. */
  readonly spots: Bag | undefined;
  readonly shingles: Bag | undefined;
}

/** Of a text, bytes of which are UTF-8. Undefined without features, or with too many. */
export type SpotMaker = (text: Uint8Array | string) => SpotSignature | undefined;

export function createSpotMaker(options: SpotOptions): SpotMaker {
  const { kind, long, words } = options;
  const making = makingOf(options);
  const occurrences = createOccurrences(options);
  return (text) => {
    const found = hashWords(text);
    const all = occurrences(found);
    const isLong = kind === 'spotsigs' || all.length >= long;
    const isShort = kind === 'sizespotsigs' && all.length < BAND * long;
    const spots = isLong ? bagOf(all) : undefined;
    const shingles = isShort ? bagOf(shinglesOf(found, words)) : undefined;
    if ([spots, shingles].some((bag) => bag !== undefined && bag.prints.length > MAX_FEATURES)) return undefined;
    if (![spots, shingles].some((bag) => bag !== undefined && bag.prints.length > 0)) return undefined;
    return { making, spots, shingles };
  };
}

/** The fingerprints of all signatures, in the order of the words. */
function createOccurrences({ chain, antecedents = ANTECEDENTS, stopWords }: SpotOptions) {
  const distances = new Map(Array.from(antecedents, ([word, distance]) => [keyOf(word), distance]));
  const stops = new Set([...(stopWords ?? STOP_WORDS), ...antecedents.keys()].map(keyOf));
  return ({ count, low, high }: Words): Float64Array => {
    const keys = Float64Array.from({ length: count }, (_, at) => wordKey(low[at]!, high[at]!));
    const prints = new Float64Array(count);
    let used = 0;
    for (let at = 0; at < count; at++) {
      const distance = distances.get(keys[at]!);
      if (distance === undefined) continue;
      let [lowHash, highHash, taken] = [0, 0, 0];
      for (let next = at + distance; next < count && taken < chain; next++) {
        if (stops.has(keys[next]!)) continue;
        lowHash = (Math.imul(lowHash, LOW_BASE) + low[next]!) | 0;
        highHash = (Math.imul(highHash, HIGH_BASE) + high[next]!) | 0;
        taken++;
        next += distance - 1;
      }
      if (taken === chain) prints[used++] = fingerprintOf(lowHash, highHash);
    }
    return prints.subarray(0, used);
  };
}

/** 52 bits of the hashes of a word. */
function wordKey(low: number, high: number): number {
  return (high & 0xfffff) * 2 ** 32 + (low >>> 0);
}

function keyOf(word: string): number {
  const { low, high } = hashWords(word);
  return wordKey(low[0]!, high[0]!);
}

export function bagOf(occurrences: Float64Array): Bag {
  const sorted = occurrences.slice().sort();
  const counts = new Uint8Array(sorted.length);
  let used = 0;
  for (let at = 0; at < sorted.length;) {
    const start = at;
    while (at < sorted.length && sorted[at] === sorted[start]) at++;
    counts[used] = Math.min(255, at - start);
    sorted[used++] = sorted[start]!;
  }
  return { prints: sorted.slice(0, used), counts: counts.slice(0, used) };
}

/** `sizespotsigs.1.20.4`: chain, long, words of a shingle; then a hash of other words than the usual ones. */
function makingOf({ kind, chain, long, words, antecedents, stopWords }: SpotOptions): string {
  const size = kind === 'sizespotsigs' ? `.${long}.${words}` : '';
  if (antecedents === undefined && stopWords === undefined) return `${kind}.${chain}${size}`;
  const lists = JSON.stringify([Array.from(antecedents ?? [], String).toSorted(), [...(stopWords ?? [])].toSorted()]);
  return `${kind}.${chain}${size}.${createHash('sha256').update(lists).digest('hex').slice(0, 8)}`;
}
