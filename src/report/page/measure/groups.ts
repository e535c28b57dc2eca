// Which URLs are one page by the rules, and what do their duplicates cost (SPEC 12, Table 4)? One external sort:
//
//   hash of a form : steps                     a form that is canonical under the first k rules only
//   hash of a form : steps | costs, fix, URL   a URL with this canonical form, and the fix that changes it first
//
// Rows of one form are adjacent: its URLs are a group. Forms are hashed (`hash`), as few are shown. `steps` is a bitmap of the numbers of rules under which the form
// occurs: bit j for the j-th step of a ladder. The bits of its rows are ORed, and the forms that have bit j are the
// distinct URLs that the first k rules leave: the whole curve is exact, from one sort.
import { byText, decodeText } from '../../../base/bytes.js';
import { readU32, type Row, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { TopK } from '../../../base/top-k.js';
import type { SiteOf } from '../../../table/url-list.js';
import { HASH_BYTES, hashOfRange, putHash } from '../../sort-keys.js';
import type { DuplicateGroup, DuplicateTotals, SiteRow } from '../model.js';
import {
  addCosts,
  COSTS,
  costsOf,
  emptyTotals,
  fixOf,
  LoneUrl,
  NO_FIX,
  type OpenGroup,
  putCosts,
  type Totals,
  urlStartOf,
} from './group.js';
import type { LadderForm } from './ladder.js';
import type { TemplateMeter } from './templates.js';
import type { VisitorMeter } from './visitors.js';
import type { Costs, VisitedUrl } from './visits.js';

export interface GroupOptions {
  readonly siteOf: SiteOf;
  canonize(url: Uint8Array): Uint8Array;
  /** Steps of the ladder: up to 31. */
  readonly steps: number;
  /** The number of fixes. */
  readonly fixes: number;
  /** Receives the URLs in groups, and which of them are names. */
  readonly visitors: VisitorMeter | undefined;
  /** Groups and sites that are listed individually. */
  readonly top: number;
}

export interface GroupFacts {
  readonly all: SiteRow;
  readonly sites: readonly SiteRow[];
  readonly otherSites?: SiteRow & { readonly count: number };
  readonly groups: readonly DuplicateGroup[];
  readonly otherGroups?: DuplicateTotals;
  /** Distinct forms at each step. */
  readonly formsAt: readonly number[];
  /** How long the server took for all hits, and for those on duplicates. */
  readonly micros: number;
  readonly duplicateMicros: number;
  /** For each fix, the duplicates that it retires. */
  readonly saved: readonly Readonly<Totals>[];
}

/** Build (`addUrl`, `addForm`), then read (`finish`). */
export class GroupMeter {
  readonly #options: GroupOptions;
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();
  readonly #all = emptySite();
  readonly #sites = new Map<string, SiteTotals>();
  readonly #formsAt: number[];
  readonly #groups: TopK<OpenGroup>;
  readonly #saved: Totals[];
  readonly #allGroups = { count: 0, duplicateHits: 0, duplicateBytes: 0, duplicateBotHits: 0 };

  constructor(options: GroupOptions, room: SpillRoom) {
    this.#options = options;
    this.#sorter = new SpillSorter(room, room.stats);
    this.#formsAt = Array.from({ length: options.steps }, () => 0);
    this.#saved = Array.from({ length: options.fixes }, emptyTotals);
    this.#groups = new TopK(options.top, (a, b) => duplicatesOf(b) - duplicatesOf(a) || this.#byForm(a, b));
  }

  /** A distinct URL of the log, its canonical form, and the number of the fix that changes it first, or NO_FIX. */
  addUrl(visited: VisitedUrl, form: LadderForm, fix: number): void {
    const { url, hash } = visited;
    const isItself = form.bytes === url && form.end - form.start === url.length;
    const row = isItself ? putHash(this.#row.clear(), hash).u32(form.steps) : this.#begin(form);
    putCosts(row, visited);
    row.u32(fix - NO_FIX).range(url, 0, url.length);
    this.#sorter.add(row.bytes, 0, row.length, HASH_BYTES);
  }

  /** Adds a form that a URL has at these steps, but not at the last. */
  addForm(form: LadderForm): void {
    const row = this.#begin(form);
    this.#sorter.add(row.bytes, 0, row.length, HASH_BYTES);
  }

  #begin({ bytes, start, end, steps }: LadderForm): RowWriter {
    return putHash(this.#row.clear(), hashOfRange(bytes, start, end)).u32(steps);
  }

  /** `templates` receives all URLs, and the names of groups. */
  finish(templates?: TemplateMeter): GroupFacts {
    const rows = this.#sorter.finish();
    const form = new Run();
    let steps = 0;
    const lone = new LoneUrl();
    const { visitors } = this.#options;
    let group: OpenGroup | undefined;
    const end = () => {
      for (let step = 0; step < this.#formsAt.length; step++) this.#formsAt[step]! += (steps >>> step) & 1;
      if (group !== undefined) {
        this.#close(group);
        templates?.addName(group.name.site, group.name.url, group.name);
      } else if (lone.isThere) {
        this.#countLone(lone);
        templates?.addLone(lone);
      }
      steps = 0;
      group = undefined;
      lone.isThere = false;
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (form.isNew(row, row.keyStart, row.keyEnd)) end();
      steps |= readU32(row.bytes, row.keyEnd);
      if (!hasUrl(row)) continue;
      const start = urlStartOf(row);
      const site = this.#options.siteOf(row.bytes, start, row.end);
      templates?.addUrl(site, row.bytes, start, row.end, costsOf(row));
      if (!lone.isThere) {
        lone.take(site, fixOf(row), row, start, row.end);
        continue;
      }
      if (group === undefined) {
        group = lone.group();
        visitors?.addDuplicate(lone.url, 0, lone.url.length);
      }
      group.add(site, fixOf(row), costsOf(row), row.bytes, start, row.end);
      visitors?.addDuplicate(row.bytes, start, row.end);
    }
    end();
    rows.close();
    return this.#facts();
  }

  #countLone(lone: LoneUrl): void {
    addLone(this.#all, lone);
    addLone(this.#siteTotals(lone.site), lone);
  }

  /** By their canonical forms, which are made for groups that are listed, or tie with these. */
  #byForm(a: OpenGroup, b: OpenGroup): number {
    return Buffer.compare(this.#formOf(a), this.#formOf(b));
  }

  #formOf(group: OpenGroup): Uint8Array {
    return (group.form ??= this.#options.canonize(group.name.url));
  }

  /** Counts a group in the totals and, part by part, for its sites: nearly always just one. */
  #close(group: OpenGroup): void {
    addTo(this.#all, group.total, group.name);
    for (const [site, part] of group.parts()) {
      addTo(this.#siteTotals(site), part.total, part.name);
    }
    for (const [fix, costs] of group.duplicatesByFix()) if (fix !== NO_FIX) addTotals(this.#saved[fix]!, costs);
    const { name, total } = group;
    this.#options.visitors?.addName(name.url, 0, name.url.length);
    this.#allGroups.count++;
    this.#allGroups.duplicateHits += total.hits - name.hits;
    this.#allGroups.duplicateBytes += total.bytes - name.bytes;
    this.#allGroups.duplicateBotHits += total.botHits - name.botHits;
    this.#groups.add(group);
  }

  #siteTotals(site: string): SiteTotals {
    let totals = this.#sites.get(site);
    if (totals === undefined) this.#sites.set(site, (totals = emptySite()));
    return totals;
  }

  #facts(): GroupFacts {
    const { top } = this.#options;
    const rows = Array.from(this.#sites, ([site, totals]) => siteRow(site, totals)).sort(
      (a, b) => b.duplicateHits - a.duplicateHits || b.hits - a.hits || byText(a.site, b.site),
    );
    const groups = this.#groups.finish().map((group) => groupRow(group, this.#formOf(group)));
    const [sites, rest] = [rows.slice(0, top), rows.slice(top)];
    const otherSites = rest.length === 0 ? {} : { otherSites: { ...sumOf(rest), count: rest.length } };
    const otherGroups =
      this.#allGroups.count === groups.length ? {} : { otherGroups: without(this.#allGroups, groups) };
    return {
      all: siteRow('', this.#all),
      sites,
      ...otherSites,
      groups,
      ...otherGroups,
      formsAt: this.#formsAt,
      micros: this.#all.micros,
      duplicateMicros: this.#all.duplicates.micros,
      saved: this.#saved,
    };
  }
}

/** False for a form without its URL. */
function hasUrl(row: Row): boolean {
  return row.end > row.keyEnd + 4;
}

type SiteTotals = Totals & { forms: number; duplicates: Totals };

function emptySite(): SiteTotals {
  return { ...emptyTotals(), forms: 0, duplicates: emptyTotals() };
}

function addTotals(sum: Totals, more: Readonly<Totals>): void {
  sum.urls += more.urls;
  for (const cost of COSTS) sum[cost] += more[cost];
}

function addLone(site: SiteTotals, costs: Costs): void {
  site.forms++;
  addCosts(site, costs);
}

/** Adds a group named by `name`: the others are duplicates. */
function addTo(site: SiteTotals, group: Readonly<Totals>, name: Costs): void {
  site.forms++;
  site.urls += group.urls;
  site.duplicates.urls += group.urls - 1;
  for (const cost of COSTS) {
    site[cost] += group[cost];
    site.duplicates[cost] += group[cost] - name[cost];
  }
}

function duplicatesOf({ total, name }: OpenGroup): number {
  return total.hits - name.hits;
}

function groupRow({ total, name, members }: OpenGroup, form: Uint8Array): DuplicateGroup {
  return {
    site: name.site,
    canonical: decodeText(form),
    urls: total.urls,
    hits: total.hits,
    duplicateHits: total.hits - name.hits,
    duplicateBytes: total.bytes - name.bytes,
    duplicateBotHits: total.botHits - name.botHits,
    members: members.map(({ url, hits }) => ({ url: decodeText(url), hits })),
  };
}

function siteRow(site: string, { urls, forms, hits, bytes, botHits, duplicates }: SiteTotals): SiteRow {
  return {
    site,
    urlsBefore: urls,
    urlsAfter: forms,
    hits,
    duplicateHits: duplicates.hits,
    bytes,
    duplicateBytes: duplicates.bytes,
    botHits,
    duplicateBotHits: duplicates.botHits,
  };
}

function sumOf(rows: readonly SiteRow[]): SiteRow {
  const sum: { -readonly [Key in keyof SiteRow]: SiteRow[Key] } = siteRow('', emptySite());
  for (const { site: _, ...counts } of rows) {
    for (const [key, count] of Object.entries(counts) as [Exclude<keyof SiteRow, 'site'>, number][]) sum[key] += count;
  }
  return sum;
}

function without(all: DuplicateTotals, listed: readonly DuplicateGroup[]): DuplicateTotals {
  const rest: { -readonly [Key in keyof DuplicateTotals]: number } = { ...all, count: all.count - listed.length };
  for (const group of listed) {
    rest.duplicateHits -= group.duplicateHits;
    rest.duplicateBytes -= group.duplicateBytes;
    rest.duplicateBotHits -= group.duplicateBotHits;
  }
  return rest;
}
