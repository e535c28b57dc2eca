// What may precede the place of a substring rule in a URL? The rule skips places whose image would not be a URL, and
// those that would change scheme or host by punctuation alone (rule/apply): `//` → `/` does not match in `http://`. So
// the text before a place is described by cases, by where the place begins, in order of position:
//
//     http     ://www.example.com    /           index.html?…
//     scheme   host                  first byte  after
//
//     scheme      each place individually, as all bytes are known; a letter of scheme or host has to be replaced
//     host        the same, so there is none for a `from` that has only punctuation up to the end of the host
//     first byte  of path or query: its replacement has to be a `/` or `?`
//     after       any place
import type { Substitution } from '../rule/apply.js';
import { isRunByte } from '../url/token.js';
import type { ExpressionOptions } from './step.js';
import { httpPattern } from './site-pattern.js';

/** What precedes a place, and what has to follow it: expressions, '' for nothing. */
export interface Head {
  readonly head: string;
  readonly behind: string;
}

/** In rules of paths, heads begin where the path does. Undefined if it depends on the host whether a place is valid. */
export function headsOf(rule: Substitution, options: ExpressionOptions): readonly Head[] | undefined {
  const { urls, urlForm, dialect } = options;
  const inPath = pathHeads(rule, options);
  if (urls === 'path' || urlForm === 'path') return inPath;
  const inScheme = schemeHeads(rule, options);
  if (inScheme === undefined || hangsOnHost(rule)) return undefined;
  if (rule.atStart) return [...inScheme, ...(urls === 'any' ? inPath : [])];
  const http = httpPattern(options.normalization);
  const host = startsInRunOf(rule) ? [{ head: `${http}[^/?]*?`, behind: '' }] : [];
  const absolute: readonly Head[] = [
    ...inScheme,
    ...host,
    ...(beginsPath(rule) ? firstByte(rule, '/?', options) : []).map((behind) => ({ head: `${http}[^/?]*`, behind })),
    { head: `${http}[^/?]*[/?]${dialect.any}*?`, behind: '' },
  ];
  if (urls === 'absolute') return absolute;
  return [...absolute, ...inPath.map(({ head, behind }) => ({ head: `(?!${http})${head}`, behind }))];
}

function pathHeads(rule: Substitution, options: ExpressionOptions): readonly Head[] {
  const first = firstByte(rule, '/', options).map((behind) => ({ head: '', behind }));
  return rule.atStart ? first : [...first, { head: `${options.dialect.any}+?`, behind: '' }];
}

/**
 * What has to follow a place at the first byte, so that one of `allowed` replaces it; nothing if that is impossible.
 */
function firstByte(rule: Substitution, allowed: '/' | '/?', { dialect }: ExpressionOptions): readonly string[] {
  if (rule.to.length > 0) return allowed.includes(String.fromCharCode(rule.to[0]!)) ? [''] : [];
  if (allowed === '/') return rule.atEnd ? [] : ['/'];
  return [rule.atEnd ? '' : `(?:[/?]|${dialect.end})`];
}

function schemeHeads(rule: Substitution, { normalization }: ExpressionOptions): readonly Head[] | undefined {
  const places = placesInScheme(rule);
  if (places === undefined) return undefined;
  const texts = places
    .filter(({ isTaken }) => isTaken)
    .map(({ head }) =>
      Array.from(head, (char) =>
        normalization !== 'safe' && /[a-z]/.test(char) ? `[${char}${char.toUpperCase()}]` : char,
      ).join(''),
    );
  return Array.from(new Set(texts), (head) => ({ head, behind: '' }));
}

/** What precedes each place in a scheme where `from` could occur; undefined if the result depends on the host. */
function placesInScheme(
  rule: Substitution,
): readonly { readonly head: string; readonly isTaken: boolean }[] | undefined {
  const places: { head: string; isTaken: boolean }[] = [];
  for (const head of ['http://', 'https://']) {
    for (let at = 0; at < head.length; at++) {
      if (!canMatch(rule, head, at)) continue;
      const isTaken = replacesRun(rule, head.length - at) ? isHead(rule, head, at) : false;
      if (isTaken === undefined) return undefined;
      places.push({ head: head.slice(0, at), isTaken });
    }
  }
  return places;
}

/** Whether a letter or digit of the URL before its path is replaced, if `length` bytes of `from` are in the scheme. */
function replacesRun({ from }: Substitution, length: number): boolean {
  const run = from.findIndex(isRunByte);
  return run >= 0 && !from.subarray(Math.min(length, run), run).some(isPathStart);
}

/** The same for a place in the host. */
function startsInRunOf(rule: Substitution): boolean {
  return replacesRun(rule, 0);
}

/** True if the final punctuation of a host reappears at the same place: `./` → `.` of `http://h.//`. */
function hangsOnHost({ from, to, atStart }: Substitution): boolean {
  if (atStart) return false;
  for (let length = 1; length <= from.length; length++) {
    if (isRunByte(from[length - 1]!) || isPathStart(from[length - 1]!)) return false;
    const isAlike = from.subarray(0, length).every((byte, at) => byte === to[at]);
    const next = from[length];
    if (isAlike && (next === undefined || isPathStart(next)) && (to[length] === undefined || isPathStart(to[length]!)))
      return true;
  }
  return false;
}

function beginsPath({ from }: Substitution): boolean {
  return from.length === 0 || isPathStart(from[0]!);
}

function isPathStart(byte: number): boolean {
  return byte === 0x2f || byte === 0x3f;
}

function canMatch({ from, atStart, atEnd }: Substitution, head: string, at: number): boolean {
  const stop = at + from.length;
  if (atStart ? at > 0 : from.length === 0) return false;
  if (atEnd && stop < head.length) return false;
  for (let k = at; k < Math.min(stop, head.length); k++) if (head.charCodeAt(k) !== from[k - at]) return false;
  const isCut = (place: number, byte: number | undefined, other: number) =>
    place <= 0 || place >= head.length || byte === undefined || !isRunByte(byte) || !isRunByte(head.charCodeAt(other));
  return isCut(at, from[0], at - 1) && isCut(stop, from.at(-1), stop);
}

/** Whether the image begins like a URL; undefined if that depends on bytes after the head. */
function isHead(rule: Substitution, head: string, at: number): boolean | undefined {
  const byteAt = (place: number): number | undefined => {
    if (place < at) return head.charCodeAt(place);
    if (place < at + rule.to.length) return rule.to[place - at];
    const before = place - rule.to.length + rule.from.length;
    return before < head.length ? head.charCodeAt(before) : undefined;
  };
  if (byteAt(0) === 0x2f) return undefined;
  let isUnknown = false;
  for (const scheme of ['http://', 'https://']) {
    let place = 0;
    while (place < scheme.length && isLetterOf(byteAt(place), scheme.charCodeAt(place))) place++;
    if (place === scheme.length) return true;
    isUnknown ||= byteAt(place) === undefined;
  }
  return isUnknown ? undefined : false;
}

function isLetterOf(byte: number | undefined, letter: number): boolean {
  return byte !== undefined && (byte === letter || (letter >= 0x61 && (byte | 0x20) === letter));
}
