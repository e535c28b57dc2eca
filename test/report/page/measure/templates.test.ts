// Templates in the report: counts of each by group of visitors, which add up to those of the log.
import { expect, it } from 'vitest';
import { renderPage } from '../../../../src/report/page/render/render.js';
import { sampleFile, sampleParameter } from '../../../rule/sample.js';
import { BOT, lineOf, PERSON, reportOf } from '../visited.js';

const rule = sampleParameter('ref', { status: 'valid' });
const log = [
  // Forty products; ten of them also with a parameter that changes nothing, asked for by a bot.
  ...Array.from({ length: 40 }, (_, k) => lineOf({ url: `http://a.test/item/oak-${k}/`, size: 100, agent: PERSON })),
  ...Array.from({ length: 40 }, (_, k) => lineOf({ url: `http://a.test/item/oak-${k}/`, size: 100, agent: BOT })),
  ...Array.from({ length: 10 }, (_, k) =>
    lineOf({ url: `http://a.test/item/oak-${k}/?ref=${k}`, size: 50, agent: BOT }),
  ),
  ...Array.from({ length: 30 }, (_, k) => lineOf({ url: `http://a.test/tags/elm${k}`, size: 10, agent: PERSON })),
].join('');

it.each([
  ['in memory', 1 << 26],
  ['on disk', 1 << 20],
])('counts URLs, pages, hits and duplicates of each template, %s', async (_, memoryBytes) => {
  const model = await reportOf(log, sampleFile([rule]), { memoryBytes });
  expect(model.log!.templates).toEqual([
    {
      site: 'a.test',
      template: '/item/{words}-{n}/',
      urls: 40,
      pages: 40,
      once: 0,
      hits: 80,
      duplicateHits: 0,
      bytes: 8000,
      groups: { person: { hits: 40, duplicateHits: 0 }, search: { hits: 40, duplicateHits: 0 } },
    },
    {
      site: 'a.test',
      template: '/tags/{words}',
      urls: 30,
      pages: 30,
      once: 30,
      hits: 30,
      duplicateHits: 0,
      bytes: 300,
      groups: { person: { hits: 30, duplicateHits: 0 } },
    },
    {
      site: 'a.test',
      template: '/item/{words}-{n}/?ref=…',
      urls: 10,
      pages: 0,
      once: 10,
      hits: 10,
      duplicateHits: 10,
      bytes: 500,
      groups: { search: { hits: 10, duplicateHits: 10 } },
    },
  ]);
  const { all } = model.log!;
  expect(all.hits).toBe(120);
  expect(all.duplicateHits).toBe(10);
  expect(renderPage(model)).toContain('Requests by the shape of addresses');
});

it('has no table for a few URLs', async () => {
  const model = await reportOf(lineOf({ url: 'http://a.test/a', size: 1 }), sampleFile([]));
  expect(model.log!.templates).toBe(undefined);
});
