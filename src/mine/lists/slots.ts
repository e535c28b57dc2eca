// Where in a URL may a list of items stand?
//
//   http://h/shop/filter/red,blue?tags=a%2Cb&f[0]=x&f[1]=y
//
//   after      filter          red,blue
//   below      /               shop/filter/red,blue          below 0 to 3 folders
//              /shop/          filter/red,blue
//   parameter  tags            a%2Cb
//   repeated   f[]             x and y                       numbers in brackets do not count
//
// Offsets are those in the text of the URL.
import type { ItemsPlace } from '../../rule/items-place.js';

/** A part of a URL that may be a list. */
export interface Slot {
  readonly slot: ItemsPlace['slot'];
  readonly name: string;
  /** Pairs of start and end: one for each field of a repeated parameter, otherwise one. */
  readonly ranges: readonly number[];
}

const MOST_FOLDERS = 3;
const MOST_FIELDS = 64;
/** Names of fields that PHP numbers: `f[0]` and `f%5B1%5D`. */
const NUMBERED = /(\[|%5B)\d+(\]|%5D)$/i;

/** Calls `visit` for each slot of the URL. */
export function eachSlot(url: string, visit: (slot: Slot) => void): void {
  const path = pathOf(url);
  const hash = url.indexOf('#', path);
  const end = hash < 0 ? url.length : hash;
  const query = url.indexOf('?', path);
  const pathEnd = query < 0 || query > end ? end : query;
  eachInPath(url, path, pathEnd, visit);
  if (pathEnd < end) eachInQuery(url, pathEnd + 1, end, visit);
}

/** Where the path begins. */
export function pathOf(url: string): number {
  const host = /^[a-z]+:\/\/[^/?#]*/i.exec(url);
  return host === null ? 0 : host[0].length;
}

function eachInPath(url: string, start: number, end: number, visit: (slot: Slot) => void): void {
  const last = url[end - 1] === '/' ? end - 1 : end;
  let [depth, from, before] = [0, start + 1, ''];
  while (from <= last && url[from - 1] === '/') {
    const slash = url.indexOf('/', from);
    const to = slash < 0 || slash > last ? last : slash;
    if (depth <= MOST_FOLDERS && from < last) {
      visit({ slot: 'below', name: url.slice(start, from), ranges: [from, last] });
    }
    const segment = url.slice(from, to);
    if (before !== '' && to > from) visit({ slot: 'after', name: before, ranges: [from, to] });
    [depth, from, before] = [depth + 1, to + 1, segment];
  }
}

function eachInQuery(url: string, start: number, end: number, visit: (slot: Slot) => void): void {
  const names = new Map<string, number[]>();
  let fields = 0;
  for (let from = start; from < end && fields++ < MOST_FIELDS;) {
    const to = fieldEnd(url, from, end);
    const equals = url.indexOf('=', from);
    if (equals > from && equals < to) {
      const name = url.slice(from, equals).replace(NUMBERED, '$1$2');
      const ranges = names.get(name);
      if (ranges === undefined) names.set(name, [equals + 1, to]);
      else ranges.push(equals + 1, to);
    }
    from = to + 1;
  }
  for (const [name, ranges] of names) {
    visit({ slot: 'repeated', name, ranges });
    for (let at = 0; at < ranges.length; at += 2) {
      visit({ slot: 'parameter', name, ranges: ranges.slice(at, at + 2) });
    }
  }
}

/** A `;` ends a field only if another one with `=` follows, since `tags=a;b` is a list. */
function fieldEnd(url: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (url[at] === '&' || (url[at] === ';' && /^[^=;&]*=/.test(url.slice(at + 1, end)))) return at;
  }
  return end;
}
