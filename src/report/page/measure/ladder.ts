// What do the first k rules make of a URL, for a ladder of k (at its end Table 4)?
//
//   k       1   2   5   10   20   50   …   all
//   form    u   u   u   v    v    w    …   w
//
// One trace with all rules answers most of it. Let f be the first rule (in rank order, from 0) that changes the URL,
// and l the last rule that changes it in any round. Then the first k <= f rules leave it unchanged, and the first k > l
// rules do the same as all, as rules after l never match. So the ladder is descended, and only the step below l is
// traced again, which gives a new l.
import { sameRange } from '../../../base/bytes.js';
import {
  createCanonizer,
  type Canonizer,
  type CanonizerOptions,
  type Ending,
  type Watch,
} from '../../../canonize/canonizer.js';
import type { Rule } from '../../../rule/rule.js';
import { accepts } from '../../../rule/standing.js';

/** 1, 2, 5, 10, … below `count`, then `count` itself; nothing for 0. */
export function ladderOf(count: number): number[] {
  const ladder: number[] = [];
  for (let power = 1; power < count; power *= 10)
    ladder.push(...[power, 2 * power, 5 * power].filter((k) => k < count));
  return count === 0 ? [] : [...ladder, count];
}

/** The form bytes[start, end), valid until the next URL, and the steps of the ladder that have it. */
export interface LadderForm {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly steps: number;
}

/** The canonical form of a URL, and the rules that change it on the way. */
interface Walked extends LadderForm {
  /** The first rule that changes the URL. */
  readonly first: Rule | undefined;
  /** In any order, possibly repeated; valid until the next URL. */
  readonly changing: readonly Rule[];
}

export class FormLadder {
  /** The numbers of rules in the ladder. */
  readonly steps: readonly number[];
  readonly #all: Canonizer;
  /** Made lazily: most steps are never needed. */
  readonly #first: (Canonizer | undefined)[] = [];
  readonly #applied: readonly Rule[];
  readonly #how: CanonizerOptions;
  readonly #place: ReadonlyMap<Rule, number>;
  readonly #everyStep: number;
  #firstPlace = -1;
  #lastPlace = -1;
  #changing: Rule[] = [];
  readonly #watch: Watch = (_round, rule) => {
    if (rule === undefined) return;
    this.#changing.push(rule);
    const place = this.#place.get(rule)!;
    if (this.#firstPlace < 0) this.#firstPlace = place;
    if (place > this.#lastPlace) this.#lastPlace = place;
  };
  /** URLs that stayed as they were because no canonical form was found under all rules. */
  unsettled = 0;

  constructor(rules: readonly Rule[], how: CanonizerOptions) {
    const applied = rules.filter((rule) => accepts(rule, how.accept)).sort((a, b) => a.rank - b.rank);
    this.steps = ladderOf(applied.length);
    this.#all = createCanonizer(applied, how);
    this.#applied = applied;
    this.#how = how;
    this.#place = new Map(applied.map((rule, place) => [rule, place]));
    this.#everyStep = 2 ** this.steps.length - 1;
  }

  /** The canonical form under all rules. */
  canonize(url: Uint8Array): Uint8Array {
    return this.#all.canonize(url);
  }

  /** Calls `other` for each form that `url` has at some steps, but not at the last; returns the canonical one. */
  walk(url: Uint8Array, other: (form: LadderForm) => void): Walked {
    const ending = this.#trace(this.#all, url);
    if (ending === 'unsettled') this.unsettled++;
    const { bytes, start, end } = this.#all.canonical;
    const first = this.#firstPlace;
    const changing = this.#changing;
    if (first < 0) return { bytes, start, end, steps: this.#everyStep, first: undefined, changing };
    let form: Form = { bytes, start, end, steps: 0 };
    const forms = [form];
    for (let step = this.steps.length - 1; step >= 0; step--) {
      const k = this.steps[step]!;
      if (k <= first) {
        // The steps below it leave the URL unchanged too.
        formIn(forms, { bytes: url, start: 0, end: url.length }).steps |= 2 ** (step + 1) - 1;
        break;
      }
      if (k <= this.#lastPlace) {
        const canonizer = this.#firstRules(step, k);
        this.#trace(canonizer, url);
        form = formIn(forms, canonizer.canonical);
      }
      form.steps |= 1 << step;
    }
    for (let at = 1; at < forms.length; at++) other(forms[at]!);
    return { ...forms[0]!, first: this.#applied[first], changing };
  }

  /** Finds the places of the first rule that changes the URL, and of the last of all in rank order; -1 if there is none. */
  #trace(canonizer: Canonizer, url: Uint8Array): Ending {
    this.#firstPlace = this.#lastPlace = -1;
    if (this.#changing.length > 0) this.#changing = [];
    return canonizer.trace(url, this.#watch);
  }

  #firstRules(step: number, k: number): Canonizer {
    return (this.#first[step] ??= createCanonizer(this.#applied.slice(0, k), this.#how));
  }
}

type Range = Pick<LadderForm, 'bytes' | 'start' | 'end'>;
type Form = Range & { steps: number };

/** The form with these bytes, which is added if it is new. */
function formIn(forms: Form[], range: Range): Form {
  for (const form of forms) if (areSame(form, range)) return form;
  const { bytes, start, end } = range;
  const form = { bytes, start, end, steps: 0 };
  forms.push(form);
  return form;
}

function areSame(a: Range, b: Range): boolean {
  return a.end - a.start === b.end - b.start && sameRange(a.bytes, a.start, b.bytes, b.start, a.end - a.start);
}
