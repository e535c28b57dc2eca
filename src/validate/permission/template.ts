// Of which kind is a URL? Its path with numbers and random parts left open, and the names of its fields:
//
//   /forum/Topic-17.html;jsessionid=8A3F?page=2&f[3]=x&sort=price
//     segments  forum  topic-#.html
//     names     page  f[#]  sort         (the session is no name: everybody has another, or none)
//     words     sort=price               (values that are words; `page=#` and `f[#]=x` say nothing more)
import { knownKindOf } from '../../url/names.js';
import { looksRandom, valuesOf } from '../../url/secret.js';

export interface Template {
  /** The segments of the path, as `maskOf` writes them. */
  readonly segments: readonly string[];
  readonly names: readonly string[];
  /** Names and values of fields with a value that may be a word. */
  readonly words: readonly (readonly [name: string, value: string])[];
}

/** Any text: of a segment or a value that says nothing about its kind. */
export const ANY = '*';

/** Longer texts are titles or searches, not names of kinds. */
const LONGEST_WORD = 40;

/** Of a URL, absolute or a path. */
export function templateOf(url: string): Template {
  const segments: string[] = [];
  const names = new Set<string>();
  const words: [string, string][] = [];
  const query = url.indexOf('?');
  for (const { name, text, start } of valuesOf(url)) {
    if (name === '' && (query < 0 || start < query)) segments.push(maskOf(text));
    else addField(name === '' ? text : name, name === '' ? '' : text, names, words);
  }
  return { segments, names: [...names], words };
}

function addField(given: string, value: string, names: Set<string>, words: [string, string][]): void {
  if (knownKindOf(given) !== undefined) return;
  const name = maskOf(given);
  names.add(name);
  const word = maskOf(value);
  if (word !== '' && word !== '#' && word !== ANY) words.push([name, word]);
}

/** In lower case, without escapes; a number is `#`, and a random or long text, or one with an address of mail, `*`. */
export function maskOf(text: string): string {
  const plain = text.includes('%') ? unescaped(text) : text;
  if (plain.length > LONGEST_WORD || plain.includes('@')) return ANY;
  const dot = plain.lastIndexOf('.');
  if (looksRandom(dot > 0 && plain.length - dot < 7 ? plain.slice(0, dot) : plain)) return ANY;
  // A number separated from the words makes them a title, as in `topics_10` or `the-2nd-edition`.
  return /\p{L}[^\p{L}\d]+\d|\d[^\p{L}\d]+\p{L}/u.test(plain)
    ? plain
        .toLowerCase()
        .replace(/\p{L}+/gu, ANY)
        .replace(/\d+/g, '#')
    : plain.toLowerCase().replace(/\d+/g, '#');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not UTF-8: as it stands
  }
}

/** A template for people: `/forum/topic-#.html?page&sort`. */
export function templateText({ segments, names }: Template): string {
  return `/${segments.join('/')}${names.length === 0 ? '' : `?${names.toSorted().join('&')}`}`;
}
