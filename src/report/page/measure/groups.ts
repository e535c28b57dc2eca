// Which URLs are one page by the rules, and what does it cost that they are several (SPEC 12, Figure 6)? One external
// sort:
//
//   form | STEP                : steps               a form that is canonical under the first k rules only
//   form | SELF                : steps, costs, fix   a URL that is its own canonical form
//   form | MEMBER | URL        : steps, costs, fix   any other, and the fix that changes it first
//
// Rows of one form are adjacent: its URLs are a group. `steps` is a bitmap of the numbers of rules under which the form
// occurs: bit j for the j-th step of a ladder. The bits of its rows are ORed, and the forms that have bit j are the
// distinct URLs that the first k rules leave: the whole curve is exact, from one sort.
import { TopK } from '../../../base/top-k.js';
import { byText, decodeText } from '../../../base/bytes.js';
import { readU32 } from '../../../base/row.js';
import { SpillSorter, type SpillRoom } from '../../../base/spill.js';
import { RowWriter } from '../../../base/row-writer.js';
import type { SiteOf } from '../../../table/url-list.js';
import { partEnd, putPart, Run } from '../../measure-row.js';
import { COSTS, costsOf, emptyTotals, fixOf, LoneUrl, NO_FIX, putCosts, type OpenGroup, type Totals } from './group.js';
import type { VisitorMeter } from './visitors.js';
import type { Costs } from './visits.js';
import type { DuplicateGroup, DuplicateTotals, SiteRow } from '../model.js';

const STEP = 0;
const SELF = 1;
const MEMBER = 2;

export interface GroupOptions {
  readonly siteOf: SiteOf;
  /** Steps of the ladder: up to 31. */
  readonly steps: number;
  /** How many fixes the rules are. */
  readonly fixes: number;
  /** Is told which URLs are in groups, and which of them are names. */
  readonly visitors: VisitorMeter;
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
  /** For each fix, the duplicates that it retires. */
  readonly saved: readonly Readonly<Totals>[];
}

/** What the rules make of a URL. */
export interface UrlForm {
  /** The URL itself, the same object, if nothing changes. */
  readonly form: Uint8Array;
  readonly steps: number;
  /** The number of the fix that changes it first, or NO_FIX. */
  readonly fix: number;
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
    this.#groups = new TopK(options.top, byDuplicates);
  }

  /** A distinct URL of the log. */
  addUrl(url: Uint8Array, { form, steps, fix }: UrlForm, costs: Costs): void {
    const row = putPart(this.#row.clear(), form).byte(form === url ? SELF : MEMBER);
    if (form !== url) row.raw(url);
    const keyLength = row.length;
    putCosts(row.u32(steps), costs);
    row.u32(fix - NO_FIX);
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
  }

  /** A form that a URL has at these steps, and not at the last one. */
  addForm(form: Uint8Array, steps: number): void {
    const row = putPart(this.#row.clear(), form).byte(STEP);
    const keyLength = row.length;
    row.u32(steps);
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
  }

  finish(): GroupFacts {
    const rows = this.#sorter.finish();
    const form = new Run();
    let steps = 0;
    const lone = new LoneUrl();
    const { visitors } = this.#options;
    let group: OpenGroup | undefined;
    const end = () => {
      for (let step = 0; step < this.#formsAt.length; step++) this.#formsAt[step]! += (steps >>> step) & 1;
      if (group !== undefined) this.#close(group);
      else if (lone.isThere) this.#countLone(lone);
      steps = 0;
      group = undefined;
      lone.isThere = false;
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const formEnd = partEnd(row, row.keyStart);
      if (form.isNew(row, row.keyStart, formEnd)) end();
      steps |= readU32(row.bytes, row.keyEnd);
      const kind = row.bytes[formEnd];
      if (kind === STEP) continue;
      const start = kind === SELF ? row.keyStart + 4 : formEnd + 1;
      const stop = kind === SELF ? formEnd : row.keyEnd;
      const site = this.#options.siteOf(row.bytes, start, stop);
      if (!lone.isThere) {
        lone.take(site, fixOf(row), row, start, stop);
        continue;
      }
      if (group === undefined) {
        group = lone.group(form.bytes.subarray(4));
        visitors.addDuplicate(lone.url);
      }
      group.add(site, fixOf(row), costsOf(row), row.bytes, start, stop);
      visitors.addDuplicate(row.bytes.subarray(start, stop));
    }
    end();
    rows.close();
    return this.#facts();
  }

  #countLone(lone: LoneUrl): void {
    addLone(this.#all, lone);
    addLone(this.#siteTotals(lone.site), lone);
  }

  /** Counts a group for all, and its part for each site, which is nearly always the whole. */
  #close(group: OpenGroup): void {
    addTo(this.#all, group.total, group.name);
    for (const [site, part] of group.parts()) {
      addTo(this.#siteTotals(site), part.total, part.name);
    }
    for (const [fix, costs] of group.duplicatesByFix()) if (fix !== NO_FIX) addTotals(this.#saved[fix]!, costs);
    const { name, total } = group;
    this.#options.visitors.addName(name.url);
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
    const groups = this.#groups.finish().map(groupRow);
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
      saved: this.#saved,
    };
  }
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
  site.urls++;
  for (const cost of COSTS) site[cost] += costs[cost];
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

function byDuplicates(a: OpenGroup, b: OpenGroup): number {
  return b.total.hits - b.name.hits - (a.total.hits - a.name.hits) || Buffer.compare(a.form, b.form);
}

function groupRow(group: OpenGroup): DuplicateGroup {
  const { form, total, name, members } = group;
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
