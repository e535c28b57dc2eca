// Which rules do lists in a log give? A list whose order the log shows to mean nothing gives `sort-items`, one in which
// items may repeat `drop-repeated-items`: two rules, as each may be wrong by itself.
import { decodeText, encodeText } from '../base/bytes.js';
import { placeText, type ItemsPlace } from '../rule/items-place.js';
import type { StepRule } from '../rule/rule.js';
import { compileStep, faultOfStep, takeStep } from '../rule/step.js';
import type { SiteUrls } from '../table/site-urls.js';
import { MAX_URL_BYTES, uncollateTo } from '../url/token.js';
import { listFacts, type ListFacts } from './lists/facts.js';
import { listRules } from './lists/rules.js';
import { ListSample, sketchHash } from './lists/sample.js';

/** What a log shows of the lists at a place. */
export interface ListFinding {
  readonly site: string;
  readonly place: ItemsPlace;
  /** What means nothing: the order of items, or that one stands again. */
  readonly idle: 'order' | 'repetition';
  readonly confidence: number;
  readonly likeliness?: number;
  /** URLs of the log that the rule changes. */
  readonly urls: number;
  /** Pairs of URLs, alike but for that, whose pages differ. */
  readonly against: number;
  /** Some URLs with such lists, of which examples are made. */
  readonly seen: readonly string[];
}

const MOST_EXAMPLES = 3;

/** The rule; undefined if a place cannot be written as one: a name with a slash, a space or a separator of fields. */
export function listRule({
  site,
  place,
  idle,
  urls,
  seen,
  ...figures
}: ListFinding): Omit<StepRule, 'rank'> | undefined {
  const says = { step: idle === 'order' ? 'sort-items' : 'drop-repeated-items', text: placeText(place) } as const;
  if (faultOfStep(says) !== undefined) return undefined;
  const examples = examplesOf(says, seen);
  return { site, kind: 'step', ...says, status: 'likely', support: { urls }, ...figures, examples };
}

function examplesOf(says: Pick<StepRule, 'step' | 'text'>, urls: readonly string[]): StepRule['examples'] {
  const compiled = compileStep(says);
  const pairs = urls.map((url) => [url, decodeText(takeStep(compiled, encodeText(url)))] as const);
  return pairs.filter(([url, image]) => url !== image).slice(0, MOST_EXAMPLES);
}

/** With fewer URLs no list has enough pairs in two orders. */
const FEWEST_URLS = 40;
/** So many URLs must be another one but for the order of items, or for a repeated item, for pages to be asked about it. */
const FEWEST_DUPLICATES = 3;
const UNKNOWN = 0.5;

/**
 * The rules of the lists of a site. The log shows that the order of their items means nothing; if pages may be asked
 * (`untested`), it is enough that the log says nothing about the order.
 */
export function rulesOfLists(
  urls: SiteUrls,
  { untested }: { readonly untested: boolean },
): readonly Omit<StepRule, 'rank'>[] {
  if (urls.count < FEWEST_URLS) return [];
  const lists = listFacts(sampled(urls));
  const byLog = listRules(lists).map(({ site, place, confidence, evidence, urls: changed, examples: seen }) => {
    const against = evidence.pairs - evidence.equal;
    return { site, place, idle: 'order', confidence, urls: changed, against, seen } as const;
  });
  const known = new Set(byLog.map(({ place }) => place));
  const open = untested ? lists.flatMap((facts) => openFindings(facts, known)) : [];
  return [...byLog, ...open].flatMap((finding) => listRule(finding) ?? []);
}

function openFindings(facts: ListFacts, known: ReadonlySet<ItemsPlace>): ListFinding[] {
  const { site, place, order, duplicates, examples: seen } = facts;
  const base = { site, place, confidence: UNKNOWN, against: 0, seen };
  const inOrder = !known.has(place) && order.verdict === 'unknown' && duplicates.urls >= FEWEST_DUPLICATES;
  return [
    ...(inOrder ? [{ ...base, idle: 'order', urls: duplicates.urls } as const] : []),
    ...(duplicates.repeatedUrls >= FEWEST_DUPLICATES
      ? [{ ...base, idle: 'repetition', urls: duplicates.repeatedUrls } as const]
      : []),
  ];
}

function sampled(urls: SiteUrls) {
  const sample = new ListSample();
  const { site } = urls;
  const raw = new Uint8Array(MAX_URL_BYTES);
  for (let row = 0; row < urls.count; row++) {
    const at = urls.at(row);
    const length = urls.lengthOf(row);
    uncollateTo(raw, 0, urls.bytes, at, at + length);
    const url = raw.subarray(0, length);
    if (!sample.wants(url)) continue;
    const end = urls.sketchEndAt(at);
    sample.add(url, {
      site,
      hits: urls.hitsAt(at),
      minSize: urls.minSizeAt(at),
      maxSize: urls.maxSizeAt(at),
      sketch: sketchHash(urls.bytes, end - urls.sketchLengthAt(at), end),
    });
  }
  return sample.urls();
}
