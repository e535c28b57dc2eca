// Which rules would an administrator write by hand, and how? Hosts, schemes and folders that moved, slashes, index files
// and other endings, parameters to drop. Each becomes one edit of the whole URL, a parameter three:
//
//     ^http://www\.example\.com/(.*)$                                    http://example.com/ $1
//     ^(https?://[^/?]*/(?:[^?]*/)?)index\.html(?=\?|$)(.*)$             $1 $2
//     ^([^?]*\?.*?)(?:[&;](?:utm_source|gclid)=[^&;]*)+(.*)$               $1 $2
//
// A server makes each edit once, in order, and redirects if the URL has changed. So the redirects themselves are the
// rounds, and they end where no edit finds anything: at the form of `canonize`, but for fields that are empty or bare
// (`?a&&b`) and for parameters in paths, which stay unless the examples of their rule have them there.
//
// Redirects that never end are ruled out: edits make the URL shorter. One that does not has to lead to another origin,
// from which no other edit leads back; or it adds the last slash, which then no other edit takes away.
import { conditionPattern } from '../condition-pattern.js';
import { pcre } from '../dialect.js';
import { riskOf } from '../expressible.js';
import { expressionOf } from '../expression.js';
import { scopePattern } from '../parameter-steps.js';
import { hasSuffixesBelow, httpPattern, sitePattern, SUFFIXES_BELOW } from '../site-pattern.js';
import type { ExpressionOptions } from '../step.js';
import type { ExportRequest, LeftOut } from '../target.js';
import { circularMoves, isMove } from './moves.js';
import type { ParameterRule, Rule, StepRule, SubstringRule } from '../../rule/rule.js';

/** Text and numbers of groups. */
export type Put = readonly (string | number)[];

export interface SimpleEdit {
  /** Those that it is the edit of: several only for parameters. */
  readonly rules: readonly Rule[];
  /** An expression for the whole URL, from `^` to `$`, which PCRE and JavaScript read alike. */
  readonly find: string;
  readonly put: Put;
}

export interface SimpleRules {
  /** In the order of a server: parameters first, so that an index file is at the end when it is looked for. */
  readonly edits: readonly SimpleEdit[];
  readonly carried: readonly Rule[];
  readonly left: readonly LeftOut[];
}

const NOT_SIMPLE = 'is not simple';

export function simpleRules(request: ExportRequest): SimpleRules {
  const options = optionsOf(request);
  const made: { rule: Rule; edits: readonly SimpleEdit[] | ParameterEdit }[] = [];
  const left: LeftOut[] = [];
  const leave = (rule: Rule, reason: string) => left.push({ rule, reason });
  for (const rule of request.rules) {
    const risk = riskOf(rule, request.urlForm) ?? (isPlain(rule, request) ? undefined : NOT_SIMPLE);
    const edits = risk ?? editsOf(rule, options);
    if (typeof edits === 'string') leave(rule, edits);
    else made.push({ rule, edits });
  }
  for (const rule of endless(made.map(({ rule }) => rule))) leave(rule, 'could lead in a circle with the other rules');
  const isLeft = new Set(left.map(({ rule }) => rule));
  const carried = made.filter(({ rule }) => !isLeft.has(rule));
  const parameters = carried.flatMap(({ edits }) => ('names' in edits ? [edits] : []));
  const others = carried.flatMap(({ edits }) => ('names' in edits ? [] : edits));
  return {
    edits: [...joined(parameters).flatMap((one) => parameterEdits(one, request)), ...others],
    carried: carried.map(({ rule }) => rule),
    left: left.toSorted((a, b) => a.rule.rank - b.rule.rank),
  };
}

function optionsOf({ urlForm, sitePolicy, normalization }: ExportRequest): ExpressionOptions {
  return { dialect: pcre, urls: urlForm === 'path' ? 'path' : 'absolute', urlForm, sitePolicy, normalization };
}

/** Without exceptions and conditions that take a long expression, and with text that needs no escape in any server. */
function isPlain(rule: Rule, { sitePolicy }: ExportRequest): boolean {
  const conditions = [...(rule.only ?? []), ...(rule.not ?? [])];
  if ((rule.except ?? []).length > 0 || hasSuffixesBelow(rule.site, sitePolicy)) return false;
  if (!conditions.every(({ part, is }) => (part === 'host' || part === 'first') && is !== '')) return false;
  const texts = conditions.map(({ is }) => String(is));
  return [...texts, ...textsIn(rule)].every((text) => /^[0-9A-Za-z/_.=&;:~@!?+[\]()*-]{0,200}$/.test(text));
}

function textsIn(rule: Rule): readonly string[] {
  switch (rule.kind) {
    case 'substring':
      return [rule.from, rule.to];
    case 'parameter':
      return [rule.name, rule.path];
    case 'step':
      return [rule.text];
    case 'pattern':
      return [rule.pattern, rule.template];
    default:
      return rule satisfies never;
  }
}

/** A semicolon needs no escape between quotes. */
function edit(rules: readonly Rule[], find: string, put: Put): SimpleEdit {
  return { rules, find: find.replaceAll('\\x3b', ';'), put };
}

function editsOf(rule: Rule, options: ExpressionOptions): readonly SimpleEdit[] | ParameterEdit | string {
  if (hasSuffixesBelow(rule.site, options.sitePolicy)) return SUFFIXES_BELOW;
  switch (rule.kind) {
    case 'substring':
      if (rule.anchor === 'start') return moveEdits(rule, options);
      return rule.anchor === 'end' ? endEdits(rule, options) : NOT_SIMPLE;
    case 'step':
      return stepEdits(rule, options);
    case 'parameter':
      return parameterEdit(rule, options);
    case 'pattern':
      return NOT_SIMPLE;
    default:
      return rule satisfies never;
  }
}

/** The only step of a rule, as an edit; a rule that is expressed at all can be left out for its own reason. */
function onlyStep(rule: Rule, options: ExpressionOptions): readonly SimpleEdit[] | string {
  const expression = expressionOf(rule, options);
  if (expression.kind === 'left') return expression.reason;
  const [step, more] = expression.steps;
  if (step === undefined || more !== undefined) return NOT_SIMPLE;
  // Nothing precedes what is anchored at the start.
  const isAtStart = step.find.includes('()');
  const find = isAtStart ? step.find.replace(`()(?<!${options.dialect.run})`, '').replace('()', '') : step.find;
  const put: Put = isAtStart ? [step.put, 1] : [1, step.put, 2];
  return [
    edit(
      [rule],
      `${find}(.*)$`,
      put.filter((piece) => piece !== ''),
    ),
  ];
}

/** A host, a scheme or a folder under another name. */
function moveEdits(rule: SubstringRule, options: ExpressionOptions): readonly SimpleEdit[] | string {
  const { from, to } = rule;
  const isWhole = (text: string) => (options.urlForm === 'path' ? /^\/(?!\/)/ : /^https?\b/).test(text);
  if (!isWhole(from) || !isWhole(to)) return NOT_SIMPLE;
  // A folder stays a folder, and a script a script.
  const isInPath = (text: string) => /^(?:https?:\/\/[^/?]*)?[/?]/.test(text);
  if (isInPath(from) !== isInPath(to)) return NOT_SIMPLE;
  if (isInPath(from) && !(from.at(-1) === to.at(-1) && /[/?]$/.test(from))) return NOT_SIMPLE;
  return isMove(rule) || to.length < from.length ? onlyStep(rule, options) : NOT_SIMPLE;
}

/** The end of a URL, which gets shorter. */
function endEdits(rule: SubstringRule, options: ExpressionOptions): readonly SimpleEdit[] | string {
  const { from, to } = rule;
  if (to.length >= from.length || !/^[^0-9A-Za-z]/.test(from)) return NOT_SIMPLE;
  const when = whenOf(rule, options);
  if (when === undefined) return NOT_SIMPLE;
  const origin = options.urls === 'path' ? '' : `${httpPattern(options.normalization)}[^/?]+`;
  // The slash at the root stays, so what begins the path has to leave one.
  const before = from.startsWith('/') && to.startsWith('/') ? `${origin}(?:/.*)?` : `${origin}/.*`;
  return [edit([rule], `^${when}(${before})${pcre.literal(from)}$`, to === '' ? [1] : [1, to])];
}

const SIMPLE_STEPS: ReadonlySet<StepRule['step']> = new Set([
  'fold-slashes',
  'drop-end-slash',
  'add-end-slash',
  'drop-last-segment',
]);

function stepEdits(rule: StepRule, options: ExpressionOptions): readonly SimpleEdit[] | string {
  return SIMPLE_STEPS.has(rule.step) ? onlyStep(rule, options) : NOT_SIMPLE;
}

/** The names of parameters that go at the same place. */
interface ParameterEdit {
  readonly rules: readonly ParameterRule[];
  readonly when: string;
  readonly names: readonly string[];
  /** Names that the log has in paths, as `;jsessionid=`. */
  readonly inPaths: readonly string[];
}

function parameterEdit(rule: ParameterRule, options: ExpressionOptions): ParameterEdit | string {
  if (rule.action === 'set' || rule.name === '' || /[&;=#?/]/.test(rule.name)) return NOT_SIMPLE;
  if (rule.path.includes(';')) return NOT_SIMPLE;
  const [when, scope] = [whenOf(rule, options), scopePattern(rule, options)];
  if (when === undefined || scope === undefined) return NOT_SIMPLE;
  const pairs = [...rule.examples, ...(rule.verdict?.positives ?? [])];
  const isInPath = pairs.some(([url]) => url.replace(/\?.*/s, '').includes(`;${rule.name}=`));
  const name = pcre.literal(rule.name);
  return { rules: [rule], when: when + scope, names: [name], inPaths: isInPath ? [name] : [] };
}

function joined(edits: readonly ParameterEdit[]): readonly ParameterEdit[] {
  const byPlace = new Map<string, ParameterEdit[]>();
  for (const edit of edits) {
    const known = byPlace.get(edit.when);
    if (known === undefined) byPlace.set(edit.when, [edit]);
    else known.push(edit);
  }
  return Array.from(byPlace, ([when, same]) => ({
    when,
    rules: same.flatMap(({ rules }) => rules),
    names: same.flatMap(({ names }) => names),
    inPaths: same.flatMap(({ inPaths }) => inPaths),
  }));
}

/** Fields with a value, a few beside one another at once: at the start, further on, and alone. */
function parameterEdits({ rules, when, names, inPaths }: ParameterEdit, request: ExportRequest): readonly SimpleEdit[] {
  const field = `${oneOf(names)}=[^&;]*`;
  const inQuery: readonly SimpleEdit[] = [
    edit(rules, `^${when}([^?]*\\?)(?:${field}[&;])+(.*)$`, [1, 2]),
    edit([], `^${when}([^?]*\\?.*?)(?:[&;]${field})+(.*)$`, [1, 2]),
    edit([], `^${when}([^?]*)\\?${field}$`, [1]),
  ];
  if (inPaths.length === 0) return inQuery;
  const origin = request.urlForm === 'path' ? '' : `${httpPattern(request.normalization)}[^/?]*/`;
  return [...inQuery, edit([], `^${when}(${origin}[^?]*);${oneOf(inPaths)}=[^;/?]*(.*)$`, [1, 2])];
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `(?:${names.join('|')})`;
}

function whenOf(rule: Rule, options: ExpressionOptions): string | undefined {
  const [site, where] = [sitePattern(rule.site, options), conditionPattern(rule, options)];
  return site === undefined || where === undefined ? undefined : site + where;
}

/** Rules that could keep a server redirecting; of those that could together, the one of the lowest rank. */
function endless(rules: readonly Rule[]): readonly Rule[] {
  const out = new Set<Rule>();
  const adding = rules.find((rule) => rule.kind === 'step' && rule.step === 'add-end-slash');
  if (adding !== undefined) {
    for (const rule of rules) if (takesSlash(rule)) out.add(rule.rank > adding.rank ? rule : adding);
  }
  const moves = rules.filter((rule) => rule.kind === 'substring' && isMove(rule)) as readonly SubstringRule[];
  for (const move of circularMoves(moves.filter((one) => !out.has(one)))) out.add(move);
  return [...out];
}

function takesSlash(rule: Rule): boolean {
  if (rule.kind === 'step') return rule.step === 'drop-end-slash';
  if (rule.kind !== 'substring') return false;
  return rule.anchor === 'end' ? rule.from.endsWith('/') && !rule.to.endsWith('/') : rule.from.includes('?');
}
