import fc from 'fast-check';
import { expect, test } from 'vitest';
import { giveBack, kernel } from '../../src/base/heap.js';
import { BORDERED, REPEATED, ROW } from '../../src/kernel/layout/instance-row.js';
import { blockOf, groupAt, type TestGroup, type TestInstance } from './group-reader.js';

function grouped(instances: readonly TestInstance[], wanted = 0): TestGroup {
  const { clearColumns, addInstance, group } = kernel();
  const rows = blockOf(instances);
  clearColumns(wanted);
  for (let at = 0; at < rows.length; at += ROW) addInstance(rows.byteOffset + at);
  giveBack(rows);
  return groupAt(group());
}

/** Few values, so that shapes often differ in only one. */
const number = fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 65_000);
const shape = fc.record({
  flags: fc.constantFrom(0, 0, 0, 7),
  shape: fc.array(number, { minLength: 8, maxLength: 8 }),
});

test('equal shapes have the same number, new ones the next, whatever came before', () => {
  let most = 0;
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 300, size: 'max' }), fc.nat(300), (list, wanted) => {
      const found = grouped(
        list.map((part, k) => ({ core: 1, from: k, to: 0, offset: k, ...part })),
        wanted,
      );
      const expected = new Map<string, number>();
      for (const part of list) {
        const key = String([...part.shape, part.flags]);
        if (!expected.has(key)) expected.set(key, expected.size);
      }
      expect(found.shapes.map(String)).toEqual([...expected.keys()]);
      expect(found.shape).toEqual(list.map((part) => expected.get(String([...part.shape, part.flags]))));
      expect(found.from).toEqual(Array.from(list.keys()));
      most = Math.max(most, expected.size);
    }),
    { numRuns: 60 },
  );
  expect(most).toBeGreaterThan(150);
});

test('a shape is repeated if a bordered pair of URLs has more than one row', () => {
  const row = (from: number, to: number, flags: number): TestInstance => ({
    core: 1,
    from,
    to,
    offset: 0,
    flags,
    shape: [1, 2, 3, 4, 5, 6, 7, 8],
  });
  const border = [
    row(1, 1, BORDERED),
    row(1, 2, BORDERED),
    row(1, 2, BORDERED),
    row(1, 2, BORDERED),
    row(2, 2, BORDERED),
  ];
  const { shape: numbers, shapes } = grouped([...border, row(3, 3, 0), row(3, 3, 0)]);
  const repeated = BORDERED | REPEATED;
  expect(numbers.map((at) => shapes[at]![8])).toEqual([BORDERED, repeated, repeated, repeated, BORDERED, 0, 0]);
  for (const one of shapes) expect(one.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a group of any size fits, and so does the next one', () => {
  for (const count of [1, 64, 65, 70_000, 3, 200]) {
    const list = Array.from({ length: count }, (_, k) => ({
      core: 1,
      from: k,
      to: k + 1,
      offset: k & 0xffff,
      flags: 0,
      shape: [0, 0, 0, 0, k >> 1, k % 2, 0, 0],
    }));
    const { from, to, offset, shape: numbers, shapes } = grouped(list);
    expect(from).toEqual(list.map((one) => one.from));
    expect(to).toEqual(list.map((one) => one.to));
    expect(offset).toEqual(list.map((one) => one.offset));
    expect(numbers).toEqual(Array.from(list.keys()));
    expect(shapes.map((one) => one[4]! * 2 + one[5]!)).toEqual(numbers);
  }
});
