// The spot signatures of a text (SpotSigs; Theobald, Siddharth, Paepcke, SIGIR 2008).
//
//   At a rally to kick off a weeklong campaign, the mayor is said to be late.
//                                               ^ antecedent, distance 1
//                                                   mayor                    chain 1: a signature is one word
//                                                   mayor : late             chain 2: also the next non-stop word
//
// At each antecedent: go `distance` words ahead, step over stop words, take a word, and repeat until the chain is
// complete. If the text ends first, there is no signature. A signature is the fingerprint of its words, without the
// antecedent. It may occur several times: |d| is the number of all occurrences, and the resemblance of two pages is Σ
// min / Σ max.
//
// SizeSpotSigs (Mao, Liu, Di, Li, Yan, PAKDD 2011): a short page has so few spot signatures that parts outside of its
// content decide. So the number of occurrences, which is about the size of the prose, selects the features: at least
// `long` means spots, less means all shingles. A page whose number is from `long` to BAND times `long` has both, as two
// versions of a short page may lie on both sides of the limit. Pages are compared by spots if both have them, otherwise
// by shingles.
import { createHash } from 'node:crypto';
import { UserError } from '../base/error.js';
import { fingerprintOf, hashWords, HIGH_BASE, LOW_BASE, shinglesOf, type Words } from './shingle.js';

/** Features of a page, each of which may occur several times. */
export interface Bag {
  /** Distinct fingerprints, ascending; integers below 2^40. */
  readonly prints: Float64Array;
  /** The number of occurrences of each, 1 … 255; 255 stands for more as well. */
  readonly counts: Uint8Array;
}

/** The kinds of signatures that pages can be compared by: sketches of shingles (`sketch`), or the kinds here. */
export const SIGNATURES = ['shingles', 'spotsigs', 'sizespotsigs'] as const;
export type SignatureKind = (typeof SIGNATURES)[number];
type SpotKind = Exclude<SignatureKind, 'shingles'>;

export interface SpotOptions {
  readonly kind: SpotKind;
  /** Words of a signature, 1 … 9. */
  readonly chain: number;
  /** For sizespotsigs: pages with so many occurrences of spot signatures are compared by them. */
  readonly long: number;
  /** For sizespotsigs: words of a shingle. */
  readonly words: number;
  /** Words to use instead of `ANTECEDENTS` and `STOP_WORDS`. */
  readonly antecedents?: Antecedents | undefined;
  readonly stopWords?: readonly string[] | undefined;
}

export const SPOT_CHAIN = 1;
/** The default of `long`; our choice, as SizeSpotSigs (PAKDD 2011) gives no number. */
export const LONG_PAGE = 20;
/** Pages with up to this multiple of `long` have both kinds of features. */
const BAND = 2;
/** A page with more distinct features gets no signature: 80,000 words of prose. */
export const MAX_FEATURES = 1 << 14;

interface SpotSignature {
  /** How it was made, as in `spotsigs.1`. Only signatures made in the same way can be compared. */
  readonly making: string;
  /** Undefined if the page is not compared by spots. */
  readonly spots: Bag | undefined;
  readonly shingles: Bag | undefined;
}

/** Makes the signature of a text, whose bytes are UTF-8. Undefined if it has no features, or too many. */
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

/** The fingerprints of all occurrences of signatures, in the order of the words. */
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

/** A key of 52 bits from the hashes of a word. */
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

/** `sizespotsigs.1.20.4`: chain, long, words of a shingle; if other words were given, also a hash of them. */
function makingOf({ kind, chain, long, words, antecedents, stopWords }: SpotOptions): string {
  const size = kind === 'sizespotsigs' ? `.${long}.${words}` : '';
  if (antecedents === undefined && stopWords === undefined) return `${kind}.${chain}${size}`;
  const lists = JSON.stringify([Array.from(antecedents ?? [], String).toSorted(), [...(stopWords ?? [])].toSorted()]);
  return `${kind}.${chain}${size}.${createHash('sha256').update(lists).digest('hex').slice(0, 8)}`;
}

// Antecedents and stop words are function words. Prose is full of them; menus and lists of links have hardly any.
//
//   antecedent   starts a signature, whose first word is as many words ahead as its distance says
//   stop word    is skipped on the way to the words of a signature; all antecedents are stop words
//
// The default antecedents are those of the authors' program: English, and the articles of French and Spanish. Text in
// other languages has few spot signatures, or only accidental ones, unless other words are given.

/** Words and their distances, 1 … 99. */
type Antecedents = ReadonlyMap<string, number>;

const near =
  'that in the be are was will would shall should can could has have had do did does done un une le la el al';

export const ANTECEDENTS: Antecedents = new Map([...near.split(' ').map((word) => [word, 1] as const), ['is', 2]]);

export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again against all almost alone along already also although always am among an ' +
    'and another any anybody anyone anything anyway anywhere around as at away back became because been ' +
    'before behind being below beside besides between beyond both but by came cannot come comes despite ' +
    'doing don down during each either else enough even ever every everybody everyone everything few for ' +
    'from further get gets getting give given go goes going gone got he hence her here hers herself him ' +
    'himself his how however i if indeed instead into it its itself just last least less let like ll ' +
    'made make makes many may maybe me might mine more most mostly much must my myself near neither ' +
    'never next no nobody none nor not nothing now nowhere of off often on once one only onto or other ' +
    'others otherwise our ours ourselves out over own per perhaps quite rather re really s same see seem ' +
    'seems self several she since so some somebody someone something sometimes still such t than their ' +
    'theirs them themselves then there therefore these they this those though through throughout thus ' +
    'till to together too toward towards under unless until up upon us use used uses using ve very via ' +
    'want wants we well went were what whatever when whenever where whereas wherever whether which while ' +
    'who whoever whole whom whose why with within without yet you your yours yourself yourselves de du ' +
    'des les et en est que qui dans sur par pour au aux ce los las y es por con para del se'
  ).split(' '),
);

/**
 * Parses a list of words, one per line; with `distances` a line may be `word 2`, with a distance (default 1). Skips
 * empty lines and lines that begin with #. Throws a UserError.
 */
export function readWordList(text: string, name: string, option: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [at, line] of text.toLowerCase().split(/\r?\n/).entries()) {
    const parts = /^\s*(?:#.*|(\S+)(?:\s+([1-9]\d?))?\s*)?$/.exec(line);
    const [, word, distance] = parts ?? [];
    if (parts !== null && word === undefined) continue;
    if (word === undefined || hashWords(word).count !== 1) {
      throw new UserError(
        `${option}: line ${at + 1} of ${name}: got ${JSON.stringify(line.slice(0, 60))}; ` +
          'expected one word of letters or digits, maybe with a distance of 1 to 99, such as: is 2',
      );
    }
    words.set(word, Number(distance ?? 1));
  }
  if (words.size === 0) throw new UserError(`${option}: got no word in ${name}; expected one a line`);
  return words;
}

// Spot signatures in a list of pages are written as:
//
//   sp1-spotsigs.1-57-0-AAAA…      version 1; how they were made; number of spots and of shingles; then the features,
//                                  six bytes each in base64url: the fingerprint, big endian, ascending, and its count
//
// Six bytes are eight characters, so no feature lies across two groups of base64.

export const SPOT_PREFIX = 'sp1-';

const BYTES = 6;
const CHARS = 8;
const head = /^sp1-((?:size)?spotsigs(?:\.[1-9]\d{0,5}){1,3}(?:\.[\da-f]{8})?)-(0|[1-9]\d{0,4})-(0|[1-9]\d{0,4})-/;
const MAX_HEAD = 80;

export function formatSpots({ making, spots, shingles }: SpotSignature): string {
  const bags = [spots, shingles].filter((bag) => bag !== undefined);
  const bytes = Buffer.alloc(bags.reduce((sum, { prints }) => sum + prints.length, 0) * BYTES);
  let at = 0;
  for (const { prints, counts } of bags) {
    for (let k = 0; k < prints.length; k++, at += BYTES) {
      bytes.writeUIntBE(prints[k]!, at, BYTES - 1);
      bytes[at + BYTES - 1] = counts[k]!;
    }
  }
  const [first, second] = [spots, shingles].map((bag) => bag?.prints.length ?? 0);
  return `${SPOT_PREFIX}${making}-${first}-${second}-${bytes.toString('base64url')}`;
}

/**
 * The inverse of {@link formatSpots}; undefined for any text that it never writes. A bag without features is undefined.
 */
export function parseSpots(text: string): SpotSignature | undefined {
  const parts = head.exec(text.slice(0, MAX_HEAD));
  if (parts === null) return undefined;
  const [spotCount, shingleCount] = [Number(parts[2]), Number(parts[3])];
  const encoded = text.slice(parts[0].length);
  if (encoded.length !== (spotCount + shingleCount) * CHARS || encoded.length === 0) return undefined;
  if (spotCount > MAX_FEATURES || shingleCount > MAX_FEATURES) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  // Decoding skips invalid base64url, so a text that was not valid differs when encoded again.
  if (bytes.length !== (spotCount + shingleCount) * BYTES || bytes.toString('base64url') !== encoded) return undefined;
  const spots = bagAt(bytes, 0, spotCount);
  const shingles = bagAt(bytes, spotCount, shingleCount);
  return spots === null || shingles === null ? undefined : { making: parts[1]!, spots, shingles };
}

/** Null if the features are not in their written form. */
function bagAt(bytes: Buffer, first: number, length: number): Bag | undefined | null {
  if (length === 0) return undefined;
  const bag = { prints: new Float64Array(length), counts: new Uint8Array(length) };
  for (let k = 0, last = -1; k < length; k++) {
    const at = (first + k) * BYTES;
    const print = bytes.readUIntBE(at, BYTES - 1);
    const count = bytes[at + BYTES - 1]!;
    if (print <= last || count === 0) return null;
    last = bag.prints[k] = print;
    bag.counts[k] = count;
  }
  return bag;
}
