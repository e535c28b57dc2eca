// What is asked next? What would save the most for the fewest requests, as things stand: each accepted rule changes
// what is left to save, so figures are taken anew when a hypothesis comes up (a lazy greedy choice).
//
//     worth  =  prior × saving / expected requests
//
// Which forms a hypothesis can touch is looked up once, by an index over all of them; forms that an accepted rule makes
// are looked up when they come.
import { createLookup, lookupKey } from '../../rule/lookup.js';
import { hypothesisKey, type Hypothesis } from './hypothesis.js';
import { isSeries } from './prior.js';
import type { Form, Reach, SiteForms } from './site-forms.js';
import { QUICKEST_ACCEPTANCE } from '../trial.js';

/** So many refutations halve what a hypothesis of the same family is thought to be worth. */
const PATIENCE = 4;

/** What is likely to be answered alike. */
function familyOf({ rules }: Hypothesis): string {
  const rule = rules[0]!;
  switch (rule.kind) {
    case 'step':
      return rule.step;
    case 'parameter':
      return rule.action;
    case 'substring':
      if (isSeries(rule)) return 'series';
      return [rule.from, rule.to].map((side) => (/[0-9A-Za-z]/.test(side) ? 'words' : 'signs')).join(' for ');
    default:
      return rule satisfies never;
  }
}

interface Entry {
  readonly hypothesis: Hypothesis;
  /** Forms that it changes, some of them gone by now. */
  forms: Form[];
  /** By the last count, or what it is at most. */
  saving: number;
  /** True for a rule of the file whose images the list never had: it is asked about all the same, last. */
  isUnseen: boolean;
  /** Of what it would save, what may be left of it: less for one that was deferred. */
  share: number;
  /** How many rules were accepted when `saving` was counted; -1 if it never was. */
  countedAt: number;
}

export interface Next {
  readonly isUnseen: boolean;
  readonly hypothesis: Hypothesis;
  readonly reach: Reach;
  /** What the next best is worth: forms saved a request. */
  readonly nextWorth: number;
}

/** Two requests a sample; pages that were asked for already cost nothing, which is about every third. */
const REQUESTS_PER_SAMPLE = 1.3;
/** Behind nearly all that saves forms. */
const UNSEEN_WORTH = 0.03;
/** What a refutation takes. */
const REFUTATION = 8;

export class Agenda {
  readonly #forms: SiteForms;
  readonly #minSaving: number;
  readonly #minSamples: number;
  readonly #entries: Entry[] = [];
  readonly #known = new Set<string>();
  readonly #fared = new Map<string, { accepted: number; refuted: number }>();
  #accepted = 0;

  constructor(forms: SiteForms, minSaving: number, minSamples: number) {
    this.#forms = forms;
    this.#minSaving = minSaving;
    this.#minSamples = minSamples;
  }

  /** True if nothing is worth asking. */
  get isEmpty(): boolean {
    return !this.#entries.some((entry) => this.#worthOf(entry) > 0);
  }

  /** Adds those that are not known yet. */
  add(hypotheses: readonly Hypothesis[]): void {
    const fresh: Entry[] = [];
    for (const hypothesis of hypotheses) {
      const key = hypothesisKey(hypothesis);
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      fresh.push({ hypothesis, forms: [], saving: 0, isUnseen: false, share: 1, countedAt: -1 });
    }
    this.#touch(fresh, this.#forms.all());
    for (const entry of fresh) {
      if (entry.hypothesis.origin === undefined || entry.forms.length < this.#minSamples) continue;
      entry.isUnseen = this.#forms.reachOf(entry.hypothesis, entry.forms).saving === 0;
    }
    this.#entries.push(...fresh);
  }

  /** Notes which of the forms each entry changes. */
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

  /** Puts one back that is worth less than what else there is: of what it would save, `share` may be had, if anything. */
  defer(hypothesis: Hypothesis, { changes, saving }: Reach, share: number): void {
    const forms = changes.map(({ form }) => form);
    this.#entries.push({ hypothesis, forms, saving, isUnseen: false, share, countedAt: this.#accepted });
  }

  /** After a rule was accepted, with the forms that are new by it. */
  widen(added: readonly Form[]): void {
    this.#accepted++;
    this.#touch(this.#entries, added);
  }

  /**
   * A rule that saved nothing may save something now, where an accepted one has led others to what it makes. Counts
   * everything anew that was counted before the last rule was accepted, when it comes up.
   */
  reopen(): void {
    for (const entry of this.#entries) {
      if (entry.isUnseen || entry.countedAt === this.#accepted) continue;
      entry.saving = entry.forms.length;
    }
  }

  /** How an answer bears on what is like it: a site that reads no doubled word will not read the next one either. */
  tell(hypothesis: Hypothesis, decision: 'accepted' | 'refuted'): void {
    const family = familyOf(hypothesis);
    const fared = this.#fared.get(family) ?? { accepted: 0, refuted: 0 };
    fared[decision]++;
    this.#fared.set(family, fared);
  }

  #likeliness(hypothesis: Hypothesis): number {
    const { accepted, refuted } = this.#fared.get(familyOf(hypothesis)) ?? { accepted: 0, refuted: 0 };
    return (hypothesis.prior * (accepted + PATIENCE)) / (accepted + refuted + PATIENCE);
  }

  #worthOf({ hypothesis, saving, forms, isUnseen, share }: Entry): number {
    if (isUnseen) return forms.length < this.#minSamples ? 0 : UNSEEN_WORTH * hypothesis.prior;
    return saving < this.#minSaving ? 0 : share * worthOf(this.#likeliness(hypothesis), saving, forms.length);
  }

  /** The hypothesis that is worth the most, which is then off the agenda; undefined if none is worth `least`. */
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

  /** Hypotheses that were never asked about, and whether they would change anything that counts. */
  *left(): Generator<{ readonly hypothesis: Hypothesis; readonly changes: boolean }> {
    for (const { hypothesis, forms, isUnseen } of this.#entries) {
      const { changes, saving } = this.#forms.reachOf(hypothesis, forms);
      yield { hypothesis, changes: isUnseen ? changes.length > 0 : saving > 0 };
    }
  }
}

function worthOf(prior: number, saving: number, reach: number): number {
  const samples = Math.min(reach, QUICKEST_ACCEPTANCE + 6);
  return (prior * saving) / (prior * samples * REQUESTS_PER_SAMPLE + (1 - prior) * REFUTATION);
}
