// What do the first k rules make of a URL, for a ladder of k (Figure 6)?
//
//   k       1   2   5   10   20   50   …   all
//   form    u   u   u   v    v    w    …   w
//
// One trace answers most of it. Rules are tried in rank order: let the first one that changes the URL be the rule f,
// and the last of all that ever change it the rule l. Then k <= f rules (counted from 0) leave it unchanged, and k > l
// rules do the same as all, as those after l never match on the way. So the ladder is descended, and only the step
// below l is traced again, with an l of its own.
import { sameBytes } from '../../../base/bytes.js';
import { createCanonizer, type Canonizer, type CanonizerOptions, type Step } from '../../../canonize/canonizer.js';
import type { Rule } from '../../../rule/rule.js';
import { accepts } from '../../../rule/standing.js';

/** 1, 2, 5, 10, … below `count`, then `count` itself; nothing for 0. */
export function ladderOf(count: number): number[] {
  const ladder: number[] = [];
  for (let power = 1; power < count; power *= 10)
    ladder.push(...[power, 2 * power, 5 * power].filter((k) => k < count));
  return count === 0 ? [] : [...ladder, count];
}

/** `form` is `url` itself, the same object, if nothing changes. */
export type VisitForm = (form: Uint8Array, steps: number) => void;

/** The canonical form of a URL, its steps, and the rule that is the first to change it. */
export interface Walked {
  readonly form: Uint8Array;
  readonly steps: number;
  readonly first: Rule | undefined;
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

  /**
   * Calls `other` for each form that `url` has at some steps, but not at the last; returns the canonical one, with its
   * steps.
   */
  walk(url: Uint8Array, other: VisitForm): Walked {
    const { steps, ending, canonical } = this.#all.explain(url);
    if (ending === 'unsettled') this.unsettled++;
    const first = this.#firstPlace(steps);
    if (first < 0) return { form: canonical, steps: this.#everyStep, first: undefined };
    let [form, last] = [canonical, this.#lastPlace(steps)];
    const forms: { readonly form: Uint8Array; steps: number }[] = [{ form, steps: 0 }];
    for (let step = this.steps.length - 1; step >= 0; step--) {
      const k = this.steps[step]!;
      if (k <= first) form = url;
      else if (k <= last) {
        const trace = this.#firstRules(step, k).explain(url);
        form = trace.canonical;
        last = this.#lastPlace(trace.steps);
      }
      const known = forms.find((one) => one.form === form || sameBytes(one.form, form));
      if (known === undefined) forms.push({ form, steps: 1 << step });
      else known.steps |= 1 << step;
    }
    for (const { form, steps: at } of forms.slice(1)) other(form, at);
    return { ...forms[0]!, first: this.#applied[first] };
  }

  /** The place of the first rule in a trace; -1 if there is none. */
  #firstPlace(steps: readonly Step[]): number {
    for (const { rule } of steps) if (rule !== undefined) return this.#place.get(rule)!;
    return -1;
  }

  /** The highest place of a rule in a trace; -1 if there is none. */
  #lastPlace(steps: readonly Step[]): number {
    let last = -1;
    for (const { rule } of steps) if (rule !== undefined) last = Math.max(last, this.#place.get(rule)!);
    return last;
  }

  #firstRules(step: number, k: number): Canonizer {
    return (this.#first[step] ??= createCanonizer(this.#applied.slice(0, k), this.#how));
  }
}
