// Groups made by the kernel from rows of instances, compared with naive sorting.
import { expect, test } from 'vitest';
import { giveBack, inArena, kernel, takeU32 } from '../../src/base/heap.js';
import { partBits, rowsOfPart } from '../../src/table/instance-groups.js';
import { blockList } from '../../src/table/instance-rows.js';
import { BORDERED, LOW, REPEATED, SIMILAR } from '../../src/kernel/layout/instance-row.js';
import { seeded } from '../bench/input/random.js';
import { blockOf, expectedOf, groupAt, instancesIn, type TestGroup, type TestInstance } from './group-reader.js';

const random = seeded(6);
const pick = (count: number) => Math.floor(random() * count);

/** Half of them have one of three cores; every third pair of URLs is bordered. */
const instances = Array.from({ length: 30_000 }, (_, k): TestInstance => {
  const [from, to] = [pick(3) === 0 ? 7 : pick(300), (k * 7919) % 9000];
  const flags = pick(4) | ((from + to) % 3 === 0 ? BORDERED : 0);
  const shape = Array.from({ length: 8 }, () => (pick(3) === 0 ? 0xffff - pick(2) : 1));
  return { core: pick(2) === 0 ? pick(3) : pick(4000), from, to, offset: pick(0x10000), flags, shape };
});

function groupsOf(list: readonly TestInstance[], least: number): Map<number, TestInstance[]> {
  const groups = new Map<number, TestInstance[]>();
  for (const instance of list) {
    const group = groups.get(instance.core) ?? [];
    groups.set(instance.core, group);
    group.push(instance);
  }
  const isWitness = ({ flags }: TestInstance) => (flags & (LOW | SIMILAR)) === (LOW | SIMILAR);
  return new Map([...groups].filter(([, group]) => group.filter(isWitness).length >= least));
}

/** Partitions these, a few hundred rows per block; visits all groups, part by part. */
function eachGroup(
  list: readonly TestInstance[],
  { deals, bits, least }: { deals: number; bits: number; least: number },
  visit: (group: TestGroup, part: number) => void,
): void {
  const { deal, openPart, nextGroup, closePart } = kernel();
  const blocks = Array.from({ length: Math.ceil(list.length / 700) }, (_, k) =>
    blockOf(list.slice(700 * k, 700 * (k + 1))),
  );
  inArena(() => {
    const dealt = takeU32(deals);
    for (let k = 0; k < deals; k++) {
      const own = blockList(blocks.filter((_, number) => number % deals === k));
      dealt[k] = deal(own.byteOffset, own.length / 2, bits);
    }
    let rows = 0;
    for (const address of dealt) for (let part = 0; part < 1 << bits; part++) rows += rowsOfPart(address, part);
    expect(rows).toBe(list.length);
    for (let part = 0; part < 1 << bits; part++) {
      openPart(dealt.byteOffset, deals, 1 << bits, part, least);
      for (let at = nextGroup(); at !== 0; at = nextGroup()) visit(groupAt(at), part);
      closePart();
    }
    for (const address of dealt) giveBack({ byteOffset: address });
  });
  blocks.forEach(giveBack);
}

const ways = {
  'all at once': { deals: 1, bits: 0, least: 2 },
  'dealt by five': { deals: 5, bits: 0, least: 1 },
  'in a few parts': { deals: 1, bits: 3, least: 3 },
  'in parts of a few cores, dealt by eight': { deals: 8, bits: 10, least: 2 },
};

test.for(Object.entries(ways))(
  'rows come in groups of one core, by their URLs, from so many witnesses on: %s',
  ([, options]) => {
    const expected = groupsOf(instances, options.least);
    const found: string[] = [];
    const parts = new Set<number>();
    eachGroup(instances, options, (group, part) => {
      found.push(instancesIn(group).join(', '));
      parts.add(part);
      expect(new Set(group.shapes.map(String)).size).toBe(group.shapes.length);
    });
    const shown = [...expected.values()].map((group) => expectedOf(group, BORDERED, REPEATED).join(', '));
    expect(found.toSorted()).toEqual(shown.toSorted());
    expect(found.length).toBeGreaterThan(300);
    expect(found.some((group) => group.length > 100_000)).toBe(true);
    expect(parts.size).toBe(
      options.bits === 10 ? new Set([...expected.keys()].map((core) => core & 1023)).size : 1 << options.bits,
    );
  },
);

test('there are enough partitions for their rows to fit into a cache', () => {
  expect([0, 1, 4096, 4097, 100_000, 1 << 30].map(partBits)).toEqual([0, 0, 0, 1, 5, 10]);
});
