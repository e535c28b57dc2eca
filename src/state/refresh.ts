// Plans which pages to fetch tonight: documents with the greatest product of weight and days since their last visit. Parts
// of pages, such as fonts and pictures, and downloads get what documents leave of the budget.
//
//   URLs of the state → by form (sorted) → pages → documents first, by days since the last visit × weight (sorted)
//   → the first `budget`
//
// If each night fetches the first M, a page is fetched whenever days × weight reaches the same threshold. So its
// frequency is in proportion to its weight, rounded to whole nights, and the state needs to keep nothing but the
// visits. URLs with one canonical form are one page: their comparisons add up, the last visit to any of them counts,
// and the form is fetched, once.
import { readU32, RowWriter } from '../base/row.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';
import { isDocument } from '../log/filters.js';
import { emptyParts, splitUrl } from '../url/parse.js';
import { type Policy, RateClasses, weightOf } from './freshness.js';
import type { SeenUrl, VisitCounts } from './visits.js';

export interface RefreshOptions {
  /** Number of pages to fetch. */
  readonly budget: number;
  readonly policy: Policy;
  /** The planned night, in days since 1970. */
  readonly tonight: number;
  /**
   * The canonical form of the URL bytes[start, end), which is in collation bytes. Returns raw bytes, valid until the
   * next call.
   */
  readonly formOf: (bytes: Uint8Array, start: number, end: number) => Uint8Array;
  readonly room: SpillRoom;
}

/** A page that is due. */
export interface DuePage {
  /** Raw bytes, valid until the next page. */
  readonly form: Uint8Array;
  /** Days since the last visit. */
  readonly days: number;
  readonly counts: VisitCounts;
  /** The rate of change per day that the plan assumes. */
  readonly rate: number;
}

export interface RefreshPlan {
  readonly urls: number;
  /** Number of URLs without a size and sketch: it is unknown whether they are pages. */
  readonly unseen: number;
  readonly pages: number;
  /** Number of pages that are documents; the others come after them. */
  readonly documents: number;
  /** Number of pages that were already visited tonight. */
  readonly fresh: number;
  /** Comparisons of all visits. */
  readonly counts: VisitCounts;
  /** Changes per day of all pages together; undefined if no page was visited twice. */
  readonly rate: number | undefined;
  /** All documents by their planned rates; all pages if none is a document. */
  readonly classes: RateClasses;
  /** The pages to fetch tonight, most urgent first. Read it once. */
  readonly due: Iterable<DuePage>;
}

/** The rate of every page if no page was visited twice. */
const RATE_UNKNOWN = 1;

export function planRefresh(urls: Iterable<SeenUrl>, options: RefreshOptions): RefreshPlan {
  const { policy, tonight, room } = options;
  const half = { ...room, memoryBytes: room.memoryBytes / 2 };
  const byForm = new SpillSorter(half, room.stats);
  const all: Mutable = { comparisons: 0, changes: 0, daysCompared: 0, daysChanged: 0 };
  const row = new RowWriter();
  let [count, unseen] = [0, 0];
  for (const { bytes, urlStart, urlEnd, visits } of urls) {
    count++;
    if (visits.lastDay < 0) {
      unseen++;
      continue;
    }
    add(all, visits);
    const form = options.formOf(bytes, urlStart, urlEnd);
    row.clear().raw(form);
    putCounts(row, visits);
    row.u32(visits.lastDay);
    byForm.add(row.bytes, 0, row.length, form.length);
  }
  const rate = changeRate(all);
  const classes = { documents: new RateClasses(), others: new RateClasses() };
  const byUrgency = new SpillSorter(half, room.stats);
  let [pages, documents, fresh] = [0, 0, 0];
  for (const page of pagesOf(byForm)) {
    const planned = plannedRate(page.counts, rate ?? RATE_UNKNOWN);
    const isOther = !namesDocument(page.form);
    classes[isOther ? 'others' : 'documents'].add(planned);
    pages++;
    if (!isOther) documents++;
    const days = Math.max(0, tonight - page.lastDay);
    if (days === 0) {
      fresh++;
      continue;
    }
    row
      .clear()
      .byte(isOther ? 1 : 0)
      .descending(days * weightOf(planned, policy))
      .raw(page.form);
    const keyLength = row.length;
    putCounts(row, page.counts);
    row.u32(days);
    byUrgency.add(row.bytes, 0, row.length, keyLength);
  }
  const due = duePages(byUrgency, options.budget, rate ?? RATE_UNKNOWN);
  const planned = documents > 0 ? classes.documents : classes.others;
  return { urls: count, unseen, pages, documents, fresh, counts: all, rate, classes: planned, due };
}

function namesDocument(form: Uint8Array): boolean {
  const { pathStart, queryStart } = splitUrl(form, 0, form.length, emptyParts());
  return isDocument(form, pathStart, queryStart);
}

interface Page {
  readonly form: Uint8Array;
  readonly counts: Mutable;
  lastDay: number;
}

/** Groups URLs by form. */
function* pagesOf(sorter: SpillSorter): Generator<Page> {
  const rows = sorter.finish();
  let page: Page | undefined;
  for (let row = rows.next(); row !== undefined; row = rows.next()) {
    const { bytes, keyStart, keyEnd } = row;
    const counts = countsAt(bytes, keyEnd);
    const lastDay = readU32(bytes, keyEnd + COUNT_BYTES);
    const form = bytes.subarray(keyStart, keyEnd);
    if (page !== undefined && Buffer.compare(page.form, form) === 0) {
      add(page.counts, counts);
      page.lastDay = Math.max(page.lastDay, lastDay);
      continue;
    }
    if (page !== undefined) yield page;
    page = { form: form.slice(), counts, lastDay };
  }
  if (page !== undefined) yield page;
  rows.close();
}

function* duePages(sorter: SpillSorter, budget: number, ofAll: number): Generator<DuePage> {
  const rows = sorter.finish();
  for (let k = 0; k < budget; k++) {
    const row = rows.next();
    if (row === undefined) break;
    const { bytes, keyStart, keyEnd } = row;
    const counts = countsAt(bytes, keyEnd);
    const days = readU32(bytes, keyEnd + COUNT_BYTES);
    const form = bytes.subarray(keyStart + URGENCY_BYTES, keyEnd);
    yield { form, days, counts, rate: plannedRate(counts, ofAll) };
  }
  rows.close();
}

type Mutable = { -readonly [K in keyof VisitCounts]: number };

/** Bytes of `putCounts`, and of the kind and the urgency at the start of a key. */
const COUNT_BYTES = 16;
const URGENCY_BYTES = 1 + 8;

function putCounts(row: RowWriter, { comparisons, changes, daysCompared, daysChanged }: VisitCounts): void {
  row.u32(comparisons).u32(changes).u32(daysCompared).u32(daysChanged);
}

function countsAt(bytes: Uint8Array, at: number): Mutable {
  const [comparisons, changes] = [readU32(bytes, at), readU32(bytes, at + 4)];
  return { comparisons, changes, daysCompared: readU32(bytes, at + 8), daysChanged: readU32(bytes, at + 12) };
}

function add(sum: Mutable, more: VisitCounts): void {
  sum.comparisons += more.comparisons;
  sum.changes += more.changes;
  sum.daysCompared += more.daysCompared;
  sum.daysChanged += more.daysChanged;
}

// Estimates how often a page changes. Changes are taken for a Poisson process of rate λ a day: a page is unchanged
// after τ days with probability e^(−λτ). A visit shows whether the page has changed, not how often. With N comparisons
// at intervals of τ, X of which found a change, the estimator of Cho and Garcia-Molina (Estimating Frequency of Change,
// ACM TOIT 3(3), 2003) is
//
//   λτ = log((N + 0.5) / (N − X + 0.5))
//
// This is the maximum likelihood estimate −log(share unchanged), except for the halves, which remove most of its bias
// and allow X = N. Here the days between visits are irregular. Then the likelihood is greatest where Σ τ / (e^(λτ) − 1)
// over the changed intervals equals the sum U of the unchanged intervals. If each changed interval is replaced by their
// mean c, and C is their sum, that has a closed form, which needs only two sums:
//
//   λ = log((U + C + τ/2) / (U + τ/2)) / c        τ the mean interval
//
// which is the estimator above if all intervals are equal. `test/state/change-rate.test.ts` has its bias.

/** Changes per day; 0 if none was seen, undefined if no visits could be compared. */
export function changeRate({ comparisons, changes, daysCompared, daysChanged }: VisitCounts): number | undefined {
  if (comparisons === 0) return undefined;
  if (changes === 0) return 0;
  const half = daysCompared / comparisons / 2;
  return Math.log((daysCompared + half) / (daysCompared - daysChanged + half)) / (daysChanged / changes);
}

/**
 * The rate to plan by. A page without a seen change counts as if it had changed half a time after τ/2 days, or it would
 * never be visited again. A page visited once gets `ofAll`, the rate of all pages together.
 */
export function plannedRate(counts: VisitCounts, ofAll: number): number {
  const { comparisons, changes, daysCompared } = counts;
  if (comparisons === 0) return ofAll;
  if (changes > 0) return changeRate(counts)!;
  const interval = daysCompared / comparisons;
  return Math.log((comparisons + 0.5) / comparisons) / interval;
}
