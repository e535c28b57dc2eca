// Figure 3 of the paper, line for line: is a rule valid, in one direction?
//
//    1  Function ValidateRule(R, L)
//    2    positive := 0
//    3    negative := 0
//    4    while (positive < (1 − ε)N and negative < εN) do
//    5      u := a random URL from L on which applying R results in a different URL
//    6      v := outcome of application of R to u
//    7      fetch u and v
//    8      if (fetch u failed) continue
//    9      if (fetch v failed or DocSketch(u) ≠ DocSketch(v))
//   10        negative := negative + 1
//   11      else
//   12        positive := positive + 1
//   13    if (negative ≥ εN)
//   14      return false
//   15    return true
//
// What the paper leaves open. L is finite: URLs are drawn without replacement, 3N at most (`validate/sample`); when there
// are no more, the share of negatives decides, and fewer than --min-samples decide nothing. A fetch of v has failed if the
// site says that there is no such page; what a network, an archive or a list cannot say is no evidence. With ε = 0 the
// loop would end before the first sample: here the first negative ends it.
import type { Rule, Undecided, Verdict } from '../../rule/rule.js';
import { compareDocuments } from '../../sketch/page.js';
import { imageText, type Attempt, type Samples } from '../sample.js';
import type { PageResult, PageSource } from '../source.js';

export interface PaperOptions {
  /** The validation count N and the refutation threshold ε. */
  readonly N: number;
  readonly epsilon: number;
  /** A rule with fewer judged samples stays likely. */
  readonly minSamples: number;
  /** True if START is the start of the path even in absolute URLs. */
  readonly pathOnly: boolean;
  readonly source: PageSource;
  /** Finds the site of a URL; redirects must not leave it. */
  readonly siteOf: (url: string) => string;
  /** Scheme and host to put before URLs that start with `/`, or ''. */
  readonly base: string;
  readonly signal: AbortSignal;
}

export interface Validated {
  readonly decision: 'valid' | 'invalid' | 'undecided' | 'stop';
  readonly verdict: Verdict;
}

/** How many samples are tried at most, as a multiple of N. */
const TRIES_PER_SAMPLE = 3;

export async function validateRule(R: Attempt, L: Samples, options: PaperOptions): Promise<Validated> {
  const { N, epsilon, pathOnly } = options;
  const count = new Count(options);
  const urls = L.urls.slice(0, TRIES_PER_SAMPLE * N);
  const isRefuted = () => count.negative > 0 && count.negative >= epsilon * N;
  for (const u of urls) {
    if (count.positive >= (1 - epsilon) * N || isRefuted()) break;
    const v = imageText(R.compiled, u, pathOnly);
    const seen = await compared(u, v, options);
    if (seen === 'budget' || seen === 'interrupted') return { decision: 'stop', verdict: count.verdict(seen) };
    count.add(u, v, seen);
  }
  if (isRefuted()) return { decision: 'invalid', verdict: count.verdict() };
  if (count.positive >= (1 - epsilon) * N) return { decision: 'valid', verdict: count.verdict() };
  return withoutMore(count, L.isExhaustive && urls.length === L.urls.length, options);
}

/** The result when L has no other URL. */
function withoutMore(count: Count, isExhaustive: boolean, { epsilon, minSamples }: PaperOptions): Validated {
  const { positive, negative } = count;
  if (positive + negative < minSamples) return { decision: 'undecided', verdict: count.verdict('few-samples') };
  if (!isExhaustive) return { decision: 'undecided', verdict: count.verdict('no-decision') };
  const isValid = negative === 0 || negative < epsilon * (positive + negative);
  return { decision: isValid ? 'valid' : 'invalid', verdict: count.verdict() };
}

type Compared = { readonly kind: 'positive' } | { readonly kind: 'negative' | 'unjudged'; readonly reason: string };

/** Lines 7 to 12 of the figure. */
async function compared(u: string, v: string, options: PaperOptions): Promise<Compared | 'budget' | 'interrupted'> {
  const ofU = await fetched(u, options);
  if (ofU.kind !== 'page') return stopOf(ofU, options) ?? { kind: 'unjudged', reason: `u: ${ofU.reason}` };
  const ofV = await fetched(v, options, u);
  if (ofV.kind === 'unavailable') return stopOf(ofV, options) ?? { kind: 'unjudged', reason: `v: ${ofV.reason}` };
  if (ofV.kind === 'missing') {
    return { kind: 'negative', reason: ofV.detail === undefined ? ofV.reason : `${ofV.reason} ${ofV.detail}` };
  }
  const likeness = compareDocuments(ofU.document, ofV.document);
  if (likeness === 'unknown') return { kind: 'unjudged', reason: 'not-comparable' };
  return likeness === 'different' ? { kind: 'negative', reason: 'different' } : { kind: 'positive' };
}

function fetched(url: string, { source, siteOf, base }: PaperOptions, madeOf?: string): Promise<PageResult> {
  const absolute = (one: string) => (one.startsWith('/') ? base + one : one);
  const made = madeOf === undefined ? undefined : { of: absolute(madeOf) };
  return source.fetch(absolute(url), siteOf(absolute(url)), made);
}

function stopOf(result: Exclude<PageResult, { kind: 'page' }>, { signal }: PaperOptions) {
  if (signal.aborted) return 'interrupted';
  return result.reason === 'budget' ? 'budget' : undefined;
}

class Count {
  positive = 0;
  negative = 0;
  readonly #source: Verdict['source'];
  readonly #unjudged: Record<string, number> = {};
  readonly #positives: (readonly [string, string])[] = [];
  readonly #negatives: (readonly [string, string, string])[] = [];

  constructor({ source }: PaperOptions) {
    this.#source = source.name;
  }

  add(u: string, v: string, seen: Compared): void {
    if (seen.kind === 'unjudged') this.#unjudged[seen.reason] = (this.#unjudged[seen.reason] ?? 0) + 1;
    else if (seen.kind === 'positive') {
      if (++this.positive <= 3) this.#positives.push([u, v]);
    } else if (++this.negative <= 3) this.#negatives.push([u, v, seen.reason]);
  }

  verdict(undecided?: Undecided): Verdict {
    return {
      source: this.#source,
      positive: this.positive,
      negative: this.negative,
      unjudged: this.#unjudged,
      ...(undecided !== undefined && { undecided }),
      positives: this.#positives,
      negatives: this.#negatives,
    };
  }
}

/** The rule with its verdict, for the file. */
export function validRule({ rule }: Attempt, { verdict }: Validated): Rule {
  return { ...rule, status: 'valid', verdict };
}
