// Where would a substring rule break the head of a URL? `rule/apply` does not apply a rule whose leftmost match would leave
// no URL (`:` → `-` finds `http:` first). All such matches lie in `http://`, or on the first `/` of a path, so they are told
// beforehand, by trying the rule at every place of each head, of which the bytes behind are not known.
import type { Substitution } from '../rule/apply.js';
import { isRunByte } from '../url/token.js';
import type { ExpressionOptions } from './expression.js';

/** The rule does not match a URL that begins with `head` and then a match, unless `unless` holds behind it. */
export interface Harm {
  readonly head: string;
  /** '' or an expression that looks ahead. */
  readonly unless: string;
}

/** Undefined where it hangs on the host whether the image is a URL. */
export function harmAtHead(rule: Substitution, options: ExpressionOptions): readonly Harm[] | undefined {
  const harms: Harm[] = [];
  for (const head of headsOf(options)) {
    for (let at = 0; at < head.length; at++) {
      if (!canMatch(rule, head, at)) continue;
      if (head === '/' && rule.to.length === 0) {
        const unless = whatMayFollow(rule, options);
        if (unless === undefined) return undefined;
        harms.push({ head: '', unless });
        continue;
      }
      const found = isHead(rule, head, at);
      if (found === undefined) return undefined;
      if (!found) harms.push({ head: head.slice(0, at), unless: '' });
    }
  }
  return harms.filter(({ head }, at) => harms.findIndex((other) => other.head === head) === at);
}

function headsOf({ urls, urlForm }: ExpressionOptions): readonly string[] {
  if (urlForm === 'path' || urls === 'path') return ['/'];
  return urls === 'absolute' ? ['http://', 'https://'] : ['http://', 'https://', '/'];
}

/** Where a rule takes the first `/` away: what follows has to be a URL by itself. */
function whatMayFollow({ from, atEnd }: Substitution, { urls }: ExpressionOptions): string | undefined {
  if (atEnd) return '';
  if (isRunByte(from.at(-1)!)) return '(?!/)';
  return urls === 'any' ? undefined : '(?!/|[hH][tT][tT][pP][sS]?://)';
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

/** Whether the image begins like a URL; undefined where that hangs on bytes behind the head. */
function isHead(rule: Substitution, head: string, at: number): boolean | undefined {
  const byteAt = (place: number): number | undefined => {
    if (place < at) return head.charCodeAt(place);
    if (place < at + rule.to.length) return rule.to[place - at];
    const before = place - rule.to.length + rule.from.length;
    return before < head.length ? head.charCodeAt(before) : undefined;
  };
  if (byteAt(0) === 0x2f) return head === '/' ? true : undefined;
  let isUnknown = false;
  for (const scheme of ['http://', 'https://']) {
    let place = 0;
    while (place < scheme.length && isLetterOf(byteAt(place), scheme.charCodeAt(place))) place++;
    if (place === scheme.length) return head === '/' ? undefined : true;
    isUnknown ||= byteAt(place) === undefined;
  }
  return isUnknown ? undefined : false;
}

function isLetterOf(byte: number | undefined, letter: number): boolean {
  return byte !== undefined && (byte === letter || (letter >= 0x61 && (byte | 0x20) === letter));
}
