// Are the pages found at two URLs one page (SPEC 10)? Three comparisons, until one says yes:
//
//   1. as they are                     equal bodies, or similar texts (sketch/page)
//   2. without what is volatile        ages such as "3 hours ago" (sketch/age); times, counters, tokens, as far as the
//                                      site has shown them (sketch/volatile)
//   3. without their addresses         where these differ (sketch/echo): addresses first, then words of them too
//
// Leaving things out must not make a match by itself: the rest has to be a text, most of the page, and similar. Where
// the addresses are two names (/cups-bsd/ and /cups-client/), a short rest is too little: "Index of /cups-bsd", with a
// line or two below, is distinguished by its name.
import { withoutAges } from '../sketch/age.js';
import type { SetAside } from '../sketch/boilerplate.js';
import type { TextDocument } from '../sketch/document.js';
import { blanked, echoesOf, haveOtherNames, type Echoes } from '../sketch/echo.js';
import { isInOrder } from '../sketch/order.js';
import { unpackText, compareDocuments, isTextAlike, type Verdict } from '../sketch/page.js';
import { fingerprints, SHINGLE_WORDS } from '../sketch/shingle.js';
import { veiled } from '../sketch/veil.js';
import type { VolatileSlots } from '../sketch/volatile.js';
import type { FoundPage } from './source.js';

/** A page, and the URL that was requested. */
export interface PageOfUrl {
  readonly url: string;
  readonly page: FoundPage;
}

export interface SiteKnowledge {
  readonly boilerplate: SetAside;
  readonly slots: VolatileSlots;
}

/** Words of an address may be at most this share of a page. */
const MAX_WORDS_SHARE = 1 / 8;
/** With more words, a name that is printed once or twice leaves pages similar anyway. */
const MIN_NAMED_WORDS = 100;

export function comparePages(u: PageOfUrl, v: PageOfUrl, { boilerplate, slots }: SiteKnowledge): Verdict {
  const [a, b] = [u.page.document, v.page.document];
  const plain = compareDocuments(a, b, boilerplate);
  if (plain === 'same' || plain === 'unknown' || a.kind !== 'text' || b.kind !== 'text') return plain;
  const [textA, textB] = [textOf(a), textOf(b)];
  if (textA === undefined || textB === undefined) return plain;
  // The same entries in another order are another page: whoever sorts a list wants that order.
  if (plain === 'alike') return isInOrder(textA, textB, boilerplate) ? plain : 'different';
  const leastWords = haveOtherNames(u.url, v.url) ? MIN_NAMED_WORDS : SHINGLE_WORDS;
  const readAlike = (left: string, right: string, least = SHINGLE_WORDS) =>
    isLeftAlike(left, right, least, boilerplate);
  const [stillA, stillB] = [slots.without(withoutAges(textA)), slots.without(withoutAges(textB))];
  if ((stillA !== textA || stillB !== textB) && readAlike(stillA, stillB)) return 'alike';
  const { addresses, words } = echoesBetween(u, v);
  const [placeA, placeB] = [blanked(stillA, addresses), blanked(stillB, addresses)];
  if (readAlike(placeA, placeB, leastWords)) return 'alike';
  const [wordsA, wordsB] = [blanked(placeA, words), blanked(placeB, words)];
  const isLittle = shareOf(wordsA, placeA) <= MAX_WORDS_SHARE && shareOf(wordsB, placeB) <= MAX_WORDS_SHARE;
  return isLittle && readAlike(wordsA, wordsB, leastWords) ? 'alike' : 'different';
}

/** The stored text of a page, veiled. */
export function textOf({ packedText }: TextDocument): string | undefined {
  return packedText === undefined ? undefined : unpackText(packedText);
}

/**
 * The words of both addresses, veiled as the texts are. Of a page that was reached by redirects, the address is the last
 * one, as that is what the page echoes.
 */
function echoesBetween(u: PageOfUrl, v: PageOfUrl): Echoes {
  const asked = echoesOf(u.url, v.url);
  const isFinal = u.page.finalUrl === u.url && v.page.finalUrl === v.url;
  const all = isFinal ? [asked] : [asked, echoesOf(u.page.finalUrl, v.page.finalUrl)];
  return {
    addresses: all.flatMap(({ addresses }) => addresses.map(veiled)),
    words: all.flatMap(({ words }) => words.map(veiled)),
  };
}

/** A page with little text besides its address is distinguished from others by the address. */
function isLeftAlike(a: string, b: string, leastWords: number, boilerplate: SetAside): boolean {
  if (wordCount(a) < leastWords || wordCount(b) < leastWords) return false;
  return isTextAlike(documentOfText(a), documentOfText(b), boilerplate);
}

function documentOfText(text: string): TextDocument {
  return { kind: 'text', digest: '', fingerprints: fingerprints(text), isComplete: true };
}

/** The share of its words that a text has lost. */
function shareOf(rest: string, text: string): number {
  return 1 - wordCount(rest) / wordCount(text);
}

export function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
