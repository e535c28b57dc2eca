// What redirects and canonical links say about two URLs, and what follows for how near they are.
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { findRow } from '../../src/table/find-row.js';
import { Nearness, OTHER, SILENT } from '../../src/table/nearness.js';
import { SiteWords } from '../../src/table/site-word.js';
import { type Capture, labelOf } from '../facts.js';
import { siteUrlsOf } from '../url-list.js';

const moved = (url: string, name: string) => ({ url, sketch: labelOf({ isPage: false, name }) });
const page = (url: string, sketch: string, more: Capture = {}) => ({
  url,
  size: 9,
  sketch: labelOf({ sketch, ...more }),
});

const urls = siteUrlsOf([
  page('https://www.x/a', 'A'),
  moved('http://x/a', 'https://x/a'),
  moved('https://x/a', 'https://www.x/a'),
  moved('http://x/away', 'https://y/away'),
  page('/s?1', 's1', { name: '/s' }),
  page('/s?2', 's2', { name: '/s' }),
  page('/s', 's0'),
  page('/own', 'o', { name: '/own' }),
  page('/own?page=2', 'p', { name: '/own?page=2' }),
  moved('/loop', '/loop/'),
  moved('/loop/', '/loop'),
  ...Array.from({ length: 20 }, (_, k) => [moved(`/old/${k}`, '/'), page(`/new/${k}`, `n${k}`)]).flat(),
  page('/', 'front', { languages: 1 }),
  page('/en/x', 'one', { languages: 1 }),
  page('/de/x', 'two', { languages: 2 }),
  page('/both/x', 'three', { languages: 3 }),
  moved('/en', '/en/x'),
]);
const rowOf = (url: string) => {
  const row = findRow(urls, encodeText(url));
  expect(row, url).toBeGreaterThanOrEqual(0);
  return row;
};

describe('the site says', () => {
  test.each([
    ['a redirect', 'https://x/a', 'https://www.x/a', 'second', 0],
    ['a redirect, the other way round', 'https://www.x/a', 'https://x/a', 'first', 0],
    ['two redirects in a row', 'http://x/a', 'https://www.x/a', 'second', 0],
    ['the first of two redirects', 'http://x/a', 'https://x/a', 'third', 0],
    ['a canonical link', '/s?1', '/s', 'second', 0],
    ['two canonical links to a third page', '/s?1', '/s?2', 'third', 0],
    ['two pages that name themselves', '/own', '/own?page=2', 'apart', OTHER],
    ['a redirect to another site', 'http://x/away', 'https://www.x/a', undefined, SILENT],
    ['redirects in a circle', '/loop', '/loop/', undefined, SILENT],
    ['the front page, where all old pages lead', '/old/1', '/new/1', undefined, SILENT],
    ['pages in two languages', '/en/x', '/de/x', 'apart', OTHER],
    ['a page in two languages', '/both/x', '/de/x', undefined, OTHER],
    ['a redirect to a page in another language', '/en', '/de/x', 'apart', OTHER],
    ['a redirect to another page', 'http://x/a', '/s', undefined, OTHER],
  ] as const)('%s', (_, a, b, word, level) => {
    const [rowA, rowB] = [rowOf(a), rowOf(b)];
    expect(new SiteWords(urls).about(rowA, rowB)).toBe(word);
    expect(new Nearness(urls).between(rowA, rowB)).toBe(level);
  });
});

test('phase 1 hears canonical links and languages too', async () => {
  const { isSimilar } = await import('../../src/table/similar.js');
  const similar = (a: string, b: string) => isSimilar(urls, rowOf(a), rowOf(b));
  expect(similar('/s?1', '/s')).toBe(true);
  expect(similar('/s?1', '/s?2')).toBe(true);
  expect(similar('/own', '/own?page=2')).toBe(false);
  expect(similar('/en/x', '/de/x')).toBe(false);
});
