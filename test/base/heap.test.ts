import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFew } from '../amount.js';
import { giveBack, inArena, newI32, newU8, takeU8, u8At } from '../../src/base/heap.js';

const sizes = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 400_000 }));

test('a block keeps its contents, whatever is allocated and freed meanwhile', () => {
  const steps = fc.array(fc.record({ size: sizes, drop: fc.option(fc.nat({ max: 50 })) }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (list) => {
      let blocks: { readonly bytes: Uint8Array; readonly mark: number }[] = [];
      for (const [step, { size, drop }] of list.entries()) {
        const bytes = newU8(size);
        expect(bytes.every((byte) => byte === 0)).toBe(true);
        blocks.push({ bytes: bytes.fill(step + 1), mark: step + 1 });
        const dropped = drop === null ? undefined : blocks[drop];
        if (dropped !== undefined) {
          giveBack(dropped.bytes);
          blocks = blocks.filter((block) => block !== dropped);
        }
      }
      for (const { bytes, mark } of blocks) {
        expect(bytes.every((byte) => byte === mark)).toBe(true);
        giveBack(bytes);
      }
    }),
    { numRuns: 30 },
  );
});

test.skipIf(isFew)('freed memory is reused', () => {
  const first = newI32(1 << 20);
  const { byteOffset } = first;
  giveBack(first);
  for (let round = 0; round < 2000; round++) {
    const again = newI32(1 << 20);
    expect(again.byteOffset).toBeLessThanOrEqual(byteOffset);
    giveBack(again);
  }
});

test('allocations in an arena do not overlap, and are freed with it', () => {
  const starts = [1, 2].map(() =>
    inArena(() => {
      const parts = Array.from({ length: 200 }, (_, k) => takeU8((k * k * 37) % 90_001).fill(k));
      expect(parts.every((part, k) => part.every((byte) => byte === k))).toBe(true);
      return parts[0]!.byteOffset;
    }),
  );
  expect(starts[1]).toBe(starts[0]);
});

test('an arena within an arena frees only its own allocations', () => {
  inArena(() => {
    const outer = takeU8(1000).fill(7);
    inArena(() => takeU8(3_000_000).fill(9));
    const next = takeU8(1000).fill(8);
    expect(outer.every((byte) => byte === 7)).toBe(true);
    expect(next.byteOffset).toBe(outer.byteOffset + 1008);
  });
});

test('more than the heap can hold is refused, with advice', () => {
  expect(() => newU8(4 * 2 ** 30 - 2048)).toThrow(/ MiB that threads can share.* --memory/);
  expect(u8At(1024, 512)).toHaveLength(512);
});
