// The pairs of a group and their support, counted by the kernel's trees, compared with contexts written out one by one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFew } from '../amount.js';
import { calls, giveBack, inArena, kernel, takeI32, u32At, u8At } from '../../src/base/heap.js';
import { readPair, type Pair } from '../../src/table/pair.js';
import { BORDERED, LOW, REPEATED, SIMILAR } from '../../src/kernel/layout/instance-row.js';
import type { SiteUrls } from '../../src/table/site-urls.js';
import { tokenOffsets } from '../token-offsets.js';
import { siteReaderOf, urlAt } from '../url-list.js';

const trees = kernel();

type Range = readonly [low: number, high: number];

/** Two URLs with `left` and `right` around their cores, and how many tokens of these a pair may include. */
interface Planted {
  readonly left: string;
  readonly right: string;
  readonly core: readonly [from: string, to: string];
  readonly a: Range;
  readonly b: Range;
  readonly e: Range;
  readonly flags: number;
}

interface Instance extends Planted {
  readonly from: number;
  readonly to: number;
}

const urlsIn = ({
  left,
  right,
  core: [from, to],
}: Pick<Planted, 'left' | 'right' | 'core'>): readonly [string, string] => [left + from + right, left + to + right];

function siteOf(planted: readonly Planted[], memoryBytes = 1 << 27): SiteUrls {
  const records = [...new Set(planted.flatMap(urlsIn))].map((url) => ({ url }));
  return siteReaderOf(records, memoryBytes).next()!;
}

/** In the order of a group, with REPEATED if a pair of URLs has more than one instance of a core. */
function instancesOf(urls: SiteUrls, planted: readonly Planted[]): readonly Instance[] {
  const rows = new Map(Array.from({ length: urls.count }, (_, row) => [urlAt(urls, row), row]));
  const keyOf = (one: Planted) => [...urlsIn(one), ...one.core].join(' ');
  const times = new Map<string, number>();
  for (const one of planted) times.set(keyOf(one), (times.get(keyOf(one)) ?? 0) + 1);
  const instances = planted.map((one) => {
    const [from, to] = urlsIn(one).map((url) => rows.get(url)!) as [number, number];
    const flags = times.get(keyOf(one)) === 1 ? one.flags : one.flags | BORDERED | REPEATED;
    return { ...one, from, to, flags };
  });
  return instances.toSorted((a, b) => a.from - b.from || a.to - b.to);
}

function inHeap(words: readonly number[]): number {
  const copy = takeI32(words.length);
  copy.set(words);
  return copy.byteOffset;
}

/** A group in the layout of the kernel. */
function groupOf(instances: readonly Instance[]): number {
  const shapes = new Map<string, { readonly words: readonly number[]; readonly number: number }>();
  const shape = instances.map(({ core, a, b, e, flags }) => {
    const words = [core[0].length, core[1].length, ...a, ...b, ...e, flags];
    if (!shapes.has(words.join())) shapes.set(words.join(), { words, number: shapes.size });
    return shapes.get(words.join())!.number;
  });
  const columns = [
    instances.map(({ from }) => from),
    instances.map(({ to }) => to),
    instances.map(({ left }) => left.length),
    shape,
  ];
  const all = [...shapes.values()].flatMap(({ words }) => words);
  return inHeap([instances.length, ...columns.map(inHeap), shapes.size, inHeap(all)]);
}

const HEAD = 16;

function readPairs(block: Uint8Array): Pair[] {
  const pairs: Pair[] = [];
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  for (let at = HEAD; at < block.length;) {
    const end = at + 4 + view.getUint32(at, true);
    pairs.push(readPair({ bytes: block, keyStart: at, keyEnd: at + 4, end }));
    at = end;
  }
  return pairs;
}

interface Counted {
  readonly pairs: readonly Pair[];
  readonly branches: number;
}

/** The pairs of a group; branches, if any are split off, are counted last to first. */
function counted(urls: SiteUrls, instances: readonly Instance[], MS: number, least = 0): Counted {
  const pairs: Pair[] = [];
  const blocks: number[] = [];
  urls.use();
  calls.give = (address, bytes) => {
    const [kind, length] = u32At(address, 2);
    expect(length).toBe(bytes);
    if (kind === 1) return blocks.push(address);
    const block = u8At(address, bytes);
    pairs.push(...readPairs(block));
    return giveBack(block);
  };
  trees.beginCount(MS, least);
  inArena(() => trees.countGroup(groupOf(instances)));
  let branches = 0;
  for (; blocks.length > 0; branches++) trees.countBranches(blocks.pop()!);
  trees.endCount();
  return { pairs, branches };
}

const shown = ({ from, to, anchor, low, high, against, examples }: Pair): string =>
  [Buffer.from(from).toString('latin1'), Buffer.from(to).toString('latin1'), anchor, low, high, against, ...examples]
    .map(String)
    .join(' ');

const sorted = (pairs: readonly Pair[]): readonly string[] => pairs.map(shown).toSorted();

/** The text of the first so many tokens from the core outwards, and whether that includes START, or END. */
function contextsOf(text: string, side: 'left' | 'right'): readonly (readonly [text: string, closed: boolean])[] {
  const offsets = tokenOffsets(Buffer.from(text, 'latin1'));
  const cuts =
    side === 'left' ? offsets.toReversed().map((at) => text.slice(at)) : offsets.map((at) => text.slice(0, at));
  return [...cuts.map((cut) => [cut, false] as const), [text, true]];
}

/** The same pairs, written out. */
function pairsOf(instances: readonly Instance[], MS: number): readonly string[] {
  interface Tally {
    readonly seen: Map<string, { high: boolean; low: boolean }>;
    readonly examples: (readonly [number, number])[];
    readonly pair: Pick<Pair, 'from' | 'to' | 'anchor'>;
  }
  const tallies = new Map<string, Tally>();
  for (const { left, right, core, a: as, b: bs, e: es, flags, from, to } of instances) {
    const lefts = contextsOf(left, 'left');
    const rights = contextsOf(right, 'right');
    for (let a = as[0]; a <= as[1]; a++) {
      for (let b = Math.max(bs[0], es[0] - a); b <= Math.min(bs[1], es[1] - a); b++) {
        const [x, isStart] = lefts[a]!;
        const [y, isEnd] = rights[b]!;
        const anchor = isStart ? (isEnd ? 'both' : 'start') : isEnd ? 'end' : 'none';
        const key = JSON.stringify([...core, x, y, anchor]);
        const [fromText, toText] = core.map((text) => Buffer.from(x + text + y, 'latin1')) as [Buffer, Buffer];
        const fresh: Tally = { seen: new Map(), examples: [], pair: { from: fromText, to: toText, anchor } };
        const tally = tallies.get(key) ?? fresh;
        tallies.set(key, tally);
        const isLow = (flags & (LOW | SIMILAR)) === (LOW | SIMILAR);
        const before = tally.seen.get(`${from} ${to}`);
        tally.seen.set(`${from} ${to}`, { high: (flags & SIMILAR) !== 0, low: isLow || before?.low === true });
        if (isLow && before?.low !== true) tally.examples.push([from, to]);
      }
    }
  }
  const found: Pair[] = [];
  for (const { seen, examples, pair } of tallies.values()) {
    const all = [...seen.values()];
    const low = all.filter((one) => one.low).length;
    const high = all.filter((one) => one.high).length;
    if (low >= MS) found.push({ ...pair, low, high, against: all.length - high, examples: examples.slice(0, 3) });
  }
  return sorted(found);
}

const LONG = ['abcdefgh', 'abcdefghi', 'abcdefghj', 'abcdefghijklmnopq', 'abcdefghijklmnopr', 'xbcdefghijklmnopr'];
const token = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', '/', '/a', '|', '|') },
  { weight: 2, arbitrary: fc.constantFrom('.', 'aa', '%41', '%4f', '%z', '/a/', '\xe9', '|/') },
  { weight: 1, arbitrary: fc.constantFrom(...LONG) },
);
const text = fc.array(token, { maxLength: 6 }).map((all) => all.join(''));
const core = fc.constantFrom(['|', ''] as const, ['|', ''] as const, ['/', ''] as const, ['|', '/'] as const);
const range = fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 3), fc.nat(9)).map(([low, more]): Range => [low, low + more]);
const placed = fc.record({ left: text, right: text, core, a: range, b: range, e: range, low: fc.boolean() });

/** At most up to START, or END; similarity depends on the pair of URLs. */
function plantedAt({ a, b, e, low, ...rest }: Placed): Planted {
  const within = ([least, most]: Range, end: number): Range => [Math.min(least, end), Math.min(most, end)];
  const inA = within(a, contextsOf(rest.left, 'left').length - 1);
  const inB = within(b, contextsOf(rest.right, 'right').length - 1);
  const isSimilar = Buffer.from(urlsIn(rest).join(), 'latin1').reduce((sum, byte) => sum + byte, 0) % 4 > 0;
  return { ...rest, a: inA, b: inB, e: [e[0], e[1] + 4], flags: (low ? LOW : 0) | (isSimilar ? SIMILAR : 0) };
}

type Placed = Omit<Planted, 'flags'> & { readonly low: boolean };

/** A core that occurs in the same two URLs again, further to the right: it is there twice. */
function twice(one: Placed, next: Placed): readonly Placed[] {
  const [from, to] = one.core;
  const { left, right, core } = one;
  if (to !== '') return [one];
  return [
    { ...one, right: from + right },
    { ...next, left: left + from, right, core },
  ];
}

const placedTwice = fc.tuple(placed, placed).map(([one, next]) => twice(one, next));
const group = fc
  .array(fc.oneof({ weight: 4, arbitrary: placed.map((one) => [one]) }, { weight: 1, arbitrary: placedTwice }), {
    minLength: 5,
    maxLength: 40,
    size: 'max',
  })
  .map((all) => {
    const byPlace = all.flat().map((one) => [[one.left, one.right, ...one.core].join(' '), one] as const);
    return [...new Map(byPlace).values()].map(plantedAt);
  });

/** At a fork to the right: a token of eight bytes that ends one text and is continued in another, and other tokens. */
const eightBytes = [
  ['', 'abcdefgh/', SIMILAR],
  ['x', 'abcdefgh', LOW | SIMILAR],
  ['', '|', 0],
  ['|', '', 0],
] as const;
const forked = eightBytes.map(([left, right, flags]): Planted => ({
  left,
  right,
  core: ['|', ''],
  a: [0, 0],
  b: [0, 1],
  e: [0, 4],
  flags,
}));

test.skipIf(isFew)('a group has the pairs of its contexts, with their support and their first examples', () => {
  const seen = { pairs: 0, repeated: 0, closed: 0, branches: 0, several: 0 };
  fc.assert(
    fc.property(group, fc.constantFrom(1, 2, 3), (all, MS) => {
      const urls = siteOf(all);
      const instances = instancesOf(urls, all);
      const expected = pairsOf(instances, MS);
      expect(sorted(counted(urls, instances, MS).pairs)).toEqual(expected);
      const inBranches = counted(urls, instances, MS, 2);
      expect(sorted(inBranches.pairs)).toEqual(expected);
      seen.pairs += expected.length;
      seen.branches += inBranches.branches;
      seen.closed += expected.filter((pair) => / (?:start|end|both) /.test(pair)).length;
      seen.repeated += instances.filter(({ flags }) => (flags & REPEATED) !== 0).length;
      seen.several += new Set(instances.map(({ core: [from, to] }) => `${from} ${to}`)).size > 1 ? 1 : 0;
      urls.close();
    }),
    { numRuns: 400, examples: [[forked, 1]] },
  );
  expect(seen.pairs).toBeGreaterThan(5000);
  expect(seen.closed).toBeGreaterThan(1000);
  expect(seen.repeated).toBeGreaterThan(300);
  expect(seen.branches).toBeGreaterThan(200);
  expect(seen.several).toBeGreaterThan(200);
});

const witness = LOW | SIMILAR;
const CORE = ['|', ''] as const;

test.skipIf(isFew)('a fork has any number of branches, and a list on disk the same pairs as one in memory', () => {
  const words = Array.from({ length: 900 }, (_, k) => `w${k}`.padEnd(k % 20, 'x'));
  const all = words.flatMap((word, k) =>
    ['q', 'r', 's'].map((last): Planted => {
      const [left, right] = [`/${word}/`, `/${words[(7 * k) % 900]}/${last}`];
      return { left, right, core: CORE, a: [0, 3], b: [0, 4], e: [1, 7], flags: witness };
    }),
  );
  const urls = siteOf(all);
  const onDisk = siteOf(all, 1 << 16);
  expect([urls.isResident, onDisk.isResident]).toEqual([true, false]);
  const instances = instancesOf(urls, all);
  const expected = pairsOf(instances, 3);
  expect(expected.length).toBeGreaterThan(5000);
  expect(sorted(counted(urls, instances, 3).pairs)).toEqual(expected);
  expect(sorted(counted(onDisk, instances, 3).pairs)).toEqual(expected);
  const inBranches = counted(onDisk, instances, 3, 100);
  expect(sorted(inBranches.pairs)).toEqual(expected);
  expect(inBranches.branches).toBeGreaterThan(2);
  onDisk.close();
  urls.close();
});

test.for(['left', 'right'] as const)('trees are as deep as URLs have tokens, to the %s of a core', (side) => {
  const most = 1500;
  const all = Array.from({ length: most }, (_, k): Planted => {
    const deep = side === 'left' ? `${k}${'/a'.repeat(k)}` : `${'a/'.repeat(k)}${k}`;
    const range: Range = [1, 2 * k + 1];
    const [left, right] = side === 'left' ? [deep, ''] : ['', deep];
    const [a, b]: [Range, Range] = side === 'left' ? [range, [0, 0]] : [[0, 0], range];
    return { left, right, core: CORE, a, b, e: range, flags: witness };
  });
  const urls = siteOf(all);
  const { pairs } = counted(urls, instancesOf(urls, all), 2);
  // Those of k tokens: all that continue so far, where a token is a letter or a slash; the number at the end occurs in
  // one only.
  const lows = pairs.map(({ low }) => low).toSorted((a, b) => a - b);
  const expected = Array.from({ length: most - 2 }, (_, k) => [k + 2, k + 2]).flat();
  expect(lows).toEqual(expected.toSorted((a, b) => a - b));
  urls.close();
});

test('contexts may have more tokens and more pairs than are processed at once', () => {
  const [left, right] = ['/a'.repeat(600), '/b'.repeat(700)];
  const all = Array.from({ length: 3 }, (_, k): Planted => {
    const sides = { left: `${k}${left}`, right: `${right}/${k}` };
    return { ...sides, core: CORE, a: [0, 1200], b: [0, 1400], e: [1300, 1301], flags: witness };
  });
  const urls = siteOf(all);
  const { pairs } = counted(urls, instancesOf(urls, all), 3);
  expect(pairs).toHaveLength(2 * 1201);
  expect(new Set(sorted(pairs)).size).toBe(2 * 1201);
  for (const { from, to, low } of pairs) {
    expect(low).toBe(3);
    expect([1300, 1301]).toContain(to.length);
    expect((left + CORE[0] + right).includes(Buffer.from(from).toString('latin1'))).toBe(true);
  }
  urls.close();
});
