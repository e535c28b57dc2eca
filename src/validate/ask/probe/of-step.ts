// Where might a step be wrong, though no URL of the list shows it? Each step has an opposite, which turns other URLs of
// the list into ones that the step would change: `/a` becomes `/a/`, `?a=1` becomes `?a=`.
import { charsOf, decodeText, encodeText } from '../../../base/bytes.js';
import { compileItems, inOrder, type Arrange } from '../../../rule/items.js';
import type { StepName, StepRule } from '../../../rule/rule.js';
import { compileStep, takeStep } from '../../../rule/step.js';
import type { Change } from '../site-forms.js';
import { partsOf } from '../parts.js';
import { pathOf, spread, type Grammar, type Known } from './grammar.js';
import type { ProbeKind } from './kind.js';

/** The number of names that are each tried once. */
const MOST_NAMES = 8;
const MOST_REPEATED = 2;
const MOST_VALUES = 12;
/** How many sets of a list are asked for in another order. */
const MOST_SETS = 12;

/** `seen`: what the rule changes, in draw order. */
export function probesOfStep({ step, text }: StepRule, seen: readonly Change[], grammar: Grammar): ProbeKind[] {
  if (step === 'drop-empty-fields') return probesOfEmpty(seen, grammar);
  if (step === 'sort-items' || step === 'drop-repeated-items') return probesOfItems(step, text, grammar);
  const undo = OPPOSITES[step]({ text, seen });
  return [{ take: 2, urls: spread(grammar.all.flatMap(undo)) }];
}

/**
 * First empty fields that the list has, placed behind a field of the same name with a value: of `a=1&a=` the last may
 * win.
 */
function probesOfEmpty(seen: readonly Change[], grammar: Grammar): ProbeKind[] {
  const empty = seen.flatMap(({ form }) => partsOf(form.text).fields.filter(({ value }) => value === ''));
  const names = [...new Set(empty.map(({ name }) => name))].slice(0, MOST_REPEATED);
  return [
    ...names.map((name) => ({ take: 2, urls: emptiedAfter(name, grammar) })),
    ...grammar
      .names()
      .slice(0, MOST_NAMES)
      .map((name) => ({ take: 1, urls: emptied(name, grammar) })),
  ];
}

/** Each value once, the commonest last, as an empty field may mean just that value. */
function emptiedAfter(name: string, grammar: Grammar): string[] {
  const [commonest, ...others] = grammar.valuesOf(name).filter((value) => value !== '');
  const ofValue = (value = '') =>
    grammar.all.flatMap(({ url, parts }) =>
      parts.fields.some(({ text }) => text === `${name}=${value}`) ? [`${url}&${name}=`] : [],
    );
  const ofOthers = others.slice(0, MOST_VALUES).map((value) => spread(ofValue(value)));
  const firsts = ofOthers.flatMap((urls) => urls.slice(0, 1));
  return [...new Set([...firsts, ...ofOthers.flat(), ...spread(ofValue(commonest))])];
}

function emptied(name: string, { all }: Grammar): string[] {
  return spread(
    all.flatMap(({ url, parts }) => {
      const field = parts.fields.find((one) => one.name === name && (one.value ?? '') !== '');
      return field === undefined ? [] : [url.replace(field.text, () => `${name}=`)];
    }),
  );
}

/**
 * Sets of the list in the opposite order, in which the first is last and the last is first; and with a repeated item, as
 * a page may show that twice. Two orders of one set with the same page are rare unless order means nothing.
 */
function probesOfItems(step: ItemsStep, place: string, { all }: Grammar): ProbeKind[] {
  const made = (arrange: Arrange) => spread(all.flatMap(({ url }) => rearranged(url, place, arrange)));
  const repeated = { take: MOST_REPEATED, urls: made((items) => [items.at(-1)!, ...items.slice(1)]) };
  if (step === 'drop-repeated-items') return [{ ...repeated, take: MOST_SETS }];
  return [{ take: MOST_SETS, urls: made((items) => inOrder(items).slice().reverse()) }, repeated];
}

type ItemsStep = 'sort-items' | 'drop-repeated-items';

/** Nothing if all items of the lists are alike, or there are none. */
function rearranged(url: string, place: string, arrange: Arrange): string[] {
  const bytes = encodeText(url);
  const arrangeOrNot: Arrange = (items) => (new Set(items).size < 2 ? items : arrange(items));
  const edit = compileItems(charsOf(encodeText(place)), arrangeOrNot);
  const image = decodeText(takeStep({ ...compileStep({ step: 'sort-items', text: place }), edit }, bytes));
  return image === url ? [] : [image];
}

interface Of {
  readonly text: string;
  readonly seen: readonly Change[];
}

type Undo = (known: Known) => string[];

const OPPOSITES: Readonly<Record<Exclude<StepName, 'drop-empty-fields' | ItemsStep>, (of: Of) => Undo>> = {
  'fold-slashes': () => (known) => inPath(known, (path) => path.replace(/(?<=[^/:])\/(?=[^/]*$)/, '//')),
  'drop-end-slash': () => (known) => inPath(known, (path) => (/\/[^/.;]+$/.test(path) ? `${path}/` : path)),
  'add-end-slash': () => (known) => inPath(known, (path) => path.replace(/(?<=[^/:])\/$/, '')),
  'drop-segment': ({ text, seen }) => behind(startsBefore(`/${text}`, seen), `/${text}`),
  'drop-last-segment':
    ({ text }) =>
    (known) =>
      inPath(known, (path) => (path.endsWith('/') ? path + text : path)),
  'lower-case':
    ({ text }) =>
    (known) =>
      raised(known, text),
  'drop-number-fields': ({ seen }) => numbered(seen),
  'drop-repeated-fields':
    () =>
    ({ url, parts: { fields } }) =>
      fields.length < 2 ? [] : [`${url}&${(fields.find(isFollowed) ?? fields[0]!).text}`],
  'sort-fields':
    () =>
    ({ url, parts: { fields, query = '' } }) =>
      fields.length < 2 || query.includes(';') ? [] : [`${pathOf(url)}?${query.split('&').reverse().join('&')}`],
  'sort-values':
    () =>
    ({ url, parts: { fields, query = '' } }) =>
      query.includes(';') ? [] : [`${pathOf(url)}?${valuesBackwards(fields).join('&')}`],
  'one-separator':
    () =>
    ({ url, parts: { query = '' } }) =>
      query.includes('&') ? [`${pathOf(url)}?${query.replaceAll('&', ';')}`] : [],
  unescape: ({ seen }) => escaped(seen),
  'trim-end': ({ seen }) => withEnds(seen),
};

/** The fields with the values of each name in reverse order. */
function valuesBackwards(fields: Known['parts']['fields']): string[] {
  const left = new Map<string, string[]>();
  for (const { name, text } of fields) left.set(name, [...(left.get(name) ?? []), text].sort());
  return fields.map(({ name }) => left.get(name)!.pop()!);
}

/** True if a field of the same name with another value follows: of `a=1&a=2` the last may win. */
function isFollowed(field: Known['parts']['fields'][number], at: number, all: Known['parts']['fields']): boolean {
  return all.slice(at + 1).some(({ name, text }) => name === field.name && text !== field.text);
}

function inPath({ url, path }: Known, edit: (path: string) => string): string[] {
  const edited = edit(path);
  return edited === path ? [] : [edited + url.slice(path.length)];
}

function startsBefore(part: string, seen: readonly Change[]): string[] {
  return [...new Set(seen.map(({ form }) => form.text.slice(0, Math.max(0, form.text.indexOf(part)))))];
}

function behind(starts: readonly string[], part: string): Undo {
  return ({ url }) =>
    starts.flatMap((start) => (url.startsWith(`${start}/`) ? [start + part + url.slice(start.length)] : []));
}

/** Capitalizes the first letter of the last segment, or of a value. */
function raised(known: Known, name: string): string[] {
  if (name === '') return inPath(known, (path) => path.replace(/(?<=\/)[a-z](?=[^/]*$)/, (char) => char.toUpperCase()));
  const field = known.parts.fields.find((one) => one.name === name && /^[a-z]/.test(one.value ?? ''));
  const value = field?.value ?? '';
  const text = `${name}=${value.slice(0, 1).toUpperCase()}${value.slice(1)}`;
  return field === undefined ? [] : [known.url.replace(field.text, () => text)];
}

function numbered(seen: readonly Change[]): Undo {
  const number = seen.flatMap(({ form }) => /[?&;](\d+)(?=$|[&;])/.exec(form.text)?.[1] ?? [])[0];
  return ({ url, parts }) => (number === undefined || parts.fields.length === 0 ? [] : [`${url}&${number}`]);
}

/** Percent-encodes characters that need no escape, but are escaped in the list. */
function escaped(seen: readonly Change[]): Undo {
  const escapes = [...new Set(seen.flatMap(({ form }) => form.text.match(/%[2-7][0-9a-f]/gi) ?? []))];
  return ({ url, path }) =>
    escapes.flatMap((escape) => {
      const char = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      const at = url.indexOf(char, Math.min(path.length, url.indexOf('/', url.indexOf('://') + 3) + 1));
      return at < 0 || /[/?&;=%]/.test(char) ? [] : [url.slice(0, at) + escape + url.slice(at + char.length)];
    });
}

function withEnds(seen: readonly Change[]): Undo {
  const ends = seen.flatMap(({ form, image }) => (form.text.startsWith(image) ? form.text.slice(image.length) : []));
  const [end] = new Set(ends);
  return ({ url }) => (end === undefined ? [] : [url + end]);
}
