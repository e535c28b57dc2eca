// Rules for a crawler that takes only a list of Java expressions and applies each once: the edits of a web server.
// While edits are made, the input is kept before the form, up to a newline, which no URL contains:
//
//     given                     the input
//     given \n form             edits work on the text after the newline
//     given                     if a guard matches, the input comes back
//     form                      at the end
//
// A crawler tries every expression on every URL, 2.5 µs each. The class in Java (`source.ts`) can express every rule.
import { maxFormBytes } from '../../canonize/limits.js';
import { createForms, type Edits, type Put } from '../edits/edit.js';
import { editsOf } from '../edits/order.js';
import type { ExportRequest, LeftOut } from '../target.js';
import type { Rule } from '../../rule/rule.js';

/** `find` matches the whole URL, once or not at all; `put` is in the syntax of java.util.regex.Matcher. */
export interface Replacement {
  readonly find: string;
  readonly put: string;
}

export interface Replacements {
  readonly list: readonly Replacement[];
  readonly carried: readonly Rule[];
  readonly left: readonly LeftOut[];
}

export function crawlerForms(request: ExportRequest): (url: string) => string {
  return createForms(crawlerEdits(request).units);
}

function crawlerEdits(request: ExportRequest): Edits {
  return editsOf(request, { isRedirected: false });
}

const given = '(?s)^([^\\n]++)';

export function javaReplacements(request: ExportRequest): Replacements {
  const { units, guards, carried, left } = crawlerEdits(request);
  const url = `(?=https?://|/)([^\\x00-\\x20\\x7f#]{1,${maxFormBytes}})(#[^\\x00-\\x20\\x7f]*)?`;
  const list = [
    { find: `^${url}\\z`, put: '$1$2\n$1' },
    ...units
      .flatMap(({ edits }) => edits)
      .map(({ find, put }) => ({ find: `${given}\\n${inJava(find)}`, put: putOf(put) })),
    ...guards.map((guard) => ({ find: `${given}\\n(?=${inJava(guard)}).*\\z`, put: '$1' })),
    { find: '(?s)^[^\\n]++\\n(.*)\\z', put: '$1' },
  ];
  return { list: carried.length === 0 ? [] : list, carried, left };
}

/** The expression without its `^`, and with `\z` for `$`, which would also match before a line terminator. */
function inJava(find: string): string {
  return find.slice(1).replaceAll('$', '\\z').replaceAll('\\x80-\\xff', '\\x80-\\x{10ffff}');
}

/** The input and a newline, then the edit. Group numbers are one higher, as the input is group 1. */
function putOf(put: Put): string {
  return `$1\n${put.map((piece) => (typeof piece === 'number' ? `$${piece + 1}` : quoted(piece))).join('')}`;
}

/** Escapes whatever Java would read as a group reference, as a digit of one, or as a placeholder of Spring. */
function quoted(text: string): string {
  return text.replace(/[\\${}#]|^[0-9]/g, '\\$&');
}
