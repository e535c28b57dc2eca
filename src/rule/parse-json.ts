// Parses JSON from a file that people may have edited. Errors have line and column.
import { UserError } from '../base/error.js';
import { lineAndColumn, syntaxErrorAt } from './json.js';

/**
 * Advice for three cases: the file is empty or not text, is another kind of file, or is cut off. Sentences without a
 * full stop.
 */
export interface Remedies {
  readonly none: string;
  readonly foreign: string;
  readonly again: string;
}

/** The JSON in a file; messages call it `name`. Throws {@link UserError} with line and column. */
export function parseJson(json: Uint8Array | string, name: string, remedies: Remedies): unknown {
  if (json.length === 0) throw new UserError(`${name} is empty. ${remedies.none}.`);
  let text: string;
  try {
    text =
      typeof json === 'string' ? json.replace(/^\ufeff/, '') : new TextDecoder('utf-8', { fatal: true }).decode(json);
  } catch {
    throw new UserError(`${name} is not UTF-8 text. ${remedies.foreign}.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UserError(describeSyntax(text, name, remedies));
  }
}

function describeSyntax(text: string, name: string, { foreign, again }: Remedies): string {
  const at = syntaxErrorAt(text);
  const place = `${name}:${lineAndColumn(text, at)}`;
  if (at >= text.length) return `${place}: the JSON ends too soon; the file is cut off. ${again}.`;
  const char = String.fromCodePoint(text.codePointAt(at)!);
  const got = JSON.stringify(char);
  if (at === 0 || !'{['.includes(text.trimStart()[0]!)) return `${place}: not JSON, got ${got}. ${foreign}.`;
  if (isLines(text, at)) {
    return `${name} has a JSON value a line, as logs and the lists of dustbuster sketch do. ${foreign}.`;
  }
  const comment = char === '/' || char === '#' ? ' JSON has no comments: write them as "note".' : '';
  return `${place}: damaged JSON, got ${got} where it cannot stand.${comment} Mend the file at that place, or write it again.`;
}

/**
 * True if the file is JSON lines: its first line is a whole value, but not the beginning of a file of dustbuster, and
 * another value follows.
 */
function isLines(text: string, at: number): boolean {
  const first = text.slice(0, at).trimEnd();
  if (!'{['.includes(text[at]!) || text[at - 1] !== '\n' || first.includes('\n')) return false;
  return !first.includes('"format"') && syntaxErrorAt(`${first},`) === first.length;
}
