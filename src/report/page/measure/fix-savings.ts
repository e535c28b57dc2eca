// What do the lines of a fix do on this log? Counted by its own rules alone, as only these are copied, and by the rules
// of all fixes together. While the log is measured, the fixes to be shown are not known yet:
//
//   changed   hash of URL | costs, fixes, URL              URLs that several fixes could change, and which (`bitsOf`)
//   forms     hash of URL  | 0       :       | costs       a URL that no rule changes
//             hash of URL  | 1       : fix   | costs       one that the rules of one fix change, alone or with the others
//             hash of URL  | 2       : fixes | costs       one of `changed`: the shown fixes that change it
//             hash of form | 3 | fix :       | costs       the form of a URL of kind 1
//             hash of form | 4 | k   :       | costs       the form of a URL of `changed`, by the k-th shown fix
//
// Afterwards the few URLs of `changed` are canonized by the rules of each shown fix. Rows with one hash are the URLs
// that a fix merges: it saves the hits on all of them but the one with the most.
import { readU32, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { type CanonizerOptions, createCanonizer } from '../../../canonize/canonizer.js';
import { roomFor } from '../../../memory-plan.js';
import type { Rule } from '../../../rule/rule.js';
import { HASH_BYTES, hashOfRange, putHash } from '../../sort-keys.js';
import { addCosts, COSTS, costsOf, emptyTotals, putCosts, type Totals, urlStartOf } from './group.js';
import type { Costs, VisitedUrl } from './visits.js';

/** The rules of a fix, in rank order. */
export interface FixRules {
  readonly rules: readonly Rule[];
}

export interface FixSaving {
  /** URLs that are redirected. */
  readonly redirected: Readonly<Totals>;
  /** Of the URLs that are merged, all but the one with the most hits. */
  readonly saved: Readonly<Totals>;
}

const [OWN, OWN_BY_ONE, OWN_BY_SHOWN, FORM_BY_ONE, FORM_BY_SHOWN] = [0, 1, 2, 3, 4] as const;

/** The fixes that could change a URL: `only` if there is just one, and all as {@link bitsOf} gives them. */
export interface FixesOfUrl {
  readonly only: number | undefined;
  readonly bits: number;
}

/** A bit for each fix; fixes may share a bit. */
export function bitsOf(fixes: Iterable<number>): number {
  let bits = 0;
  for (const fix of fixes) bits |= 1 << (fix & 31);
  return bits;
}

/** The fixes that could change a URL, and its form. */
interface ChangedUrl extends FixesOfUrl {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Build (`add`), then read (`finish`). */
export class FixSavings {
  readonly #how: CanonizerOptions;
  readonly #changed: SpillSorter;
  readonly #forms: SpillSorter;
  readonly #row = new RowWriter();
  /** By fix: totals of the URLs that only this fix changes. */
  readonly #byOne: Totals[] = [];

  constructor(how: CanonizerOptions, room: SpillRoom) {
    this.#how = how;
    this.#changed = new SpillSorter(roomFor('report-fixes/changed', room), room.stats);
    this.#forms = new SpillSorter(roomFor('report-fixes/forms', room), room.stats);
  }

  /** Adds a distinct URL of the log, and its change if any rule matches. */
  add(visited: VisitedUrl, change: ChangedUrl | undefined): void {
    const { url, hash } = visited;
    if (change !== undefined && change.only === undefined) {
      const row = putHash(this.#row.clear(), hash).u32(0);
      putCosts(row, visited);
      row.u32(change.bits).range(url, 0, url.length);
      this.#changed.add(row.bytes, 0, row.length, HASH_BYTES);
      return;
    }
    const form = change === undefined ? hash : hashOfRange(change.bytes, change.start, change.end);
    // An unsettled URL stays.
    if (change?.only === undefined || (form.first === hash.first && form.second === hash.second)) {
      this.#add(putHash(this.#row.clear(), hash).byte(OWN), 0, visited);
      return;
    }
    addCosts((this.#byOne[change.only] ??= emptyTotals()), visited);
    this.#add(putHash(this.#row.clear(), hash).byte(OWN_BY_ONE), change.only, visited);
    this.#add(putHash(this.#row.clear(), form).byte(FORM_BY_ONE).u32(change.only), 0, visited);
  }

  #add(row: RowWriter, fixes: number, costs: Costs): void {
    const keyLength = row.length;
    putCosts(row.u32(fixes), costs);
    this.#forms.add(row.bytes, 0, row.length, keyLength);
  }

  /**
   * The savings of the fixes, in their order; the first is the union of all. `places` maps each original fix to the
   * joined fix that contains it.
   */
  finish(fixes: readonly FixRules[], places: ReadonlyMap<number, number>): FixSaving[] {
    const found = fixes.map(() => ({ redirected: emptyTotals(), saved: emptyTotals() }));
    for (const [fix, place] of places) {
      const sum = this.#byOne[fix];
      if (sum !== undefined) for (const at of [0, place]) addTotals(found[at]!.redirected, sum);
    }
    this.#canonizeChanged(fixes, places, found);
    this.#joinForms(found, places);
    return found;
  }

  #canonizeChanged(
    fixes: readonly FixRules[],
    places: ReadonlyMap<number, number>,
    found: readonly { readonly redirected: Totals }[],
  ): void {
    const canonizers = fixes.map(({ rules }, place) => ({
      canonizer: createCanonizer(rules, this.#how),
      bits: bitsOf(Array.from(places.keys()).filter((fix) => place === 0 || places.get(fix) === place)),
    }));
    const rows = this.#changed.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const url = row.bytes.slice(urlStartOf(row), row.end);
      const costs = costsOf(row);
      let changing = 0;
      const bits = readU32(row.bytes, urlStartOf(row) - 4);
      for (const [place, { canonizer, bits: its }] of canonizers.entries()) {
        if ((bits & its) === 0) continue;
        canonizer.trace(url);
        const { bytes, start, end, isChanged } = canonizer.canonical;
        if (!isChanged) continue;
        changing |= 1 << place;
        addCosts(found[place]!.redirected, costs);
        const form = putHash(this.#row.clear(), hashOfRange(bytes, start, end));
        this.#add(form.byte(FORM_BY_SHOWN).byte(place), 0, costs);
      }
      const own = putHash(this.#row.clear(), hashOfRange(url, 0, url.length));
      this.#add(own.byte(OWN_BY_SHOWN), changing, costs);
    }
    rows.close();
  }

  #joinForms(found: readonly { readonly saved: Totals }[], places: ReadonlyMap<number, number>): void {
    const hash = new Run();
    let own: Costs | undefined;
    /** A bit for each shown fix that changes the URL itself. */
    let changing = 0;
    const open = new Map<number, OneForm>();
    const close = () => {
      for (const [place, form] of open) form.addDuplicates(found[place]!.saved);
      open.clear();
      own = undefined;
    };
    const add = (place: number, costs: Costs) => {
      let form = open.get(place);
      if (form === undefined) {
        open.set(place, (form = new OneForm()));
        if (own !== undefined && ((changing >>> place) & 1) === 0) form.add(own);
      }
      form.add(costs);
    };
    const addByOne = (fix: number, costs: Costs) => {
      const place = places.get(fix);
      if (place !== undefined) for (const at of [0, place]) add(at, costs);
    };
    const rows = this.#forms.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (hash.isNew(row, row.keyStart, row.keyStart + HASH_BYTES)) close();
      const costs = costsOf(row);
      const kind = row.bytes[row.keyStart + HASH_BYTES]!;
      if (kind === FORM_BY_ONE) addByOne(readU32(row.bytes, row.keyEnd - 4), costs);
      else if (kind === FORM_BY_SHOWN) add(row.bytes[row.keyEnd - 1]!, costs);
      else {
        own = costs;
        changing = changingOf(kind, readU32(row.bytes, row.keyEnd), places);
      }
    }
    close();
    rows.close();
  }
}

function changingOf(kind: number, fixes: number, places: ReadonlyMap<number, number>): number {
  if (kind !== OWN_BY_ONE) return fixes;
  const place = places.get(fixes);
  return place === undefined ? 0 : 1 | (1 << place);
}

function addTotals(sum: Totals, more: Readonly<Totals>): void {
  sum.urls += more.urls;
  for (const cost of COSTS) sum[cost] += more[cost];
}

/** The URLs that a fix merges. */
class OneForm {
  readonly #total = emptyTotals();
  #most: Costs | undefined;

  add(costs: Costs): void {
    addCosts(this.#total, costs);
    if (this.#most === undefined || isMore(costs, this.#most)) this.#most = costs;
  }

  addDuplicates(sum: Totals): void {
    sum.urls += this.#total.urls - 1;
    for (const cost of COSTS) sum[cost] += this.#total[cost] - this.#most![cost];
  }
}

/** A total order: by hits, then by other costs, so that rows may come in any order. */
function isMore(a: Costs, b: Costs): boolean {
  const cost = COSTS.find((one) => a[one] !== b[one]);
  return cost !== undefined && a[cost] > b[cost];
}
