// Templates of addresses: the kinds of pages of made-up sites, each in a line of its own.
import { describe, expect, it } from 'vitest';
import { maskOf } from '../../../src/mine/templates/mask.js';
import { templatesOf } from '../../../src/mine/templates/templates.js';
import { seeded } from '../../bench/input/random.js';

const random = seeded(4);
const some = (most: number) => Math.floor(random() * most);
const pick = <T>(values: readonly T[]): T => values[some(values.length)]!;
const WORDS = 'oak pine elm ash fir yew box bay fig lime'.split(' ');
const slug = () => `${pick(WORDS)}-${pick(WORDS)}`;

/** The lines of a site, and for each kind of its paths the lines that these are in. */
function linesBy(kinds: Readonly<Record<string, () => string>>, count = 400) {
  const all = Object.entries(kinds).map(
    ([kind, path]) => [kind, [...new Set(Array.from({ length: count }, path))]] as const,
  );
  const urls = all.flatMap(([, paths]) => paths.map((path) => ({ text: `http://a.test${path}`, hits: 1 })));
  const templates = templatesOf(urls);
  expect(templates.lines.length).toBeLessThanOrEqual(16);
  return Object.fromEntries(
    all.map(([kind, paths]) => {
      const lines = new Set(paths.map((path) => templates.lines[templates.lineOf(`http://a.test${path}`)]!));
      return [kind, [...lines].sort()];
    }),
  );
}

describe('templates', () => {
  it.each([
    ['a-small-book', '', '{words}'],
    ['a-small-book_17', '', '{words}_{n}'],
    ['17-a-book.html', '', '{n}-{words}.html'],
    ['Stra\u00dfe', '', '{words}'],
    ['2026', '', '{yyyy}'],
    ['11', '{yyyy}', '{mm}'],
    ['28', '{mm}', '{dd}'],
    ['28', '', '{n}'],
    ['v1.20.3', '', '{version}'],
    ['9f86d081884c7d65', '', '{hex}'],
    ['550e8400-e29b-41d4-a716-446655440000', '', '{hex}'],
    ['\u{1f600}', '', '{text}'],
  ])('mask %s after “%s” as %s', (segment, before, mask) => {
    expect(maskOf(segment, before)).toBe(mask);
  });

  it('tell the kinds of pages of a shop apart, under all its languages', () => {
    const inAny = (path: string) => `${pick(['', '/de', '/fr'])}${path}`;
    expect(
      linesBy({
        product: () => inAny(`/catalogue/${slug()}_${some(900)}/`),
        review: () => inAny(`/catalogue/${slug()}_${some(90)}/reviews/${some(900)}/`),
        category: () => inAny(`/catalogue/category/${pick(['', 'oak/', 'oak/pine/', 'elm/'])}${slug()}_${some(90)}/`),
        offer: () => inAny(`/offers/${slug()}/`),
        search: () => inAny(`/search/?q=${slug()}`),
        picture: () => `/static/${pick(WORDS)}/${some(900)}.${pick(['css', 'png'])}`,
      }),
    ).toEqual({
      product: ['/catalogue/{words}_{n}/'],
      review: ['/catalogue/{words}_{n}/reviews/{n}/'],
      category: ['/catalogue/category/…/{words}_{n}/'],
      offer: ['/offers/{words}/'],
      search: ['/search/?q=…'],
      picture: ['/static/**'],
    });
  });

  it('join years and repositories, whose children are the same', () => {
    const repository = () => `/git/${pick(['alpha', 'beta', 'gamma', 'delta'])}`;
    expect(
      linesBy({
        post: () => `/${pick(['2023', '2024', '2025'])}/${10 + some(3)}/${slug()}/`,
        commit: () => `${repository()}/commit/${(0xabc0000 + some(60_000)).toString(16)}1`,
        log: () => `${repository()}/log/${slug()}`,
      }),
    ).toEqual({
      post: ['/{yyyy}/{mm}/{words}/'],
      commit: ['/git/{words}/commit/{hex}'],
      log: ['/git/{words}/log/{words}'],
    });
  });

  it('name the field that says what a script shows, else the commonest one', () => {
    expect(
      linesBy({
        blob: () => `/view?p=${pick(WORDS)}&a=blob&f=${slug()}&h=${some(999)}`,
        log: () => `/view?p=${pick(WORDS)}&a=log&pg=${some(99)}`,
        list: () => `/list/?tag=${slug()}&page=${some(9)}`,
      }),
    ).toEqual({ blob: ['/view?a=blob'], log: ['/view?a=log'], list: ['/list/?page=…'] });
  });

  it('are at most fifteen and one for the rest, and know URLs that they were not made of', () => {
    const urls = Array.from({ length: 3000 }, (_, k) => ({
      text: `http://a.test/f${k % 30}/${slug()}_${k}`,
      hits: 1 + (k % 30),
    }));
    const templates = templatesOf(urls);
    const { lines } = templates;
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThanOrEqual(16);
    for (const url of ['http://a.test/', 'http://a.test/new/thing?x=1', 'http://a.test/f29/q_1', '/%zz/?;&=']) {
      expect(lines[templates.lineOf(url)]).toBeTypeOf('string');
    }
    expect(templatesOf([]).lines).toEqual(['/**']);
  });
});
