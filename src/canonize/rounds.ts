// Computes the canonical form of a URL (SPEC 8).
//
// A *form* is prepared (its fragment is cut off, and it is normalized as the rules file says). Then each rule is
// applied once, in rank order, if it matches, and the result is prepared again. This is a round, a function F of the
// form alone. Rounds repeat until one changes nothing (that form is canonical) or a form occurs again (the least of the
// cycle is canonical). If neither happens within `maxIterations` rounds, or a form outgrows `maxFormBytes`, the URL
// stays unchanged.
//
// Why is canonize(canonize(u)) = canonize(u), whatever the rules are? F depends on nothing but the form. A form that F
// does not change is not changed the second time either. The least form of a cycle of p rounds was found in at least p
// rounds, so a second run closes the same cycle within the limit, with the same least form. An unsettled URL is
// returned unchanged, so a second run gets the same input. Three properties make F such a function:
//  - Preparation is part of every round. A rule may give `/%7Ea`, which a second run would normalize to `/~a` before its
//    first round. So every form has to be prepared, and preparation must be idempotent.
//  - The rules that apply are those of the site of the form, not of the input. A rule may lead to another host; from
//    that rank on, the rules of the new host are tried.
//  - Bytes that are not a URL pass unchanged. So a rule does not match if its image would not be a URL (`/` → nothing),
//    or if it is a path rule on an absolute URL and the rest would not start with `/`, and so would join the host name.
//
// Nothing that is imported here needs Node: this is what browsers get (`src/canonizer.ts`).
import { appendImage, compileRule, spelledRule, type CompiledRule, type Places } from '../rule/apply.js';
import { findsNothingMore } from '../rule/own-result.js';
import type { Rule, Use } from '../rule/rule.js';
import { accepts, type Accept } from '../rule/standing.js';
import type { Normalization } from '../url/normalize.js';
import type { UrlForm } from '../url/parse.js';
import type { SiteOf, SitePolicy } from '../url/site-finder.js';
import { contentEnd, Forms } from './forms.js';

export interface CanonizerOptions {
  readonly normalize: Normalization;
  readonly accept: Accept;
  readonly maxIterations: number;
  readonly urlForm: UrlForm;
  readonly sitePolicy: SitePolicy;
  /** With `key`, patterns that are only keys are in use too. */
  readonly use?: Use;
  /** True for local rules that the user did not name: their pins must not lead to another site. */
  readonly pinsStay?: boolean;
}

/** Finds the rules to try: in browsers all rules of the site (./every-rule), in Node those that the kernel finds. */
export interface Look extends Places {
  /**
   * Looks at the form bytes[start, end). True if preparation is known to leave the form alone. False means only that this
   * is not known.
   */
  plain(bytes: Uint8Array, start: number, end: number): boolean;
  /** The same for a form that has been prepared. */
  any(bytes: Uint8Array, start: number, end: number): void;
  /** For the last form: how many rules may match it, and their indexes, ascending. */
  count: number;
  found: Int32Array;
  origin: number;
  path: number;
}

/** `rules` in rank order, the sites that they are for, and whether they must not lead to another site. */
export type NewLook = (
  rules: readonly CompiledRule[],
  sites: readonly string[],
  options: CanonizerOptions,
  siteOf: SiteOf,
  staysHome: readonly boolean[],
) => Look;

/** One change on the way to the canonical form. `rule` is undefined if preparation made it. */
export interface Step {
  readonly round: number;
  readonly rule: Rule | undefined;
  readonly form: Uint8Array;
}

export type Ending = 'settled' | 'cycle' | 'unsettled' | 'no URL';

export interface Trace {
  readonly url: Uint8Array;
  readonly steps: readonly Step[];
  readonly ending: Ending;
  readonly canonical: Uint8Array;
}

export interface Canonizer {
  /** How many of the given rules are in use. */
  readonly rules: number;
  /** How many URLs stayed as they were because no canonical form was found. */
  readonly unsettled: number;
  /** Returns `url` itself, the same object, if nothing changes. */
  canonize(url: Uint8Array): Uint8Array;
  /**
   * Canonizes the line that begins at `start` and ends before a newline or at `limit`. Returns the end of its content,
   * and sets `canonical`.
   */
  canonizeLine(bytes: Uint8Array, start: number, limit: number): number;
  /** The last form. It is the same object always. */
  readonly canonical: CanonicalForm;
  /** Sets `canonical`, and calls `watch` for each change on the way. With `watch`, an unsettled URL is not counted. */
  trace(url: Uint8Array, watch?: Watch): Ending;
  explain(url: Uint8Array): Trace;
}

/** bytes[start, end), valid until the next URL. */
export interface CanonicalForm {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** False if the form equals the input: then it is stored in the input. */
  readonly isChanged: boolean;
  readonly isUrl: boolean;
}

/** Called for each change: the rule that made it, or undefined if it was preparation. */
export type Watch = (round: number, rule: Rule | undefined) => void;

/** The rules that are applied, in rank order. */
export function rulesInUse(rules: readonly Rule[], { accept, use }: CanonizerOptions): readonly Rule[] {
  return rules.filter((rule) => accepts(rule, accept, use)).sort((a, b) => a.rank - b.rank);
}

/**
 * `siteOf` finds the site of a URL by the policy of `options`; the look of `newLook` finds the rules to try. `homeOf`
 * finds the site by host, for local pins, which must not lead to another site.
 */
export function createRounds(
  rules: readonly Rule[],
  options: CanonizerOptions,
  siteOf: SiteOf,
  newLook: NewLook,
  homeOf?: SiteOf,
): Canonizer {
  const { maxIterations } = options;
  const isSafe = options.normalize === 'safe';
  const used = rulesInUse(rules, options);
  const compiled = used.map((rule) => compileRule(isSafe ? spelledRule(rule) : rule));
  const staysHome = used.map(({ pin }) => homeOf !== undefined && pin === 'local');
  const isDoneAtOnce = compiled.map(findsNothingMore);
  const sites = used.map(({ site }) => site);
  const look = newLook(compiled, sites, options, siteOf, staysHome);
  const forms = new Forms();
  const canonical = { bytes: forms.bytes, start: 0, end: 0, isChanged: false, isUrl: false };
  let unsettled = 0;
  /** True if the last look has found that preparation does not change the form. */
  let isPlain = false;
  /** Rules from this index on have been tried on the form and do not change it. */
  let triedFrom = Infinity;

  /** Repeats rounds until a form occurs again. */
  function follow(watch: Watch | undefined): Ending {
    if (isPlain && look.count === 0 && !forms.isTooLong) return 'settled';
    triedFrom = Infinity;
    if (!isPlain && !prepare(0, watch)) return 'no URL';
    forms.keepFirst();
    for (let round = 1; round <= maxIterations && !forms.isTooLong; round++) {
      if (!applyRules(round, watch)) return 'settled';
      if (forms.isTooLong) break;
      // A rule has led to what browsers refuse.
      if (!isPlain && !prepare(round, watch)) break;
      const seen = forms.find(round);
      if (seen === round - 1) return 'settled';
      if (seen >= 0) {
        forms.goToLeast(seen, round);
        return 'cycle';
      }
      const by = forms.keep(round);
      look.origin += by;
      look.path += by;
    }
    return 'unsettled';
  }

  /** False if the form is no URL. */
  function prepare(round: number, watch: Watch | undefined): boolean {
    const { bytes, start, end } = forms;
    if (!forms.prepare(isSafe)) return false;
    if (!forms.is(bytes, start, end)) {
      triedFrom = Infinity;
      watch?.(round, undefined);
    }
    look.any(forms.bytes, forms.start, forms.end);
    return true;
  }

  /**
   * Applies all rules once, in rank order, but stops at a form that is too long. True if a rule has changed the form.
   */
  function applyRules(round: number, watch: Watch | undefined): boolean {
    const { images } = forms;
    let least = 0;
    for (let at = 0; at < look.count;) {
      const index = look.found[at++]!;
      if (index < least) continue;
      if (least === 0 && index >= triedFrom) break;
      const imageStart = images.used;
      const { bytes, start, end } = forms;
      if (!appendImage(compiled[index]!, bytes, start, end, look, images)) continue;
      if (staysHome[index] === true && homeOf!(bytes, start, end) !== homeOf!(images.bytes, imageStart, images.used)) {
        images.used = imageStart;
        continue;
      }
      forms.take(imageStart);
      if (forms.isTooLong) return true;
      watch?.(round, used[index]);
      isPlain = look.plain(forms.bytes, forms.start, forms.end);
      if (!isPlain) look.any(forms.bytes, forms.start, forms.end);
      least = index + 1;
      triedFrom = isDoneAtOnce[index] === true ? index : least;
      at = 0;
    }
    return least > 0;
  }

  /** Finds the canonical form of url[start, end). With `watch` it is not counted. */
  function find(url: Uint8Array, start: number, end: number, watch?: Watch): Ending {
    forms.begin(url, start, end);
    isPlain = look.plain(url, start, end);
    const ending = follow(watch);
    if (ending === 'unsettled' && watch === undefined) unsettled++;
    const isFound = ending === 'settled' || ending === 'cycle';
    const isChanged = isFound && !forms.is(url, start, end);
    canonical.bytes = isChanged ? forms.bytes : url;
    canonical.start = isChanged ? forms.start : start;
    canonical.end = isChanged ? forms.end : end;
    canonical.isChanged = isChanged;
    canonical.isUrl = ending !== 'no URL';
    return ending;
  }

  const findWhole = (url: Uint8Array, watch?: Watch) => find(url, 0, url.length, watch);

  const formOf = (url: Uint8Array) =>
    canonical.isChanged ? canonical.bytes.slice(canonical.start, canonical.end) : url;

  return {
    rules: used.length,
    canonical,
    get unsettled() {
      return unsettled;
    },
    canonize(url) {
      findWhole(url);
      return formOf(url);
    },
    canonizeLine(line, start, limit) {
      const end = contentEnd(line, start, limit);
      find(line, start, end);
      return end;
    },
    trace: findWhole,
    explain(url) {
      const steps: Step[] = [];
      const ending = findWhole(url, (round, rule) =>
        steps.push({ round, rule, form: forms.bytes.slice(forms.start, forms.end) }),
      );
      return { url, steps, ending, canonical: formOf(url) };
    },
  };
}
