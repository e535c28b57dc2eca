// In which places of URLs was a rule seen and tried? An accepted rule is limited to these, because it will also be
// applied to URLs that the list does not have.
//
//     : -> /                seen in paths only          not where the query has ":"
//     old.h -> h            seen in one host only       ⟨http://old.h/ -> http://h/, so that ?next=http://old.h/ stays
//     =show⟩ -> =⟩          in values of `do` only      do=show⟩ -> do=⟩
//     id=1 -> id=2          in whole fields             set id to 2 only with field "id=1", so that c_id=1 stays
//     : -> /                in values of `id` only      only with parameter "id", not with "&" in the query
//     id=... -> id=start    on /px.php only             on /px.php
//     without &123          on /px.php only             only where the last segment is "px.php"
//     without "). at end    in paths only               not with a query
//     in lower case         in paths without a dot      not names of files
//     without empty fields  on a site with f[]=         not with "[]=", as the place in such a list counts
//
// Rules for trackers and sessions are not limited: these mean the same everywhere. A document without text that many
// URLs share, such as a tracking pixel, proves nothing about pages: a parameter rule with little other evidence is
// limited to its path.
import { decodeText } from '../../base/bytes.js';
import { addTo } from '../../base/group-by.js';
import { compileRule, imageOf } from '../../rule/apply.js';
import type { Condition, ParameterRule, Rule, StepRule, SubstringRule } from '../../rule/rule.js';
import type { Document } from '../../sketch/document.js';
import { conditionKey, conditionsOf, extensionOf, partsOf } from './parts.js';
import type { Change, Form } from './site-forms.js';

/** A form for which the rule proved right, with its page. */
export interface Proof {
  readonly form: string;
  readonly document: Document | undefined;
}

export interface Placing {
  /** The changes that the accepted rule made. */
  readonly changes: readonly Change[];
  /** The changes that it would have made before it was narrowed, alone or with others. */
  readonly reach: readonly Change[];
  readonly proofs: readonly Proof[];
  /** Extensions of files that the list has, the commonest first. */
  readonly extensions: readonly string[];
  /** How names of list fields end in the URLs of the list: `[]=`, `%5B%5D=`. */
  readonly listSigns: readonly string[];
  /** True for a parameter that tells who visits, or from where. */
  readonly isOfVisit: (name: string) => boolean;
}

export interface Placed {
  readonly rule: Rule;
  /** The same rule for other places, which have to be tried by themselves. */
  readonly elsewhere: readonly Rule[];
}

const WHOLE_FIELD = /^([^?&;=/]+)=([^?&;=/]*)$/;

/** This many forms are enough evidence by themselves. */
const ENOUGH = 3;
/** The most parameters in whose values a substring rule is tried. */
const MOST_NAMES = 3;
/** How many kinds of files a rule about case excludes by name. */
const MOST_EXTENSIONS = 3;

export function placed(rule: Rule, placing: Placing): Placed {
  const { reach } = placing;
  switch (rule.kind) {
    case 'substring':
      return placedText(withoutIdle(rule, reach) as SubstringRule, placing);
    case 'parameter':
      return { rule: withoutIdle(placedParameter(rule, placing), reach), elsewhere: [] };
    case 'step':
      return { rule: placedStep(withoutIdle(rule, reach) as StepRule, placing), elsewhere: [] };
    case 'pattern':
      return { rule, elsewhere: [] };
    default:
      return rule satisfies never;
  }
}

/** The parameter in whose value a substring rule changes a form, and the text of the field before; or the path. */
interface Spot {
  readonly name: string | undefined;
  readonly before: string;
}

const IN_PATH: Spot = { name: undefined, before: '' };

function placedText(rule: SubstringRule, { changes }: Placing): Placed {
  const alone = { rule, elsewhere: [] };
  const bounded = atHost(rule, changes) ?? atField(rule, changes);
  if (bounded !== undefined) return { rule: bounded, elsewhere: [] };
  // The rule's own text or anchor already fixes its place.
  if (rule.anchor === 'start' || rule.anchor === 'both' || /[?&;]|[^=]=/.test(rule.from)) return alone;
  const spots = changes.map(({ form }) => spotOf(rule, form));
  const names = [...new Set(spots.map(({ name }) => name))];
  const values = names.filter((name) => name !== undefined);
  if (values.includes('') || values.length > MOST_NAMES) return alone;
  if (names.includes(undefined)) {
    const others = changes.filter((_, at) => spots[at]!.name !== undefined);
    const elsewhere = values.length === 0 ? [] : [onlyAt(values, others, rule)];
    return { rule: withNot(rule, { part: 'query', is: rule.from }), elsewhere };
  }
  const [before, ...others] = new Set(spots.map((spot) => spot.before));
  if (before === undefined || others.length > 0 || !/^[^=]+=?$/.test(before))
    return { rule: onlyAt(values, changes, rule), elsewhere: [] };
  const whole = { ...rule, from: before + rule.from, to: before + rule.to };
  if (!doSame(rule, whole, changes)) return alone;
  return { rule: atField(whole, changes) ?? whole, elsewhere: [] };
}

function spotOf(rule: SubstringRule, { text, bytes, origin }: Form): Spot {
  const image = decodeText(imageOf(compileRule({ ...rule, except: [] }), bytes, origin));
  let at = 0;
  while (at < text.length && text[at] === image[at]) at++;
  const question = text.indexOf('?');
  if (question < 0 || at <= question) return IN_PATH;
  const start = text.slice(0, at).search(/[^?&;]*$/);
  const name = /^[^=&;]*(?==)/.exec(text.slice(start))?.[0] ?? '';
  // The first difference comes after the common start of both sides.
  const found = text.lastIndexOf(rule.from, at);
  return { name, before: found < start ? '' : text.slice(start, found) };
}

/**
 * For a rule that changed URLs of one host only: its sides begin with the whole origin, so that values naming the host
 * stay.
 */
function atHost(rule: SubstringRule, changes: readonly Change[]): SubstringRule | undefined {
  if (rule.anchor !== 'none') return undefined;
  const starts = new Set(changes.map(({ form }) => originOf(form.text)));
  const [from, ...others] = starts;
  if (from === undefined || from === '/' || others.length > 0 || !from.includes(rule.from)) return undefined;
  const { bytes, text, origin } = changes[0]!.form;
  if (origin > 0) return undefined;
  const image = decodeText(imageOf(compileRule({ ...rule, except: [] }), bytes, origin));
  const to = originOf(image);
  if (text.slice(from.length) !== image.slice(to.length)) return undefined;
  const whole: SubstringRule = { ...rule, from, to, anchor: 'start' };
  return doSame(rule, whole, changes) ? whole : undefined;
}

/** For a rule that begins with a field name: it has to match where the field begins, so that `c_id=1` stays. */
function atField(rule: SubstringRule, changes: readonly Change[]): Rule | undefined {
  const [, name, value] = WHOLE_FIELD.exec(rule.from) ?? [];
  const isStart = rule.anchor === 'start' || rule.anchor === 'both';
  if (isStart || !/^[^?&;=/]+=/.test(rule.from)) return undefined;
  const [, other, next] = WHOLE_FIELD.exec(rule.to) ?? [];
  if (value !== undefined && name === other && rule.anchor === 'none' && rule.only === undefined) {
    const set = asParameter(rule, name!, next!);
    if (doSame(rule, set, changes)) return set;
  }
  const [before, ...others] = new Set(changes.map(({ form: { text } }) => text[text.indexOf(rule.from) - 1]));
  if (before === undefined || others.length > 0 || !/[?&;]/.test(before)) return undefined;
  const whole = { ...rule, from: before + rule.from, to: before + rule.to };
  return doSame(rule, whole, changes) ? whole : undefined;
}

function asParameter(rule: SubstringRule, name: string, value: string): ParameterRule {
  const { kind: _kind, from, to: _to, anchor: _anchor, support, ...base } = rule;
  return {
    ...base,
    kind: 'parameter',
    name,
    action: 'set',
    value,
    scope: 'site',
    path: '',
    support: { groups: support.high, urls: support.high },
    chance: 0,
    only: [{ part: 'field', is: from }],
  };
}

/** The origin of a URL with its slash, such as `http://h/`. */
function originOf(url: string): string {
  const { scheme, host } = partsOf(url);
  return `${scheme}${host}/`;
}

/**
 * Limits the rule to the page if all changes are on one page, otherwise to URLs with these parameters; and to queries
 * of one field if no changed form has more.
 */
function onlyAt(names: readonly string[], changes: readonly Change[], rule: SubstringRule): SubstringRule {
  if (rule.only !== undefined) return rule;
  const isAlone = changes.every(({ form }) => partsOf(form.text).fields.length === 1);
  const alone = isAlone ? withNot(rule, { part: 'query', is: '&' }) : rule;
  const pages = new Set(changes.map(({ form }) => partsOf(form.text).segments.at(-1)!));
  const [page, ...others] = pages;
  if (page !== undefined && page !== '' && others.length === 0) return { ...alone, only: [{ part: 'last', is: page }] };
  return { ...alone, only: names.map((is) => ({ part: 'parameter', is })) };
}

function withNot<R extends Rule>(rule: R, condition: Condition): R {
  const not = rule.not ?? [];
  if (not.some((one) => conditionKey(one) === conditionKey(condition))) return rule;
  return { ...rule, not: [...not, condition] };
}

function doSame(one: Rule, other: Rule, changes: readonly Change[]): boolean {
  const [a, b] = [compileRule(one), compileRule(other)];
  return changes.every(
    ({ form: { bytes, origin } }) => decodeText(imageOf(a, bytes, origin)) === decodeText(imageOf(b, bytes, origin)),
  );
}

function placedParameter(rule: ParameterRule, placing: Placing): ParameterRule {
  if (rule.scope !== 'site' || placing.isOfVisit(rule.name)) return rule;
  const forms = speaking(placing);
  const paths = pathsOf(forms);
  const [path, ...others] = paths;
  if (path === undefined) return rule;
  if (others.length === 0) return { ...rule, scope: 'path', path };
  // Setting one value for all pages removes a difference between them, so the rule stays in the shared folder.
  const folder = rule.action === 'set' ? sharedFolder(paths) : undefined;
  return folder === undefined ? rule : { ...rule, scope: 'prefix', path: folder };
}

function placedStep(rule: StepRule, placing: Placing): StepRule {
  const isInPaths = placing.changes.every(({ form }) => !form.text.includes('?'));
  if (rule.step === 'trim-end' && isInPaths) return withNot(rule, { part: 'query', is: '' });
  if (rule.step === 'lower-case' && rule.text === '') return withoutFiles(rule, placing);
  if (rule.step === 'drop-empty-fields' || rule.step === 'drop-repeated-fields') return withoutLists(rule, placing);
  if (rule.step !== 'drop-number-fields' || rule.only !== undefined) return rule;
  const forms = speaking(placing);
  if (pathsOf(forms).length !== 1) return rule;
  const last = partsOf(forms[0]!).segments.at(-1)!;
  return { ...rule, only: [{ part: 'last', is: last }] };
}

/** In `f[]=a&v[]=&f[]=b&v[]=1` fields belong together by position, whatever pages show: such lists are left alone. */
function withoutLists({ not = [], ...rule }: StepRule, { listSigns }: Placing): StepRule {
  const isOfList = ({ part, is }: Condition) =>
    part === 'parameter' && listSigns.includes(`${is}=`.slice(`${is}`.search(LIST_END)));
  const others = [...not.filter((one) => !isOfList(one)), ...listSigns.map((is): Condition => ({ part: 'text', is }))];
  return { ...rule, ...(others.length > 0 && { not: others }) };
}

const LIST_END = /(?:\[\]|%5B%5D)$/i;

/** True for a rule that sets a list field to one value, and so drops the other members. */
export function isSetList(rule: Rule): boolean {
  return rule.kind === 'parameter' && rule.action === 'set' && LIST_END.test(rule.name);
}

/**
 * The endings of names of list fields (`[]=`), if these URLs have such names: as the URLs write them, and as browsers
 * and people may write them tomorrow.
 */
export function listSignsOf(urls: readonly string[]): string[] {
  const [usual, rare] = [['[]=', '%5B%5D='], '%5b%5d='];
  const found = [...usual, rare].filter((sign) => urls.some((url) => url.includes(sign)));
  return found.length === 0 ? [] : [...new Set([...usual, ...found])];
}

/** Excludes file names from rules about case: the server knows `doku.php`, and `/Doku.php` is no page. */
function withoutFiles(rule: StepRule, { changes, extensions }: Placing): StepRule {
  if (rule.only !== undefined) return rule;
  const seen = new Set(changes.map(({ form }) => extensionIn(form.text)));
  if (seen.size === 1 && seen.has('')) return { ...rule, only: [{ part: 'extension', is: '' }] };
  const unseen = extensions.filter((one) => !seen.has(one)).slice(0, MOST_EXTENSIONS);
  return unseen.reduce<StepRule>((next, is) => withNot(next, { part: 'extension', is }), rule);
}

function extensionIn(url: string): string {
  return extensionOf(partsOf(url).segments.at(-1)!);
}

/** Extensions that several of these URLs have, the commonest first. */
export function extensionsOf(urls: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of urls.map(extensionIn)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts]
    .filter(([one, count]) => count >= ENOUGH && /^[a-z][a-z0-9]{0,4}$/.test(one))
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([one]) => one);
}

/** The forms that count as evidence for a parameter rule: all that it changed, or those of one document without text. */
function speaking({ changes, proofs }: Placing): string[] {
  const pictures = new Map<string, string[]>();
  for (const { form, document } of proofs) {
    if (document?.kind !== 'bytes') continue;
    addTo(pictures, document.digest, form);
  }
  const [most = []] = [...pictures.values()].sort((a, b) => b.length - a.length);
  return most.length >= ENOUGH && proofs.length - most.length < ENOUGH ? most : changes.map(({ form }) => form.text);
}

/**
 * The paths of URLs, as scopes have them: without hosts, as a rule for twin hosts may be accepted later. Empty if one
 * of the URLs has no path.
 */
function pathsOf(forms: readonly string[]): string[] {
  const paths = new Set(
    forms.map((form) => {
      const { scheme, host } = partsOf(form);
      return form.slice(scheme.length + host.length).replace(/[?;].*$/s, '');
    }),
  );
  return paths.has('') ? [] : [...paths];
}

/** The folder that paths share, such as `/a/` for `/a/b` and `/a/c`; undefined for the root. */
function sharedFolder([first = '', ...others]: readonly string[]): string | undefined {
  let folder = first;
  do folder = folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1);
  while (folder !== '' && !others.every((path) => path.startsWith(folder)));
  return /^\/[^/]/.test(folder) ? folder : undefined;
}

/**
 * Removes exclusions that exclude nothing any more: they were found for a wider rule, or together with another rule.
 */
function withoutIdle(rule: Rule, reach: readonly Change[]): Rule {
  if (rule.not === undefined) return rule;
  const { not, ...bare } = rule;
  const compiled = compileRule({ ...bare, except: [] });
  const changed = reach.filter(({ form: { bytes, origin } }) => imageOf(compiled, bytes, origin) !== bytes);
  const met = new Set(changed.flatMap(({ form }) => conditionsOf(form.text).map(conditionKey)));
  const kept = not.filter((condition) => condition.part === 'query' || met.has(conditionKey(condition)));
  return { ...bare, ...(kept.length > 0 && { not: kept }) };
}
