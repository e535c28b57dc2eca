// Pages of which it is known which have the same content: real texts, each in three versions on three sites. Menus and
// advertisements are more or less than the text (SizeSpotSigs, PAKDD 2011, calls them noise).
//
//   text 17   version 0   site 5     as it is
//             version 1   site 9     one word in 200 is another one
//             version 2   site 2     the same, others
//
// The texts are manual pages of the machine, without markup: English prose beside lists of options.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { permuted, seeded } from './random.js';

const MANUALS = '/usr/share/man';
const SECTIONS = ['man1', 'man5', 'man7', 'man8'];
export const VERSIONS = 3;
const SITES = 12;
/** Links of a menu, a quarter of which is at the foot again, and advertisements of three links and eight words. */
export const NOISE = { light: { links: 8, ads: 1 }, heavy: { links: 40, ads: 3 } } as const;
export type Weight = keyof typeof NOISE;
/** Words before an excerpt begins: names and synopses. */
const HEAD = 30;
/** Texts that share more of their shingles are one text with two names. */
const MOST_SHARED = 0.3;

export interface NoisyPage {
  /** A path of three folders or less: the number of the text is the name. */
  readonly path: string;
  readonly text: number;
  /** The page, and its content alone. */
  readonly html: string;
  readonly content: string;
}

interface Manual {
  /** What the page says that its subject is, as in `apropos`: the text of links. */
  readonly title: string;
  readonly words: readonly string[];
}

/**
 * Manual pages with at least so many words of prose, in an order by the seed: one of each family of names (git-add,
 * git-rm; gcloud_…), whose pages say much the same.
 */
function* manuals(words: number, seed: number): Generator<Manual> {
  const files = SECTIONS.flatMap((section) => {
    const folder = join(MANUALS, section);
    return readdirSync(folder)
      .filter((name) => name.endsWith('.gz'))
      .sort()
      .map((name) => join(folder, name));
  });
  const families = new Set<string>();
  for (const at of permuted(files.length, seed)) {
    const family = /[^-_.:]*/.exec(basename(files[at]!))![0];
    if (families.has(family)) continue;
    const roff = gunzipSync(readFileSync(files[at]!)).toString('latin1');
    const prose = proseOf(roff);
    const title = proseOf(/^.* \\?- (.*)$/m.exec(roff)?.[1] ?? '').join(' ');
    if (prose.length < words + HEAD || title === '') continue;
    families.add(family);
    yield { title, words: prose };
  }
}

/** The first `count` manual pages by the seed with 50 words or more: words of lower case. */
export function manualTexts(count: number, seed: number): readonly (readonly string[])[] {
  const files = SECTIONS.flatMap((section) => {
    const folder = join(MANUALS, section);
    const names = readdirSync(folder).filter((name) => name.endsWith('.gz'));
    return names.sort().map((name) => join(folder, name));
  });
  const texts: string[][] = [];
  for (const at of permuted(files.length, seed)) {
    const roff = gunzipSync(readFileSync(files[at]!)).toString('latin1');
    const words =
      proseOf(roff)
        .join(' ')
        .toLowerCase()
        .match(/[a-z]+/g) ?? [];
    if (words.length >= 50) texts.push(words);
    if (texts.length === count) break;
  }
  return texts;
}

/** Lines of text, without requests, escapes and what is no word. */
function proseOf(roff: string): string[] {
  return roff
    .split('\n')
    .filter((line) => !/^[.'\\]/.test(line))
    .join(' ')
    .replace(/\\f(?:\[[^\]]*\]|\(..|.)/g, '')
    .replace(/\\(?:\(..|\[[^\]]*\]|.)/g, ' ')
    .split(/[^0-9A-Za-z,.;:'-]+/)
    .filter((word) => /[A-Za-z]/.test(word));
}

export function shinglesOf(words: readonly string[]): Set<string> {
  return new Set(words.slice(3).map((_, k) => words.slice(k, k + 4).join(' ')));
}

/** `count` different texts of `least` to `most` words, and titles. Throws if the machine has too few. */
function textsOf(count: number, [least, most]: readonly [number, number], seed: number) {
  const random = seeded(seed);
  const texts: string[][] = [];
  const titles: string[] = [];
  const known = new Map<string, number>();
  for (const { title, words } of manuals(most, seed)) {
    titles.push(title);
    const text = words.slice(HEAD, HEAD + least + Math.floor(random() * (most - least + 1)));
    const shingles = shinglesOf(text);
    const shared = new Map<number, number>();
    for (const shingle of shingles) {
      const of = known.get(shingle);
      if (of !== undefined) shared.set(of, (shared.get(of) ?? 0) + 1);
    }
    if (Math.max(0, ...shared.values()) > MOST_SHARED * shingles.size) continue;
    for (const shingle of shingles) if (!known.has(shingle)) known.set(shingle, texts.length);
    texts.push(text);
    if (texts.length === count) return { texts, titles };
  }
  throw new Error(`got ${texts.length} manual pages of ${most} words in ${MANUALS}, expected ${count}`);
}

/** Three pages of each of `count` texts of so many words. */
export function noisyPages(
  count: number,
  range: readonly [number, number],
  weight: Weight,
  seed: number,
): readonly NoisyPage[] {
  const { texts, titles } = textsOf(count, range, seed);
  const random = seeded(seed + 1);
  const below = (limit: number) => Math.floor(random() * limit);
  const vocabulary = texts.flat();
  const phrase = (words: number) => {
    const at = below(vocabulary.length - words);
    return vocabulary.slice(at, at + words).join(' ');
  };
  const link = () => `<li><a href="/${below(1000)}">${titles[below(titles.length)]}</a></li>`;
  const links = (number: number) => `<ul>${Array.from({ length: number }, link).join('\n')}</ul>`;
  const sites = Array.from({ length: SITES }, () => ({
    menu: links(NOISE[weight].links),
    foot: links(NOISE[weight].links / 4),
  }));
  return texts.flatMap((words, text) => {
    const first = below(SITES);
    return Array.from({ length: VERSIONS }, (_, version): NoisyPage => {
      const site = (first + version * 5) % SITES;
      const changed = version === 0 ? words : words.map((word) => (random() < 0.005 ? phrase(1) : word));
      const content = `<p>${changed.join(' ')}</p>`;
      const ads = Array.from({ length: NOISE[weight].ads }, () => `<div>${links(3)}${phrase(8)}</div>`).join('\n');
      const { menu, foot } = sites[site]!;
      return {
        path: `site${site}/v${version}/${text}.html`,
        text,
        html: `${menu}\n${content}\n${ads}\n${foot}`,
        content,
      };
    });
  });
}
