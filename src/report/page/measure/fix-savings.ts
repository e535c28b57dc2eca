// What do the lines of a fix do on this log? Counted by what those lines make of each URL, as only they are copied: a
// server may express fewer rules than a fix has, and leaves some URLs alone. While the log is measured, the fixes to be
// shown are not known yet:
//
//   changed   hash of URL | 0 | costs, fixes, URL       URLs that fixes could change, and which (`bitsOf`)
//             hash of URL | n | costs, fixes, URL, next one that the server redirects; URL has n bytes, `next` is where to
//   forms     hash of URL  | 0     :       | costs      a URL that no rule changes
//             hash of URL  | 1     : fixes | costs      one of `changed`: the shown fixes that change it
//             hash of form | 2 | k :       | costs      the form of a URL of `changed`, by the k-th shown fix
//
// Afterwards the URLs of `changed` are given to each shown fix. Rows with one hash are the URLs that a fix merges: it
// saves the hits on all of them but the one with the most.
import { readU32, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { roomFor } from '../../../memory-plan.js';
import type { Rule } from '../../../rule/rule.js';
import { HASH_BYTES, hashOfRange, putHash } from '../../sort-keys.js';
import { addCosts, byHits, COSTS, costsOf, emptyTotals, putCosts, type Totals, urlStartOf } from './group.js';
import type { AnsweredUrl } from './answers.js';
import { mayBeBy } from './done.js';
import type { Costs, VisitedUrl } from './visits.js';

/** The rules of a fix, in rank order. */
export interface FixRules {
  readonly rules: readonly Rule[];
}

/** What the lines of a fix make of a URL; undefined if they leave it alone. */
export type FixForm = (url: Uint8Array) => Uint8Array | undefined;

export interface FixSaving {
  /** URLs that are redirected. */
  readonly redirected: Readonly<Totals>;
  /** Of the URLs that are merged, all but the one with the most hits. */
  readonly saved: Readonly<Totals>;
  /** Requests that the server redirects already. */
  readonly already: number;
  /** Of the URLs that are redirected, the one with the most hits; undefined if there is none. */
  readonly example: Example | undefined;
}

interface Example {
  readonly url: Uint8Array;
  readonly hits: number;
}

type Found = { redirected: Totals; saved: Totals; already: number; example: Example | undefined };

const [OWN, OWN_BY_SHOWN, FORM_BY_SHOWN] = [0, 1, 2] as const;

/** A bit for each fix; fixes may share a bit. */
export function bitsOf(fixes: Iterable<number>): number {
  let bits = 0;
  for (const fix of fixes) bits |= 1 << (fix & 31);
  return bits;
}

/** Build (`add`), then read (`finish`). */
export class FixSavings {
  readonly #changed: SpillSorter;
  readonly #forms: SpillSorter;
  readonly #row = new RowWriter();

  constructor(room: SpillRoom) {
    this.#changed = new SpillSorter(roomFor('report-fixes/changed', room), room.stats);
    this.#forms = new SpillSorter(roomFor('report-fixes/forms', room), room.stats);
  }

  /** Adds a distinct URL of the log, and the bits of the fixes that could change it (`bitsOf`). */
  add(visited: VisitedUrl, bits: number): void {
    const { url, hash } = visited;
    if (bits === 0) {
      this.#add(putHash(this.#row.clear(), hash).byte(OWN), 0, visited);
      return;
    }
    const row = putHash(this.#row.clear(), hash).u32(0);
    putCosts(row, visited);
    row.u32(bits).range(url, 0, url.length);
    this.#changed.add(row.bytes, 0, row.length, HASH_BYTES);
  }

  /** Adds a URL that the server redirects. */
  addRedirected({ url, redirected: hits, redirectedBots: botHits, next }: AnsweredUrl, bits: number): void {
    if (bits === 0) return;
    const row = putHash(this.#row.clear(), hashOfRange(url, 0, url.length)).u32(url.length);
    putCosts(row, { hits, bytes: 0, botHits, micros: 0 });
    row.u32(bits).range(url, 0, url.length).range(next, 0, next.length);
    this.#changed.add(row.bytes, 0, row.length, HASH_BYTES);
  }

  /** Adds a row with the key of `row`. */
  #add(row: RowWriter, fixes: number, costs: Costs): void {
    const keyLength = row.length;
    putCosts(row.u32(fixes), costs);
    this.#forms.add(row.bytes, 0, row.length, keyLength);
  }

  /**
   * What each shown fix does, in their order; `places` maps the fixes before they were joined to these. `forms[0]` is of
   * all of them together.
   */
  finish(forms: readonly FixForm[], places: ReadonlyMap<number, number>): FixSaving[] {
    const found = forms.map((): Found => ({
      redirected: emptyTotals(),
      saved: emptyTotals(),
      already: 0,
      example: undefined,
    }));
    this.#formChanged(forms, places, found);
    this.#joinForms(found);
    return found;
  }

  #formChanged(forms: readonly FixForm[], places: ReadonlyMap<number, number>, found: readonly Found[]): void {
    const bitsOfPlace = forms.map((_, place) =>
      bitsOf(Array.from(places.keys()).filter((fix) => place === 0 || places.get(fix) === place)),
    );
    const changedBy = (url: Uint8Array, bits: number) =>
      forms.flatMap((formOf, place) => {
        const form = (bits & bitsOfPlace[place]!) === 0 ? undefined : formOf(url);
        return form === undefined ? [] : [{ place, form }];
      });
    const rows = this.#changed.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const urlStart = urlStartOf(row);
      const bits = readU32(row.bytes, urlStart - 4);
      const costs = costsOf(row);
      const redirected = readU32(row.bytes, row.keyEnd);
      if (redirected === 0) {
        const url = row.bytes.slice(urlStart, row.end);
        this.#formOne(url, costs, changedBy(url, bits), found);
        continue;
      }
      const url = row.bytes.slice(urlStart, urlStart + redirected);
      const next = row.bytes.slice(urlStart + redirected, row.end);
      for (const { place } of changedBy(url, bits)) {
        if (mayBeBy((one) => forms[place]!(one) !== undefined, next)) found[place]!.already += costs.hits;
      }
    }
    rows.close();
  }

  #formOne(
    url: Uint8Array,
    costs: Costs,
    changed: readonly { readonly place: number; readonly form: Uint8Array }[],
    found: readonly Found[],
  ): void {
    let changing = 0;
    for (const { place, form } of changed) {
      changing |= 1 << place;
      const one = found[place]!;
      addCosts(one.redirected, costs);
      const { hits } = costs;
      if (one.example === undefined || byHits({ url, hits }, one.example) < 0) one.example = { url, hits };
      const key = putHash(this.#row.clear(), hashOfRange(form, 0, form.length));
      this.#add(key.byte(FORM_BY_SHOWN).byte(place), 0, costs);
    }
    const own = putHash(this.#row.clear(), hashOfRange(url, 0, url.length));
    this.#add(own.byte(OWN_BY_SHOWN), changing, costs);
  }

  #joinForms(found: readonly Found[]): void {
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
    const rows = this.#forms.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (hash.isNew(row, row.keyStart, row.keyStart + HASH_BYTES)) close();
      const costs = costsOf(row);
      if (row.bytes[row.keyStart + HASH_BYTES]! === FORM_BY_SHOWN) add(row.bytes[row.keyEnd - 1]!, costs);
      else {
        own = costs;
        changing = readU32(row.bytes, row.keyEnd);
      }
    }
    close();
    rows.close();
  }
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
