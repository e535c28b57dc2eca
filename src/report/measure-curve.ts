// How many rules does it take? Distinct forms under the first k rules, for k from none to all, and the least k that
// reaches half of what all of them save.
//
//   k        0   1   2   3   …   all          of a URL, from the trace of all rules: its form is the same for each k
//   form     u   u   v   v   …   w            above the last rule that ever changed it (see page/measure/ladder)
//
// So a few traces give all forms of a URL, each with the range of steps where the URL has it. One external sort:
//
//   form | from | to     the steps of equal forms are joined, and count once
//
// The steps are all k if there are up to MOST_EXACT rules. With more rules, steps above EXACT are spaced by a constant
// ratio, as each step that changes a form needs its own canonizer; a count may then be too high by that ratio.
import { readBigEndian, RowWriter } from '../base/row.js';
import { Run } from '../base/run.js';
import { type SpillOptions, SpillSorter, type SpillStats } from '../base/spill.js';
import { type Canonizer, type CanonizerOptions, createCanonizer, type Watch } from '../canonize/canonizer.js';
import type { Rule } from '../rule/rule.js';
import { accepts } from '../rule/standing.js';
import { partEnd, putPart } from './sort-keys.js';

export interface CurveMeasures {
  /** Distinct forms with normalization alone, and with all rules. */
  readonly formsWithout: number;
  readonly formsWith: number;
  /**
   * For each share of the saving, the least number of rules, in rank order, that reaches it; null if there is no
   * saving.
   */
  readonly needed: readonly { readonly share: number; readonly rules: number | null }[];
}

const PERCENTS = [50, 80, 90, 100];
const MOST_EXACT = 128;
const EXACT = 64;
const COARSE = 32;

/** The values of k that are counted: 0 to `count`, or fewer of them. */
export function stepsOf(count: number): number[] {
  if (count <= MOST_EXACT) return Array.from({ length: count + 1 }, (_, k) => k);
  const above = Array.from({ length: COARSE }, (_, k) => Math.round(EXACT * (count / EXACT) ** ((k + 1) / COARSE)));
  return [...stepsOf(EXACT), ...new Set(above)];
}

/** Call `add` for each URL, then `finish`. */
export class CurveMeter {
  readonly #steps: readonly number[];
  readonly #applied: readonly Rule[];
  readonly #how: CanonizerOptions;
  readonly #place: ReadonlyMap<Rule, number>;
  /** Canonizers by step, made when they are needed. */
  readonly #canonizers: (Canonizer | undefined)[] = [];
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();
  #first = -1;
  #last = -1;
  readonly #watch: Watch = (_round, rule) => {
    if (rule === undefined) return;
    const place = this.#place.get(rule)!;
    if (this.#first < 0) this.#first = place;
    if (place > this.#last) this.#last = place;
  };

  constructor(rules: readonly Rule[], how: CanonizerOptions, room: SpillOptions, stats: SpillStats) {
    this.#applied = rules.filter((rule) => accepts(rule, how.accept)).sort((a, b) => a.rank - b.rank);
    this.#how = how;
    this.#steps = stepsOf(this.#applied.length);
    this.#place = new Map(this.#applied.map((rule, place) => [rule, place]));
    this.#sorter = new SpillSorter(room, stats);
  }

  /** Adds a distinct URL of the list. */
  add(url: Uint8Array): void {
    for (let to = this.#steps.length; to > 0;) {
      const canonizer = this.#firstRules(to - 1);
      [this.#first, this.#last] = [-1, -1];
      canonizer.trace(url, this.#watch);
      // The first k rules lack the last rule that changed the URL if k is at most that rule's index.
      const least = this.#last < 0 ? 0 : this.#steps.findLastIndex((k) => k <= this.#last) + 1;
      const { bytes, start, end } = canonizer.canonical;
      const row = this.#row
        .clear()
        .u32(end - start)
        .range(bytes, start, end)
        .bigEndian(least)
        .bigEndian(to);
      this.#sorter.add(row.bytes, 0, row.length, row.length);
      to = least;
      // With so few rules that none of them changes the URL, its form is the URL itself.
      if (to > 0 && this.#steps[to - 1]! <= this.#first) to = this.#addUnchanged(url, to);
    }
  }

  #addUnchanged(url: Uint8Array, to: number): 0 {
    const row = putPart(this.#row.clear(), this.#firstRules(0).canonize(url)).bigEndian(0).bigEndian(to);
    this.#sorter.add(row.bytes, 0, row.length, row.length);
    return 0;
  }

  #firstRules(step: number): Canonizer {
    return (this.#canonizers[step] ??= createCanonizer(this.#applied.slice(0, this.#steps[step]), this.#how));
  }

  finish(): CurveMeasures {
    const changes = new Int32Array(this.#steps.length + 1);
    const rows = this.#sorter.finish();
    const form = new Run();
    let covered = 0;
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const formEnd = partEnd(row, row.keyStart);
      if (form.isNew(row, row.keyStart, formEnd)) covered = 0;
      const from = Math.max(covered, readBigEndian(row.bytes, formEnd));
      const to = readBigEndian(row.bytes, formEnd + 4);
      if (to <= from) continue;
      changes[from]!++;
      changes[to]!--;
      covered = to;
    }
    rows.close();
    const forms: number[] = [];
    for (let step = 0, count = 0; step < this.#steps.length; step++) forms.push((count += changes[step]!));
    const [without, all] = [forms[0]!, forms.at(-1)!];
    const needed = PERCENTS.map((percent) => {
      const step = forms.findIndex((count) => 100 * (without - count) >= percent * (without - all));
      return { share: percent / 100, rules: without > all ? this.#steps[step]! : null };
    });
    return { formsWithout: without, formsWith: all, needed };
  }
}
