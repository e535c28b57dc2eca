// What should be done on the site? The rules in use, grouped into fixes:
//
//   utm_source=… → ε   utm_medium=… → ε       campaign parameters are dropped together
//   PHPSESSID=… → ε                           and session parameters
//   /a/index.html → /a/  /b/index.html → /b/  a substring that is replaced in several places
//
// Fixes are joined if one creates work for another (`fix-links`). A fix has the rules that its lines express, and its
// effect is what those lines do (`fix-savings`). Without pages, only rules that a log can be sure of become fixes. A
// likely rule is not proposed if it redirects far more URLs than it merges: most of these are the
// only address of their page, so the site probably uses the addresses that the rule takes for duplicates.
import { decodeText, encodeText } from '../../../base/bytes.js';
import { groupBy } from '../../../base/group-by.js';
import { isDocumentUrl } from '../../../log/filters.js';
import { refinesOneWay } from '../../../rule/refine.js';
import type { ParameterRule, Rule, SubstringRule } from '../../../rule/rule.js';
import { accepts, isKey, isLeftOut, isToBeProved } from '../../../rule/standing.js';
import { droppedWords, ruleWords } from '../../../rule/words/sentence.js';
import { knownKindOf } from '../../../url/names.js';
import { ideaOf } from '../../families.js';
import { msOf } from '../../sort-keys.js';
import type { Fix, FixLines, FixTotals, UnprovenFix, UnproposedFix } from '../model.js';
import type { FixForm, FixRules, FixSaving } from './fix-savings.js';
import type { Totals } from './group.js';
import type { Saving } from './savings.js';

/** The lines that make software apply some rules; `name` is unique on the page, as `fix1`. */
export type LinesOf = (rules: readonly Rule[], name: string) => readonly FixLines[];

/** Which rules the lines of every web server express, and what these lines make of a URL. */
export interface Expressed {
  readonly rules: readonly Rule[];
  readonly formOf: (url: Uint8Array) => Uint8Array;
}

/** Undefined if no web server can express any of the rules. */
export type ExpressedBy = (rules: readonly Rule[]) => Expressed | undefined;

/** The most fixes that a report proposes. A bit of a number stands for each (`fix-savings`). */
const MOST_FIXES = 20;
const MOST_EXAMPLES = 3;
/** A rule that changes more than 20 URLs is proposed only if it saves at least a tenth as many. */
const FEW_URLS = 20;
const OUT_OF_PROPORTION = 10;

/** True for a rule that no fix is made of before pages prove it. */
export type IsUnsure = (rule: Rule) => boolean;

/** In the order of their first rules. */
export function fixesOf(rules: readonly Rule[], isUnsure: IsUnsure = isToBeProved): FixRules[] {
  return Array.from(groupBy(rules, (rule) => keyOf(rule, isUnsure)).values(), (some) => ({ rules: some }));
}

/** Rules that a log alone cannot be sure of are no part of a fix that it can be sure of. */
function keyOf(rule: Rule, isUnsure: IsUnsure): string {
  const kind = rule.kind === 'parameter' && rule.action === 'remove' ? knownKindOf(rule.name) : undefined;
  const idea = kind === undefined ? ideaOf(rule) : JSON.stringify([rule.site, kind]);
  return `${idea}${isUnsure(rule) ? ' unproven' : ''}`;
}

type Canonize = (url: Uint8Array) => Uint8Array;

/** The effects of fixes. */
interface FixMeasures {
  readonly joined: ReadonlyMap<number, readonly number[]>;
  /** For each fix before joining: the duplicates that its rules are the first to change. */
  readonly first: readonly Readonly<Totals>[];
  /** `forms[0]` is of all fixes together. `places` maps each original fix to the joined fix that contains it. */
  savingsOf(forms: readonly FixForm[], places: ReadonlyMap<number, number>): readonly FixSaving[];
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

interface FixOptions {
  readonly linesOf: LinesOf;
  readonly expressedBy?: ExpressedBy | undefined;
  readonly isUnsure?: IsUnsure;
  readonly hasDurations: boolean;
}

/** The fixes that retire the most hits, documents first, with instructions. */
export function rankedFixes(fixes: readonly FixRules[], measures: FixMeasures, options: FixOptions): FixFacts {
  const { isUnsure = isToBeProved } = options;
  const judged = fixes.map((fix) => unproposedOf(fix, measures));
  const unproposed = judged.filter((one) => one !== undefined);
  const isProposed = (number: number) => judged[number] === undefined && !fixes[number]!.rules.some(isUnsure);
  const chosen = candidatesOf(fixes, measures, isProposed).map((fix) => ({ ...fix, ...writtenBy(fix, options) }));
  if (chosen.length === 0) return { fixes: [], unproposed };
  const places = new Map(chosen.flatMap(({ numbers }, at) => numbers.map((fix) => [fix, at + 1] as const)));
  const canonize = measures.canonizeBy(inRankOrder(chosen.flatMap(({ rules }) => rules)));
  const forms = chosen.map(({ rules, formOf }) => formOfFix(formOf ?? measures.canonizeBy(rules)));
  const [together, ...each] = measures.savingsOf([formOfAll(forms, canonize), ...forms], places);
  const ranked = chosen
    .map((fix, at) => ({ ...fix, ...each[at]! }))
    .toSorted((a, b) => byWorth({ ...a, ...a.saved }, { ...b, ...b.saved }));
  return {
    fixes: ranked.map(({ rules, left, parts, formOf, saved, redirected, already, example, isOfDocuments }, at) => ({
      title: titleOf(parts[0]!),
      parts: parts.slice(1).map(titleOf),
      site: rules[0]!.site,
      rules: rules.map(({ rank }) => rank),
      ...(left > 0 && { left }),
      // A pin is the user's word, not that of pages.
      isProven: rules.every(({ status }) => status === 'valid'),
      ...(rules.some(isOfCampaign) && { dropsCampaigns: true }),
      confidence: rules.reduce((least, { confidence }) => Math.min(least, confidence), Infinity),
      ...totalsOf({ saved, redirected }, options.hasDurations),
      already,
      examples: examplesOf(parts, canonize, formOf, example?.url),
      isOfDocuments,
      lines: options.linesOf(rules, `fix${at + 1}`),
    })),
    fixed: totalsOf(together!, options.hasDurations),
    unproposed,
  };
}

/** The rules and parts of a fix that every server's lines express; all of them if no server expresses any. */
function writtenBy({ rules, parts }: FixRules & { readonly parts: FixParts }, { expressedBy }: FixOptions) {
  const broad = broadest(rules);
  const byBroad = expressedBy?.(broad);
  // A special case may be expressed where its general rule is not.
  const isWhole = expressedBy === undefined || byBroad?.rules.length === broad.length || broad.length === rules.length;
  const expressed = isWhole ? byBroad : expressedBy(rules);
  const kept = new Set(expressed === undefined ? broad : broadest(expressed.rules));
  const keptParts = parts.map((some) => some.filter((rule) => kept.has(rule))).filter((some) => some.length > 0);
  const left = broad.filter((rule) => !kept.has(rule)).length;
  return { rules: rules.filter((rule) => kept.has(rule)), parts: keptParts, left, formOf: expressed?.formOf };
}

/** The rules without those that say nothing which a broader one among them does not. */
export function broadest(rules: readonly Rule[]): readonly Rule[] {
  return rules.filter((rule) => !rules.some((other) => other !== rule && isBroader(other, rule)));
}

function isBroader(broad: Rule, fine: Rule): boolean {
  if (broad.site !== fine.site || isLimited(broad)) return false;
  if (broad.kind === 'parameter')
    return (
      fine.kind === 'parameter' && broad.scope === 'site' && saysOf(broad) === saysOf(fine) && isFiner(fine, broad)
    );
  if (broad.kind !== 'substring' || fine.kind !== 'substring') return false;
  return refinesOneWay(fine, broad) && (!refinesOneWay(broad, fine) || isFiner(fine, broad));
}

function isLimited({ only = [], not = [], except = [] }: Rule): boolean {
  return only.length + not.length + except.length > 0;
}

function saysOf({ name, action, value }: ParameterRule): string {
  return JSON.stringify([name, action, value]);
}

/** Of two rules that say the same in the same places, the later one. */
function isFiner(fine: ParameterRule | SubstringRule, broad: ParameterRule | SubstringRule): boolean {
  return isLimited(fine) || (fine.kind === 'parameter' && fine.scope !== 'site') || fine.rank > broad.rank;
}

function formOfFix(formOf: Canonize): FixForm {
  return (url) => {
    const form = formOf(url);
    return Buffer.compare(form, url) === 0 ? undefined : form;
  };
}

/** Where the redirects of all fixes lead, if one of them changes the URL. */
function formOfAll(forms: readonly FixForm[], canonize: Canonize): FixForm {
  const byRules = formOfFix(canonize);
  return (url) => (forms.some((formOf) => formOf(url) !== undefined) ? byRules(url) : undefined);
}

/** The harm of a fix that would redirect many pages from their only address; undefined if it may be proposed. */
function unproposedOf({ rules }: FixRules, measures: Pick<FixMeasures, 'savingOf'>): UnproposedFix | undefined {
  if (rules.every((rule) => !isReplacement(rule)) || rules.some((rule) => accepts(rule, 'valid'))) return undefined;
  const savings = rules.map((rule) => measures.savingOf(rule) ?? { touched: 0, saved: 0 });
  const [most] = savings.toSorted((a, b) => b.touched - a.touched || b.saved - a.saved);
  const { touched, saved } = most!;
  if (touched <= FEW_URLS || touched <= OUT_OF_PROPORTION * saved) return undefined;
  return { title: titleOf(rules), site: rules[0]!.site, rules: rules.map(({ rank }) => rank), touched, saved };
}

/** With a lower confidence, a likely rule is not worth naming to an owner. */
const WORTH_NAMING = 0.75;

/** Likely rules that only pages can prove, by what they would save; those that save little or nothing are left out. */
export function unprovenOf(
  rules: readonly Rule[],
  measures: Pick<FixMeasures, 'savingOf'>,
  isUnsure: IsUnsure = isToBeProved,
): UnprovenFix[] {
  const { savingOf } = measures;
  const open = rules.filter((rule) => isUnsure(rule) && !isKey(rule) && !isLeftOut(rule));
  const fixes = fixesOf(open.filter((rule) => rule.confidence >= WORTH_NAMING));
  return fixes
    .flatMap(({ rules: some }) => {
      const [most] = broadest(some).toSorted((a, b) => (savingOf(b)?.saved ?? 0) - (savingOf(a)?.saved ?? 0));
      const { touched, saved } = savingOf(most!) ?? { touched: 0, saved: 0 };
      const shown = { title: titleOf([most!]), site: most!.site, rules: some.map(({ rank }) => rank) };
      return saved === 0 || unproposedOf({ rules: some }, measures) !== undefined
        ? []
        : [{ ...shown, touched, saved, confidence: most!.confidence }];
    })
    .toSorted((a, b) => b.saved - a.saved || a.rules[0]! - b.rules[0]!);
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
    /** The rules of the fixes that were joined into it, those of the one that saves most first. */
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
      return {
        numbers: some,
        rules,
        parts,
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

function totalsOf({ saved, redirected }: Pick<FixSaving, 'saved' | 'redirected'>, hasDurations: boolean): FixTotals {
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

/**
 * Examples of the rules with their canonical forms: one of each part, then more. If the lines change none of them, the
 * URL of the log with the most hits that they do change, `commonest`.
 */
function examplesOf(
  parts: FixParts,
  canonize: Canonize,
  byLines: Canonize = canonize,
  commonest?: Uint8Array,
): Fix['examples'] {
  const isChanged = formOfFix(byLines);
  const each = parts.map((rules) =>
    examplesOfPart(rules, canonize).filter(([url]) => isChanged(encodeText(url)) !== undefined),
  );
  const rounds = Array.from({ length: MOST_EXAMPLES }, (_, round) =>
    each.flatMap((some) => some.slice(round, round + 1)),
  );
  const some = rounds.flat().slice(0, MOST_EXAMPLES);
  if (some.length > 0 || commonest === undefined) return some;
  return [[decodeText(commonest), decodeText(canonize(commonest))]];
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
  const areDropped = rules.length > 1 && rules.every((one) => one.kind === 'parameter' && one.action === 'remove');
  const words = areDropped
    ? droppedTogether(rules as readonly ParameterRule[])
    : ruleWords(rule) + otherPlaces(rules.length - 1);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function otherPlaces(others: number): string {
  return others === 0 ? '' : `, and the like in ${others} more ${others === 1 ? 'place' : 'places'}`;
}

/** One sentence for all names, unless a rule is about some of its pages or values only. */
function droppedTogether(rules: readonly ParameterRule[]): string {
  const names = [...new Set(rules.map(({ name }) => name))];
  if (names.length === 1) return ruleWords(rules[0]!) + otherPlaces(rules.length - 1);
  const listed = names.slice(0, MOST_NAMES);
  const isEverywhere = rules.every((rule) => rule.scope === 'site' && !isLimited(rule));
  return `${droppedWords(listed, knownKindOf(names[0]!), names.length - listed.length)}${isEverywhere ? '' : ', some of them on some pages only'}`;
}
