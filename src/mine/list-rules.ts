// Which rules do lists in a log give? A list whose order the log shows to mean nothing gives `sort-items`, one in which
// items may repeat `drop-repeated-items`: two rules, as each may be wrong by itself.
import { decodeText, encodeText } from '../base/bytes.js';
import { placeText, type ItemsPlace } from '../rule/items-place.js';
import type { StepRule } from '../rule/rule.js';
import { compileStep, faultOfStep, takeStep } from '../rule/step.js';

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
