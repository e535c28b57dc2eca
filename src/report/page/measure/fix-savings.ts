// What do the lines of a fix do on this log? Counted by its own rules alone, as that is what is copied, and once more by
// the rules of all fixes together. While the log is measured, it is not known yet which fixes are shown:
//
//   changed   hash of URL | costs, URL                           URLs that any rule changes
//   forms     hash of URL | 0          : fixes that change it | costs    a row for each URL
//             hash of form | 1 | fix   :                      | costs    for each URL and fix that changes it
//
// Afterwards each of the first is canonized by the rules of each fix, and rows of one hash are the URLs that the fix makes
// one: it saves the hits on all of them but the one with the most.
import { readU32 } from '../../../base/row.js';
import { RowWriter } from '../../../base/row-writer.js';
import { Run } from '../../../base/run.js';
import { SpillSorter, type SpillRoom } from '../../../base/spill.js';
import { createCanonizer, type CanonizerOptions } from '../../../canonize/canonizer.js';
import { roomFor } from '../../../memory-plan.js';
import type { Rule } from '../../../rule/rule.js';
import { addCosts, COSTS, costsOf, emptyTotals, putCosts, urlStartOf, type Totals } from './group.js';
import { HASH_BYTES, hashOfRange, putHash, type UrlHash } from './hash.js';
import type { Costs, VisitedUrl } from './visits.js';

/** The rules of a fix, in rank order. */
export interface FixRules {
  readonly rules: readonly Rule[];
}

export interface FixSaving {
  /** URLs that are redirected. */
  readonly redirected: Readonly<Totals>;
  /** Of URLs that become one, all but the one with the most hits. */
  readonly saved: Readonly<Totals>;
}

const OWN = 0;
const FORM = 1;

/** Build (`add`), then read (`finish`). */
export class FixSavings {
  readonly #how: CanonizerOptions;
  readonly #changed: SpillSorter;
  readonly #forms: SpillSorter;
  readonly #row = new RowWriter();

  constructor(how: CanonizerOptions, room: SpillRoom) {
    this.#how = how;
    this.#changed = new SpillSorter(roomFor('report-fixes/changed', room), room.stats);
    this.#forms = new SpillSorter(roomFor('report-fixes/forms', room), room.stats);
  }

  /** A distinct URL of the log, and whether any rule changes it. */
  add(visited: VisitedUrl, { isChanged }: { readonly isChanged: boolean }): void {
    const { url, hash } = visited;
    if (!isChanged) {
      this.#addOwn(hash, 0, visited);
      return;
    }
    const row = putHash(this.#row.clear(), hash).u32(0);
    putCosts(row, visited);
    row.u32(0).range(url, 0, url.length);
    this.#changed.add(row.bytes, 0, row.length, HASH_BYTES);
  }

  #addOwn(hash: UrlHash, fixes: number, costs: Costs): void {
    this.#addForm(putHash(this.#row.clear(), hash).byte(OWN), fixes, costs);
  }

  #addForm(row: RowWriter, fixes: number, costs: Costs): void {
    const keyLength = row.length;
    putCosts(row.u32(fixes), costs);
    this.#forms.add(row.bytes, 0, row.length, keyLength);
  }

  /** For each of a few fixes, in their order. */
  finish(fixes: readonly FixRules[]): FixSaving[] {
    const found = fixes.map(() => ({ redirected: emptyTotals(), saved: emptyTotals() }));
    this.#canonizeChanged(fixes, found);
    this.#joinForms(found);
    return found;
  }

  #canonizeChanged(fixes: readonly FixRules[], found: readonly { readonly redirected: Totals }[]): void {
    const canonizers = fixes.map(({ rules }) => createCanonizer(rules, this.#how));
    const rows = this.#changed.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const url = row.bytes.slice(urlStartOf(row), row.end);
      const costs = costsOf(row);
      let changing = 0;
      for (const [fix, canonizer] of canonizers.entries()) {
        canonizer.trace(url);
        const { bytes, start, end, isChanged } = canonizer.canonical;
        if (!isChanged) continue;
        changing |= 1 << fix;
        addCosts(found[fix]!.redirected, costs);
        const form = putHash(this.#row.clear(), hashOfRange(bytes, start, end));
        this.#addForm(form.byte(FORM).byte(fix), 0, costs);
      }
      this.#addOwn(hashOfRange(url, 0, url.length), changing, costs);
    }
    rows.close();
  }

  #joinForms(found: readonly { readonly saved: Totals }[]): void {
    const hash = new Run();
    let own: Costs | undefined;
    let changing = 0;
    const open = new Map<number, OneForm>();
    const close = () => {
      for (const [fix, form] of open) form.addDuplicates(found[fix]!.saved);
      open.clear();
      own = undefined;
    };
    const rows = this.#forms.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (hash.isNew(row, row.keyStart, row.keyStart + HASH_BYTES)) close();
      const costs = costsOf(row);
      if (row.bytes[row.keyStart + HASH_BYTES] === OWN) {
        own = costs;
        changing = readU32(row.bytes, row.keyEnd);
        continue;
      }
      const fix = row.bytes[row.keyEnd - 1]!;
      let form = open.get(fix);
      if (form === undefined) {
        open.set(fix, (form = new OneForm()));
        if (own !== undefined && ((changing >>> fix) & 1) === 0) form.add(own);
      }
      form.add(costs);
    }
    close();
    rows.close();
  }
}

/** The URLs that a fix makes one. */
class OneForm {
  readonly #total = emptyTotals();
  #most: Costs | undefined;

  add(costs: Costs): void {
    addCosts(this.#total, costs);
    if (this.#most === undefined || costs.hits > this.#most.hits) this.#most = costs;
  }

  addDuplicates(sum: Totals): void {
    sum.urls += this.#total.urls - 1;
    for (const cost of COSTS) sum[cost] += this.#total[cost] - this.#most![cost];
  }
}
