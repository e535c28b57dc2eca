import { expect, test } from 'vitest';
import { countsReport } from '../../src/report/render.js';
import type { InputSummary } from '../../src/log/record.js';

const input = (name: string, more: Partial<InputSummary> = {}): InputSummary => ({
  name,
  format: 'combined',
  lines: 10,
  records: 10,
  dropped: {},
  rejected: {},
  truncated: false,
  ...more,
});
const many = Array.from({ length: 300 }, (_, at) => input(`${at}.log`));
const namesIn = (text: string) => text.split('\n').map((line) => line.split(' (')[0]);

test('of many inputs, only those that are unlike most have a line', () => {
  expect(namesIn(countsReport(many))).toEqual(['all', '']);
  const other = input('other.log', { format: 'w3c' });
  const odd = input('odd.log', { records: 1, rejected: { 'not-in-format': 9 } });
  const cut = input('cut.log', { truncated: true });
  expect(namesIn(countsReport([...many, other, odd, cut]))).toEqual(['other.log', 'odd.log', 'cut.log', 'all', '']);
});

test('what most inputs have is not said of each, bad as it is', () => {
  const bad = many.map((one) => ({ ...one, records: 0, rejected: { 'field-count': 10 } }));
  expect(namesIn(countsReport([...bad, input('good.log')]))).toEqual(['good.log', 'all', '']);
  expect(countsReport(bad)).toBe(
    'all (300 inputs): 3000 lines = 0 records + dropped 0 + rejected 3000 (field-count 3000)\n',
  );
});

test('if there are too many unlike the others, the rest is counted, and --verbose lists all', () => {
  const odd = Array.from({ length: 30 }, (_, at) => input(`odd${at}.log`, { format: 'w3c' }));
  const lines = countsReport([...many, ...odd]).split('\n');
  expect(lines).toHaveLength(23);
  expect(lines[20]).toBe('and 10 more that are unlike most; --verbose lists all inputs');
  expect(countsReport([...many, ...odd], { isVerbose: true }).split('\n')).toHaveLength(332);
});
