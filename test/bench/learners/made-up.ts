// A made-up site with truth, so that the bench runs from a fresh clone. Kinds of duplicates, in the order of `KINDS`:
//
//   section   http://site.test/money/7           and http://money.site.test/7                   parts that move
//   story     http://site.test/story_12          and http://site.test/story?id=12               parts of values
//   title     http://site.test/wiki?title=Dust3  and http://site.test/wiki/Dust3                a value that moves
//   session   http://site.test/item?id=4         and …&sid=81f, with up to three ids a page     a value that does not matter
//   slug      http://site.test/red-old-shoe_5/   and http://site.test/shoe_5/                   words that do not matter
//
// and pages that look alike and are others: items with numbers, lists whose pages and sorts count.
import { seeded } from '../input/random.js';
import type { Labelled } from './learner.js';

const PAGES_OF_A_KIND = 120;
const SECTIONS = ['money', 'sports', 'arts', 'travel', 'food', 'science', 'health'];
const WORDS = ['red', 'old', 'new', 'small', 'wide', 'fine', 'plain', 'odd', 'warm', 'grey'];
const THINGS = ['shoe', 'lamp', 'chair', 'table', 'spoon', 'glass', 'clock', 'knife'];
const SITE = 'http://site.test';

type Kind = (page: number, random: () => number) => readonly string[];

export const KINDS: Readonly<Record<string, Kind>> = {
  section: (page) => {
    const section = SECTIONS[page % SECTIONS.length]!;
    const story = Math.floor(page / SECTIONS.length);
    return [`${SITE}/${section}/${story}`, `http://${section}.site.test/${story}`];
  },
  story: (page) => [`${SITE}/story_${page}`, `${SITE}/story?id=${page}`],
  title: (page) => [`${SITE}/wiki?title=Dust${page}`, `${SITE}/wiki/Dust${page}`],
  session: (page, random) => {
    const plain = `${SITE}/item?id=${page}`;
    const sessions = Array.from({ length: 1 + (page % 3) }, () => Math.floor(random() * 2 ** 32).toString(16));
    return [plain, ...sessions.map((session) => `${plain}&sid=${session}`)];
  },
  slug: (page, random) => {
    const thing = oneOf(THINGS, random);
    const words = Array.from({ length: 1 + (page % 3) }, () => oneOf(WORDS, random));
    return [`${SITE}/${[...words, thing].join('-')}_${page}/`, `${SITE}/${thing}_${page}/`];
  },
};

/** By default all kinds, and the pages that are nobody's duplicates. */
export function madeUpSite(seed: number, kinds: readonly string[] = Object.keys(KINDS)): Labelled[] {
  const random = seeded(seed);
  const pages = kinds.flatMap((kind) =>
    Array.from({ length: PAGES_OF_A_KIND }, (_, page) =>
      KINDS[kind]!(page, random).map((url) => ({ url, label: `${kind} ${page}` })),
    ).flat(),
  );
  const alone = Array.from({ length: PAGES_OF_A_KIND }, (_, page) => [
    `${SITE}/lecture/${page}`,
    `${SITE}/list?page=${page}&sort=${page % 2 === 0 ? 'name' : 'price'}`,
    `${SITE}/list?page=${page}&sort=${page % 2 === 0 ? 'price' : 'name'}`,
  ]).flat();
  return [...pages, ...alone.map((url) => ({ url, label: url }))];
}

function oneOf<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)]!;
}
