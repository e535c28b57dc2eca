// Which side of a rule that the log is sure of is the name of its pages? That which the hits go by (canonize/name), on a
// sample of the URLs that such rules change, and their forms. A special case goes the way of its general rule, as it
// would undo that otherwise:
//
//   //www.x/ → //x/            turned: //x/ → //www.x/
//   //www.x/shop/ → //x/shop/  turned with it, unasked
//
// Without the site nothing is turned to what only adds text.
import { createCanonizer } from '../canonize/canonizer.js';
import { hitList, type CanonizerOf, type HitList } from '../canonize/name/census.js';
import { namesByHits } from '../canonize/name/choose.js';
import { decodeText } from '../base/bytes.js';
import { movesOrigin } from '../rule/prefer.js';
import { refines } from '../rule/refine.js';
import type { MineOptions, Rule } from '../rule/rule.js';
import { accepts } from '../rule/standing.js';
import { turnedRule } from '../rule/turn.js';
import { findRow } from '../table/find-row.js';
import { hasPage, type SiteUrls } from '../table/site-urls.js';
import { knownKindOf } from '../url/known-names.js';
import { uncollate } from '../url/token.js';
import { strideFor } from './evidence.js';

/** URLs that are looked at, and those of them whose names are compared. */
const LOOKED_AT = 16_000;
const MOST_CHANGED = 4000;

/** The rules in their order; those that the log is sure of by the side that its hits go by. `rules`: general ones first. */
export function namedByHits(urls: SiteUrls, rules: readonly Rule[], { prefer }: Pick<MineOptions, 'prefer'>): Rule[] {
  const sure = rules.filter((rule) => accepts(rule, 'confident'));
  const generalOf = generalRules(sure);
  // The list has one site.
  const general = sure.filter((rule) => !generalOf.has(rule)).map((rule, at) => ({ ...rule, site: '*', rank: at + 1 }));
  if (general.length === 0) return [...rules];
  const canonizerOf = canonizersFor(urls);
  const isFixed = (rule: Rule) => isOfVisit(rule) || (prefer !== undefined && movesOrigin(rule));
  const chosen = namesByHits(general, changedUrls(urls, general, canonizerOf), { canonizerOf, isFixed });
  const named = new Map<Rule, Rule>();
  for (const rule of sure) {
    const root = rootOf(rule, generalOf);
    if (root === rule) named.set(rule, { ...chosen[named.size]!, site: rule.site, rank: rule.rank });
  }
  for (const rule of sure) if (!named.has(rule)) named.set(rule, following(rule, rootOf(rule, generalOf), named));
  return rules.map((rule) => named.get(rule) ?? rule);
}

/** For each special case a rule that all its instances are of too. */
function generalRules(rules: readonly Rule[]): ReadonlyMap<Rule, Rule> {
  const generalOf = new Map<Rule, Rule>();
  const substrings = rules.filter((rule) => rule.kind === 'substring');
  for (const [at, rule] of substrings.entries()) {
    const general = substrings.slice(0, at).find((broad) => refines(rule, broad));
    if (general !== undefined) generalOf.set(rule, general);
  }
  return generalOf;
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

function canonizersFor(urls: SiteUrls): CanonizerOf {
  const urlForm = textAt(urls, 0).startsWith('/') ? 'path' : 'absolute';
  const options = { normalize: 'none', accept: 'likely', maxIterations: 10, urlForm, sitePolicy: 'all' } as const;
  return (rules) => createCanonizer(rules, options);
}

/** A sample of the URLs that the rules change, and their forms. */
function changedUrls(urls: SiteUrls, rules: readonly Rule[], canonizerOf: CanonizerOf): HitList {
  const canonizer = createCanonizerOf(rules, canonizerOf);
  const rows = new Set<number>();
  let [allUrls, allHits] = [0, 0];
  const stride = strideFor(urls.count);
  for (let row = 0; allUrls < Math.min(urls.count, LOOKED_AT) && rows.size < 2 * MOST_CHANGED; allUrls++) {
    const at = urls.at(row);
    if (hasPage(urls, row)) allHits += urls.hitsAt(at);
    const url = uncollate(urls.bytes, at, at + urls.lengthOf(row));
    const form = canonizer(url);
    if (form !== undefined) {
      rows.add(row);
      const other = findRow(urls, form);
      if (other >= 0) rows.add(other);
    }
    row = (row + stride) % urls.count;
  }
  const found = [...rows].sort((a, b) => a - b);
  const texts = found.map((row) => textAt(urls, row));
  const moved = texts.filter((_, at) => !hasPage(urls, found[at]!));
  return hitList(
    texts,
    found.map((row) => urls.hitsAt(urls.at(row))),
    moved,
    { allHits, allUrls },
  );
}

/** The form of a URL; undefined if it is its own. */
function createCanonizerOf(rules: readonly Rule[], canonizerOf: CanonizerOf) {
  const canonizer = canonizerOf(rules);
  return (url: Uint8Array): Uint8Array | undefined => {
    canonizer.trace(url);
    const { bytes, start, end, isChanged } = canonizer.canonical;
    return isChanged ? bytes.slice(start, end) : undefined;
  };
}

function textAt(urls: SiteUrls, row: number): string {
  const at = urls.at(row);
  return decodeText(uncollate(urls.bytes, at, at + urls.lengthOf(row)));
}
