// Finds parameters without meaning (SPEC 9). This is a phase apart from the pairs, as T excludes exactly the parameters
// with many values.
//
//   inventory          which parameters occur, and what do groups of URLs that differ in only one of them say?
//   parameter-scope    the site, a prefix or a path where enough groups are for it
//   companions         names that belong to these and never vary alone
//
// In memory are a few numbers for each parameter that occurs in `--param-min-urls` URLs, and the rules, at most 1,024
// per site.
import { decodeText } from '../base/bytes.js';
import { addTo } from '../base/group-by.js';
import { type RowReader, RowWriter } from '../base/row.js';
import { SpillSorter } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { compileParameter, editFields, isInScope, type FieldEdit } from '../rule/parameter.js';
import type { ParameterRule } from '../rule/rule.js';
import type { Level } from '../table/nearness.js';
import type { SiteUrls } from '../table/site-urls.js';
import { isOrderName, knownKindOf } from '../url/names.js';
import type { Room } from './engine.js';
import { companionsOf } from './companions.js';
import { type InventoryOptions, NO_LISTING, takeInventory } from './inventory.js';
import { countsAt, type NameTotals } from './parameter-chance.js';
import type { Listing } from './parameter-facts.js';
import { VALUE_KINDS } from './parameter-kinds.js';
import { rawUrl } from '../table/raw-url.js';
import type { Members } from './parameter-rows.js';
import { listScan } from './parameter-scan.js';
import { eachAccepted, type Accepted } from './parameter-scope.js';
import { likelinessOf } from './likeliness.js';
import { NO_EVIDENCE } from './evidence.js';
import { rankScore } from './rank.js';

export interface ParameterOptions extends InventoryOptions {
  /** True also emits parameters without any evidence, with support 0: for callers that will fetch. */
  readonly untested?: boolean;
  /** If true, names of campaigns without groups are emitted too. */
  readonly companions?: boolean;
}

/** A rule with the confidence of its groups; `mine/sureness` replaces it by that of the log. */
export type UnrankedParameterRule = Omit<ParameterRule, 'rank'>;

/** The most rules of one parameter for less than the site, and the most of one site. The best are kept. */
const MAX_NARROW = 64;
const MAX_RULES = 1024;
const EXAMPLES = 3;

/**
 * Calls `emit` for every parameter rule of a site, by name and path. Returns what a report lists, if `listed` says so.
 */
export function eachParameterRule(
  urls: SiteUrls,
  options: ParameterOptions,
  room: Room,
  emit: (rule: UnrankedParameterRule) => void,
): Listing {
  const inventory = takeInventory(urls, options, room);
  if (inventory === undefined) return NO_LISTING;
  const { members, totals, byPlace, listing } = inventory;
  const { names, places } = members;
  const { MS, untested = false } = options;
  const accepted = new SpillSorter(roomFor('parameters/accepted', room), room.stats);
  eachAccepted(byPlace.finish(), { MS, untested }, totals, places, (name, scope) =>
    writeAccepted(accepted, name, scope),
  );
  const rules = new BestRules();
  eachBroadest(accepted.finish(), (name, scope) => rules.add(ruleOf(urls, members, totals, options, name, scope)));
  const found = countUrls(urls, members, rules.finish());
  const companions = options.companions === true ? companionsOf(urls, names, found) : [];
  for (const rule of [...found, ...companions]) emit(rule);
  return listing;
}

/** The most sort orders of a list: its columns, ascending and descending. */
const MOST_ORDERS = 32;

const KINDS: readonly Accepted['scope'][] = ['site', 'prefix', 'path'];

/** Rows by name and path: a prefix comes before everything inside of it. */
function writeAccepted(sorter: SpillSorter, name: number, accepted: Accepted): void {
  const line = new RowWriter().bigEndian(name).raw(Buffer.from(accepted.path, 'latin1')).byte(0);
  const keyLength = line.byte(KINDS.indexOf(accepted.scope)).length;
  line.raw(Buffer.from(JSON.stringify(accepted), 'latin1'));
  sorter.add(line.bytes, 0, line.length, keyLength);
}

/** The outermost scopes of each parameter, at most 64. */
function eachBroadest(reader: RowReader, visit: (name: number, accepted: Accepted) => void): void {
  let broad: Accepted | undefined;
  let last = -1;
  let best: Accepted[] = [];
  const end = () => {
    keepBest(best, MAX_NARROW, (accepted) => accepted);
    for (const accepted of best) visit(last, accepted);
    best = [];
    broad = undefined;
  };
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    const name = Buffer.from(row.bytes.buffer, row.bytes.byteOffset + row.keyStart, 4).readUInt32BE();
    if (name !== last) end();
    last = name;
    const text = Buffer.from(row.bytes.buffer, row.bytes.byteOffset + row.keyEnd, row.end - row.keyEnd);
    const accepted = JSON.parse(text.toString('latin1')) as Accepted;
    if (broad !== undefined && accepted.path.startsWith(broad.path)) continue;
    if (accepted.scope !== 'path') broad = accepted;
    best.push(accepted);
    if (best.length > 2 * MAX_NARROW) keepBest(best, MAX_NARROW, (scope) => scope);
  }
  end();
  reader.close();
}

/** Keeps the top k by rank; ties as they come. The list stays in order. */
function keepBest<T>(list: T[], most: number, figures: (entry: T) => Pick<Accepted, 'for' | 'against'>): void {
  if (list.length <= most) return;
  const score = (entry: T) => rankScore(figures(entry).for, figures(entry).against, 0, 'confidence');
  const kept = new Set(list.toSorted((a, b) => score(b) - score(a)).slice(0, most));
  list.splice(0, list.length, ...list.filter((entry) => kept.has(entry)));
}

class BestRules {
  readonly #rules: UnrankedParameterRule[] = [];

  add(rule: UnrankedParameterRule): void {
    this.#rules.push(rule);
    if (this.#rules.length >= 2 * MAX_RULES) this.finish();
  }

  finish(): readonly UnrankedParameterRule[] {
    keepBest(this.#rules, MAX_RULES, ({ support, against }) => ({ for: support.groups, against }));
    return this.#rules;
  }
}

function ruleOf(
  urls: SiteUrls,
  { names, places, kinds }: Members,
  totals: NameTotals,
  { similarity, MS }: ParameterOptions,
  number: number,
  accepted: Accepted,
): UnrankedParameterRule {
  const { action, scope, against } = accepted;
  const path = decodeText(Buffer.from(accepted.path, 'latin1'));
  const { first, place } = accepted.value;
  const text = places.valueOf(first, place, number);
  const value = text.length === 0 ? null : decodeText(text, 1);
  const evidence = similarity ? { pairs: accepted.levels, chance: accepted.chanceLevels } : NO_EVIDENCE;
  const name = decodeText(names.name(number));
  const isKnown = knownKindOf(name) !== undefined;
  const saying = { name, action, value, scope, path };
  const isChoice = accepted.isChoice && hasFewValues(accepted, names.urls[number]!);
  const mayOrder = isOrderName(name) || (isChoice && !isKnown);
  const unvouched = action === 'set' ? 0 : unvouchedOf(kinds, totals, number, accepted.level, MS);
  // One page that changes between hundreds of sessions does not refute a known tracker.
  const members = similarity && !isKnown ? { members: { near: accepted.nearUrls, unvouched } } : {};
  return {
    site: urls.site,
    kind: 'parameter',
    ...saying,
    status: 'likely',
    support: { groups: accepted.for, urls: scope === 'site' ? names.urls[number]! : 0 },
    against,
    chance: rounded(accepted.chance),
    confidence: likelinessOf({ ...evidence, ...members, list: urls.count, mayOrder }, action),
    examples: examplesOf(urls, accepted, (url) => editFields(compileParameter(saying), url)),
  };
}

/** The number of URLs whose values of the parameter are of a kind that fewer than MS groups vouch for. */
function unvouchedOf(kinds: Uint32Array, totals: NameTotals, name: number, level: Level, MS: number): number {
  let urls = 0;
  for (let kind = 0; kind < VALUE_KINDS; kind++)
    if (countsAt(totals.ofKind(name, kind), level).for < MS) urls += kinds[VALUE_KINDS * name + kind]!;
  return urls;
}

/**
 * False if pages have on average more URLs by this parameter than a list has sort orders: so many values are no choice.
 */
function hasFewValues({ scope, for: yes, against }: Accepted, urls: number): boolean {
  return scope !== 'site' || urls <= MOST_ORDERS * (yes + against);
}

function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

/** Up to three URLs with their images, preferably images in the list. */
function examplesOf(
  urls: SiteUrls,
  { action, twins, candidates }: Accepted,
  image: (url: Uint8Array) => Uint8Array,
): (readonly [string, string])[] {
  const rows = candidates.flatMap(({ first, second }) => (action === 'set' && second >= 0 ? [second, first] : [first]));
  const inList = action === 'remove' ? twins.map(([row]) => row) : [];
  const examples = new Map<number, readonly [string, string]>();
  for (const row of [...inList, ...rows]) {
    const url = rawUrl(urls, row);
    const changed = image(url);
    if (changed !== url && examples.size < EXAMPLES) examples.set(row, [decodeText(url), decodeText(changed)]);
  }
  return [...examples.values()];
}

/**
 * The rules with the number of URLs in their scope that have the parameter. Makes another pass over the list if needed.
 */
function countUrls(
  urls: SiteUrls,
  { names, places }: Members,
  rules: readonly UnrankedParameterRule[],
): readonly UnrankedParameterRule[] {
  const byName = new Map<string, { readonly index: number; readonly edit: FieldEdit }[]>();
  const counts = rules.map(({ support }) => support.urls);
  for (const [index, rule] of rules.entries()) {
    if (rule.scope === 'site') continue;
    addTo(byName, rule.name, { index, edit: compileParameter(rule) });
  }
  if (byName.size === 0) return rules;
  const byNumber = Array.from({ length: names.count }, (_, name) => byName.get(decodeText(names.name(name))));
  const scan = listScan;
  for (let row = 0; row < urls.count; row++) {
    scan.read(urls, row);
    let url: Uint8Array | undefined;
    for (let k = 0; k < scan.count; k++) {
      const edits = byNumber[names.find(scan, k)];
      if (edits === undefined) continue;
      url ??= places.urlOf(row);
      for (const { index, edit } of edits) if (isInScope(edit, url)) counts[index]!++;
    }
  }
  return rules.map((rule, index) => ({ ...rule, support: { ...rule.support, urls: counts[index]! } }));
}
