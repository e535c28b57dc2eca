// What does the text of a regular expression say? It is cut into text, classes with `+`, `.*` or `.+`, and `(https?)`
// at the start. Alternatives, flags, groups in groups, text that is repeated or may be missing are refused.
import { printable } from '../../base/bytes.js';

export type ExpressionPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `set` has the bytes of the class in order, after `^` if it has all others. `group` is 0 outside of a group. */
  | { readonly kind: 'class'; readonly set: string; readonly written: string; readonly group: number }
  /** `.*`, or `.+` whose `least` is 1. */
  | { readonly kind: 'rest'; readonly least: 0 | 1; readonly group: number }
  | { readonly kind: 'scheme'; readonly group: number };

export interface ExpressionText {
  readonly parts: readonly ExpressionPart[];
  readonly groups: number;
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

/** A class or `.`, with what repeats it. */
const REPEATED = /^(?:\\d|\.|\[\^?(?:\\(?:d|[^A-Za-z0-9])|[^\]\\[])+\])[*+](?![+?])/;
/** `copies` of a pattern are digits from 1. */
const MOST_GROUPS = 9;

/** The parts of an expression, or why it is refused. */
export function partsOfExpression(expression: string): ExpressionText | string {
  const atStart = expression.startsWith('^');
  const atEnd = /(?<!\\)(?:\\\\)*\$$/.test(expression);
  const text = expression.slice(atStart ? 1 : 0, atEnd ? -1 : undefined);
  const parts: ExpressionPart[] = [];
  let groups = 0;
  for (let at = 0; at < text.length;) {
    const read = partAt(text, at, groups);
    if (typeof read === 'string') return read;
    const { part, end } = read;
    if ('group' in part && part.group > 0) groups = part.group;
    const last = parts.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      parts[parts.length - 1] = { ...last, text: last.text + part.text };
    else parts.push(part);
    at = end;
  }
  if (groups > MOST_GROUPS) return `got ${groups} groups, expected ${MOST_GROUPS} at most`;
  return { parts, groups, atStart, atEnd };
}

interface Read {
  readonly part: ExpressionPart;
  readonly end: number;
}

function partAt(text: string, at: number, groups: number): Read | string {
  if (text.startsWith('(https?)', at) && at === 0) return { part: { kind: 'scheme', group: 1 }, end: 8 };
  const isGroup = text[at] === '(';
  const start = isGroup ? at + 1 : at;
  const repeated = REPEATED.exec(text.slice(start, start + 100))?.[0];
  if (repeated !== undefined) {
    const end = start + repeated.length;
    const part = repeatedPart(repeated, isGroup ? groups + 1 : 0);
    if (typeof part === 'string') return part;
    if (isGroup && text[end] !== ')')
      return `got ${shown(text.slice(at, at + 20))}, expected a group of one class, such as (\\d+)`;
    return { part, end: isGroup ? end + 1 : end };
  }
  return isGroup
    ? `got ${shown(text.slice(at, at + 20))}, expected a group of one class, such as (\\d+) or (.*)`
    : textAt(text, at);
}

function repeatedPart(written: string, group: number): ExpressionPart | string {
  const isMany = written.endsWith('+');
  const one = written.slice(0, -1);
  if (one === '.') return { kind: 'rest', least: isMany ? 1 : 0, group };
  if (!isMany) return `got ${written}, expected ${one}+, as a class takes a character or more`;
  return { kind: 'class', set: one === '\\d' ? '0-9' : setOf(one.slice(1, -1)), written, group };
}

/** The ranges and characters between the brackets, in order. */
function setOf(inside: string): string {
  const isNot = inside.startsWith('^');
  const ones = (isNot ? inside.slice(1) : inside).match(/\\d|[a-z0-9]-[a-z0-9]|\\.|[^\\]/gi) ?? [];
  const plain = ones.map((one) => (one === '\\d' ? '0-9' : one.replace(/^\\/, '')));
  return (isNot ? '^' : '') + [...new Set(plain)].sort().join('');
}

function textAt(text: string, at: number): Read | string {
  const isEscaped = text[at] === '\\';
  const char = String.fromCodePoint(text.codePointAt(isEscaped ? at + 1 : at) ?? 0);
  const end = at + (isEscaped ? 1 : 0) + char.length;
  if (isEscaped && (at + 1 >= text.length || /[A-Za-z0-9]/.test(char)))
    return `got ${shown(text.slice(at, end))}, expected \\d+ or a sign after \\`;
  if (!isEscaped && /[.*+?|()[\]^$]/.test(char))
    return `got ${char} in ${shown(text.slice(Math.max(0, at - 12), at + 12))}, expected text, a class such as \\d+, or \\${char} for the character itself`;
  if (/[{}]/.test(char)) return `got ${char}, expected text without braces, which URLs have escaped`;
  if (!isEscaped || !/[?*+{]/.test(text[end] ?? '')) return { part: { kind: 'text', text: char }, end };
  return `got ${shown(text.slice(at, end + 1))}, expected text that is there once`;
}

/** Texts and numbers of groups, or why the replacement is refused. */
export function partsOfReplacement(replacement: string, groups: number): readonly (string | number)[] | string {
  const pieces: (string | number)[] = [];
  for (const [piece] of replacement.matchAll(/\$\d?|\\[\s\S]?|[^$\\]+/g)) {
    const text = piece.startsWith('\\') ? piece.slice(1) : piece;
    const group = piece.startsWith('$') ? Number(piece.slice(1)) : undefined;
    if (group !== undefined && (group < 1 || group > groups))
      return `got ${piece} in the replacement, expected ${groups === 0 ? 'text, as there is no group' : `$1 to $${groups}`}`;
    if (/[{}]/.test(text) || (piece.startsWith('\\') && !/^[^A-Za-z0-9]$/.test(text)))
      return `got ${shown(piece)} in the replacement, expected text, and $1 for what a group took`;
    const last = pieces.at(-1);
    if (group !== undefined) pieces.push(group);
    else if (typeof last === 'string') pieces[pieces.length - 1] = last + text;
    else pieces.push(text);
  }
  return pieces;
}

/** Text as it is written, 60 characters of it: in JSON, each \\ of an expression would be two. */
export function shown(text: string): string {
  const line = printable(text);
  return line.length > 60 ? `"${line.slice(0, 57)}..."` : `"${line}"`;
}
