// The kinds of differences between two addresses that a rule merges. Some hardly ever mean another page. Others cannot
// be judged from any log: a list in another order has the same length to the byte, a text in another language nearly
// so.
//
//   http://www.x/shop/a?utm_source=n   http://x/a      host, mount, tracker
//   http://x/de/a                      http://x/a      language
//
// Each kind has a prior, the share of its rules that held on nine sites (learned leaving one site out), and says
// whether a log can ever prove it. If addresses differ in several ways, the least likely kind decides.
import { isOrderName, knownKindOf, mayMean } from '../url/names.js';

export interface Difference {
  readonly prior: number;
  /** True if only pages can decide. */
  readonly needsPages: boolean;
}

const provable = (prior: number): Difference => ({ prior, needsPages: false });
const unprovable = (prior: number): Difference => ({ prior, needsPages: true });

/** The kinds; the least certain is last. */
export const DIFFERENCES = {
  session: provable(0.98),
  tracker: provable(0.98),
  host: provable(0.98),
  mount: provable(0.93),
  index: provable(0.88),
  slashes: provable(0.88),
  endSlash: unprovable(0.86),
  folder: provable(0.62),
  parameter: provable(0.58),
  scheme: unprovable(0.58),
  language: unprovable(0.4),
  number: unprovable(0.32),
  choice: unprovable(0.32),
  spelling: unprovable(0.14),
  inner: unprovable(0.06),
} as const satisfies Record<string, Difference>;

export type DifferenceKind = keyof typeof DIFFERENCES;

/** With this kind, other kinds do not matter. */
export const LEAST_CERTAIN: DifferenceKind = 'inner';

/** The lowest prior of the kinds. */
export function priorOf(kinds: ReadonlySet<DifferenceKind>): number {
  return [...kinds].reduce<number>((least, kind) => Math.min(least, DIFFERENCES[kind].prior), DIFFERENCES.host.prior);
}

/** True if a log can ever be sure that addresses with these differences are one page. */
export function isProvable(kinds: ReadonlySet<DifferenceKind>): boolean {
  return [...kinds].every((kind) => !DIFFERENCES[kind].needsPages);
}

/** True for a parameter that only pages can judge: its name stands for a choice, or for a number. */
export function needsPages(name: string): boolean {
  return DIFFERENCES[fieldDifference(name, false)].needsPages;
}

/** All kinds of differences between two addresses, which are absolute URLs or paths. */
export function differencesOf(url: string, image: string): ReadonlySet<DifferenceKind> {
  const [a, b] = [partsOf(url), partsOf(image)];
  const kinds = new Set<DifferenceKind>();
  if (a.scheme !== b.scheme) kinds.add('scheme');
  if (a.host !== b.host) kinds.add(hostDifference(a.host, b.host));
  if (a.path !== b.path) kinds.add(pathDifference(a.path, b.path));
  if (a.parameters !== b.parameters || a.query !== b.query) addFieldDifferences(fieldsOf(a), fieldsOf(b), kinds);
  if (kinds.size === 0 && url !== image) kinds.add('spelling');
  return kinds;
}

interface Parts {
  readonly scheme: string | undefined;
  readonly host: string;
  /** Without the segment's parameters, `;a;b`. */
  readonly path: string;
  readonly parameters: string;
  readonly query: string | undefined;
}

function partsOf(url: string): Parts {
  const [, scheme, host = '', path = '', query] =
    /^(?:(https?):)?(?:\/\/([^/?#]*))?([^?]*)(?:\?(.*))?$/is.exec(url) ?? [];
  if (!path.includes(';')) return { scheme, host, path, parameters: '', query };
  const parameters = path.match(/;[^/;]*/g)!.join('');
  return { scheme, host, path: path.replace(/;[^/;]*/g, ''), parameters, query };
}

function fieldsOf({ parameters, query }: Parts): string[] {
  const inPath = parameters === '' ? [] : parameters.slice(1).split(';');
  return query === undefined ? inPath : [...inPath, ...query.split(/[&;]/)];
}

function hostDifference(a: string, b: string): DifferenceKind {
  const [labels, others] = [a.split(/[.:]/), b.split(/[.:]/)];
  const single = [
    ...labels.filter((label) => !others.includes(label)),
    ...others.filter((one) => !labels.includes(one)),
  ];
  return single.some(isLanguage) ? 'language' : 'host';
}

/** The kind of the segments that differ, depending on whether there are others before and after them. */
function pathDifference(a: string, b: string): DifferenceKind {
  if (folded(a) === folded(b)) return 'slashes';
  if (a === `${b}/` || b === `${a}/`) return 'endSlash';
  if (withoutIndex(a) === withoutIndex(b)) return 'index';
  if (decoded(a) === decoded(b)) return 'spelling';
  const { before, from, to, behind } = differing(a.split('/').slice(1), b.split('/').slice(1));
  if (from.some(isLanguage) || to.some(isLanguage)) return 'language';
  if (inNumbers(from.join('/')) === inNumbers(to.join('/'))) return 'number';
  if (before > 0 || behind === 0) return 'inner';
  if ([...from, ...to].some((segment) => ACTIONS.has(segment.toLowerCase()) || FORMATS.has(segment.toLowerCase())))
    return 'choice';
  return from.length === 0 || to.length === 0 ? 'mount' : 'folder';
}

function differing(a: readonly string[], b: readonly string[]) {
  const most = Math.min(a.length, b.length);
  let before = 0;
  while (before < most && a[before] === b[before]) before++;
  let behind = 0;
  while (behind < most - before && a[a.length - 1 - behind] === b[b.length - 1 - behind]) behind++;
  return { before, from: a.slice(before, a.length - behind), to: b.slice(before, b.length - behind), behind };
}

function folded(path: string): string {
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}

const INDEX = /\/(?:index|default)\.(?:html?|php\d?|aspx?|jsp|cgi|shtml)$/i;

function withoutIndex(path: string): string {
  return path.replace(INDEX, '/');
}

function decoded(path: string): string {
  if (!path.includes('%')) return path.toLowerCase();
  return path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))).toLowerCase();
}

function inNumbers(text: string): string {
  return text.replace(/\d+/g, '0');
}

function addFieldDifferences(a: readonly string[], b: readonly string[], kinds: Set<DifferenceKind>): void {
  const [gone, come] = [leftOver(a, b), leftOver(b, a)];
  if (gone.length + come.length === 0 && a.join('&') !== b.join('&')) kinds.add('spelling');
  const addAll = (fields: readonly string[], others: readonly string[]) => {
    const names = new Set(others.map(nameOfField));
    for (const field of fields) kinds.add(fieldDifference(field, names.has(nameOfField(field))));
  };
  addAll(gone, come);
  addAll(come, gone);
}

/** Fields that occur more often than in `others`. */
export function leftOver(fields: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return fields.filter((field) => {
    const at = left.indexOf(field);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function fieldDifference(field: string, hasOtherValue: boolean): DifferenceKind {
  const name = nameOfField(field);
  if (/^\d+$/.test(field)) return 'number';
  const known = knownKindOf(name);
  if (known !== undefined && !hasOtherValue) return known === 'session' ? 'session' : 'tracker';
  // An empty value chooses nothing and does nothing.
  if (field === `${name}=` && !hasOtherValue) return mayMean(name) ? 'choice' : 'parameter';
  const word = name.toLowerCase();
  if (hasOtherValue || isOrderName(name)) return 'choice';
  if (LANGUAGE_NAMES.has(word)) return 'language';
  if (NUMBER_NAMES.has(word)) return 'number';
  if (CHOICES.has(word) || ACTIONS.has(word) || ACTIONS.has(field.slice(name.length + 1).toLowerCase()))
    return 'choice';
  return mayMean(name) ? 'choice' : 'parameter';
}

/** `a` for `a=1` and for a bare `a`. */
export function nameOfField(field: string): string {
  const end = field.indexOf('=');
  return end < 0 ? field : field.slice(0, end);
}

/** A code or name, alone or with a region: `de`, `pt-br`, `de-at-old`. */
const LANGUAGE = /^([a-z]{2,8})(?:$|[-_][a-z]{2,4}(?:$|[-_]))/i;

function isLanguage(segment: string): boolean {
  const code = LANGUAGE.exec(segment)?.[1];
  return code !== undefined && LANGUAGES.has(code.toLowerCase());
}

/** ISO 639-1, some names of languages, and regions that shops go by. */
const LANGUAGES = new Set(
  (
    'aa ab af am ar as ay az ba be bg bh bi bn bo br bs ca co cs cy da de dz el en eo es et eu fa fi fj fo fr fy ga gd gl ' +
    'gn gu ha he hi hr hu hy ia id ie ik is it iu ja jv ka kk kl km kn ko ks ku ky la ln lo lt lv mg mi mk ml mn mo mr ms ' +
    'mt my na nb ne nl nn no oc om or pa pl ps pt qu rm rn ro ru rw sa sd sg sh si sk sl sm sn so sq sr ss st su sv sw ta ' +
    'te tg th ti tk tl tn to tr ts tt tw ug uk ur uz vi vo wo xh yi yo za zh zu ' +
    'us gb uk au at ch cn jp kr eng deu ger fra fre spa ita rus english german deutsch french francais spanish espanol ' +
    'italian italiano russian chinese japanese'
  ).split(' '),
);
const LANGUAGE_NAMES = new Set('lang language locale uselang setlang hl l region country'.split(' '));
const NUMBER_NAMES = new Set(
  'page p pg paged start offset skip limit max per_page perpage count n num size year month day date v ver version rev revision oldid diff'.split(
    ' ',
  ),
);
/** What a page shows, or its format. */
const FORMATS = new Set(
  'print printable pdf rss atom feed feeds xml json csv txt text raw amp embed mobile plain'.split(' '),
);
const CHOICES = new Set([
  ...FORMATS,
  ...'format fmt output view mode display style theme skin type media tab show hide filter menu layout'.split(' '),
]);
const ACTIONS = new Set(
  (
    'action act do cmd op task add remove delete del edit save update buy cart checkout login logout signin signout ' +
    'register signup subscribe unsubscribe vote like purge reply post send submit create new cancel confirm download'
  ).split(' '),
);
