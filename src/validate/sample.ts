// Which URLs of the test list is a rule tried on (paper Figure 3, line 5)?
//
// URLs on which applying the rule gives another URL, drawn without replacement. A draw is made by hash: every URL has a
// pseudo-random number from the seed and its own bytes, and a rule takes the URLs with the smallest ones. That is a uniform
// draw for each rule; it does not depend on the order of the list or on other rules; and as the same URLs come first for
// every rule, rules share pages, which are fetched once.
import { decodeText } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import { imageOf, type CompiledRule } from '../rule/apply.js';
import { createLookup, lookupKey } from '../rule/lookup.js';
import type { SiteUrls } from '../table/site-urls.js';
import { pathStart } from '../url/form.js';
import { uncollate } from '../url/token.js';

export interface SampleOptions {
  readonly seed: number;
  /** The most samples that are kept for one attempt. */
  readonly count: number;
  /** True where START is the start of the path also in absolute URLs: rules of a log without hosts. */
  readonly pathOnly: boolean;
}

/** A rule in one direction, or with one action. */
export interface Attempt {
  readonly compiled: CompiledRule;
}

export interface Sample {
  /** The URL and what the rule makes of it, as text of `base/bytes`. */
  readonly url: string;
  readonly image: string;
}

/** The samples of one attempt, in the order in which they are to be tried. */
export interface Samples {
  readonly samples: readonly Sample[];
  /** True where these are all URLs of the list that the rule changes. */
  readonly isExhaustive: boolean;
}

/** Draws for all attempts in one pass over the URL list of a site. */
export function drawSamples(urls: SiteUrls, attempts: readonly Attempt[], options: SampleOptions): Samples[] {
  const draws = attempts.map(() => new Draw(options.count));
  const lookup = createLookup(attempts.map(({ compiled }) => ({ site: '*', text: lookupKey(compiled) })));
  for (let row = 0; row < urls.count; row++) {
    const at = urls.at(row);
    const url = uncollate(urls.bytes, at, at + urls.lengthOf(row));
    const origin = options.pathOnly ? pathStart(url) : 0;
    const found = lookup.find(url, origin, 0, 0);
    if (found === 0) continue;
    const number = drawNumber(url, options.seed);
    for (let k = 0; k < found; k++) {
      const index = lookup.found[k]!;
      if (!draws[index]!.wants(number)) continue;
      const image = imageOf(attempts[index]!.compiled, url, origin);
      if (image !== url) draws[index]!.add(number, { url: decodeText(url), image: decodeText(image) });
    }
  }
  return draws.map((draw) => draw.finish());
}

/** A number below 2^53 for a URL; two URLs of the same number are told apart by the order of the list. */
function drawNumber(url: Uint8Array, seed: number): number {
  const high = hashBytes(url, 0, url.length, seed | 0) >>> 0;
  const low = hashBytes(url, 0, url.length, ~seed) >>> 0;
  return high * 2 ** 21 + (low >>> 11);
}

/** Keeps the `limit` smallest numbers: a buffer of twice as many, cut back to half whenever it is full. */
class Draw {
  readonly #limit: number;
  #kept: { readonly number: number; readonly sample: Sample }[] = [];
  #bound = Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  wants(number: number): boolean {
    return number < this.#bound;
  }

  add(number: number, sample: Sample): void {
    this.#kept.push({ number, sample });
    if (this.#kept.length >= 2 * this.#limit) this.#cut();
  }

  finish(): Samples {
    // Before the first cut nothing has been turned away.
    const isExhaustive = this.#bound === Infinity && this.#kept.length <= this.#limit;
    this.#cut();
    return { samples: this.#kept.map(({ sample }) => sample), isExhaustive };
  }

  #cut(): void {
    this.#kept.sort((a, b) => a.number - b.number);
    if (this.#kept.length <= this.#limit) return;
    this.#kept.length = this.#limit;
    this.#bound = this.#kept.at(-1)!.number;
  }
}
