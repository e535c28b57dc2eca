// Blanks the parts of a page that repeat its own address:
//
//     u  http://h/story?id=7&ref=mail      page: "… Permalink: http://h/story?id=7&ref=mail · Share: …u=http%3A…"
//     v  http://h/story?id=7               page: "… Permalink: http://h/story?id=7 · Share: …"
//
// Pages that repeat their address differ there, even if they say the same. So before two pages are compared, the parts
// in which their addresses differ are blanked, the same parts in both pages:
//
// - addresses: the whole URL, path and query, the path (also as servers write it above a list of files, without doubled
//   slashes and without a slash at its end), the query, and `name=value`. Their punctuation shows that an address is
//   meant, so they are always blanked: `/item/7` and `id=7` are, the 7 of "Item 7" is not.
// - words: a value by itself, only if the other address does not have its field. If the other address has the field
//   with another value, the word may be what the page is about ("No hits for kettle", "No hits for bread"); the same
//   holds for path segments. Short words and small numbers are never blanked, as they are everywhere.
//
// Each is looked for as it is, percent-decoded, with + for blanks, percent-encoded once more, and escaped for HTML once
// more. Case does not matter. Nothing is blanked inside of a word.

/** The texts to look for in the pages of two URLs, in lower case. */
export interface Echoes {
  readonly addresses: readonly string[];
  readonly words: readonly string[];
}

interface Parts {
  readonly url: string;
  /** Includes the port. */
  readonly host: string;
  readonly path: string;
  /** Does not include the question mark. */
  readonly query: string;
  readonly fields: readonly string[];
}

/** Pages do not repeat longer URLs. */
const MAX_URL = 2048;
/** Shorter addresses occur in too many texts by chance. */
const MIN_ADDRESS = 4;

export function echoesOf(u: string, v: string): Echoes {
  const [a, b] = [partsOf(u), partsOf(v)];
  if (u === v || u.length > MAX_URL || v.length > MAX_URL) return { addresses: [], words: [] };
  const [fieldsA, fieldsB] = [without(a.fields, b.fields), without(b.fields, a.fields)];
  const pairs: (readonly [string, string])[] = [
    [a.url, b.url],
    [a.host + a.path + queryOf(a), b.host + b.path + queryOf(b)],
    [a.path + queryOf(a), b.path + queryOf(b)],
    [a.path, b.path],
    [nameOfFolder(a.path), nameOfFolder(b.path)],
    [a.query, b.query],
    [a.host, b.host],
  ];
  // Only if both can be removed: removing one would make the pages differ where they are equal.
  const whole = pairs.flatMap(([left, right]) =>
    left !== right && isSpecific(left) && isSpecific(right) ? [left, right] : [],
  );
  // The same fields in another order. Links of a page often drop one field and keep the order of the rest, so every
  // field may be an echo.
  const isReordered = fieldsA.length === 0 && fieldsB.length === 0 && a.query !== b.query;
  const fields = (isReordered ? a.fields : [...fieldsA, ...fieldsB]).filter((field) => /^[^=]+=/.test(field));
  const words = [...lonelyValues(fieldsA, b.fields), ...lonelyValues(fieldsB, a.fields)];
  return {
    addresses: formsOf([...whole, ...fields], (form) => form.length >= 3),
    words: formsOf(words, isTelling),
  };
}

function partsOf(url: string): Parts {
  const [, host = '', path = '', query = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/([^/?#]*))?([^?#]*)\??([^#]*)/is.exec(url)!;
  const fields = query.split(/[&;]/).filter((field) => field !== '');
  const parameters = path.includes(';') ? path.split('/').flatMap((segment) => segment.split(';').slice(1)) : [];
  return { url, host, path, query, fields: [...fields, ...parameters] };
}

function queryOf({ query }: Parts): string {
  return query === '' ? '' : `?${query}`;
}

function nameOfFolder(path: string): string {
  const folded = path.replace(/\/+/g, '/');
  return folded.endsWith('/') ? folded.slice(0, -1) : folded;
}

/**
 * True if the last path segments of two URLs name different things: each has a word that the other URL does not have
 * anywhere, as in /cups-bsd/ and /cups-client/.
 */
export function haveOtherNames(u: string, v: string): boolean {
  const [a, b] = [partsOf(u), partsOf(v)];
  const hasOwnWord = (one: Parts, other: Parts) => {
    const words = new Set(wordsOf(other.path + queryOf(other)));
    return wordsOf(nameOfFolder(one.path).split('/').pop()!).some((word) => !words.has(word));
  };
  return hasOwnWord(a, b) && hasOwnWord(b, a);
}

function wordsOf(text: string): string[] {
  return (
    percentDecoded(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** True for a text with letters or digits and a separator that is long enough. Otherwise plain words could match. */
function isSpecific(text: string): boolean {
  return text.length >= MIN_ADDRESS && /[\p{L}\p{N}]/u.test(text) && /[/.?=&]/.test(text);
}

/** True for a word of at least four characters with letters, or a number of at least five digits. */
function isTelling(word: string): boolean {
  return word.length >= 4 && (/\p{L}.*\p{L}/u.test(word) || /\p{N}{5}/u.test(word));
}

function without(fields: readonly string[], others: readonly string[]): string[] {
  return fields.filter((field) => !others.includes(field));
}

/** Values of the fields that the other address does not have. */
function lonelyValues(fields: readonly string[], others: readonly string[]): string[] {
  const names = new Set(others.map(nameOf));
  return fields.flatMap((field) => (names.has(nameOf(field)) ? [] : [field.slice(field.indexOf('=') + 1)]));
}

function nameOf(field: string): string {
  return field.split('=', 1)[0]!;
}

function formsOf(texts: readonly string[], isWanted: (form: string) => boolean): string[] {
  const forms = new Set<string>();
  for (const text of texts) {
    const decoded = [percentDecoded(text), percentDecoded(text.replace(/\+/g, ' '))];
    for (const form of [
      text,
      encoded(text),
      text.replace(/&/g, '&amp;'),
      ...decoded.flatMap((plain) => [plain, ...escapesOf(plain)]),
    ]) {
      const folded = form.toLowerCase().replace(/\s+/g, ' ').trim();
      if (isWanted(folded)) forms.add(folded);
    }
  }
  return [...forms];
}

function escapesOf(text: string): string[] {
  const html = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  return [html, encodeURI(wellFormed(text)), encoded(text), encoded(text).replace(/%20/g, '+')];
}

function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** Decodes percent-escapes as UTF-8. Invalid bytes stay escaped. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const read = Buffer.from(escapes.replace(/%/g, ''), 'hex').toString('utf8');
    return read.includes('\ufffd') ? escapes : read;
  });
}

/** The text in lower case with all of `forms` blanked. Takes linear time in the lengths of both, for any input. */
export function blanked(text: string, forms: readonly string[]): string {
  const lower = text.toLowerCase();
  /** By start of a blank: its end. */
  const ends = new Map<number, number>();
  for (const form of forms) {
    for (const start of placesOf(form, lower)) {
      if (isInWord(lower, start) || isInWord(lower, start + form.length)) continue;
      ends.set(start, Math.max(ends.get(start) ?? 0, start + form.length));
    }
  }
  if (ends.size === 0) return lower;
  const kept: string[] = [];
  let at = 0;
  for (const [start, end] of [...ends].sort(([a], [b]) => a - b)) {
    if (start > at) kept.push(lower.slice(at, start));
    at = Math.max(at, end);
  }
  kept.push(lower.slice(at));
  return kept.join(' ');
}

const wordChar = /[\p{L}\p{N}]/u;

/** True if the characters on both sides of a place belong to a word. */
function isInWord(text: string, place: number): boolean {
  return place > 0 && place < text.length && wordChar.test(text[place - 1]!) && wordChar.test(text[place]!);
}

/**
 * Where `form` occurs in `text` (Knuth-Morris-Pratt). indexOf of V8 is faster on real pages, but its time is the
 * product of both lengths if page and address are one repeated letter. So it is used only to test for the beginning of
 * a match.
 */
function placesOf(form: string, text: string): number[] {
  if (!text.includes(form.slice(0, PROBE))) return [];
  const borders = new Int32Array(form.length);
  for (let at = 1, border = 0; at < form.length; at++) {
    while (border > 0 && form[at] !== form[border]) border = borders[border - 1]!;
    if (form[at] === form[border]) border++;
    borders[at] = border;
  }
  const places: number[] = [];
  for (let at = 0, matched = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== form[matched]) matched = borders[matched - 1]!;
    if (text[at] === form[matched]) matched++;
    if (matched < form.length) continue;
    places.push(at - matched + 1);
    matched = borders[matched - 1]!;
  }
  return places;
}

const PROBE = 16;
