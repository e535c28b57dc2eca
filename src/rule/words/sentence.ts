// What does a rule say, in one sentence that the owner of the site can agree to? It names what changes, then where:
//
//     remove utm_source                      The parameter `utm_source` is dropped on every page.
//     set id to start, path /taskrunner      The parameter `id` is always written as `id=start` on `/taskrunner`.
//     /index.html⟩ → /⟩                      `/index.html` at the end is the folder itself (`/`).
//     /{1:path}?a=1&{*} → /{1}?{*}           `a=1` is dropped on every page but `/`.
//     fold-slashes, not under /raw/          Repeated slashes in the path become one on every page, except under `/raw/`.
//
// All code that shows rules to people takes the words from here. They contain raw text of the log, which callers
// escape.
import { printable } from '../../base/bytes.js';
import { idOf } from '../id.js';
import { dropsQuery } from '../idle-query.js';
import { readPlace, type ItemsPlace } from '../items-place.js';
import type { Condition, ParameterRule, PatternRule, Rule, StepRule, SubstringRule } from '../rule.js';
import { listed, quoted } from './quoted.js';
import { replacedWords } from './replaced.js';
import { exceptWords, ifWords, onlyWords, scopeWords } from './where.js';

/** The rule as a whole sentence. */
export function ruleSentence(rule: Rule): string {
  const words = ruleWords(rule);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The rule as a part of a sentence. */
export function ruleWords(rule: Rule): string {
  const { what, scope = '', everywhere = '', ...conditions } = partsOf(rule);
  const only = onlyWords(conditions);
  const place = only === '' && scope === '' ? everywhere : only;
  const where = [what, scope, place, ifWords(conditions)].filter((words) => words !== '');
  return [where.join(' '), exceptWords(conditions)].filter((words) => words !== '').join(', ');
}

/** Such as ``rule 7wrfrjmx (`.html` at the end is dropped)``, for a sentence about the rule; printable. */
export function ruleMention(rule: Rule): string {
  return `rule ${idOf(rule)} (${printable(ruleWords(rule))})`;
}

/**
 * Several parameters that are dropped together, such as ``the campaign parameters `utm_source` and `utm_medium` are
 * dropped``; `more` of them are not named.
 */
export function droppedWords(names: readonly string[], kind?: string, more = 0): string {
  const [noun, are] = names.length + more === 1 ? ['parameter', 'is'] : ['parameters', 'are'];
  const all = [...names.map(quoted), ...(more === 0 ? [] : [`${more} more`])];
  return `the ${kind === undefined ? '' : `${kind} `}${noun} ${listed(all)} ${are} dropped`;
}

type Parts = Pick<Rule, 'only' | 'not' | 'except'> & {
  readonly what: string;
  /** The place that is part of the rule itself, such as a folder. */
  readonly scope?: string;
  /** The words for a rule that holds everywhere. */
  readonly everywhere?: string;
};

const ON_EVERY_PAGE = 'on every page';

function partsOf(rule: Rule): Parts {
  const { only, not, except } = rule;
  const where = { ...(only && { only }), ...(not && { not }), ...(except && { except }) };
  switch (rule.kind) {
    case 'substring':
      if (isOfBare(rule)) return { ...where, ...bareParts(rule) };
      return { ...where, ...replacedWords(rule), ...(isOfPath(rule) && { everywhere: 'in the path' }) };
    case 'parameter':
      return { ...where, ...parameterParts(rule), scope: scopeWords(rule), everywhere: ON_EVERY_PAGE };
    case 'step':
      return { ...where, what: stepWords(rule), everywhere: rule.step === 'drop-last-segment' ? '' : ON_EVERY_PAGE };
    case 'pattern':
      return { ...where, ...patternParts(rule) };
    default:
      return rule satisfies never;
  }
}

/** True for text that is replaced only where the query does not have it. */
function isOfPath({ from, anchor, not = [] }: SubstringRule): boolean {
  return anchor === 'none' && not.some((one) => isOfQuery(one, from));
}

/**
 * True for text at the end that is replaced only where the query does not have it: an address with a query would have it at
 * the end of that.
 */
function isOfBare({ from, anchor, not = [] }: SubstringRule): boolean {
  return anchor === 'end' && from !== '' && !from.includes('?') && not.some((one) => isOfQuery(one, from));
}

function isOfQuery({ part, is }: Condition, text: string): boolean {
  return part === 'query' && is === text;
}

function bareParts(rule: SubstringRule): Pick<Parts, 'what' | 'scope' | 'not'> {
  const not = rule.not?.filter((one) => !isOfQuery(one, rule.from)) ?? [];
  return { ...replacedWords(rule), scope: 'on addresses without a query', not };
}

function patternParts(rule: PatternRule): Pick<Parts, 'what' | 'scope'> {
  const { pattern, template } = rule;
  if (dropsQuery(rule)) return { what: `the whole query is dropped on ${quoted(template.replace('{1}', '*'))}` };
  const fields = droppedFields(rule);
  if (fields.length === 0) return { what: `addresses like ${quoted(pattern)} become ${quoted(template)}` };
  const are = fields.length === 1 ? 'is dropped' : 'are dropped together';
  return { what: `${listed(fields.map(quoted))} ${are}`, scope: `${ON_EVERY_PAGE} but \`/\`` };
}

/** The fields that a pattern drops from whatever path, of any value where that is no text: `utm_source=…`. */
function droppedFields({ pattern, template }: PatternRule): string[] {
  const [, query] = /^\/\{1:path\}\?(.+)&\{\*\}$/.exec(pattern) ?? [];
  if (query === undefined || template !== '/{1}?{*}') return [];
  const fields = query.split('&').map((field) => field.replace(/=\{value\}$/, '=…'));
  return fields.some((field) => /[{}]/.test(field)) ? [] : fields;
}

/** A parameter that is dropped with some values only is shown with these values, in place of a condition. */
function parameterParts({ name, action, value, only = [] }: ParameterRule): Pick<Parts, 'what' | 'only'> {
  if (action === 'set') {
    const written = value === null ? 'without a value' : `as ${quoted(`${name}=${value}`)}`;
    return { what: `the parameter ${quoted(name)} is always written ${written}` };
  }
  const fields = only.flatMap(({ part, is }) => (part === 'field' && isOf(name, String(is)) ? [String(is)] : []));
  if (fields.length === 0 || fields.length < only.length) return { what: droppedWords([name]) };
  return { what: `${listed(fields.map(quoted))} ${fields.length === 1 ? 'is' : 'are'} dropped`, only: [] };
}

function isOf(name: string, field: string): boolean {
  return field === name || field.startsWith(`${name}=`);
}

function stepWords({ step, text }: Pick<StepRule, 'step' | 'text'>): string {
  switch (step) {
    case 'fold-slashes':
      return 'repeated slashes in the path become one';
    case 'drop-end-slash':
      return 'a slash at the end of the path is dropped';
    case 'add-end-slash':
      return 'a slash is added at the end of the path, unless that is a file such as `a.html`,';
    case 'drop-segment':
      return `the folder ${quoted(text)} is dropped from the path`;
    case 'drop-last-segment':
      return `${quoted(`/${text}`)} at the end of the path is the folder itself (\`/\`)`;
    case 'lower-case':
      return text === ''
        ? 'capital letters in the path become small'
        : `capital letters in the parameter ${quoted(text)} become small`;
    case 'drop-empty-fields':
      return 'parameters without a value are dropped';
    case 'drop-number-fields':
      return 'parameters that are only a number (`&123`) are dropped';
    case 'drop-repeated-fields':
      return 'a parameter whose value is that of the previous one of its name is dropped';
    case 'sort-fields':
      return 'parameters are put in the order of their names, equal ones as they stand,';
    case 'sort-values':
      return 'the values of a repeated parameter are put in order';
    case 'sort-items':
      return `the choices ${choicesWords(text)} are put in order`;
    case 'drop-repeated-items':
      return `repeated choices ${choicesWords(text)} are dropped`;
    case 'one-separator':
      return 'parameters are separated by `&` instead of `;`';
    case 'unescape':
      return 'signs that need no escape are written plainly (`%28` as `(`)';
    case 'trim-end':
      return 'stray punctuation at the end of the address (`,` `"` `)`) is dropped';
    default:
      return step satisfies never;
  }
}

const CHOICES_OF: Readonly<Record<ItemsPlace['slot'], (name: string) => string>> = {
  parameter: (name) => `of the parameter ${quoted(name)}`,
  repeated: (name) => `of the repeated parameter ${quoted(name)}`,
  after: (name) => `after ${quoted(`/${name}/`)}`,
  below: (name) => `below ${quoted(name)}`,
};

/** Such as ``of the parameter `tags` (with `,` between them)``. */
function choicesWords(place: string): string {
  const { slot, name, separator, heads } = readPlace(place);
  const between = slot === 'below' || slot === 'repeated' ? [] : [`with ${quoted(separator)} between them`];
  const from = heads.length === 0 ? [] : [`each from ${listed(heads.map(quoted), 'or')} on`];
  const remarks = [...between, ...from].join(', ');
  return CHOICES_OF[slot](name) + (remarks === '' ? '' : ` (${remarks})`);
}
