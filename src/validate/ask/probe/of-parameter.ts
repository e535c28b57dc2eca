// Where might a parameter rule be wrong, though no URL of the list shows it? With other values, beside other fields, on
// other pages:
//
//     without start, seen as start=0      start=10, start=1; a value that another page has; /list?cat=2&start=0;
//                                         /other?start=0; /de/list?start=0
import type { Field } from '../parts.js';
import { partsOf } from '../parts.js';
import { pathOf, spread, type Grammar, type Known } from './grammar.js';
import type { ProbeKind } from './kind.js';
import { otherKindsOfPages } from './page-kinds.js';

/** How many URLs with the parameter are varied, and how many other URLs are tried. */
const BASES = 6;
const OTHERS = 12;
const KINDS = 2;

/** `seen`: URLs that the rule changes, in draw order. */
export function probesOfParameter(name: string, seen: readonly string[], grammar: Grammar): ProbeKind[] {
  const bases = seen.flatMap((url): Base[] => {
    const field = partsOf(url).fields.find((one) => one.name === name);
    return field === undefined ? [] : [{ url, field }];
  });
  // Earlier rules may rename the field, so that no form has it under this name.
  if (bases.length === 0) return [];
  const few = bases.slice(0, BASES);
  return [
    { take: 2, urls: numbers(few) },
    { take: 2, urls: otherValues(few, grammar.valuesOf(name)) },
    { take: 2, urls: otherFields(few, grammar) },
    { take: 1, urls: otherPages(few, grammar) },
    ...otherKinds(few, grammar),
    { take: 1, urls: otherMounts(bases, grammar) },
  ];
}

interface Base {
  readonly url: string;
  readonly field: Field;
}

/** The next number and round ones, as `page` counts from 1 and `start` from 0. */
const NUMBERS: readonly ((n: number) => number)[] = [() => 10, (n) => n + 1, () => 20, () => 2, (n) => n - 1];

function numbers(bases: readonly Base[]): string[] {
  const own = bases.filter(({ field }) => /^\d{1,8}$/.test(field.value ?? ''));
  return NUMBERS.flatMap((next, at) => {
    const base = own[at % Math.max(1, own.length)];
    const number = base === undefined ? -1 : next(Number(base.field.value));
    return base === undefined || number < 0 ? [] : withValue(base, `${number}`);
  });
}

function otherValues(bases: readonly Base[], values: readonly string[]): string[] {
  const own = new Set(bases.map(({ field }) => field.value));
  const others = values.filter((value) => !own.has(value) && value !== '').slice(0, OTHERS);
  return others.map((value, at) => withValue(bases[at % bases.length]!, value)).concat(swapped(bases));
}

/** Each URL with the value of the next URL. */
function swapped(bases: readonly Base[]): string[] {
  return bases.flatMap((base, at) => {
    const value = bases[(at + 1) % bases.length]!.field.value;
    return value === undefined || value === base.field.value ? [] : withValue(base, value);
  });
}

function withValue({ url, field }: Base, value: string): string {
  const at = url.indexOf('?') + 1;
  return url.slice(0, at) + url.slice(at).replace(field.text, () => `${field.name}=${value}`);
}

/** The field added to URLs of its page with other sets of fields. */
function otherFields(bases: readonly Base[], grammar: Grammar): string[] {
  return bases.flatMap(({ url, field }) => {
    const path = pathOf(url);
    const sets = new Map<string, Known>();
    for (const one of grammar.beside(path)) {
      if (one.path !== path || !isPlain(one, field.name)) continue;
      const names = namesOf(one);
      if (names !== '' && !sets.has(names)) sets.set(names, one);
    }
    return [...sets.values()].slice(0, OTHERS).map((one) => withField(one, field));
  });
}

function otherPages(bases: readonly Base[], grammar: Grammar): string[] {
  return bases.flatMap(({ url, field }) => {
    const path = pathOf(url);
    return grammar
      .beside(path)
      .filter((one) => one.path !== path && isPlain(one, field.name))
      .slice(0, 2)
      .map((one) => withField(one, field));
  });
}

/** The field on kinds of pages where the list does not have it, such as /page/2/. */
function otherKinds(bases: readonly Base[], grammar: Grammar): ProbeKind[] {
  return otherKindsOfPages(
    bases.map(({ url }) => partsOf(url)),
    grammar,
  )
    .slice(0, KINDS)
    .map((urls) => ({
      take: 1,
      urls: spread(urls).map((url, at) => `${url}?${bases[at % bases.length]!.field.text}`),
    }));
}

/** The field on pages below other top folders. */
function otherMounts(bases: readonly Base[], grammar: Grammar): string[] {
  const known = new Set(bases.map(({ url }) => mountOf(partsOf(url))));
  const found: string[] = [];
  for (const one of grammar.all) {
    const mount = mountOf(one.parts);
    if (bases.length === 0 || known.has(mount) || !isPlain(one, bases[0]!.field.name)) continue;
    known.add(mount);
    found.push(withField(one, bases[found.length % bases.length]!.field));
    if (found.length === OTHERS) break;
  }
  return found;
}

function mountOf({ scheme, host, segments }: Known['parts']): string {
  return `${scheme}${host}/${segments.length > 1 ? segments[0] : ''}`;
}

/** A URL to which a field of this name can be added. */
function isPlain({ url, parts }: Known, name: string): boolean {
  const isBare = parts.query !== undefined && parts.fields.length === 0;
  return !isBare && !/;/.test(url) && parts.fields.every((field) => field.name !== name);
}

function namesOf({ parts }: Known): string {
  return [...new Set(parts.fields.map(({ name }) => name))].sort().join('&');
}

function withField({ url, parts }: Known, { text }: Field): string {
  return url + (parts.query === undefined ? '?' : '&') + text;
}
