// Parses a format string into pieces. It is either the bare string, as in a shell, or a whole line pasted from a
// configuration:
//
//   %h %l %u %t "%r" %>s %b          LogFormat "%h %l %u %t \"%r\" %>s %b" common
//   $remote_addr [$time_local] …     log_format main escape=json '{"uri":"$request_uri",' '"status":$status}';
//
// Quotes are removed as these servers do, so `\"` is a quote in both. The first `%` or `$` tells Apache from nginx.
import { UserError } from '../../../base/error.js';
import { apacheMeaning, nginxMeaning, timePieces, SKIPPED, type Meaning } from './words.js';

interface Literal {
  readonly kind: 'literal';
  readonly text: string;
  readonly at: number;
}

export interface Word {
  readonly kind: 'word';
  /** The text as in the format string, at offset `at`. */
  readonly text: string;
  readonly at: number;
  readonly meaning: Meaning;
}

export type Piece = Literal | Word;

/** How the server writes bytes that would break the line: as `\"` and `\x16`; in JSON as `\u0016`; or unchanged. */
export type Escape = 'default' | 'json' | 'none';

export interface FormatText {
  readonly server: 'apache' | 'nginx';
  readonly escape: Escape;
  /** The string without the quotes of a configuration. */
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** Names of formats in the manuals of Apache and nginx, and their names for --format. */
const NICKNAMES = {
  common: 'common',
  combined: 'combined',
  combinedio: 'combined',
  vhost_common: 'vhost',
  vhost_combined: 'vhost',
} as const;

/** The built-in format of a nickname; null if it is not a nickname. */
export function formatOfNickname(given: string): 'common' | 'combined' | 'vhost' | null {
  const name = given.trim().replace(/^(LogFormat|CustomLog\s+\S+)\s+/i, '');
  return Object.hasOwn(NICKNAMES, name) ? NICKNAMES[name as keyof typeof NICKNAMES] : null;
}

/** Throws a UserError that points at the place where the string is misspelt. */
export function readFormatText(given: string): FormatText {
  const text = given.trim();
  if (/^log_format\s/.test(text) || /^'[^]*'\s*;?$/.test(text)) return readNginxLine(text);
  const line = /^(LogFormat|CustomLog\s+\S+)\s+([^]*)$/i.exec(text);
  const isQuoted = /^"[^]*[^\\]"$/.test(text) && text.includes('\\"');
  if (line !== null || isQuoted) return readApache(firstArgument(line === null ? text : line[2]!));
  const first = /%|\$/.exec(text)?.[0];
  if (first === '%') return readApache(text.replace(/\\(["'\\])/g, '$1'));
  if (first === '$') return readNginx(unescapeNginx(text), 'default');
  throw new UserError(
    `--log-format: got "${given}", which has neither words of Apache's LogFormat, such as %r, nor of nginx's log_format, ` +
      'such as $request. In a shell, put the string in single quotes',
  );
}

/** An error whose message shows the string, with the place marked below it. */
export function misspelt(text: string, at: number, problem: string): UserError {
  const from = Math.max(0, at - 60);
  const shown = text.slice(from, at + 20).replace(/[\p{C}\p{Z}]/gu, ' ');
  return new UserError(`--log-format: ${problem}, at character ${at + 1}:\n  ${shown}\n  ${' '.repeat(at - from)}^`);
}

/** An argument of Apache's configuration: in quotes, or one word. `\` before a line end continues the line. */
function firstArgument(text: string): string {
  const joined = text.replace(/\\\r?\n/g, ' ').trim();
  const quote = joined[0];
  if (quote !== '"' && quote !== "'") return joined.split(/\s/)[0]!;
  let argument = '';
  for (let at = 1; at < joined.length; at++) {
    if (joined[at] === quote) return argument;
    if (joined[at] === '\\' && /["'\\]/.test(joined[at + 1] ?? '')) at++;
    argument += joined[at];
  }
  throw misspelt(joined, joined.length, `the string that begins with ${quote} has no end; expected ${quote}`);
}

function readNginxLine(text: string): FormatText {
  const head = /^log_format\s+(\S+)\s+(?:escape=(\S+)\s+)?/.exec(text);
  const escape = head?.[2] ?? 'default';
  if (escape !== 'default' && escape !== 'json' && escape !== 'none') {
    throw misspelt(text, text.indexOf('escape='), `got escape=${escape}, expected default, json or none`);
  }
  let joined = '';
  for (let at = head?.[0].length ?? 0; at < text.length && text[at] !== ';';) {
    const rest = text.slice(at);
    const piece = /^(?:'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)"|([^\s;'"]+))\s*/.exec(rest);
    if (piece === null) throw misspelt(text, at, `the string that begins here has no end; expected ${text[at]}`);
    joined += unescapeNginx(piece[1] ?? piece[2] ?? piece[3]!);
    at += piece[0].length;
  }
  return readNginx(joined, escape);
}

function unescapeNginx(text: string): string {
  const blanks: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n' };
  return text.replace(/\\(["'\\trn])/g, (_, char: string) => blanks[char] ?? char);
}

function readNginx(text: string, escape: Escape): FormatText {
  const pieces: Piece[] = [];
  for (const match of text.matchAll(/\$(\w+)|\$\{(\w+)\}|\$|[^$]+/g)) {
    const [all, bare, braced] = match;
    const name = bare ?? braced;
    if (name !== undefined) pieces.push({ kind: 'word', text: all, at: match.index, meaning: nginxMeaning(name) });
    else if (all === '$') throw misspelt(text, match.index, 'no name follows the $; expected $name or ${name}');
    else pieces.push({ kind: 'literal', text: all, at: match.index });
  }
  return { server: 'nginx', escape, text, pieces };
}

/** `%`, modifiers and an argument in any order, then a letter, or `^` and two letters. */
const DIRECTIVE = /^%([<>!,0-9]*)(?:\{([^}]*)\})?([<>!,0-9]*)(%|\^[a-zA-Z]{2}|[a-zA-Z])/;

function readApache(text: string): FormatText {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const literal = /^(?:[^%\\]|\\.?)+/.exec(rest)?.[0];
    if (literal !== undefined) {
      pieces.push({ kind: 'literal', text: unescapeApache(literal), at });
      at += literal.length;
      continue;
    }
    const directive = DIRECTIVE.exec(rest);
    if (directive === null) throw misspeltDirective(text, at);
    pieces.push(...apachePieces(directive, at));
    at += directive[0].length;
  }
  return { server: 'apache', escape: 'default', text, pieces };
}

function unescapeApache(text: string): string {
  const blanks: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n' };
  return text.replace(/\\([\\trn])/g, (_, char: string) => blanks[char] ?? char);
}

function apachePieces([text, before, argument, after, letter]: RegExpExecArray, at: number): Piece[] {
  if (letter === '%') return [{ kind: 'literal', text: '%', at }];
  const word = (meaning: Meaning): Word => ({ kind: 'word', text, at, meaning });
  if (letter === 't') {
    return timePieces(argument ?? '').map((piece) =>
      'text' in piece ? { kind: 'literal', text: piece.text, at } : word(piece.meaning),
    );
  }
  const which = `${before}${after}`.replace(/[^<>]/g, '');
  return [word(letter!.length > 1 ? SKIPPED : apacheMeaning(which + letter!, argument ?? null))];
}

function misspeltDirective(text: string, at: number): UserError {
  const brace = /^%[<>!,0-9]*\{/.exec(text.slice(at));
  if (brace !== null && !text.includes('}', at)) {
    return misspelt(text, at + brace[0].length - 1, 'the brace has no end; expected }');
  }
  const modifiers = /^%[<>!,0-9]*(\{[^}]*\})?[<>!,0-9]*\^?/.exec(text.slice(at))![0];
  return misspelt(
    text,
    at + modifiers.length,
    'a letter is missing here; expected a word such as %r or %{Host}i, or %% for %',
  );
}
