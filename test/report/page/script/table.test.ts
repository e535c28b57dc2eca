// Filtering and sorting the rows of a table.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Query, selectRows } from '../../../../src/report/page/script/table.js';
import type { Cell, Column } from '../../../../src/report/page/table.js';

const columns: Column[] = [
  { label: 'rank', kind: 'rank', isHead: true },
  { label: 'rule', kind: 'rule' },
  { label: 'status', kind: 'word', filter: 'choice' },
  { label: 'site', kind: 'site', filter: 'part' },
  { label: 'support', kind: 'count' },
  { label: 'values', kind: 'atLeast' },
];

const rows: Cell[][] = [
  [1, '`/Index.html` at the end becomes `/`.', 'valid ✓', 'shop.example.test', 30, [9, false]],
  [2, 'The parameter `sid` is dropped on every page.', 'invalid', 'shop.example.test', 200, [1000, true]],
  [3, '`www.` is dropped wherever it stands.', 'valid', 'blog.example.test', 9, [20, false]],
  [4, '`/story_` becomes `/story?id=` wherever it stands.', 'valid ✓', 'news.example.test', null, [20, true]],
];

const pick = (query: Partial<Query>) =>
  selectRows({ columns, rows }, { text: '', wanted: new Map(), ...query }).map((at) => rows[at]![0]);

test.each([
  ['', [1, 2, 3, 4]],
  ['index', [1]],
  ['dropped', [2, 3]],
  ['VALID blog', [3]],
  ['sid', [2]],
  ['story id', [4]],
  ['30', []],
  ['.*', []],
])('searching for %j finds rules %j', (text, found) => expect(pick({ text })).toEqual(found));

test.each([
  [2, 'valid', [3]],
  [2, 'valid ✓', [1, 4]],
  [3, 'SHOP', [1, 2]],
  [3, 'example', [1, 2, 3, 4]],
  [2, 'val', []],
])('column %i filtered by %j leaves rules %j', (column, value, left) => {
  expect(pick({ wanted: new Map([[column, value]]) })).toEqual(left);
});

test('all filters have to hold', () => {
  expect(
    pick({
      wanted: new Map([
        [2, 'valid ✓'],
        [3, 'news'],
      ]),
      text: 'story',
    }),
  ).toEqual([4]);
});

test.each([
  ['figures by size', 4, false, [3, 1, 2, 4]],
  ['the largest first', 4, true, [2, 1, 3, 4]],
  ['text by its characters', 3, false, [3, 4, 1, 2]],
  ['rules by their words', 1, false, [2, 1, 4, 3]],
  ['the least that a count can be', 5, false, [1, 3, 4, 2]],
])('sorts %s; rows without a value come last', (_, sortBy, descending, order) => {
  expect(pick({ sortBy, descending })).toEqual(order);
});

describe('whatever is in the column', () => {
  const cell = fc.option(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'b', '')), { nil: null });
  const numbers = fc.option(fc.integer({ min: -3, max: 3 }), { nil: null });

  test('sorting keeps every row, is stable, and idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(numbers), fc.array(cell)), fc.boolean(), (cells, descending) => {
        const table = { columns: [{ label: '', kind: 'count' as const }], rows: cells.map((value) => [value]) };
        const query = { text: '', wanted: new Map<number, string>(), sortBy: 0, descending };
        const order = selectRows(table, query);
        expect(order.toSorted((a, b) => a - b)).toEqual([...cells.keys()]);
        const again = { ...table, rows: order.map((at) => [cells[at]!]) };
        expect(selectRows(again, query)).toEqual([...cells.keys()]);
        for (const [k, at] of order.entries()) {
          if (k > 0 && cells[order[k - 1]!] === cells[at]) expect(order[k - 1]).toBeLessThan(at);
        }
      }),
    );
  });
});
