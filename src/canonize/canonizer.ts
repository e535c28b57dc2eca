// The canonizer of the commands: `rounds.ts` with the whole public suffix list to find sites by.
import type { Rule } from '../rule/rule.js';
import { createSiteOf } from '../url/site.js';
import type { SiteOf } from '../url/site-finder.js';
import { indexedLook } from './look.js';
import { createRounds, type Canonizer, type CanonizerOptions } from './rounds.js';
import { newSweep } from './sweep.js';

export type { CanonicalForm, Canonizer, CanonizerOptions, Ending, Step, Trace, Watch } from './rounds.js';

export function createCanonizer(rules: readonly Rule[], options: CanonizerOptions): Canonizer {
  return createRounds(rules, options, createSiteOf(options.sitePolicy), indexedLook(), homeOf(options));
}

/** The same, with a sweep to map blocks of lines. */
export function createBlockCanonizer(rules: readonly Rule[], options: CanonizerOptions): Canonizer {
  return createRounds(rules, options, createSiteOf(options.sitePolicy), indexedLook(newSweep), homeOf(options));
}

/** Distinguishes sites, however the rules define them. */
function homeOf({ pinsStay }: CanonizerOptions): SiteOf | undefined {
  return pinsStay === true ? createSiteOf('domain') : undefined;
}
