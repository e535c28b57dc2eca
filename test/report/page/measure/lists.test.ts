// The section on choices that URLs combine: lists inside of a value, and choices in several parameters.
import { expect, it } from 'vitest';
import { encodeText } from '../../../../src/base/bytes.js';
import { wordsHash } from '../../../../src/mine/lists/sample.js';
import { renderPage } from '../../../../src/report/page/render/render.js';
import { candidatesOf } from '../../../../src/report/robots-proposal.js';
import { sampleFile } from '../../../rule/sample.js';
import { lineOf, reportOf } from '../visited.js';

const COLORS = ['red', 'blue', 'green', 'black', 'white'];
const SIZES = ['s', 'm', 'l', 'xl'];
const FITS = ['slim', 'wide', 'tall'];
const WORDS = 'oak pine elm ash fir yew'.split(' ');

/** Fewer entries with each choice, so smaller pages, which are the same in any order. */
function sizeOf(choices: readonly string[]): number {
  const sum = wordsHash(encodeText(choices.toSorted().join()));
  return Math.floor(60_000 / (1 + choices.length)) + (sum % 997);
}

function modelOf(paths: readonly (readonly [path: string, choices: readonly string[]])[]) {
  const log = paths.map(([path, choices]) => lineOf({ url: `http://a.test${path}`, size: sizeOf(choices) })).join('');
  return reportOf(log, sampleFile([]), { memoryBytes: 1 << 26 });
}

const tagPaths = WORDS.flatMap((a) => [
  [`/list?tags=${a}`, [a]] as const,
  ...WORDS.filter((b) => b !== a).map((b) => [`/list?tags=${a}%2C${b}`, [a, b]] as const),
]);

it('shows a list inside of a value: how deep, how large, what order alone duplicates, and the lines', async () => {
  const model = await modelOf(tagPaths);
  const { inside, across } = model.log!.lists!;
  expect(across).toEqual([]);
  expect(inside).toEqual([
    expect.objectContaining({
      site: 'a.test',
      place: { slot: 'parameter', name: 'tags', separator: ',' },
      spellings: ['%2C'],
      urls: 36,
      items: 6,
      depths: [
        { urls: 6, hits: 6 },
        { urls: 30, hits: 30 },
      ],
      twoOrders: 1,
      space: { seen: 15, atLeast: 15, atMost: 15, onceShare: 1 },
      duplicates: { urls: 15, hits: 15, repeatedUrls: 0, repeatedHits: 0 },
    }),
  ]);
  const page = renderPage(model);
  expect(page).toContain('15 URLs (15 hits) are another one but for the order of items');
  expect([...candidatesOf(model.log!)]).toEqual([['a.test', [['/*?tags=*%2C'], ['/*&tags=*%2C']]]]);
});

it('shows choices in several parameters, by what these do', async () => {
  const paths = ['', ...COLORS].flatMap((color) =>
    ['', ...SIZES].flatMap((size) =>
      ['', ...FITS].map((fit) => {
        const fields = [color && `color=${color}`, size && `size=${size}`, fit && `fit=${fit}`].filter(Boolean);
        return [`/list${fields.length > 0 ? '?' : ''}${fields.join('&')}`, fields] as const;
      }),
    ),
  );
  const swapped = COLORS.flatMap((color) =>
    SIZES.map((size) => [`/list?size=${size}&color=${color}`, [`color=${color}`, `size=${size}`]] as const),
  );
  const pager = Array.from({ length: 30 }, (_, k) => [`/list?page=${k}`, [`${k}`]] as const);
  const model = await modelOf([...paths, ...swapped, ...pager]);
  const { inside, across } = model.log!.lists!;
  expect(inside).toEqual([]);
  expect(across.map(({ names, duplicates, depths }) => [names, duplicates.urls, depths.length])).toEqual([
    [['color', 'fit', 'size'], 20, 3],
  ]);
  expect(candidatesOf(model.log!).get('a.test')).toContainEqual(['/*?*color=*&size=']);
});

it('shows nothing where parameters are not combined', async () => {
  const paths = Array.from({ length: 200 }, (_, k) => [`/item?id=${k}&tab=${k % 3}`, [`${k}`]] as const);
  const model = await modelOf(paths);
  expect(model.log!.lists).toBe(undefined);
  expect(renderPage(model)).not.toContain('id="lists"');
});
