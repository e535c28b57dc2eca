// Which kind of URL is this? Its path, with numbers and random parts left open, and the names of its fields:
//
//   /forum/Topic-17.html;jsessionid=8A3F?page=2&f[3]=x&sort=price
//     segments  forum  topic-#.html
//     names     page  f[#]  sort         (without the session, which differs for everybody, or is missing)
//     words     sort=price               (values that are words; `page=#` and `f[#]=x` say nothing more)
import { knownKindOf } from '../../url/names.js';
import { looksRandom, valuesOf } from '../../url/secret.js';
import { withoutEscapes } from '../../url/escape.js';

export interface Template {
  /** The segments of the path, as `maskOf` writes them. */
  readonly segments: readonly string[];
  readonly names: readonly string[];
  /** Names and values of fields whose value may be a word. */
  readonly words: readonly (readonly [name: string, value: string])[];
}

/** Stands for a segment or value that says nothing about the kind. */
export const ANY = '*';

/** Longer text is a title or a search, and no name of a kind. */
const LONGEST_WORD = 40;

/** `url` is absolute or a path. */
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

/**
 * Text in lower case without escapes. A number becomes `#`; random or long text, or text with an email address, becomes
 * `*`.
 */
export function maskOf(text: string): string {
  const plain = withoutEscapes(text);
  if (plain.length > LONGEST_WORD || plain.includes('@')) return ANY;
  const dot = plain.lastIndexOf('.');
  if (looksRandom(dot > 0 && plain.length - dot < 7 ? plain.slice(0, dot) : plain)) return ANY;
  // A number beside words, but separated from them, makes a title: `topics_10`, `the-2nd-edition`.
  return /\p{L}[^\p{L}\d]+\d|\d[^\p{L}\d]+\p{L}/u.test(plain)
    ? plain
        .toLowerCase()
        .replace(/\p{L}+/gu, ANY)
        .replace(/\d+/g, '#')
    : plain.toLowerCase().replace(/\d+/g, '#');
}

/** A template for people, such as `/forum/topic-#.html?page&sort`. */
export function templateText({ segments, names }: Template): string {
  return `/${segments.join('/')}${names.length === 0 ? '' : `?${names.toSorted().join('&')}`}`;
}
