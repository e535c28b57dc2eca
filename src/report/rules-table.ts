// The rules of a file as people read them: all rules in use, each in a sentence with an example; then the first likely
// rules; then how to see the rest.
//
//     id        hits  rule
//     9714rk03   169  Repeated slashes in the path become one on every page.
//                     /library//io → /library/io
import { agreeing, many } from '../base/amounts.js';
import { printable } from '../base/bytes.js';
import { groupBy } from '../base/group-by.js';
import { type Paint, PLAIN } from '../base/paint.js';
import { supportOf } from '../rule/diff.js';
import { idOf } from '../rule/id.js';
import { passedOn } from '../rule/passed-on.js';
import { isDoneBySite } from '../rule/redirecting.js';
import type { Rule, RuleList } from '../rule/rule.js';
import {
  accepts,
  calledOf,
  isCandidate,
  isKey,
  isAnsweringKey,
  isLeftOut,
  isPending,
  isPinned,
  isVetoed,
} from '../rule/standing.js';
import { exampleOf } from '../rule/words/example.js';
import { droppedWords, ruleSentence } from '../rule/words/sentence.js';
import { knownKindOf } from '../url/names.js';
import { masked } from '../url/secret.js';
import { familiesOf, type Family } from './families.js';
import { countWords, hitsWords, wordOf } from './render.js';
import { clusterWords, HeldCount, heldWords } from './rule-words.js';
import { type TextRow, textTable, wrapped } from './text-table.js';

interface RulesTableOptions {
  /** How many likely rules are listed. By default SOME if no rule is in use, otherwise none. */
  readonly top?: number | undefined;
  /** Width of the terminal; Infinity or undefined if there is none. */
  readonly width?: number;
  readonly paint?: Paint | undefined;
  /** True to show every rule, including refused ones with the reason. */
  readonly isWhole?: boolean;
  /** The file with all rules; undefined if it has no name to print. */
  readonly file?: string | undefined;
}

/** How many likely rules are shown if no rule is in use. */
const SOME = 10;

export function rulesTable(rules: RuleList, options: RulesTableOptions = {}): string {
  if (rules.length === 0) return 'No likely rules found.\n';
  const { isWhole = false } = options;
  const { used, open, others, sites, held } = sorted(rules);
  const limit = isWhole ? Infinity : (options.top ?? (used.length === 0 ? SOME : 0));
  const shape: Shape = { width: Infinity, ...options, withSite: sites > 1 };
  const keys = used.filter(isKey);
  const written = used.filter((rule) => !isKey(rule));
  const { first, others: lines, otherRules } = familiesOf(openOf(rules), limit);
  const sections = [
    ...writtenSections(written, { ...options, ...shape }),
    ...(keys.length === 0 ? [] : [titled(keysWords(keys), usedTable(keys, shape), shape)]),
    ...(first.length === 0 ? [] : [openTable(first, shape)]),
    ...(isWhole ? refusedTables(rules, shape) : []),
  ];
  const left = { open, lines, otherRules, others, shown: first.length, isBesides: used.length > 0 };
  const rest = (isWhole ? '' : restLines(left, options)) + held.line();
  return [...sections, rest].filter((text) => text !== '').join(used.length === 0 ? '' : '\n');
}

type Shape = Pick<RulesTableOptions, 'paint'> & { readonly width: number; readonly withSite: boolean };

/** Splits the rules into those in use and counts of the others, in one pass, as there may be very many. */
function sorted(rules: RuleList) {
  const used: Rule[] = [];
  const sites = new Set<string>();
  const open = { all: 0, candidates: 0 };
  const held = new HeldCount();
  const others = { refuted: 0, vetoed: 0, adding: 0 };
  for (const rule of rules) {
    if (sites.size < 2) sites.add(rule.site);
    if (accepts(rule, 'valid', 'key')) used.push(rule);
    else if (isVetoed(rule)) others.vetoed++;
    else if (rule.status === 'invalid') others.refuted++;
    else if (rule.status === 'valid' && isLeftOut(rule)) others.adding++;
    else {
      open.all++;
      if (isCandidate(rule)) open.candidates++;
      held.add(rule);
    }
  }
  return { used, open, others, sites: sites.size, held };
}

function* openOf(rules: RuleList): Generator<Rule> {
  for (const rule of rules) if (isOpenHere(rule)) yield rule;
}

function isOpenHere(rule: Rule): boolean {
  return isPending(rule) && !isPinned(rule);
}

function titled(title: string, table: string, { width, paint = PLAIN }: Shape): string {
  return `${wrapped(title, width).map(paint.heading).join('\n')}\n${table}`;
}

function writtenWords(rules: readonly Rule[]): string {
  const pinned = rules.filter(isPinned).length;
  const valid = rules.length - pinned;
  const parts = [
    ...(valid === 0 ? [] : [`${many(valid, 'rule')} ${agreeing(valid, 'is', 'are')} valid`]),
    ...(pinned === 0 ? [] : [`${valid === 0 ? many(pinned, 'rule') : pinned} ${agreeing(pinned, 'is', 'are')} pinned`]),
  ];
  return `${parts.join(', ')}: each address becomes its form (hits: lines of the log that the rule redirects)`;
}

/** The rules to decide about; then those about which there is nothing to decide. */
function writtenSections(rules: readonly Rule[], options: Shape & RulesTableOptions): string[] {
  const own = rules.filter((rule) => isDoneBySite(rule) && !isPinned(rule));
  const first = rules.filter((rule) => !own.includes(rule));
  return [
    ...(first.length === 0 ? [] : [titled(writtenWords(first), usedTable(first, options), options)]),
    ...(own.length === 0 ? [] : [ownSection(own, options)]),
  ];
}

/** What the site's own redirects do already: one line, unless all rules are wanted. */
function ownSection(rules: readonly Rule[], { isWhole = false, file, ...shape }: Shape & RulesTableOptions): string {
  const { length } = rules;
  const title = `${many(length, 'rule')} ${agreeing(length, 'does', 'do')} what the site's own redirects do already`;
  if (isWhole) return titled(title, usedTable(rules, shape), shape);
  const how =
    file === undefined ? '' : `: dustbuster explain -r ${printable(file)} lists ${agreeing(length, 'it', 'them')}`;
  return `${wrapped(`${title}${how}`, shape.width).join('\n')}\n`;
}

/** True for a tracker that is dropped everywhere; all of these share one line. */
function isPlainTracker(rule: Rule): boolean {
  if (rule.kind !== 'parameter' || rule.action !== 'remove' || rule.scope !== 'site' || isPinned(rule)) return false;
  const isBare = rule.only === undefined && rule.not === undefined && rule.except === undefined;
  return isBare && !isKey(rule) && knownKindOf(rule.name) === 'campaign';
}

function trackersRow(rules: readonly Rule[], hitsCells: (given: number) => string[], siteCells: string[]): TextRow {
  const names = rules.flatMap((rule) => (rule.kind === 'parameter' ? rule.name : []));
  const words = `${droppedWords(names, 'tracking')} on every page.`;
  return {
    cells: [idOf(rules[0]!), ...hitsCells(givenOf(rules)), ...siteCells],
    texts: [
      printable(`${words.charAt(0).toUpperCase()}${words.slice(1)}`),
      `(${rules.map(idOf).join(', ')})`,
      ...rules.flatMap(wrongWords),
    ],
  };
}

/** Hits that rules redirect, by which they are ordered; rules without hits come last, in the order of the file. */
function givenOf(rules: readonly Rule[]): number {
  return rules.reduce((sum, { hits }) => sum + (hits?.given ?? 0), 0);
}

function keysWords(rules: readonly Rule[]): string {
  const [are, say] = rules.length === 1 ? ['rule is a key', 'says'] : ['rules are keys', 'say'];
  return `${rules.length} ${are}: used to recognise pages (canonize --unique, caches, crawlers), never to redirect; ${rules.length === 1 ? 'it' : 'they'} ${say} which addresses are one page`;
}

/** Says of each rule what a file would have of it: no URL of a visitor. */
function usedTable(used: readonly Rule[], { withSite, width, paint }: Shape): string {
  const rules = used.map((rule) => passedOn(rule) ?? rule);
  const withHits = rules.some(({ hits }) => hits !== undefined);
  const hitsCells = (given: number | undefined) => (withHits ? [given?.toLocaleString('en') ?? ''] : []);
  const siteCells = ({ site }: Rule) => (withSite ? [printable(site)] : []);
  const keyOf = (rule: Rule) => (isPlainTracker(rule) ? rule.site : `rule ${rules.indexOf(rule)}`);
  const groups = [...groupBy(rules, keyOf).values()].sort((a, b) => givenOf(b) - givenOf(a));
  const rows = groups.map((group): TextRow => {
    const rule = group[0]!;
    if (group.length > 1) return trackersRow(group, hitsCells, siteCells(rule));
    return {
      cells: [idOf(rule), ...hitsCells(rule.hits?.given), ...siteCells(rule)],
      texts: [printable(ruleSentence(rule)), ...exampleWords(rule), ...whyWords(rule), ...wrongWords(rule)],
    };
  });
  const head = ['id', ...(withHits ? ['hits'] : []), ...(withSite ? ['site'] : []), 'rule'];
  return textTable(rows, { head, right: new Set(withHits ? [1] : []), width, ...(paint && { paint }) });
}

/** Tables of refused rules, with the reason. */
function refusedTables(rules: RuleList, shape: Shape): string[] {
  const refused = [...rules].filter((rule) => !accepts(rule, 'valid', 'key') && !isOpenHere(rule));
  if (refused.length === 0) return [];
  const rows = refused.map((rule): TextRow => ({
    cells: [idOf(rule), ...(shape.withSite ? [printable(rule.site)] : [])],
    texts: [printable(ruleSentence(rule)), ...refusalWords(rule)],
  }));
  const { width, paint } = shape;
  const head = ['id', ...(shape.withSite ? ['site'] : []), 'rule'];
  const table = textTable(rows, { head, right: new Set(), width, ...(paint && { paint }) });
  return [titled(`${many(rows.length, 'rule')} ${agreeing(rows.length, 'is', 'are')} not applied`, table, shape)];
}

function refusalWords(rule: Rule): string[] {
  if (isVetoed(rule)) return [`(vetoed${rule.note === undefined ? '' : `: ${printable(rule.note)}`})`];
  if (rule.status === 'valid') return ['(only adds text, which neither the site nor a user asks for)'];
  const [url, form, why] = rule.history?.retired?.pair ?? rule.verdict?.negatives[0] ?? [];
  if (url === undefined || form === undefined) return ['(refuted)'];
  return [`(refuted: ${printable(masked(url))} ⇸ ${printable(masked(form))}, ${printable(why ?? '')})`];
}

function exampleWords(rule: Rule): string[] {
  const example = exampleOf(rule);
  return example === undefined ? [] : [example.map(printable).join(' → ')];
}

/** Why a rule is only a key, is used although pages refuted it, or adds text; empty for any other rule. */
function whyWords(rule: Rule): string[] {
  if (isPinned(rule)) return [`(${calledOf(rule)})`];
  if (!isKey(rule)) return rule.word === undefined ? [] : [`(${wordOf(rule.word)})`];
  return [`(a key: ${heldWords(rule) ?? keyWords(rule)})`];
}

/** What a rule in use merged falsely where clusters decided on it; `explain` of a URL has the right ones too. */
function wrongWords(rule: Rule): string[] {
  return rule.verdict?.source === 'clusters' && rule.verdict.negative > 0 ? [`(${clusterWords(rule)})`] : [];
}

const CONTROL_WORDS = {
  form: "the site's own forms send it",
  state: 'the text is the same, but a tab, a filter or a form of the page stands at something else',
} as const;

function keyWords(rule: Rule): string {
  if (rule.control !== undefined) return `${CONTROL_WORDS[rule.control]}; pin writes it`;
  if (!isAnsweringKey(rule)) return 'no page has shown that the form answers';
  return `the log goes by the other form, ${hitsWords(rule.hits!)}`;
}

const FIGURES = ['rank', 'id', 'variants', 'low', 'high', 'against', 'confidence', 'status', 'site'] as const;
type Figure = (typeof FIGURES)[number];
const TEXTS: ReadonlySet<Figure> = new Set(['id', 'status', 'site']);

function openTable(families: readonly Family[], { withSite, width, paint }: Shape): string {
  const withVariants = families.some(({ variants }) => variants > 1);
  const withHigh = families.some(({ rule }) => rule.kind === 'substring');
  const withStatus = families.some(({ rule }) => calledOf(rule) !== 'likely');
  const left = new Set<Figure>([
    ...(withVariants ? [] : ['variants' as const]),
    ...(withHigh ? [] : ['high' as const]),
    ...(withStatus ? [] : ['status' as const]),
    ...(withSite ? [] : ['site' as const]),
  ]);
  const shown = FIGURES.filter((name) => !left.has(name));
  const rows = families.map((family): TextRow => {
    const figures = figuresOf(family);
    return { cells: shown.map((name) => figures[name]), texts: [printable(ruleSentence(family.rule))] };
  });
  const right = new Set(shown.flatMap((name, at) => (TEXTS.has(name) ? [] : [at])));
  const table = textTable(rows, { head: [...shown, 'rule'], right, width, ...(paint && { paint }) });
  return table + (withVariants ? '(variants: rules that change the same text elsewhere)\n' : '');
}

function figuresOf({ rule, variants }: Family): Readonly<Record<Figure, string>> {
  return {
    rank: String(rule.rank),
    id: idOf(rule),
    variants: variants > 1 ? String(variants) : '',
    low: String(supportOf(rule)),
    high: rule.kind === 'substring' ? String(rule.support.high) : '',
    against: String(rule.against),
    confidence: rule.confidence.toFixed(3),
    status: calledOf(rule),
    site: printable(rule.site),
  };
}

interface Left {
  readonly open: { readonly all: number; readonly candidates: number };
  /** How many lines of likely rules (families and single rules) are not shown. */
  readonly lines: number;
  readonly otherRules: number;
  readonly others: { readonly refuted: number; readonly vetoed: number; readonly adding: number };
  readonly shown: number;
  /** True if rules in use were shown. */
  readonly isBesides: boolean;
}

/** Lines that say what is not shown, and how to see it. */
function restLines(
  { open, lines, otherRules, others, shown, isBesides }: Left,
  { file, top }: RulesTableOptions,
): string {
  const { refuted, vetoed, adding } = others;
  const counts = [
    ...(lines > 0 && (shown === 0 || isBesides) ? [countWords(open.all, open.candidates)] : []),
    ...(refuted > 0 ? [`${refuted} refuted`] : []),
    ...(vetoed > 0 ? [`${vetoed} vetoed`] : []),
    ...(adding > 0 ? [`${adding} that only ${agreeing(adding, 'adds', 'add')} text`] : []),
  ];
  const how = file === undefined ? '' : `; dustbuster explain -r ${printable(file)} lists all rules`;
  if (lines > 0 && shown > 0 && !isBesides) {
    const counted = otherRules > lines ? ` ${agreeing(lines, 'line', 'lines')}, of ${many(otherRules, 'rule')}` : '';
    return `… and ${lines} more${counted}; --top ${shown + lines} shows all\n${counts.length === 0 ? '' : `Not shown: ${counts.join(', ')}${how}\n`}`;
  }
  if (counts.length === 0) return '';
  return top === 0 && !isBesides ? `${counts.join(', ')}\n` : `Not shown: ${counts.join(', ')}${how}\n`;
}
