// What does the text of a pattern say, and is there only one way to match it? `pattern.ts` says what patterns are.
//
//     //cnn.com/{1:label}/{path}?id={2:digits}&{*}
//     | head                   | | field     | others
//
// A class takes as many bytes as it can. So the text after it must begin with a byte outside the class, or the head or
// field must end there: then no byte is read twice. Other patterns are refused, and so are templates whose host has
// anything but labels. Braces cannot be written literally, as links have them escaped.
import { AMPERSAND, DASH, DOT, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { encodeText, isDigit } from '../base/bytes.js';
import { isClean } from '../url/form.js';
import { isRunByte } from '../url/token.js';
import type { PatternRule } from './rule.js';

/** The bytes that each class takes, one or more of them. */
const CLASSES = {
  digits: isDigit,
  /** Lower-case digits of hashes. */
  hex: (byte) => isDigit(byte) || (byte >= 0x61 && byte <= 0x66),
  /** A token (SPEC 1). */
  word: isRunByte,
  /** A label of a host name, between two dots. */
  label: (byte) => byte === DASH || (byte < 0x80 && isRunByte(byte)),
  /** A segment up to its extension, without other dots. */
  stem: (byte) => byte !== SLASH && byte !== QUESTION && byte !== DOT,
  segment: (byte) => byte !== SLASH && byte !== QUESTION,
  /** Segments, up to the query. */
  path: (byte) => byte !== QUESTION,
  /** The part of a field after its `=`. */
  value: (byte) => byte !== AMPERSAND && byte !== SEMICOLON,
} as const satisfies Record<string, (byte: number) => boolean>;

export type PatternClass = keyof typeof CLASSES;

/** Classes allowed in a host. */
const IN_HOSTS: ReadonlySet<string> = new Set<PatternClass>(['digits', 'hex', 'label']);

const tables: ReadonlyMap<string, Uint8Array> = new Map(
  Object.entries(CLASSES).map(([name, takes]) => [
    name,
    Uint8Array.from({ length: 256 }, (_, byte) =>
      byte > 0x20 && byte !== 0x7f && byte !== 0x23 && takes(byte) ? 1 : 0,
    ),
  ]),
);

/** Literal text, or a class; `copy` is its number, 0 if its text is not kept. */
export type PatternPart =
  | { readonly text: Uint8Array; readonly takes?: undefined }
  | { readonly takes: Uint8Array; readonly copy: number; readonly text?: undefined };

export interface PatternField {
  /** The name of the field, with `=` if the field has one. */
  readonly name: Uint8Array;
  readonly value: readonly PatternPart[];
}

export interface PatternSides {
  /** The pattern before its query. */
  readonly head: readonly PatternPart[];
  readonly fromHost: boolean;
  readonly fields: readonly PatternField[];
  /** True if a URL may have other fields. */
  readonly isOpen: boolean;
  /** Numbers refer to copies. */
  readonly template: readonly (Uint8Array | number)[];
  readonly toHost: boolean;
  /** True if other fields are written after the template. */
  readonly keepsOthers: boolean;
}

export type PatternText = Pick<PatternRule, 'pattern' | 'template'>;

/** The most fields of a pattern. */
export const MOST_FIELDS = 32;

/** The parsed pattern, or the reason why it is invalid. */
export function parsePattern({ pattern, template }: PatternText): PatternSides | string {
  const copies = new Map<number, string>();
  const [headText, query] = cutOnce(pattern, '?');
  const fieldTexts = query === undefined ? [] : query.split('&');
  const isOpen = fieldTexts.at(-1) === '{*}';
  if (isOpen) fieldTexts.pop();
  if (query === '' || fieldTexts.includes('{*}')) return '"pattern" has {*} before other fields, or an empty query';
  const names = fieldTexts.map((field) => cutOnce(field, '=')[0]);
  if (new Set(names).size < names.length || names.some((name) => !/^[^{};]+$/.test(name)))
    return '"pattern" has a field without a name of its own, and a name has no classes';
  if (names.length > MOST_FIELDS) return `"pattern" has ${names.length} fields, expected ${MOST_FIELDS} at most`;
  if (!pattern.startsWith('/') || !template.startsWith('/')) return '"pattern" and "template" have to begin with /';
  const head = partsOf(headText, copies);
  const values = fieldTexts.map((field) => partsOf(cutOnce(field, '=')[1] ?? '', copies));
  const fault = [head, ...values].find((one) => typeof one === 'string');
  if (typeof fault === 'string') return fault;
  const fields = values.map((value, at) => ({
    name: encodeText(fieldTexts[at]!.includes('=') ? `${names[at]!}=` : names[at]!),
    value: value as PatternPart[],
  }));
  const out = templateOf(template, copies);
  if (typeof out === 'string') return out;
  if (out.keepsOthers && !isOpen) return '"template" ends in {*}, but "pattern" does not';
  if (pattern === template)
    return `"pattern" and "template" are both ${JSON.stringify(pattern)}, so it changes nothing`;
  return { head: head as PatternPart[], fromHost: pattern.startsWith('//'), fields, isOpen, ...out };
}

function cutOnce(text: string, at: string): [string, string | undefined] {
  const place = text.indexOf(at);
  return place < 0 ? [text, undefined] : [text.slice(0, place), text.slice(place + at.length)];
}

/** The parts of a head or value, or the reason why they are invalid. Adds kept parts to `copies`, with their class. */
function partsOf(text: string, copies: Map<number, string>): PatternPart[] | string {
  const parts: PatternPart[] = [];
  for (const [piece] of text.matchAll(/\{[^{}]*\}|[^{}]+|[{}]/g)) {
    const [, number, name] = /^\{(?:([1-9]):)?([a-z]+)\}$/.exec(piece) ?? [];
    const takes = name === undefined ? undefined : tables.get(name);
    const before = parts.at(-1)?.takes;
    if (takes === undefined) {
      if (/[{}]/.test(piece))
        return `"pattern" has ${JSON.stringify(piece)}, expected {1:class} or {class}, of ${Object.keys(CLASSES).join(', ')}`;
      const literal = encodeText(piece);
      if (!isClean(literal) || piece.includes('#')) return '"pattern" has a blank, a control character or #';
      if (before?.[literal[0]!] === 1)
        return `"pattern" has ${JSON.stringify(piece)} after a class that takes its first character too`;
      parts.push({ text: literal });
      continue;
    }
    if (before !== undefined) return '"pattern" has two classes without text between them';
    const copy = Number(number ?? 0);
    if (copy > 0 && copies.has(copy)) return `"pattern" keeps ${copy} twice`;
    if (copy > 0) copies.set(copy, name!);
    parts.push({ takes, copy });
  }
  return parts;
}

function templateOf(
  text: string,
  copies: ReadonlyMap<number, string>,
): Pick<PatternSides, 'template' | 'toHost' | 'keepsOthers'> | string {
  const keepsOthers = /[?&]\{\*\}$/.test(text);
  const own = keepsOthers ? text.slice(0, -4) : text;
  const toHost = text.startsWith('//');
  const hostEnd = toHost ? own.slice(2).search(/[/?]|$/) + 2 : 0;
  const template: (Uint8Array | number)[] = [];
  for (const { 0: piece, index } of own.matchAll(/\{[^{}]*\}|[^{}]+|[{}]/g)) {
    const copy = Number(/^\{([1-9])\}$/.exec(piece)?.[1] ?? 0);
    if (copy === 0) {
      const literal = encodeText(piece);
      if (/[{}#]/.test(piece) || !isClean(literal))
        return `"template" has ${JSON.stringify(piece)}, expected text of a URL and copies such as {1}`;
      template.push(literal);
      continue;
    }
    const name = copies.get(copy);
    if (name === undefined) return `"template" copies {${copy}}, which "pattern" does not keep`;
    if (index < hostEnd && !IN_HOSTS.has(name))
      return `"template" copies {${copy}} into the host, but it is a ${name}; expected ${[...IN_HOSTS].join(', ')}`;
    template.push(copy);
  }
  return { template, toHost, keepsOthers };
}
