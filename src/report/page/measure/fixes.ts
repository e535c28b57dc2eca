// What should be done on the site? The rules in use, grouped into fixes:
//
//   utm_source=… → ε   utm_medium=… → ε       campaign parameters are dropped together
//   PHPSESSID=… → ε                           and session parameters
//   /a/index.html → /a/  /b/index.html → /b/  a substring that is replaced in several places
//
// Fixes are joined if one creates work for another (`fix-links`), and the effect of each is counted by its own rules
// (`fix-savings`). A likely rule is not proposed if it redirects far more URLs than it merges: most of these are the
// only address of their page, so the site probably uses the addresses that the rule takes for duplicates.
import { decodeText, encodeText } from '../../../base/bytes.js';
import { isDocumentUrl } from '../../../log/filters.js';
import type { ParameterRule, Rule } from '../../../rule/rule.js';
import { accepts } from '../../../rule/standing.js';
import { droppedWords, ruleWords } from '../../../rule/words/sentence.js';
import { knownKindOf } from '../../../url/names.js';
import { ideaOf } from '../../families.js';
import { msOf } from '../../sort-keys.js';
import type { Fix, FixLines, FixTotals, UnproposedFix } from '../model.js';
import type { FixRules, FixSaving } from './fix-savings.js';
import type { Totals } from './group.js';
import type { Saving } from './savings.js';

/** The lines that make software apply some rules; `name` is unique on the page, as `fix1`. */
export type LinesOf = (rules: readonly Rule[], name: string) => readonly FixLines[];

/** The most fixes that a report proposes. */
const MOST_FIXES = 5;
const MOST_EXAMPLES = 3;
/** A rule that changes more than 20 URLs is proposed only if it saves at least a tenth as many. */
const FEW_URLS = 20;
const OUT_OF_PROPORTION = 10;

/** In the order of their first rules. */
export function fixesOf(rules: readonly Rule[]): FixRules[] {
  const fixes = new Map<string, Rule[]>();
  for (const rule of rules) {
    const key = keyOf(rule);
    const known = fixes.get(key);
    if (known === undefined) fixes.set(key, [rule]);
    else known.push(rule);
  }
  return Array.from(fixes.values(), (some) => ({ rules: some }));
}

function keyOf(rule: Rule): string {
  const kind = rule.kind === 'parameter' && rule.action === 'remove' ? knownKindOf(rule.name) : undefined;
  return kind === undefined ? ideaOf(rule) : JSON.stringify([rule.site, kind]);
}

type Canonize = (url: Uint8Array) => Uint8Array;

/** The effects of fixes. */
interface FixMeasures {
  readonly joined: ReadonlyMap<number, readonly number[]>;
  /** For each fix before joining: the duplicates that its rules are the first to change. */
  readonly first: readonly Readonly<Totals>[];
  /** `fixes[0]` is the union of all fixes. `places` maps each original fix to the joined fix that contains it. */
  savingsOf(fixes: readonly FixRules[], places: ReadonlyMap<number, number>): readonly FixSaving[];
  /** Canonizes URLs by these rules alone. */
  canonizeBy(rules: readonly Rule[]): Canonize;
  /** What a rule would save if it were the only one. */
  savingOf(rule: Rule): Saving | undefined;
}

interface FixFacts {
  readonly fixes: readonly Fix[];
  /** The totals of all fixes together; absent if there is none. */
  readonly fixed?: FixTotals;
  readonly unproposed: readonly UnproposedFix[];
}

/** The fixes that retire the most hits, documents first, with instructions. */
export function rankedFixes(
  fixes: readonly FixRules[],
  measures: FixMeasures,
  { linesOf, hasDurations }: { readonly linesOf: LinesOf; readonly hasDurations: boolean },
): FixFacts {
  const judged = fixes.map((fix) => unproposedOf(fix, measures));
  const unproposed = judged.filter((one) => one !== undefined);
  const isProposed = (number: number) => judged[number] === undefined;
  const likeliest = candidatesOf(fixes, measures, isProposed);
  const canonize = measures.canonizeBy(inRankOrder(fixes.flatMap(({ rules }, at) => (isProposed(at) ? rules : []))));
  if (likeliest.length === 0) return { fixes: [], unproposed };
  const all = inRankOrder(likeliest.flatMap(({ rules }) => rules));
  const places = new Map(likeliest.flatMap(({ numbers }, at) => numbers.map((fix) => [fix, at + 1] as const)));
  const [together, ...each] = measures.savingsOf([{ rules: all }, ...likeliest], places);
  const ranked = likeliest
    .map((fix, at) => ({ ...fix, ...each[at]! }))
    .toSorted((a, b) => byWorth({ ...a, ...a.saved }, { ...b, ...b.saved }));
  return {
    fixes: ranked.map(({ rules, parts, titles: [title, ...others], saved, redirected, isOfDocuments }, at) => ({
      title: title!,
      parts: others,
      site: rules[0]!.site,
      rules: rules.map(({ rank }) => rank),
      isProven: rules.every((rule) => accepts(rule, 'valid')),
      ...(rules.some(isOfCampaign) && { dropsCampaigns: true }),
      confidence: rules.reduce((least, { confidence }) => Math.min(least, confidence), Infinity),
      ...totalsOf({ saved, redirected }, hasDurations),
      examples: examplesOf(parts, canonize),
      isOfDocuments,
      lines: linesOf(rules, `fix${at + 1}`),
    })),
    fixed: totalsOf(together!, hasDurations),
    unproposed,
  };
}

/** The harm of a fix that would redirect many pages from their only address; undefined if it may be proposed. */
function unproposedOf({ rules }: FixRules, measures: FixMeasures): UnproposedFix | undefined {
  if (rules.every((rule) => !isReplacement(rule)) || rules.some((rule) => accepts(rule, 'valid'))) return undefined;
  const savings = rules.map((rule) => measures.savingOf(rule) ?? { touched: 0, saved: 0 });
  const [most] = savings.toSorted((a, b) => b.touched - a.touched || b.saved - a.saved);
  const { touched, saved } = most!;
  if (touched <= FEW_URLS || touched <= OUT_OF_PROPORTION * saved) return undefined;
  return { title: titleOf(rules), site: rules[0]!.site, rules: rules.map(({ rank }) => rank), touched, saved };
}

/** True if the reversed rule would be determined too; text that is only removed could be inserted anywhere. */
function isReplacement(rule: Rule): boolean {
  return rule.kind === 'pattern' || (rule.kind === 'substring' && rule.to !== '');
}

function isOfCampaign(rule: Rule): boolean {
  return rule.kind === 'parameter' && rule.action === 'remove' && knownKindOf(rule.name) === 'campaign';
}

type FixParts = readonly (readonly Rule[])[];

type Candidate = FixRules &
  Pick<Totals, 'hits' | 'urls'> & {
    /** The titles of the fixes that were joined into it, the one that saves most first. */
    readonly titles: readonly string[];
    readonly parts: FixParts;
    readonly numbers: readonly number[];
    readonly isOfDocuments: boolean;
  };

/** Candidates by the counts made in passing; only for these are own effects counted. */
function candidatesOf(
  fixes: readonly FixRules[],
  { joined, first }: FixMeasures,
  isProposed: (fix: number) => boolean,
): Candidate[] {
  const sets = Array.from(joined.values(), (all) => all.filter(isProposed)).filter((some) => some.length > 0);
  return sets
    .map((some) => {
      const parts = some.toSorted((a, b) => first[b]!.hits - first[a]!.hits || a - b).map((fix) => fixes[fix]!.rules);
      const rules = inRankOrder(parts.flat());
      const sumOf = (cost: 'hits' | 'urls') => some.reduce((sum, fix) => sum + first[fix]![cost], 0);
      const titles = parts.map(titleOf);
      return {
        numbers: some,
        rules,
        parts,
        titles,
        hits: sumOf('hits'),
        urls: sumOf('urls'),
        isOfDocuments: areOfDocuments(rules),
      };
    })
    .filter(({ hits }) => hits > 0)
    .toSorted(byWorth)
    .slice(0, MOST_FIXES);
}

function inRankOrder(rules: readonly Rule[]): readonly Rule[] {
  return rules.toSorted((a, b) => a.rank - b.rank);
}

function byWorth(a: Candidate, b: Candidate): number {
  return (
    Number(b.isOfDocuments) - Number(a.isOfDocuments) ||
    b.hits - a.hits ||
    b.urls - a.urls ||
    a.rules[0]!.rank - b.rules[0]!.rank
  );
}

function totalsOf({ saved, redirected }: FixSaving, hasDurations: boolean): FixTotals {
  const { urls, hits, bytes, botHits, micros } = saved;
  return {
    urls,
    hits,
    bytes,
    botHits,
    ...(hasDurations && { ms: msOf(micros) }),
    redirected: { urls: redirected.urls, hits: redirected.hits, botHits: redirected.botHits },
  };
}

function areOfDocuments(rules: readonly Rule[]): boolean {
  const all = rules.flatMap((rule) => rule.examples);
  return all.length === 0 || all.some(([, form]) => isDocumentUrl(form));
}

/** Examples with their canonical forms: one of each part, then more. */
function examplesOf(parts: FixParts, canonize: Canonize): Fix['examples'] {
  const each = parts.map((rules) => examplesOfPart(rules, canonize));
  const rounds = Array.from({ length: MOST_EXAMPLES }, (_, round) =>
    each.flatMap((some) => some.slice(round, round + 1)),
  );
  return rounds.flat().slice(0, MOST_EXAMPLES);
}

/** First examples that need no other rule; among these, documents. */
function examplesOfPart(rules: readonly Rule[], canonize: Canonize): Fix['examples'] {
  return rules
    .flatMap((rule) => rule.examples)
    .map(([url, image]) => ({ url, image, form: decodeText(canonize(encodeText(url))) }))
    .filter(({ url, form }) => form !== url)
    .toSorted(
      (a, b) =>
        Number(b.form === b.image) - Number(a.form === a.image) ||
        Number(isDocumentUrl(b.form)) - Number(isDocumentUrl(a.form)),
    )
    .map(({ url, form }) => [url, form] as const);
}

const MOST_NAMES = 4;

/** The title: a sentence without its full stop. */
export function titleOf(rules: readonly Rule[]): string {
  const [rule] = rules as [Rule];
  const words =
    rule.kind === 'parameter' && rule.action === 'remove' && rules.length > 1
      ? droppedTogether(rules as readonly ParameterRule[])
      : ruleWords(rule) + otherPlaces(rules.length - 1);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function otherPlaces(others: number): string {
  return others === 0 ? '' : `, and the like in ${others} more ${others === 1 ? 'place' : 'places'}`;
}

function droppedTogether(rules: readonly ParameterRule[]): string {
  const names = [...new Set(rules.map(({ name }) => name))];
  const listed = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), '…'] : names;
  return droppedWords(listed, knownKindOf(names[0]!));
}
