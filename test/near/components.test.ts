// Components found by sorts on disk are those of the naive way.
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { Components } from '../../src/near/components.js';
import { amount } from '../amount.js';
import { seeded } from '../bench/input/random.js';

type Pair = readonly [number, number];

const range = (count: number) => Array.from({ length: count }, (_, k) => k);

/** All that can be reached from a number, the least first, has it as its root. */
function naive(count: number, pairs: readonly Pair[]): number[] {
  const others = range(count).map((): number[] => []);
  for (const [a, b] of pairs) {
    others[a]!.push(b);
    others[b]!.push(a);
  }
  const rootOf = new Map<number, number>();
  for (let root = 0; root < count; root++) {
    if (rootOf.has(root)) continue;
    const reached = new Set([root]);
    for (const number of reached) {
      rootOf.set(number, root);
      for (const other of others[number]!) reached.add(other);
    }
  }
  return range(count).map((number) => rootOf.get(number)!);
}

interface Found {
  readonly roots: readonly number[];
  readonly rounds: number;
  readonly isInMemory: boolean;
  readonly runs: number;
}

function found(count: number, pairs: readonly Pair[], memoryBytes: number): Found {
  const stats = { runs: 0, bytes: 0 };
  const components = new Components(count, { memoryBytes, tmpdir: tmpdir(), stats });
  const rootOf = naive(count, pairs);
  let errors = 0;
  for (const [a, b] of pairs) {
    // It may not know, but it never errs.
    if (components.areOne(a, b) && rootOf[a] !== rootOf[b]) errors++;
    components.join(a, b);
  }
  expect(errors).toBe(0);
  const roots = components.finish();
  const all = range(count).map((number) => roots.of(number));
  roots.close();
  return { roots: all, rounds: components.rounds, isInMemory: components.isInMemory, runs: stats.runs };
}

describe('components', () => {
  test.each(range(amount(100)))('of random pairs, %i', (seed) => {
    const random = seeded(seed);
    const count = 1 + Math.floor(random() * 400);
    const pairs = range(Math.floor(random() * 1.5 * count)).map((): Pair => {
      const a = Math.floor(random() * count);
      // Some are near each other, which makes chains.
      const b = seed % 2 === 0 ? Math.floor(random() * count) : Math.min(count - 1, a + Math.floor(random() * 3));
      return [a, b];
    });
    const rootOf = naive(count, pairs);
    const [disk, memory] = [found(count, pairs, Math.min(1000, 4 * count - 1)), found(count, pairs, 4 * count)];
    expect(disk.roots).toEqual(rootOf);
    expect(memory.roots).toEqual(rootOf);
    expect([disk.isInMemory, memory.isInMemory]).toEqual([false, true]);
  });

  const COUNT = 5000;
  const random = seeded(9);
  const order = range(COUNT).sort(() => random() - 0.5);
  test.each<{ what: string; pairs: readonly Pair[]; components: number }>([
    {
      what: 'a chain, from its end',
      pairs: range(COUNT - 1)
        .map((k): Pair => [k, k + 1])
        .reverse(),
      components: 1,
    },
    { what: 'a chain', pairs: range(COUNT - 1).map((k): Pair => [k, k + 1]), components: 1 },
    {
      what: 'a chain in no order',
      pairs: range(COUNT - 1).map((k): Pair => [order[k]!, order[k + 1]!]),
      components: 1,
    },
    { what: 'a star around the last', pairs: range(COUNT - 1).map((k): Pair => [k, COUNT - 1]), components: 1 },
    { what: 'two by two', pairs: range(COUNT / 2).map((k): Pair => [2 * k, 2 * k + 1]), components: COUNT / 2 },
    { what: 'none', pairs: [], components: COUNT },
  ])('of $what are found in as many rounds as a chain can be halved, by runs on disk', ({ pairs, components }) => {
    const { roots, rounds, runs } = found(COUNT, pairs, 8192);
    expect(roots).toEqual(naive(COUNT, pairs));
    expect(new Set(roots).size).toBe(components);
    expect(rounds).toBeLessThan(16);
    expect(runs).toBeGreaterThan(pairs.length > 0 ? 5 : -1);
  });
});
