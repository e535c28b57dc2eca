// Which side of a rule that the log is sure of is the name of its pages? That which the hits go by (canonize/name), on a
// sample of the URLs that such rules change, and their forms. A special case goes the way of its general rule, as it
// would undo that otherwise:
//
//   //www.x/ → //x/            turned: //x/ → //www.x/
//   //www.x/shop/ → //x/shop/  turned with it, unasked
//
// Without the site nothing is turned to what only adds text.
import { createCanonizer, createSmallCanonizer, type Canonizer, type CanonizerOptions } from '../canonize/canonizer.js';
import { hitList, type CanonizerOf, type HitList } from '../canonize/name/census.js';
import { namesByHits } from '../canonize/name/choose.js';
import { SLASH } from '../base/ascii.js';
import { decodeText, encodeText } from '../base/bytes.js';
import { movesOrigin } from '../rule/prefer.js';
import { refinesPair } from '../rule/refine.js';
import type { MineOptions, Rule } from '../rule/rule.js';
import { accepts, isCandidate, isLeftOut, isNumericSeries } from '../rule/standing.js';
import { turnedRule } from '../rule/turn.js';
import { findRow } from '../table/find-row.js';
import { hasPage, type SiteUrls } from '../table/site-urls.js';
import { knownKindOf } from '../url/names.js';
import { uncollate } from '../url/token.js';
import { strideFor } from './evidence.js';
import { swapsOneWord } from './rank.js';

/** URLs that are looked at, and those of them whose names are compared. */
const LOOKED_AT = 4000;
const MOST_CHANGED = 2000;
/** Rules that need no index. */
const FEW = 12;
/** Of smaller sites, of which there may be many, names are not priced where no turn can save anything. */
const MANY = 1000;
/** A turn has to save this share of all hits (canonize/name/choose). */
const LEAST_GAIN = 0.005;

/** What the log alone may do, and what pages would add. Special cases are not counted. */
export interface Prospects {
  /** Rules that the log is sure of, and how many of the other likely ones should hold. */
  readonly sure: number;
  readonly promising: number;
  /** How many URLs fewer the list has under the sure ones, and would have under all of them. */
  readonly sureUrls: number;
  readonly likelyUrls: number;
}

export interface Named {
  readonly rules: readonly Rule[];
  readonly prospects: Prospects;
}

/**
 * The rules in their order; those that the log is sure of by the side that its hits go by. `rules`: of two of which one
 * is a special case, the general one first.
 */
export function namedByHits(urls: SiteUrls, rules: readonly Rule[], { prefer }: Pick<MineOptions, 'prefer'>): Named {
  const sure = rules.filter((rule) => accepts(rule, 'confident'));
  const open = rules.filter((rule) => !sure.includes(rule) && isPromising(rule));
  const generalOf = generalRules([...sure, ...open]);
  const isGeneral = (rule: Rule) => !generalOf.has(rule);
  const canonizing = canonizingOf(urls);
  const canonizerOf: CanonizerOf = (some) =>
    some.length <= FEW ? createSmallCanonizer(some, canonizing) : createCanonizer(some, canonizing);
  const fewOf = (some: readonly Rule[]) => createSmallCanonizer(some, canonizing);
  const generals = withoutChains(sure.filter(isGeneral), fewOf);
  const others = withoutChains([...generals, ...open.filter(isGeneral)], fewOf).slice(generals.length);
  const sample = sampleOf(urls);
  const changed = new ChangedUrls(urls, sample, ofAnySite(generals), canonizerOf);
  const isFixed = (rule: Rule) => isOfVisit(rule) || (prefer !== undefined && movesOrigin(rule));
  const isOpen = generals.some((rule) => !isFixed(rule)) && (urls.count >= MANY || changed.mayGain);
  const chosen = isOpen ? namesByHits(ofAnySite(generals), changed.list(), { canonizerOf, isFixed }) : generals;
  const named = new Map<Rule, Rule>(
    generals.map((rule, at) => [rule, { ...chosen[at]!, site: rule.site, rank: rule.rank }]),
  );
  const inUse = fewOf(ofAnySite([...named.values()]));
  for (const rule of sure.filter(isGeneral)) if (!named.has(rule)) named.set(rule, chained(rule, inUse));
  for (const rule of sure) if (!named.has(rule)) named.set(rule, following(rule, rootOf(rule, generalOf), named));
  const all =
    others.length === 0 ? changed : new ChangedUrls(urls, sample, ofAnySite([...generals, ...others]), canonizerOf);
  const share = urls.count / Math.max(1, sample.length);
  const prospects = {
    sure: generals.length,
    promising: Math.round(others.reduce((sum, { confidence }) => sum + confidence, 0)),
    sureUrls: Math.round(share * changed.duplicates),
    likelyUrls: Math.round(share * all.duplicates),
  };
  return { rules: rules.map((rule) => named.get(rule) ?? rule), prospects };
}

/** The list has one site. */
function ofAnySite(rules: readonly Rule[]): Rule[] {
  return rules.map((rule, at) => ({ ...rule, site: '*', rank: at + 1 }));
}

/** Likely rules that pages would probably confirm; of words that do not matter they would confirm one rule for all. */
function isPromising(rule: Rule): boolean {
  if (isCandidate(rule) || isLeftOut(rule) || isNumericSeries(rule)) return false;
  return rule.kind !== 'substring' || !swapsOneWord({ from: encodeText(rule.from), to: encodeText(rule.to) });
}

/** For each special case a rule that all its instances are of too. */
function generalRules(rules: readonly Rule[]): ReadonlyMap<Rule, Rule> {
  const generalOf = new Map<Rule, Rule>();
  const substrings = rules.filter((rule) => rule.kind === 'substring');
  const pairs = substrings.map(({ from, to, anchor }) => ({ from: encodeText(from), to: encodeText(to), anchor }));
  for (const [at, rule] of substrings.entries()) {
    const general = pairs.findIndex((broad, before) => before >= at || refinesPair(pairs[at]!, broad));
    if (general < at) generalOf.set(rule, substrings[general]!);
  }
  return generalOf;
}

type Few = Pick<Canonizer, 'canonize'>;

/** Without the rules that do what those before them do one after another: `//www.x/old/` → `//x/new/`. */
function withoutChains(rules: readonly Rule[], fewOf: (rules: readonly Rule[]) => Few): Rule[] {
  const kept: Rule[] = [];
  let before: Few | undefined;
  for (const rule of rules) {
    if (before !== undefined && rule.kind === 'substring' && rule.examples.every((pair) => isOne(pair, before!)))
      continue;
    kept.push(rule);
    before = fewOf(ofAnySite(kept));
  }
  return kept;
}

function isOne(pair: readonly [string, string], by: Few): boolean {
  const [form, other] = pair.map((url) => decodeText(by.canonize(encodeText(url))));
  return form === other;
}

/** A rule that the others make needless: only a key, unless it leads where they do. */
function chained(rule: Rule, inUse: Few): Rule {
  const isForm = (url: string) => decodeText(inUse.canonize(encodeText(url))) === url;
  return rule.examples.every(([, image]) => isForm(image)) ? rule : { ...rule, use: 'key' };
}

function rootOf(rule: Rule, generalOf: ReadonlyMap<Rule, Rule>): Rule {
  let root = rule;
  for (let next = generalOf.get(root); next !== undefined; next = generalOf.get(root)) root = next;
  return root;
}

/** A special case as its general rule is used now; both were written so that they shrink. */
function following(rule: Rule, root: Rule, named: ReadonlyMap<Rule, Rule>): Rule {
  const now = named.get(root)!;
  const isTurned = root.kind === 'substring' && now.kind === 'substring' && now.from !== root.from;
  const turned = isTurned ? (turnedRule(rule) ?? rule) : rule;
  return now.use === undefined ? turned : { ...turned, use: now.use };
}

function isOfVisit(rule: Rule): boolean {
  return rule.kind === 'parameter' && knownKindOf(rule.name) !== undefined;
}

function canonizingOf(urls: SiteUrls): CanonizerOptions {
  const urlForm = urlAt(urls, 0)[0] === SLASH ? 'path' : 'absolute';
  return { normalize: 'none', accept: 'likely', maxIterations: 10, urlForm, sitePolicy: 'all' };
}

/** Rows of a list. */
function sampleOf(urls: SiteUrls): Uint32Array {
  const stride = strideFor(urls.count);
  const rows = new Uint32Array(Math.min(urls.count, LOOKED_AT));
  for (let k = 1; k < rows.length; k++) rows[k] = (rows[k - 1]! + stride) % urls.count;
  return rows;
}

/** Which URLs of a sample do the rules change? */
class ChangedUrls {
  readonly #urls: SiteUrls;
  readonly #sample: Uint32Array;
  /** Changed URLs, and what they become, if the list has it. */
  readonly #rows: number[] = [];
  readonly #forms: number[] = [];
  /** Forms that the list lacks. */
  readonly #made = new Set<string>();

  constructor(urls: SiteUrls, sample: Uint32Array, rules: readonly Rule[], canonizerOf: CanonizerOf) {
    this.#urls = urls;
    this.#sample = sample;
    if (rules.length === 0) return;
    const formOf = formsBy(rules, canonizerOf);
    for (const row of sample) {
      const form = formOf(urlAt(urls, row));
      if (form === undefined) continue;
      const other = findRow(urls, form);
      this.#rows.push(row);
      this.#forms.push(other);
      if (other < 0) this.#made.add(decodeText(form));
    }
  }

  get count(): number {
    return this.#rows.length;
  }

  /** How many URLs fewer there are under the rules. */
  get duplicates(): number {
    return this.count - this.#made.size;
  }

  /** Whether fewer hits could be redirected with the same URLs made one: each form as that of its members with the most. */
  get mayGain(): boolean {
    const hitsOf = (row: number) => this.#urls.hitsAt(this.#urls.at(row));
    const most = new Map<number, number>();
    let [redirected, allHits] = [0, 0];
    for (const row of this.#sample) allHits += hitsOf(row);
    let least = 0;
    for (const [at, row] of this.#rows.entries()) {
      const form = this.#forms[at]!;
      const hits = hitsOf(row);
      redirected += hits;
      if (form >= 0) {
        const before = most.get(form) ?? hitsOf(form);
        most.set(form, Math.max(before, hits));
        least += Math.min(before, hits);
      }
    }
    return redirected - least >= LEAST_GAIN * allHits;
  }

  /** Some of them and their forms, with the hits of all. */
  list(): HitList {
    const urls = this.#urls;
    const some = this.#rows.slice(0, MOST_CHANGED);
    const forms = this.#forms.slice(0, MOST_CHANGED).filter((row) => row >= 0);
    const rows = [...new Set([...some, ...forms])].sort((a, b) => a - b);
    const texts = rows.map((row) => decodeText(urlAt(urls, row)));
    const moved = texts.filter((_, at) => !hasPage(urls, rows[at]!));
    const lines = rows.map((row) => urls.hitsAt(urls.at(row)));
    // As if the sample ended where some of its changed URLs do.
    const share = some.length / this.#rows.length;
    const pages = this.#sample.filter((row) => hasPage(urls, row));
    const allHits = share * pages.reduce((sum, row) => sum + urls.hitsAt(urls.at(row)), 0);
    return hitList(texts, lines, moved, { allHits, allUrls: share * this.#sample.length });
  }
}

/** The form of a URL; undefined if it is its own. */
function formsBy(rules: readonly Rule[], canonizerOf: CanonizerOf) {
  const canonizer = canonizerOf(rules);
  return (url: Uint8Array): Uint8Array | undefined => {
    canonizer.trace(url);
    const { bytes, start, end, isChanged } = canonizer.canonical;
    return isChanged ? bytes.slice(start, end) : undefined;
  };
}

function urlAt(urls: SiteUrls, row: number): Uint8Array {
  const at = urls.at(row);
  return uncollate(urls.bytes, at, at + urls.lengthOf(row));
}
