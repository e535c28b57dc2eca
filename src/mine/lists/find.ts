// Which slots of the URLs hold lists of items? One pass counts, for each slot and separator, values with that separator.
// Nearly all slots end here, as twenty are needed. Another one collects the values of the others: of large slots some,
// spread over all URLs, and all of them only if these come again (names of pages do not). `choices` tests them. Where several separators or slots split the same URLs, the one with the most lists stays.
import { byText } from '../../base/bytes.js';
import type { ItemsPlace } from '../../rule/items-place.js';
import { areChoices, coverageOf, isStrongSeparator, type ItemList, listsOf } from './choices.js';
import { grammarsOf, type Heads, tokensOf } from './grammar.js';
import type { ListedUrl } from './sample.js';
import { eachSlot, type Slot } from './slots.js';
import { withoutEscapes } from '../../url/escape.js';

/** A slot in which lists were found. */
export interface FoundList {
  readonly site: string;
  readonly place: ItemsPlace;
  /** The URLs that have the slot, and their items. */
  readonly uses: readonly ListUse[];
}

/** A URL, where the slot is in its text, and the items there. */
export interface ListUse extends ItemList {
  readonly url: ListedUrl;
  readonly ranges: readonly number[];
}

const SEPARATORS = ',|;/~!+-_:';
const SEVERAL = '&';
const BELOW = '/';
const FEWEST_VALUES = 20;
/** Slots that are counted at the same time. */
const MOST_SLOTS = 2 ** 17;
/** Values of a large slot that are looked at first, and the least coverage of their items. */
const MOST_AT_FIRST = 10_000;
const LEAST_AT_FIRST = 0.5;
const MOST_LISTS = 20;
/** The share of its URLs by which a list must not be another one seen through a second slot. */
const LEAST_NEW = 0.5;
/** Names of fields that people type words into. */
const TYPED = /^(?:q|s|search|query|keywords?|term|text|find|k)$/i;

/** The lists with the most URLs first. */
export function findLists(urls: readonly ListedUrl[]): FoundList[] {
  const candidates = candidatesOf(urls);
  if (candidates.size === 0) return [];
  collect(urls, candidates, MOST_AT_FIRST);
  const large = new Map([...candidates].filter(([, { every }]) => every > 1));
  for (const [key, candidate] of large) {
    const separators = Array.from(candidate.separators)
      .filter((separator) => comeAgain(candidate, separator))
      .join('');
    const again = { ...candidate, separators, urls: [], ranges: [], every: 1, met: 0 };
    candidates.delete(key);
    if (separators === '') large.delete(key);
    else large.set(key, again);
  }
  if (large.size > 0) collect(urls, large, Infinity);
  for (const [key, candidate] of large) candidates.set(key, candidate);
  const found = [...candidates.values()].flatMap((candidate) => bestOf(candidate) ?? []);
  found.sort((a, b) => longOf(b) - longOf(a) || byText(keyOf(a.site, a.place), keyOf(b.site, b.place)));
  return withoutRepetitions(found).slice(0, MOST_LISTS);
}

interface Candidate extends Pick<Slot, 'slot' | 'name'> {
  readonly site: string;
  readonly separators: string;
  /** The URLs that have the slot, and where in their texts. */
  urls: ListedUrl[];
  ranges: (readonly number[])[];
  /** Every so many of the URLs met are kept. */
  every: number;
  met: number;
}

function keyOf(site: string, { slot, name }: Pick<Slot, 'slot' | 'name'>): string {
  return `${site}\0${slot}\0${name}`;
}

/** Separators of the slot that the URL has there. */
function separatorsIn(url: string, { slot, ranges }: Slot): string {
  if (slot === 'repeated') return ranges.length > 2 ? SEVERAL : '';
  const value = url.slice(ranges[0], ranges[1]);
  if (slot === 'below') return value.includes(BELOW) ? BELOW : '';
  const text = withoutEscapes(value);
  let found = '';
  for (const char of text) if (SEPARATORS.includes(char) && !found.includes(char)) found += char;
  return found;
}

function candidatesOf(urls: readonly ListedUrl[]): Map<string, Candidate> {
  const counts = new Map<string, Map<string, number>>();
  for (const { text, site } of urls) {
    eachSlot(text, (slot) => {
      const found = separatorsIn(text, slot);
      if (found === '') return;
      const key = keyOf(site, slot);
      let own = counts.get(key);
      if (own === undefined) counts.set(key, (own = new Map()));
      for (const separator of found) own.set(separator, (own.get(separator) ?? 0) + 1);
      if (counts.size > MOST_SLOTS) dropRare(counts);
    });
  }
  const candidates = new Map<string, Candidate>();
  for (const [key, own] of counts) {
    const separators = Array.from(own).flatMap(([separator, count]) => (count >= FEWEST_VALUES ? [separator] : []));
    if (separators.length === 0) continue;
    const [site, slot, name] = key.split('\0') as [string, ItemsPlace['slot'], string];
    candidates.set(key, { site, slot, name, separators: separators.join(''), urls: [], ranges: [], every: 1, met: 0 });
  }
  return candidates;
}

/** Forgets slots that had few values so far, and more of them if that is not enough. */
function dropRare(counts: Map<string, Map<string, number>>): void {
  for (let most = 1; counts.size > MOST_SLOTS / 2; most *= 2) {
    for (const [key, own] of counts) if (Math.max(...own.values()) <= most) counts.delete(key);
  }
}

function collect(urls: readonly ListedUrl[], candidates: ReadonlyMap<string, Candidate>, most: number): void {
  for (const url of urls) {
    eachSlot(url.text, (slot) => {
      const candidate = candidates.get(keyOf(url.site, slot));
      if (candidate === undefined || candidate.met++ % candidate.every !== 0) return;
      candidate.urls.push(url);
      candidate.ranges.push(slot.ranges);
      if (candidate.urls.length > most) halve(candidate);
    });
  }
}

function halve(candidate: Candidate): void {
  candidate.urls = candidate.urls.filter((_, at) => at % 2 === 0);
  candidate.ranges = candidate.ranges.filter((_, at) => at % 2 === 0);
  candidate.every *= 2;
}

/** True if a part of the values has items that come again, so that all values are worth a look. */
function comeAgain({ urls, ranges }: Candidate, separator: string): boolean {
  const tokens = urls.map(({ text }, at) => tokensIn(text, ranges[at]!, separator)).filter(({ length }) => length > 0);
  return grammarsFor(tokens, separator).some(
    (heads) => coverageOf(listsOf(tokens, separator, heads)) >= LEAST_AT_FIRST,
  );
}

function grammarsFor(lists: readonly (readonly string[])[], separator: string): readonly Heads[] {
  return separator === SEVERAL ? [undefined] : grammarsOf(lists, isStrongSeparator(separator));
}

/** The slot split by the separator that makes the most lists of it. */
function bestOf(candidate: Candidate): FoundList | undefined {
  let best: FoundList | undefined;
  for (const separator of candidate.separators) {
    const found = splitBy(candidate, separator);
    if (found !== undefined && (best === undefined || longOf(found) > longOf(best))) best = found;
  }
  return best;
}

function splitBy({ site, slot, name, urls, ranges }: Candidate, separator: string): FoundList | undefined {
  const known = new Map<string, number>();
  const distinct: string[][] = [];
  const listAt = urls.map(({ text }, at) => {
    const tokens = tokensIn(text, ranges[at]!, separator);
    const key = tokens.join('\0');
    let list = known.get(key);
    if (list === undefined) known.set(key, (list = distinct.push(tokens) - 1));
    return list;
  });
  const filled = distinct.filter((tokens) => tokens.length > 0);
  for (const heads of grammarsFor(filled, separator)) {
    if (heads === undefined && areTyped({ slot, name }, separator)) continue;
    if (!areChoices(listsOf(filled, separator, heads), separator)) continue;
    const lists = listsOf(distinct, separator, heads);
    const place = { slot, name, separator, ...(heads && { heads: usedHeads(lists, separator, heads) }) };
    const uses = urls.map((url, at) => ({ url, ranges: ranges[at]!, items: lists[listAt[at]!]!.items }));
    return { site, place, uses: uses.filter(({ items }) => items.length > 0) };
  }
  return undefined;
}

/** True for words that somebody typed. */
function areTyped({ slot, name }: Pick<Slot, 'slot' | 'name'>, separator: string): boolean {
  return slot === 'parameter' && TYPED.test(name) && '+-_'.includes(separator);
}

function tokensIn(text: string, ranges: readonly number[], separator: string): string[] {
  if (separator !== SEVERAL) return tokensOf(withoutEscapes(text.slice(ranges[0], ranges[1])), separator);
  const tokens: string[] = [];
  for (let at = 0; at < ranges.length; at += 2) tokens.push(withoutEscapes(text.slice(ranges[at], ranges[at + 1])));
  return tokens.filter((token) => token !== '');
}

function usedHeads(lists: readonly ItemList[], separator: string, heads: NonNullable<Heads>): string[] {
  const used = new Set(lists.flatMap(({ items }) => items.map((item) => item.split(separator)[0]!)));
  return [...heads].filter((head) => used.has(head)).sort(byText);
}

/** How many of the URLs have two or more items. */
export function longOf({ uses }: FoundList): number {
  return uses.reduce((sum, { items }) => sum + (items.length > 1 ? 1 : 0), 0);
}

function withoutRepetitions(found: readonly FoundList[]): FoundList[] {
  const taken = new Set<ListedUrl>();
  return found.filter((list) => {
    const long = list.uses.filter(({ items }) => items.length > 1);
    const isNew = long.filter(({ url }) => !taken.has(url)).length >= LEAST_NEW * long.length;
    if (isNew) for (const { url } of long) taken.add(url);
    return isNew;
  });
}
