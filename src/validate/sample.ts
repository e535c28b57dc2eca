// On which URLs of the test list is a rule tried (paper Figure 3, line 5)?
//
// URLs that the rule changes, drawn without replacement. A draw is made by hash: every URL has a pseudo-random number
// from the seed and its own bytes, and a rule takes the URLs with the smallest numbers. That is a uniform draw for each
// rule; it does not depend on the order of the list or on other rules; and as the same URLs come first for every rule,
// rules share pages, which are fetched once.
import { decodeText, encodeText, isDigit } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import { compileRule, imageOf, type CompiledRule } from '../rule/apply.js';
import { createLookup, lookupKey } from '../rule/lookup.js';
import type { Rule } from '../rule/rule.js';
import { asWriting } from './key.js';
import type { SiteUrls } from '../table/site-urls.js';
import { pathStart } from '../url/form.js';
import { rawUrl } from '../table/raw-url.js';

export interface SampleOptions {
  readonly seed: number;
  /** The most samples kept for one attempt. */
  readonly count: number;
  /** True if START is the start of the path also in absolute URLs, as for rules of a log without hosts. */
  readonly pathOnly: boolean;
}

/** A rule in one direction, or with one action. */
export interface Attempt {
  /** The rule as it goes into the file if this attempt succeeds. */
  readonly rule: Rule;
  readonly compiled: CompiledRule;
}

/**
 * For a substring rule both directions, its own first; for a parameter rule both actions, `remove` first (SPEC 9, 10).
 */
export function attemptsOf(rule: Rule): Attempt[] {
  return bothWays(rule).map((way) => ({ rule: way, compiled: compileRule(way) }));
}

function bothWays(given: Rule): readonly Rule[] {
  const rule = asWriting(given);
  if (rule.kind === 'substring') {
    const examples = rule.examples.map(([u, v]) => [v, u] as const);
    return [rule, { ...rule, from: rule.to, to: rule.from, examples }];
  }
  if (rule.kind === 'step' || rule.kind === 'pattern') return [rule];
  return [
    { ...rule, action: 'remove' },
    { ...rule, action: 'set' },
  ];
}

/** The samples of one attempt, in the order in which they are tried. */
export interface Samples {
  /** As text of `base/bytes`; attempts that drew the same URL share the string. */
  readonly urls: readonly string[];
  /** True if these are all URLs of the list that the rule changes. */
  readonly isExhaustive: boolean;
}

/** Draws for all attempts in one pass over the URL list of a site. */
export function drawSamples(urls: SiteUrls, attempts: readonly Attempt[], options: SampleOptions): Samples[] {
  const draws = attempts.map(() => new Draw(options.count));
  const lookup = createLookup(attempts.map(({ compiled }) => ({ site: '*', text: lookupKey(compiled) })));
  for (let row = 0; row < urls.count; row++) {
    const url = rawUrl(urls, row);
    const origin = options.pathOnly ? pathStart(url) : 0;
    const found = lookup.find(url, origin, 0, 0);
    if (found === 0) continue;
    const number = drawNumber(url, options.seed);
    let text: string | undefined;
    for (let k = 0; k < found; k++) {
      const index = lookup.found[k]!;
      const draw = draws[index]!;
      if (!draw.wants(number)) continue;
      const image = imageOf(attempts[index]!.compiled, url, origin);
      if (image !== url) draw.add(number, (text ??= decodeText(url)));
    }
  }
  return draws.map((draw) => draw.finish());
}

/** The image of a URL; `url` itself if the attempt does not change it. */
export function imageText(compiled: CompiledRule, url: string, pathOnly: boolean): string {
  const bytes = encodeText(url);
  const image = imageOf(compiled, bytes, pathOnly ? pathStart(bytes) : 0);
  return image === bytes ? url : decodeText(image);
}

/**
 * A number below 2^53 for a URL; ties are broken by list order. Ports do not count: a site on another port gets the
 * same sample.
 */
export function drawNumber(url: Uint8Array, seed: number): number {
  const { from, to } = portOf(url);
  const high = hashBytes(url, to, url.length, hashBytes(url, 0, from, seed | 0)) >>> 0;
  const low = hashBytes(url, to, url.length, hashBytes(url, 0, from, ~seed)) >>> 0;
  return high * 2 ** 21 + (low >>> 11);
}

const COLON = 0x3a;

/** Where `:8080` is in an absolute URL; `from` = `to` if there is none. */
function portOf(url: Uint8Array): { readonly from: number; readonly to: number } {
  const to = pathStart(url);
  let from = to;
  while (from > 0 && isDigit(url[from - 1]!)) from--;
  return from > 0 && from < to && url[from - 1] === COLON ? { from: from - 1, to } : { from: to, to };
}

/** Keeps the `limit` smallest numbers: a buffer of twice as many, cut to half whenever it is full. */
class Draw {
  readonly #limit: number;
  #kept: { readonly number: number; readonly url: string }[] = [];
  #bound = Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  wants(number: number): boolean {
    return number < this.#bound;
  }

  add(number: number, url: string): void {
    this.#kept.push({ number, url });
    if (this.#kept.length >= 2 * this.#limit) this.#cut();
  }

  finish(): Samples {
    // Before the first cut nothing was dropped.
    const isExhaustive = this.#bound === Infinity && this.#kept.length <= this.#limit;
    this.#cut();
    return { urls: this.#kept.map(({ url }) => url), isExhaustive };
  }

  #cut(): void {
    this.#kept.sort((a, b) => a.number - b.number);
    if (this.#kept.length <= this.#limit) return;
    this.#kept.length = this.#limit;
    this.#bound = this.#kept.at(-1)!.number;
  }
}
