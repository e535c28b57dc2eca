// The canonizer of the commands: `rounds.ts`, with the whole public suffix list to find the site of a URL.
import type { Rule } from '../rule/rule.js';
import { createSiteOf } from '../url/public-suffix.js';
import type { SiteOf } from '../url/site-finder.js';
import { everyRule } from './every-rule.js';
import { indexedLook, type IndexedLook, type NewLook } from './look.js';
import { createRounds, type CanonicalForm, type Canonizer, type CanonizerOptions } from './rounds.js';
import { newSweep, type Sweep } from './sweep.js';

export type { CanonicalForm, Canonizer, CanonizerOptions, Ending, Step, Trace, Watch } from './rounds.js';

export function createCanonizer(rules: readonly Rule[], options: CanonizerOptions): Canonizer {
  return createRounds(rules, options, createSiteOf(options.sitePolicy), indexedLook(), homeOf(options));
}

/**
 * A canonizer for few rules: it tries all of them on each URL, and so needs no index and no cache of hosts, which take
 * 300 kB.
 */
export function createSmallCanonizer(rules: readonly Rule[], options: CanonizerOptions): Canonizer {
  return createRounds(rules, options, createSiteOf(options.sitePolicy), everyRule, homeOf(options));
}

/** What a walk over lines (`./walk`) needs. */
export interface LineCanonizer extends Pick<Canonizer, 'canonizeLine' | 'canonical'> {
  /** Missing if lines have to be looked at one by one. */
  readonly swept?: Swept;
}

export interface Swept {
  readonly sweep: Sweep;
  /** Sets `canonical` to a form that the sweep has found. */
  readonly show: (bytes: Uint8Array, start: number, end: number, isChanged: boolean) => void;
  /** Canonizes the plain URL bytes[start, end). found[at …] is the sweep's result for it (`resume` of the look). */
  readonly canonizeFound: (bytes: Uint8Array, start: number, end: number, found: Int32Array, at: number) => void;
}

/** A canonizer with a sweep, to map blocks of lines. */
export function createBlockCanonizer(rules: readonly Rule[], options: CanonizerOptions): Canonizer & LineCanonizer {
  const newLook = indexedLook(newSweep);
  let look: IndexedLook | undefined;
  const keepLook: NewLook = (...args) => (look = newLook(...args));
  const rounds = createRounds(rules, options, createSiteOf(options.sitePolicy), keepLook, homeOf(options));
  const { resume, sweep } = look!;
  const canonical: { -readonly [K in keyof CanonicalForm]: CanonicalForm[K] } = rounds.canonical;
  const swept: Swept = {
    sweep: sweep!,
    show(bytes, start, end, isChanged) {
      canonical.bytes = bytes;
      canonical.start = start;
      canonical.end = end;
      canonical.isChanged = isChanged;
      canonical.isUrl = true;
    },
    canonizeFound(bytes, start, end, found, at) {
      resume(bytes, start, end, found, at);
      rounds.canonizePlain(bytes, start, end);
    },
  };
  return Object.assign(rounds, { swept });
}

/** Finds the site of a host for local pins, which must not lead to another site. */
function homeOf({ pinsStay }: CanonizerOptions): SiteOf | undefined {
  return pinsStay === true ? createSiteOf('domain') : undefined;
}
