import { expect, test } from 'vitest';
import { gatherEvidence } from '../../src/mine/evidence.js';
import { siteUrlsOf } from '../url-list.js';

const rule = (from: string, to: string, anchor: 'none' | 'start' | 'end' = 'none') => ({
  from: Buffer.from(from),
  to: Buffer.from(to),
  anchor,
});

const pages = Array.from({ length: 300 }, (_, k) => ({ path: `/page/${k}`, size: 2000 + ((k * 7919) % 60_000) }));
const withIndex = (noise: (k: number) => number) =>
  pages.flatMap(({ path, size }, k) => [
    { url: `${path}/`, size },
    ...(k % 3 === 0 ? [{ url: `${path}/index.html`, size: size + noise(k) }] : []),
  ]);

test('all instances of a small list are sampled, and pages by chance are other pages', () => {
  const [evidence] = gatherEvidence(siteUrlsOf(withIndex(() => 0)), [rule('/index.html', '/', 'end')], true);
  expect(evidence!.pairs).toEqual(Uint32Array.of(100, 0, 0, 0, 0, 0, 0));
  expect([evidence!.changed, evidence!.listed]).toEqual([100, 100]);
  expect(evidence!.chance[0]).toBe(0);
  expect(evidence!.chance[6]).toBeGreaterThan(200);
});

test('at most 192 of a longer one are', () => {
  const list = Array.from({ length: 900 }, (_, k) => [
    { url: `/p${k}/`, size: 1000 },
    { url: `/p${k}/index.html`, size: 1000 },
  ]).flat();
  const [evidence] = gatherEvidence(siteUrlsOf(list), [rule('/index.html', '/', 'end')], true);
  expect(evidence!.listed).toBe(192);
});

test('a rule is sampled as it will be applied: one whose images are not in the list shows nothing', () => {
  const list = siteUrlsOf(withIndex(() => 0));
  const [evidence] = gatherEvidence(list, [rule('/', '')], true);
  expect([evidence!.listed, Math.max(...Array.from(evidence!.pairs))]).toEqual([0, 0]);
});

test('without the similarity test sizes say nothing, but images are looked up', () => {
  const [evidence] = gatherEvidence(siteUrlsOf(withIndex(() => 0)), [rule('/index.html', '/', 'end')], false);
  expect([evidence!.listed, Math.max(...Array.from(evidence!.pairs))]).toEqual([100, 0]);
});

test('noise on the pages moves pairs by a level or two, and never to different pages', () => {
  const list = siteUrlsOf(withIndex((k) => k % 200));
  const [evidence] = gatherEvidence(list, [rule('/index.html', '/', 'end')], true);
  expect(evidence!.pairs[1]! + evidence!.pairs[2]! + evidence!.pairs[3]! + evidence!.pairs[4]!).toBeGreaterThan(80);
  expect(evidence!.pairs[6]).toBe(0);
});

test('images that the list has without a page are counted, if it has the page of the URL', () => {
  const moved = pages
    .slice(0, 150)
    .flatMap(({ path, size }, k) => [
      k % 5 === 0 ? { url: path } : { url: path, size },
      { url: `${path}/`, size },
      ...(k % 2 === 0 ? [{ url: `${path}/x` }, { url: `${path}/y` }] : []),
    ]);
  const [slash, silent] = gatherEvidence(siteUrlsOf(moved), [rule('/', '', 'end'), rule('/x', '/y', 'end')], true);
  expect([slash!.listed, slash!.pageless]).toEqual([150, 30]);
  expect([silent!.listed, silent!.pageless]).toEqual([75, 0]);
});

test('answers without a size, such as 304, are no redirects: URLs have as many as their images', () => {
  const sizeless = (k: number, of: number) => k % 20 === of;
  const list = pages
    .slice(0, 160)
    .flatMap(({ path, size }, k) => [
      sizeless(k, 0) ? { url: path } : { url: path, size },
      sizeless(k, 1) ? { url: `${path}/` } : { url: `${path}/`, size },
    ]);
  const [slash] = gatherEvidence(siteUrlsOf(list), [rule('/', '', 'end')], true);
  expect([slash!.listed, slash!.pageless]).toEqual([160, 0]);
});

test('many redirects in the other direction do not excuse those in this one', () => {
  const list = pages
    .slice(0, 160)
    .flatMap(({ path, size }, k) => [
      k % 2 === 0 ? { url: path } : { url: path, size },
      k % 2 === 1 ? { url: `${path}/` } : { url: `${path}/`, size },
    ]);
  const [slash] = gatherEvidence(siteUrlsOf(list), [rule('/', '', 'end')], true);
  expect([slash!.listed, slash!.pageless]).toEqual([160, 80 - 16]);
});
