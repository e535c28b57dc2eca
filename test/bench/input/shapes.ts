// Lists that are hard on one idea or another of how pairs can be found. URLs are distinct and have no sizes, so that
// every bucket counts; each list has some dust.
import { mix, permuted, seeded } from './random.js';
import { siteUrls } from './site.js';

export interface Shape {
  readonly name: string;
  readonly about: string;
  readonly count: number;
  /** So few that a naive program can find the pairs. */
  readonly few: number;
  readonly urls: (count: number) => Iterable<string>;
}

const HOST = 'http://www.example.com';
const WORDS = ['a', 'web', 'site', 'index', 'x1', 'y2', 'z3', 'doc'];

export const SHAPES: readonly Shape[] = [
  {
    name: 'plain',
    about: 'the site of the other cases, without sizes, for comparison',
    count: 1_000_000,
    few: 400,
    *urls(count) {
      for (const { host, path } of siteUrls(count)) yield `http://${host}${path}`;
    },
  },
  {
    name: 'one-folder',
    about: 'one folder of numbered files: a node that nothing splits',
    count: 5_000_000,
    few: 400,
    *urls(count) {
      for (const file of permuted(count, 1))
        yield `${HOST}/files/${file % 10 === 0 ? `${file + 1}.htm` : `${file}.html`}`;
    },
  },
  {
    name: 'one-prefix',
    about: 'a first part of 80 tokens that all share',
    count: 1_000_000,
    few: 200,
    *urls(count) {
      const prefix = `${HOST}/${'deep/down/'.repeat(18)}`;
      for (const file of permuted(count, 2)) yield `${prefix}${WORDS[mix(file) % 8]}/${file >>> 3}/${file & 7}.html`;
    },
  },
  {
    name: 'long',
    about: '400 tokens, families that differ in one place',
    count: 20_000,
    few: 40,
    *urls(count) {
      const random = seeded(3);
      const word = () => WORDS[Math.floor(random() * WORDS.length)]!;
      let family: string[] = [];
      for (let k = 0; k < count; k++) {
        if (k % 10 === 0) family = Array.from({ length: 196 }, word);
        const at = Math.floor(random() * family.length);
        const [before, after] = [family.slice(0, at), family.slice(at + 1)];
        const member = k % 10 < 2 ? [family[at]!, ...(k % 2 === 0 ? [] : ['old'])] : [`${word()}${k}`];
        yield `${HOST}/${[...before, ...member, ...after].join('/')}`;
      }
    },
  },
  {
    name: 'shuffled-query',
    about: '60 parameters in any order',
    count: 20_000,
    few: 40,
    *urls(count) {
      const random = seeded(4);
      let url = '';
      for (let k = 0; k < count; k++) {
        const fields = Array.from(permuted(60, k + 5), (name) => `p${name}=${Math.floor(random() * 3)}`);
        url = k % 10 === 9 ? `${url}&sid=1` : `${HOST}/search?${fields.join('&')}`;
        yield url;
      }
    },
  },
  {
    name: 'trap',
    about: 'a crawler that went in circles: paths of up to 50 periods, each a period longer',
    count: 10_000,
    few: 150,
    *urls(count) {
      for (const k of permuted(count, 6)) {
        const [circle, turns] = [Math.floor(k / 50), k % 50];
        const period = WORDS.slice(circle % 5, (circle % 5) + 1 + (circle % 3)).join('/');
        yield `${HOST}/c${circle}/${`${period}/`.repeat(turns)}${circle % 2 === 0 ? '' : 'index.html'}`;
      }
    },
  },
  {
    name: 'small-sites',
    about: 'sites of 100 URLs each',
    count: 1_000_000,
    few: 1_000,
    *urls(count) {
      for (const { host, path } of manySites(count / 100, 100)) yield `http://${host}${path}`;
    },
  },
];

/** `each` URLs of every site, round-robin. */
export function* manySites(sites: number, each: number): ReturnType<typeof siteUrls> {
  const lists = Array.from({ length: sites }, (_, site) => siteUrls(each, 10 + site, `site${site}.test`));
  for (let k = 0; k < each; k++) for (const list of lists) yield list.next().value!;
}
