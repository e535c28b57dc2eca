// Tables as CSV: quoted as RFC 4180 has it, and harmless in a spreadsheet.
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvOf } from '../../../../src/report/page/script/script.js';
import type { Cell, Column } from '../../../../src/report/page/table.js';

const columns: Column[] = [
  { label: 'rule', kind: 'rule' },
  { label: 'said, "why"', kind: 'text' },
  { label: 'hits', kind: 'count' },
  { label: 'values', kind: 'atLeast' },
];
const rows: Cell[][] = [
  ['`a` becomes `b`', 'plain', 1, [7, true]],
  ['=1+1', 'a "quoted", and\r\nbroken line', null, [8, false]],
  ['@SUM(A1)', '-2+3', -5, [0, false]],
  ['+', '\tTab', 2.5, [9, true]],
];

test('a CSV reader gets the chosen rows back, in their order', () => {
  const text = csvOf({ columns, rows }, [1, 0]);
  expect(parse(text)).toEqual([
    ['rule', 'said, "why"', 'hits', 'values'],
    ["'=1+1", 'a "quoted", and\r\nbroken line', '', '8'],
    ['`a` becomes `b`', 'plain', '1', '7'],
  ]);
});

test('no text begins as a formula does, and numbers stay numbers', () => {
  const cells = (parse(csvOf({ columns, rows }, [0, 1, 2, 3])) as string[][]).slice(1);
  for (const [rule, said] of cells) expect(`${rule!}${said!}`).not.toMatch(/^[=+\-@\t\r]/);
  expect(cells.map(([, , hits]) => hits)).toEqual(['1', '', '-5', '2.5']);
  expect(cells.map(([, said]) => said).slice(2)).toEqual(["'-2+3", "'\tTab"]);
});
