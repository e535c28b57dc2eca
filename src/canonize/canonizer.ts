// What is the one name of this page (SPEC 8)?
//
// A *form* is prepared (fragment cut, normalised as the rules file says), then goes through the rules in rank order, each
// applied once where it matches, then is prepared again: that is a round, a function F of the form alone. Rounds repeat
// until one changes nothing (that form is canonical) or a form comes back (the least of the cycle is canonical). After
// `maxIterations` rounds without either, or when a form outgrows `maxFormBytes`, the URL stays as it came in.
//
// Why canonize(canonize(u)) = canonize(u), whatever the rules: F looks at nothing but the form. A form that F leaves alone
// is left alone the second time. The least form of a cycle of p rounds was found in at least p, so from it the same cycle
// closes within the limit, with the same least form. An unsettled URL is what came in, and comes in again. Three things
// make F such a function, and are needed for it:
//  - preparation belongs to the round, not only to the beginning: a rule may give `/%7Ea`, which the next run would
//    normalise to `/~a` before its first round, so every form has to be a prepared one (and preparing must be idempotent);
//  - the rules that apply are those of the site of the form, not of the input: a rule may lead to another host, whose
//    rules are then the ones that are tried, from that rank on;
//  - bytes that are no URL pass as they are; so a rule does not match where its image would be no URL (`/` → nothing), or,
//    for a path rule on an absolute URL, where the rest would not start with `/` and so would run into the host name.
import { compileRule, imageOf } from '../rule/apply.js';
import { createLookup, lookupKey } from '../rule/lookup.js';
import type { Rule } from '../rule/rule.js';
import { compareForms, cutFragment, isUrl, pathStart, sameBytes } from '../url/form.js';
import { normalizeInPlace, type Normalization } from '../url/normalize.js';
import type { UrlForm } from '../url/parse.js';
import { createSiteOf, type SitePolicy } from '../url/site.js';
import { maxFormBytes } from './limits.js';

export interface CanonizerOptions {
  readonly normalize: Normalization;
  /** `valid`: only rules that passed validation. `likely`: those not yet fetched for as well. */
  readonly accept: 'valid' | 'likely';
  readonly maxIterations: number;
  readonly urlForm: UrlForm;
  readonly sitePolicy: SitePolicy;
}

/** One change on the way to the canonical form; `rule` is undefined where it was preparation. */
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
  /** How many rules are in use, out of those handed in. */
  readonly rules: number;
  /** How many URLs have stayed as they were because no canonical form was found. */
  readonly unsettled: number;
  /** `url` itself, the same object, where nothing changes. */
  canonize(url: Uint8Array): Uint8Array;
  explain(url: Uint8Array): Trace;
}

/** True for the rules that `accept` lets through. */
export function isAccepted(rule: Rule, accept: CanonizerOptions['accept']): boolean {
  return rule.status === 'valid' || (accept === 'likely' && rule.status === 'likely');
}

type Watch = (round: number, rule: Rule | undefined, form: Uint8Array) => void;

export function createCanonizer(rules: readonly Rule[], options: CanonizerOptions): Canonizer {
  const { maxIterations } = options;
  const used = rules.filter((rule) => isAccepted(rule, options.accept)).sort((a, b) => a.rank - b.rank);
  const prepare = options.normalize === 'safe' ? createPrepare() : cutFragment;
  const applyRules = createRound(used, options);
  let unsettled = 0;

  function follow(url: Uint8Array, watch: Watch | undefined): { readonly ending: Ending; readonly form: Uint8Array } {
    if (!isUrl(url)) return { ending: 'no URL', form: url };
    const forms = [prepare(url)];
    if (forms[0] !== url) watch?.(0, undefined, forms[0]!);
    for (let round = 1; round <= maxIterations; round++) {
      const form = forms[round - 1]!;
      const image = form.length > maxFormBytes ? undefined : applyRules(form, round, watch);
      if (image === undefined) break;
      if (image === form) return { ending: 'settled', form };
      const next = prepare(image);
      if (next !== image) watch?.(round, undefined, next);
      const seen = forms.findIndex((earlier) => sameBytes(earlier, next));
      if (seen === round - 1) return { ending: 'settled', form };
      if (seen >= 0) return { ending: 'cycle', form: forms.slice(seen).reduce(lesser) };
      forms.push(next);
    }
    return { ending: 'unsettled', form: url };
  }

  return {
    rules: used.length,
    get unsettled() {
      return unsettled;
    },
    canonize(url) {
      const { ending, form } = follow(url, undefined);
      if (ending === 'unsettled') unsettled++;
      return form;
    },
    explain(url) {
      const steps: Step[] = [];
      const { ending, form } = follow(url, (round, rule, after) => steps.push({ round, rule, form: after }));
      return { url, steps, ending, canonical: form };
    },
  };
}

function lesser(a: Uint8Array, b: Uint8Array): Uint8Array {
  return compareForms(a, b) <= 0 ? a : b;
}

/** Fragment cut, then safe normalisation, in one buffer for all URLs; gives back its argument where nothing changes. */
function createPrepare(): (url: Uint8Array) => Uint8Array {
  let buffer = new Uint8Array(2 * maxFormBytes);
  return (url) => {
    const cut = cutFragment(url);
    if (cut.length >= buffer.length) buffer = new Uint8Array(2 * cut.length);
    buffer.set(cut);
    const end = normalizeInPlace(buffer, 0, cut.length);
    const prepared = buffer.subarray(0, end);
    return sameBytes(prepared, cut) ? cut : prepared.slice();
  };
}

type Round = (form: Uint8Array, round: number, watch: Watch | undefined) => Uint8Array | undefined;

/** All rules once, in rank order, on one form. Undefined where a form outgrows the limit. */
function createRound(rules: readonly Rule[], options: CanonizerOptions): Round {
  const compiled = rules.map(compileRule);
  const lookup = createLookup(rules.map(({ site }, at) => ({ site, text: lookupKey(compiled[at]!) })));
  const siteOf = createSiteOf(options.sitePolicy);
  const pathGroup = lookup.groupOf('');
  const pathOnly = options.urlForm === 'path';

  return (start, round, watch) => {
    let form = start;
    for (let least = 0; least < rules.length;) {
      // Rules of path form say nothing about a host: on an absolute URL START is the start of its path.
      const origin = pathOnly ? pathStart(form) : 0;
      const group = pathOnly ? pathGroup : lookup.groupOf(siteOf(form, 0, form.length));
      const count = lookup.find(form, origin, group, least);
      least = rules.length;
      for (let at = 0; at < count; at++) {
        const index = lookup.found[at]!;
        const image = imageOf(compiled[index]!, form, origin);
        if (image === form) continue;
        form = image;
        if (form.length > maxFormBytes) return undefined;
        watch?.(round, rules[index], form);
        least = index + 1;
        break;
      }
    }
    return form;
  };
}
