// How results are printed, and how those of several runs are combined.
import { afterAll, expect, test } from 'vitest';
import { scratchFolder } from '../cli/process.js';
import { atLeast, atMost, barsOf, tableOf, type Row } from './report.js';
import { linesOf, readResults, withCase, writeResults, type Results } from './results.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());

function row(work: string, median: number): Row {
  const seconds = { seconds: [median], median, min: median, max: median, cpuSeconds: 0 };
  const rate = { count: 1000, rate: 1000 / median, unit: 'URLs', ratio: 1 };
  const bars = [atMost('over sort', 3, 4), atLeast('under SQL', 20, 25)];
  return {
    kind: 'measured',
    work,
    who: 'dustbuster',
    mebibytes: 10,
    series: null,
    note: '',
    bars,
    ...seconds,
    ...rate,
  };
}

test('a table names a work once, and says what was left out', () => {
  const table = tableOf([
    row('mine', 2),
    { kind: 'left out', work: 'mine', who: 'GoAccess', note: 'left out: goaccess is not installed' },
  ]);
  expect(table.match(/mine/g)).toHaveLength(1);
  expect(table).toContain('2.00 s');
  expect(table).toMatch(/GoAccess +left out: goaccess is not installed\n/);
});

test('bars pass or miss, with what was measured', () => {
  expect(barsOf([row('mine', 2)])).toMatch(
    /pass {2}mine .* over sort: at most 4 +3\nMISS {2}mine .* under SQL: at least 25 +20\n/,
  );
});

test('a run goes on with the results of the last one in the same setting, in the order of all cases', () => {
  const folder = scratch.path;
  const setting = { machine: '4 cores', versions: 'node 20' };
  const order = ['first', 'second', 'third'];
  const add = (results: Results, name: string, median: number) =>
    withCase(results, order, { name, seconds: 1, lines: [row(name, median)] });
  let results = readResults(folder, 'full', setting);
  results = add(add(results, 'third', 3), 'first', 1);
  writeResults(folder, results);
  results = add(add(readResults(folder, 'full', setting), 'second', 2), 'third', 30);
  expect(linesOf(results).map((line) => line.work)).toEqual(order);
  expect(linesOf(results)).toEqual([row('first', 1), row('second', 2), row('third', 30)]);
  expect(readResults(folder, 'quick', setting).cases).toEqual([]);
  expect(readResults(folder, 'full', { ...setting, versions: 'node 22' }).cases).toEqual([]);
});
