// Chooses which side of a rule names the pages, for rules that the log is sure of: the side with more hits
// (canonize/name), on a sample of the URLs that such rules change and their forms. A special case is turned together
// with its general rule, as it would otherwise undo that:
//
//   //www.x/ → //x/            turned: //x/ → //www.x/
//   //www.x/shop/ → //x/shop/  turned with it, without a check
//
// Without asking the site, no rule is turned if it would only add text then.
import { createCanonizer, type Canonizer, type CanonizerOptions } from '../canonize/canonizer.js';
import { namesByHits } from '../canonize/name/choose.js';
import { SLASH } from '../base/ascii.js';
import { decodeText, encodeText } from '../base/bytes.js';
import { compileRule, imageOf, type CompiledRule } from '../rule/apply.js';
import { movesOrigin } from '../rule/prefer.js';
import { refinesPair } from '../rule/refine.js';
import type { MineOptions, Rule } from '../rule/rule.js';
import { accepts, isCandidate, isKey, isLeftOut, isNumericSeries } from '../rule/standing.js';
import { turnedRule } from '../rule/turn.js';
import { rawUrl } from '../table/raw-url.js';
import type { SiteUrls } from '../table/site-urls.js';
import { knownKindOf } from '../url/names.js';
import { ChangedUrls, UrlSample } from './changed-urls.js';
import { swapsOneWord } from './rank.js';

/** How many URLs to sample. */
const LOOKED_AT = 4000;
/** On smaller sites, of which there may be many, names are compared only if a turn can save something. */
const MANY = 1000;

/** What rules achieve by the log alone, and what fetching pages would add. */
export interface Prospects {
  /** The number of rules that the log is sure of, and of other likely rules that should hold, without special cases. */
  readonly sure: number;
  /** The number of special cases of the sure rules that write URLs. */
  readonly sureCases: number;
  readonly promising: number;
  /** How many fewer URLs the list has under the sure rules, and would have under both. */
  readonly sureUrls: number;
  readonly likelyUrls: number;
}

export interface Named {
  readonly rules: readonly Rule[];
  readonly prospects: Prospects;
}

/**
 * The rules in their order, the sure ones turned toward the side with more hits. In `rules`, a general rule comes
 * before its special cases.
 */
export function namedByHits(urls: SiteUrls, rules: readonly Rule[], { prefer }: Pick<MineOptions, 'prefer'>): Named {
  const sure = rules.filter((rule) => accepts(rule, 'confident'));
  const open = rules.filter((rule) => !sure.includes(rule) && isPromising(rule));
  const generalOf = generalRules([...sure, ...open]);
  const isGeneral = (rule: Rule) => !generalOf.has(rule);
  const canonizing = canonizingOf(urls);
  const canonizerOf = (some: readonly Rule[]) => createCanonizer(some, canonizing);
  const generals = withoutChains(sure.filter(isGeneral), canonizerOf);
  const others = withoutChains([...generals, ...open.filter(isGeneral)], canonizerOf).slice(generals.length);
  const sample = new UrlSample(urls, LOOKED_AT);
  const changedBy = (some: readonly Rule[]) =>
    new ChangedUrls(sample, some.length === 0 ? undefined : canonizerOf(ofAnySite(some)));
  const changed = changedBy(generals);
  const isFixed = (rule: Rule) =>
    isOfVisit(rule) || rule.word !== undefined || (prefer !== undefined && movesOrigin(rule));
  const isOpen = generals.some((rule) => !isFixed(rule)) && (urls.count >= MANY || changed.mayGain);
  const chosen = isOpen ? namesByHits(ofAnySite(generals), changed.list(), { canonizerOf, isFixed }) : generals;
  const named = new Map<Rule, Rule>(
    generals.map((rule, at) => [rule, { ...chosen[at]!, site: rule.site, rank: rule.rank }]),
  );
  const chains = sure.filter((rule) => isGeneral(rule) && !named.has(rule));
  if (chains.length > 0) {
    const inUse = canonizerOf(ofAnySite([...named.values()]));
    for (const rule of chains) named.set(rule, chained(rule, inUse));
  }
  for (const rule of sure) if (!named.has(rule)) named.set(rule, following(rule, rootOf(rule, generalOf), named));
  const all = others.length === 0 ? changed : changedBy([...generals, ...others]);
  const share = urls.count / Math.max(1, sample.rows.length);
  const prospects = {
    sure: generals.length,
    sureCases: sure.filter((rule) => !generals.includes(rule) && !isKey(named.get(rule)!)).length,
    promising: Math.round(others.reduce((sum, { confidence }) => sum + confidence, 0)),
    sureUrls: Math.round(share * changed.duplicates),
    likelyUrls: Math.round(share * all.duplicates),
  };
  return { rules: rules.map((rule) => named.get(rule) ?? rule), prospects };
}

/** Makes rules apply to any site, as the list has only one site. */
function ofAnySite(rules: readonly Rule[]): Rule[] {
  return rules.map((rule, at) => ({ ...rule, site: '*', rank: at + 1 }));
}

/**
 * True for a likely rule that pages would probably confirm. Of the rules for words without effect, only one counts for
 * all.
 */
function isPromising(rule: Rule): boolean {
  if (isCandidate(rule) || isLeftOut(rule) || isNumericSeries(rule)) return false;
  return rule.kind !== 'substring' || !swapsOneWord({ from: encodeText(rule.from), to: encodeText(rule.to) });
}

/** Maps each special case to a rule that covers all its instances. */
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

/** Removes rules that do the same as two others, one after the other: `//www.x/old/` → `//x/new/`. */
function withoutChains(rules: readonly Rule[], canonizerOf: (rules: readonly Rule[]) => Few): Rule[] {
  const kept: Rule[] = [];
  const compiled: CompiledRule[] = [];
  let before: Few | undefined;
  const isTouched = (url: string) => {
    const bytes = encodeText(url);
    return compiled.some((other) => imageOf(other, bytes, 0) !== bytes);
  };
  const isChain = (rule: Rule) => {
    if (rule.kind !== 'substring' || !rule.examples.every((pair) => pair.some(isTouched))) return false;
    const others = (before ??= canonizerOf(ofAnySite(kept)));
    return rule.examples.every((pair) => isOne(pair, others));
  };
  for (const rule of rules) {
    if (isChain(rule)) continue;
    kept.push(rule);
    compiled.push(compileRule(rule));
    before = undefined;
  }
  return kept;
}

function isOne(pair: readonly [string, string], by: Few): boolean {
  const [form, other] = pair.map((url) => decodeText(by.canonize(encodeText(url))));
  return form === other;
}

/** Turns the rule into a key if the other rules make it superfluous: they already change some image of its examples. */
function chained(rule: Rule, inUse: Few): Rule {
  const isForm = (url: string) => decodeText(inUse.canonize(encodeText(url))) === url;
  return rule.examples.every(([, image]) => isForm(image)) ? rule : { ...rule, use: 'key' };
}

function rootOf(rule: Rule, generalOf: ReadonlyMap<Rule, Rule>): Rule {
  let root = rule;
  for (let next = generalOf.get(root); next !== undefined; next = generalOf.get(root)) root = next;
  return root;
}

/** A special case, turned like its general rule. Both were mined in the shrinking direction. */
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
  const urlForm = rawUrl(urls, 0)[0] === SLASH ? 'path' : 'absolute';
  return { normalize: 'none', accept: 'likely', maxIterations: 10, urlForm, sitePolicy: 'all' };
}
