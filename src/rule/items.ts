// What do sort-items and drop-repeated-items make of a URL?
//
//     sort-items ?tags ,            ?tags=b%2Ca,c   -> ?tags=a%2Cb,c      by unescaped bytes; separators stay in place
//     drop-repeated-items ?tags ,   ?tags=b,a,%62   -> ?tags=b,a          an item equal to an earlier one
//
// A list stays as it is if one of its items is empty or has path parameters. So does what stands before the first head.
// A segment that is a list does not name the next segment: steps never change where lists stand, so they are idempotent.
import { byText } from '../base/bytes.js';
import { readPlace } from './items-place.js';
import { literal, unescaped } from './byte-text.js';

/** What becomes of the items of a list; undefined for those that are dropped. */
export type Arrange = (items: string[]) => readonly (string | undefined)[];

export const inOrder: Arrange = (items) => items.sort((a, b) => byText(unescaped(a), unescaped(b)) || byText(a, b));

export const withoutRepeated: Arrange = (items) => {
  const seen = new Set<string>();
  return items.map((item) => (seen.size === seen.add(unescaped(item)).size ? undefined : item));
};

/** Arranges the items of all lists at a place, in a path and its query, which have one character for each byte. */
export function compileItems(place: string, arrange: Arrange): (path: string, query: string) => string {
  const { slot, name, separator, heads } = readPlace(place);
  // An escaped slash does not end a segment.
  const escape = slot === 'below' ? '' : `|%${separator.charCodeAt(0).toString(16)}`;
  const splitter = new RegExp(`([${separator}]${escape})`, 'i');
  const starts = heads.map(unescaped);
  const named = literal(name).replace(/(\[|%5b)(?!\d)/gi, '$&\\d*');
  const [inPath, inQuery] = {
    parameter: [`(;${named}=)([^;/]+)`, `((?:^\\?|[&;])${named}=)([^&;]+)`],
    after: [`(/${named}/)([^/]+)`],
    below: [`^(${named})(.*[^/])`],
    repeated: ['(?!)', `((?:^\\?|[&;])${named})(=[^&;]*|(?![^&;]))`],
  }[slot].map((pattern) => new RegExp(pattern, 'g'));

  function changed(_all: string, before: string, text: string): string {
    const pieces = text.split(splitter);
    if ((starts.length === 0 && pieces.includes('')) || (separator !== ';' && text.includes(';'))) return before + text;
    const marks: string[] = [];
    const items: string[] = [];
    let other = before;
    for (let k = 0; k < pieces.length; k += 2) {
      const [piece, mark] = [pieces[k]!, pieces[k - 1] ?? ''];
      if (starts.length === 0 || starts.includes(unescaped(piece))) {
        marks.push(other + mark);
        items.push(piece);
        other = '';
      } else if (items.length > 0) items[items.length - 1] += mark + piece;
      else other += mark + piece;
    }
    const arranged = arrange(items);
    return marks.map((mark, k) => put(mark, arranged[k])).join('') + other;
  }

  function repeated(query: string): string {
    const arranged = arrange(Array.from(query.matchAll(inQuery!), ([, , value]) => value!));
    let k = 0;
    return query.replace(inQuery!, (_all, before: string) => put(before, arranged[k++]));
  }

  return (path, query) => {
    const image = path.replace(inPath!, changed);
    if (slot === 'repeated') return image + repeated(query);
    return image + (inQuery === undefined ? query : query.replace(inQuery, changed));
  };
}

function put(before: string, item: string | undefined): string {
  return item === undefined ? '' : before + item;
}
