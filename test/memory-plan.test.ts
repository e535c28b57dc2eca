// Does the memory plan allocate more than there is?
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesFor, roomFor, SHARES, type Step } from '../src/memory-plan.js';

/** Steps that use memory at the same time, as parts of one whole. */
const AT_ONCE: readonly (readonly Step[])[] = [
  ['step/beside', 'step/beside'],
  ['rows/sort', 'rows/sort'],
  // Rows in memory, and their copy by partition; a sort begins when both are on disk.
  ['instances/blocks', 'instances/blocks'],
  ['instances/sort'],
  // One pass over the list after another, then groups are made from the rows, and passed from sort to sort.
  ['parameters/names', 'parameters/names', 'parameters/repeated-values'],
  [
    'parameters/names',
    'parameters/repeated-values',
    'parameters/values',
    'parameters/bases',
    'parameters/hashes',
    'parameters/rows',
  ],
  ['parameters/rows', 'parameters/grouping', 'parameters/groups'],
  ['parameters/groups', 'parameters/by-chance', 'parameters/by-place'],
  ['parameters/by-place', 'parameters/accepted'],
  ['grouping/put-off', 'grouping/large-group', 'grouping/ratios'],
  ['canonize/parts', 'canonize/others'],
  ['parts/sort', 'parts/sort'],
  ['canonize/forms', 'canonize/sort', 'canonize/sort', 'canonize/distinct', 'canonize/distinct'],
  ['canonize/named', 'canonize/named', 'canonize/named', 'canonize/distinct', 'canonize/distinct'],
  ['distinct/seen', 'distinct/sort'],
  ['report/mine', 'report/visits', 'report/visitors', 'report/answers'],
  ['report/parameters', 'report/visits', 'report/visitors', 'report/answers'],
  ['report/visits', 'report/groups', 'report/rules', 'report/fixes', 'report/visitors', 'report/answers'],
  ['report-fixes/changed', 'report-fixes/forms'],
  ['report-answers/urls', 'report-answers/referrers'],
  ['tally/table', 'tally/table', 'tally/sort'],
  Array.from({ length: 6 }, () => 'eval/meter' as const),
  ['meter/sort', 'meter/sort'],
  // Of pages: records, hosts, clusters, links from others, sizes, roots, marks, and what is left.
  ['mirrors/intake', 'mirrors/sorts', 'mirrors/unions', 'mirrors/component', ...Array<Step>(8).fill('mirrors/column')],
];

// The list has up to 0.45 of the memory (base/heap), and the pairs of a site are sorted while its parameter rows wait.
const LIST = 0.45;

test.each(AT_ONCE.map((steps) => ({ steps })))('$steps together do not exceed the whole', ({ steps }) => {
  const whole = 48 << 20;
  expect(steps.reduce((sum, step) => sum + bytesFor(step, whole), 0)).toBeLessThanOrEqual(whole);
});

test('a step of a site, its sorts and the rules of all sites fit beside the list', () => {
  const step = bytesFor('mine/step', 1);
  const kept = 2 * bytesFor('mine/kept', 1);
  expect(LIST + step + 2 * bytesFor('step/rows', step) + bytesFor('mine/ranked', 1) + kept).toBeLessThan(1);
});

test('lists that wait for questions fit beside mining, and beside the site that is asked', () => {
  const lists = bytesFor('asking/lists', 1);
  expect(LIST + bytesFor('mine/step', 1) + bytesFor('mine/ranked', 1) + lists).toBeLessThan(1);
  expect(bytesFor('asking/site', 1) + lists).toBeLessThan(1);
});

test('every step of the plan is used by its name', () => {
  const src = new URL('../src/', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const texts = files
    .filter((path) => path !== 'memory-plan.ts')
    .map((path) => readFileSync(new URL(path, src), 'utf8'));
  const isTaken = (step: string) => texts.some((text) => text.includes(`'${step}'`));
  expect(Object.keys(SHARES).filter((step) => !isTaken(step))).toEqual([]);
});

test('a part of the budget of a step is like the whole, except for its bytes', () => {
  const room = { memoryBytes: 96, tmpdir: '/tmp', stats: { runs: 0, bytes: 0 } };
  expect(roomFor('parameters/rows', room)).toEqual({ ...room, memoryBytes: 54 });
});
