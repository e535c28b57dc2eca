// Where do the contents of names come from? Words that nobody wrote, and templates of addresses that are filled with
// them, so that the pages of a class of software look alike and those of two hosts share nothing else.
import type { Address, Field } from './ways.js';

export type Random = () => number;

const STARTS = ['b', 'br', 'c', 'd', 'f', 'gr', 'h', 'k', 'l', 'm', 'n', 'p', 'r', 's', 'st', 't', 'tr', 'v', 'w'];
const MIDDLES = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou'];
const ENDS = ['', '', 'n', 'r', 'l', 's', 't', 'm', 'nd'];
const COMMON = ['news', 'about', 'products', 'service', 'events', 'archive', 'team', 'help', 'media', 'sport'];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'];

/** Placeholders of templates. */
const FILLED: Readonly<Record<string, (random: Random, sections: readonly string[]) => string>> = {
  section: (random, sections) => oneOf(sections, random),
  word: (random) => word(random),
  Word: (random) => capital(word(random)),
  slug: (random) => words(random).join('-'),
  Title: (random) => words(random).map(capital).join('_'),
  id: (random) => String(1 + Math.floor(10 ** (1 + 4 * random()))),
  n: (random) => String(2 + Math.floor(20 * random() ** 2)),
  year: (random) => String(2004 + Math.floor(22 * random())),
  month: (random) => String(1 + Math.floor(12 * random())).padStart(2, '0'),
  day: (random) => String(1 + Math.floor(28 * random())).padStart(2, '0'),
  hex: (random) => hex(random, 8),
  lang: (random) => oneOf(LANGUAGES, random),
  code: (random) => `${word(random).slice(0, 3).toUpperCase()}${100 + Math.floor(9900 * random())}`,
};

/** An address with placeholders: literal text and names of them in turn. */
export interface Template {
  readonly parts: readonly string[];
}

export function templateOf(text: string): Template {
  const parts = text.split(/[{}]/);
  const unknown = parts.find((part, at) => at % 2 === 1 && !(part in FILLED));
  if (unknown !== undefined) throw new Error(`${text} has the placeholder ${unknown}, expected one of the list`);
  return { parts };
}

/** Values for each placeholder; half of the time only one of them differs from `like`. */
export function valuesFor(
  { parts }: Template,
  sections: readonly string[],
  random: Random,
  like?: readonly string[],
): string[] {
  const names = parts.filter((_, at) => at % 2 === 1);
  const changed = like !== undefined && random() < 0.5 ? Math.floor(names.length * random()) : -1;
  return names.map((name, at) => (changed >= 0 && at !== changed ? like![at]! : FILLED[name]!(random, sections)));
}

export function filled({ parts }: Template, values: readonly string[]): Pick<Address, 'path' | 'query'> {
  const text = parts.map((part, at) => (at % 2 === 1 ? values[at >> 1]! : part)).join('');
  const [path, query] = text.split('?');
  const fields = query?.split('&').map((pair): Field => pair.split('=') as unknown as Field);
  return { path: path!, query: fields ?? [] };
}

/** The sections of a host: names of its own, and a few that many hosts have. */
export function sectionsOf(random: Random): string[] {
  return Array.from({ length: 3 + Math.floor(6 * random()) }, () =>
    random() < 0.4 ? oneOf(COMMON, random) : word(random),
  );
}

export function word(random: Random): string {
  const count = 2 + Math.floor(2 * random());
  return Array.from({ length: count }, () => oneOf(STARTS, random) + oneOf(MIDDLES, random) + oneOf(ENDS, random)).join(
    '',
  );
}

export function oneOf<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]!;
}

export function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(16 * random()).toString(16)).join('');
}

function words(random: Random): string[] {
  return Array.from({ length: 1 + Math.floor(4 * random()) }, () => word(random));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
