// Which candidates of a learner become its rules? The same judgement for all learners of the literature, so that they
// differ by what they propose. All papers have two thresholds, the fewest merges and the most false ones among them
// (minsupp and fpr_max of DUSTER, Algorithm 4); the greedy cover is the papers' removal of redundant rules.
//
// Candidates are taken by what each saves alone. One is kept if, after the rules before it, it still makes enough URLs
// one with a URL of their label, and few with one of another label. Rules are applied once, in this order, so that a
// rule and its reverse cannot chase each other: the second saves nothing.
import type { Labelled, Learned } from './learner.js';

export interface Candidate {
  readonly name: string;
  /** Null if the rule does not apply. */
  readonly apply: (form: string) => string | null;
}

export interface Limits {
  /** Fewest URLs that a rule has to merge rightly. */
  readonly leastMerged: number;
  /** Most false merges as a share of the right ones. */
  readonly mostFalse: number;
}

export const LIMITS: Limits = { leastMerged: 3, mostFalse: 0.01 };

/** `startOf` is what the learner's representation makes of a URL before any rule. */
export function chooseRules(
  pages: readonly Labelled[],
  candidates: readonly Candidate[],
  startOf: (url: string) => string,
  limits = LIMITS,
): Learned {
  const alone = new Forms(pages, startOf);
  const ranked = candidates
    .map((rule) => ({ rule, merged: alone.trial(rule).merged }))
    .filter(({ merged }) => merged >= limits.leastMerged)
    .sort((a, b) => b.merged - a.merged);
  const forms = new Forms(pages, startOf);
  const chosen = ranked
    .map(({ rule }) => rule)
    .filter((rule) => {
      const { merged, wrong, moves } = forms.trial(rule);
      const isKept = merged >= limits.leastMerged && wrong <= limits.mostFalse * merged;
      if (isKept) forms.move(moves);
      return isKept;
    });
  return {
    rules: chosen.map(({ name }) => name),
    formOf: (url) => chosen.reduce((form, { apply }) => apply(form) ?? form, startOf(url)),
  };
}

interface Trial {
  /** Right merges more than before, and URLs more whose form has another label for its commonest. */
  readonly merged: number;
  readonly wrong: number;
  readonly moves: ReadonlyMap<number, string>;
}

/** The forms of all pages, and how often each label has each form. */
class Forms {
  readonly #pages: readonly Labelled[];
  readonly #forms: string[];
  readonly #labels = new Map<string, Map<string, number>>();

  constructor(pages: readonly Labelled[], startOf: (url: string) => string) {
    this.#pages = pages;
    this.#forms = pages.map(({ url }) => startOf(url));
    for (const [at, form] of this.#forms.entries()) this.#add(form, pages[at]!.label, 1);
  }

  trial(rule: Candidate): Trial {
    const moves = new Map<number, string>();
    for (const [at, form] of this.#forms.entries()) {
      const image = rule.apply(form);
      if (image !== null && image !== form) moves.set(at, image);
    }
    const back = new Map(Array.from(moves.keys(), (at) => [at, this.#forms[at]!]));
    const touched = new Set([...moves.values(), ...back.values()]);
    const before = this.#countsOf(touched);
    this.move(moves);
    const after = this.#countsOf(touched);
    this.move(back);
    return { merged: before.pairs - after.pairs, wrong: after.wrong - before.wrong, moves };
  }

  move(moves: ReadonlyMap<number, string>): void {
    for (const [at, form] of moves) {
      const { label } = this.#pages[at]!;
      this.#add(this.#forms[at]!, label, -1);
      this.#add(form, label, 1);
      this.#forms[at] = form;
    }
  }

  #countsOf(forms: ReadonlySet<string>): { readonly pairs: number; readonly wrong: number } {
    let [pairs, wrong] = [0, 0];
    for (const form of forms) {
      const counts = [...(this.#labels.get(form) ?? new Map<string, number>()).values()];
      pairs += counts.length;
      wrong += counts.reduce((sum, count) => sum + count, 0) - Math.max(0, ...counts);
    }
    return { pairs, wrong };
  }

  #add(form: string, label: string, count: number): void {
    const counts = this.#labels.get(form) ?? new Map<string, number>();
    const total = (counts.get(label) ?? 0) + count;
    if (total === 0) counts.delete(label);
    else counts.set(label, total);
    this.#labels.set(form, counts);
  }
}
