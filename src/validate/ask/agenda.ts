// What should be asked next? A priority queue of hypotheses: the one that saves the most forms per request comes first.
// Each accepted rule changes what is left to save, so a saving is recounted only when its hypothesis comes up (lazy
// greedy).
//
//     worth  =  prior × saving / expected requests
//
// The forms that a hypothesis can change are looked up once, in an index over all forms; forms made by an accepted rule
// are looked up as they are added.
//
// A value is set only where the parameter cannot be removed. If `id` has no effect, `id=start` would pass too, but it
// says less and keeps the parameter in every form. So removal is always asked first, whatever the priors.
import { dropsQuery } from '../../rule/idle-query.js';
import { createLookup, lookupKey } from '../../rule/lookup.js';
import { isRun, tokensOf } from '../../url/token.js';
import { hypothesisKey, type Hypothesis } from './hypothesis.js';
import { isSeries } from './prior.js';
import type { Form, Reach, SiteForms } from './site-forms.js';
import { QUICKEST_ACCEPTANCE } from '../trial.js';

/** The number of refutations that halves the estimated worth of other hypotheses of the same family. */
const PATIENCE = 4;

/** Priors from here on are not lowered by refutations: that `id` matters is no sign that `utm_source` does. */
const SURE_PRIOR = 0.9;

/** Hypotheses that are likely to have the same answer. */
function familyOf({ rules, prior }: Hypothesis): string {
  const rule = rules[0]!;
  switch (rule.kind) {
    case 'step':
      return rule.step;
    case 'parameter':
      return prior >= SURE_PRIOR ? `${rule.action} for sure` : rule.action;
    case 'substring':
      if (isSeries(rule)) return 'series';
      return [rule.from, rule.to].map((side) => (tokensOf(side).some(isRun) ? 'words' : 'signs')).join(' for ');
    case 'pattern':
      return dropsQuery(rule) ? 'whole query' : rule.kind;
    default:
      return rule satisfies never;
  }
}

interface Entry {
  readonly hypothesis: Hypothesis;
  readonly family: string;
  /** Forms that it changes; some may be gone by now. */
  forms: Form[];
  /** The last count, or an upper bound. */
  saving: number;
  /** True for a mined rule that saves nothing on the list: it is tried too, but last. */
  isUnseen: boolean;
  /** The share of the saving that can still be expected: lower after a deferral. */
  share: number;
  /** How many rules were accepted when `saving` was counted; -1 if it never was. */
  countedAt: number;
}

export interface Next {
  readonly isUnseen: boolean;
  readonly hypothesis: Hypothesis;
  readonly reach: Reach;
  /** Worth of the next best hypothesis, in forms saved per request. */
  readonly nextWorth: number;
}

/** Two requests per sample, but about a third of the pages are known already and cost nothing. */
const REQUESTS_PER_SAMPLE = 1.3;
/** The worth of a rule that saves nothing on the list: less than nearly everything else. */
const UNSEEN_WORTH = 0.03;
/**
 * Least share of the changed forms that a rule saves. An order of all fields may rewrite a hundred forms for each one
 * saved.
 */
const LEAST_SHARE_SAVED = 0.01;
/** Least saving of a rule that replaces a number by another: for a few pages that can be right by chance. */
const LEAST_FOR_SERIES = 10;
/** Requests that a refutation costs: two failures, then the corners and conditions in which the rule might hold. */
const REFUTATION = 30;
const QUICK_REFUTATION = 5;
/** One corner is toured for so many changes. */
const CHANGES_PER_STOP = 40;
const [FEWEST_STOPS, MOST_STOPS] = [6, 40];

export interface AgendaOptions {
  /** Least saving of a hypothesis, and of forms that it changes. */
  readonly minSaving: number;
  readonly minSamples: number;
  /** Whether a question, by its key, was refuted on an earlier night and is not due yet. */
  readonly rests?: ((question: string) => boolean) | undefined;
}

export class Agenda {
  readonly #forms: SiteForms;
  readonly #minSaving: number;
  readonly #minSamples: number;
  readonly #rests: (question: string) => boolean;
  readonly #entries: Entry[] = [];
  readonly #known = new Set<string>();
  readonly #fared = new Map<string, { accepted: number; refuted: number }>();
  #accepted = 0;

  constructor(forms: SiteForms, { minSaving, minSamples, rests }: AgendaOptions) {
    this.#forms = forms;
    this.#minSaving = minSaving;
    this.#minSamples = minSamples;
    this.#rests = rests ?? (() => false);
  }

  /** True if no hypothesis is worth anything. */
  get isEmpty(): boolean {
    return !this.#entries.some((entry) => this.#worthOf(entry) > 0);
  }

  /** Adds the hypotheses that are not known yet. Rules of the file never rest. */
  add(hypotheses: readonly Hypothesis[]): void {
    const fresh: Entry[] = [];
    for (const hypothesis of hypotheses) {
      const key = hypothesisKey(hypothesis);
      if (this.#known.has(key) || (hypothesis.origin === undefined && this.#rests(key))) continue;
      this.#known.add(key);
      const family = familyOf(hypothesis);
      fresh.push({ hypothesis, family, forms: [], saving: 0, isUnseen: false, share: 1, countedAt: -1 });
    }
    this.#touch(fresh, this.#forms.all());
    for (const entry of fresh) {
      if (entry.hypothesis.origin === undefined || entry.forms.length < this.#minSamples) continue;
      entry.isUnseen = this.#forms.reachOf(entry.hypothesis, entry.forms).saving === 0;
    }
    for (const entry of fresh) this.#entries.push(entry);
  }

  /** Finds which of the forms each entry changes. */
  #touch(entries: readonly Entry[], forms: Iterable<Form>): void {
    const rules = entries.flatMap((entry) => entry.hypothesis.compiled.map((compiled) => ({ entry, compiled })));
    if (rules.length === 0) return;
    const lookup = createLookup(rules.map(({ compiled }) => ({ site: '*', text: lookupKey(compiled) })));
    for (const form of forms) {
      const found = lookup.find(form.bytes, form.origin, 0, 0);
      for (let k = 0; k < found; k++) {
        const { entry } = rules[lookup.found[k]!]!;
        if (entry.forms.at(-1) === form || !this.#forms.changes(entry.hypothesis, form)) continue;
        entry.forms.push(form);
        entry.saving++;
        entry.countedAt = Math.min(entry.countedAt, this.#accepted - 1);
      }
    }
  }

  /** Puts back a hypothesis that is worth less than others; `share` is how much of its saving can still be expected. */
  defer(hypothesis: Hypothesis, { changes, saving }: Reach, share: number): void {
    const forms = changes.map(({ form }) => form);
    const family = familyOf(hypothesis);
    this.#entries.push({ hypothesis, family, forms, saving, isUnseen: false, share, countedAt: this.#accepted });
  }

  /** Call this after a rule was accepted, with the forms that it added. */
  widen(added: readonly Form[]): void {
    this.#accepted++;
    this.#touch(this.#entries, added);
  }

  /**
   * An accepted rule can make images equal, so that another rule now saves forms. Marks every count that is older than
   * the last accepted rule, to be recounted when its hypothesis comes up.
   */
  reopen(): void {
    for (const entry of this.#entries) {
      if (entry.isUnseen || entry.countedAt === this.#accepted) continue;
      entry.saving = entry.forms.length;
    }
  }

  /** Adjusts similar hypotheses to an answer: a site that refuses one doubled word will refuse the next one too. */
  learn(hypothesis: Hypothesis, decision: 'accepted' | 'refuted'): void {
    const family = familyOf(hypothesis);
    const fared = this.#fared.get(family) ?? { accepted: 0, refuted: 0 };
    fared[decision]++;
    this.#fared.set(family, fared);
  }

  #likeliness({ hypothesis, family }: Entry): number {
    const { accepted, refuted } = this.#fared.get(family) ?? { accepted: 0, refuted: 0 };
    return (hypothesis.prior * (accepted + PATIENCE)) / (accepted + refuted + PATIENCE);
  }

  #worthOf(entry: Entry): number {
    const { hypothesis, family, saving, forms, isUnseen, share } = entry;
    if (isUnseen) return forms.length < this.#minSamples ? 0 : UNSEEN_WORTH * hypothesis.prior;
    if (saving < (family === 'series' ? LEAST_FOR_SERIES : this.#minSaving)) return 0;
    if (saving < LEAST_SHARE_SAVED * forms.length && !isOfHosts(hypothesis)) return 0;
    return share * worthOf(this.#likeliness(entry), saving, forms.length, hypothesis.isJoint ? 'first' : 'places');
  }

  /** Takes the hypothesis of the greatest worth; undefined if none is worth `least`. */
  next(least: number): Next | undefined {
    for (;;) {
      let best = -1;
      let most = least;
      let nextWorth = 0;
      for (const [at, entry] of this.#entries.entries()) {
        const worth = this.#worthOf(entry);
        if (worth > most) [best, most, nextWorth] = [at, worth, best < 0 ? nextWorth : most];
        else nextWorth = Math.max(nextWorth, worth);
      }
      if (best < 0) return undefined;
      best = this.#removalBefore(best);
      const entry = this.#entries[best]!;
      const isFresh = entry.countedAt === this.#accepted;
      const reach = this.#forms.reachOf(entry.hypothesis, entry.forms);
      if (!isFresh) {
        entry.forms = reach.changes.map(({ form }) => form);
        entry.saving = reach.saving;
        entry.countedAt = this.#accepted;
        continue;
      }
      this.#entries.splice(best, 1);
      return { hypothesis: entry.hypothesis, reach, isUnseen: entry.isUnseen, nextWorth };
    }
  }

  /** The best entry that removes the parameter which this entry sets to a value, if one is still to be asked. */
  #removalBefore(at: number): number {
    const name = parameterSetBy(this.#entries[at]!.hypothesis);
    if (name === undefined) return at;
    let best = at;
    let most = 0;
    for (const [before, entry] of this.#entries.entries()) {
      const worth = removes(entry.hypothesis, name) ? this.#worthOf(entry) : 0;
      if (worth > most) [best, most] = [before, worth];
    }
    return best;
  }

  /** Hypotheses that were never tried, and whether they would change enough forms. */
  *left(): Generator<{ readonly hypothesis: Hypothesis; readonly changes: boolean }> {
    for (const { hypothesis, forms, isUnseen } of this.#entries) {
      const { changes, saving } = this.#forms.reachOf(hypothesis, forms);
      yield { hypothesis, changes: isUnseen ? changes.length > 0 : saving > 0 };
    }
  }
}

/** The parameter that a hypothesis sets to a value everywhere; undefined if it does something else. */
function parameterSetBy({ rules }: Hypothesis): string | undefined {
  const [rule] = rules;
  return rules.length === 1 && rule?.kind === 'parameter' && rule.action === 'set' ? rule.name : undefined;
}

/** True if it removes the parameter everywhere, alone or with others. */
function removes({ rules }: Hypothesis, name: string): boolean {
  return rules.some((rule) => rule.kind === 'parameter' && rule.action === 'remove' && rule.name === name);
}

/**
 * Rules for hosts and schemes are always worth asking: the log may have few URLs of the host that the site calls
 * canonical.
 */
function isOfHosts({ rules: [rule] }: Hypothesis): boolean {
  const isOrigin = (text: string) => /^[a-z]+:\/\/[^/?]*\/?$/.test(text);
  return rule?.kind === 'substring' && rule.anchor === 'start' && isOrigin(rule.from) && isOrigin(rule.to);
}

/** `refutedBy`: the first failure, or a search for places where the rule holds. */
function worthOf(prior: number, saving: number, reach: number, refutedBy: 'first' | 'places'): number {
  const most = refutedBy === 'first' ? QUICK_REFUTATION : REFUTATION;
  const refutation = Math.min(most, reach * REQUESTS_PER_SAMPLE);
  return (prior * saving) / (prior * requestsFor(reach) + (1 - prior) * refutation);
}

/** Requests after which a rule that holds is accepted, if it changes so many forms. */
export function requestsFor(reach: number): number {
  return Math.min(reach, QUICKEST_ACCEPTANCE + stopsOf(reach)) * REQUESTS_PER_SAMPLE;
}

/** How many strata of the site (corners) are sampled before a rule that changes `reach` forms is accepted. */
export function stopsOf(reach: number): number {
  return Math.min(MOST_STOPS, Math.max(FEWEST_STOPS, Math.ceil(reach / CHANGES_PER_STOP)));
}
