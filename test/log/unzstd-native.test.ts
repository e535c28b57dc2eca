// Do node:zlib and WebAssembly give the same text of zstd, and the same errors? And are frames separated?
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Condition } from '../../src/log/record.js';
import { unpack } from '../../src/log/unpack.js';
import { hasNativeZstd } from '../../src/log/unzstd-native.js';
import { ZstdFrames } from '../../src/log/unzstd.js';
import { seeded } from '../bench/input/random.js';
import { PACKED } from './packed.js';
import { inPieces } from './reading.js';
import { seededLines } from './seeded.js';

/** Functions of node:zlib from Node 22.15 on; its types here are those of 20. */
const { zstdCompressSync } = zlib as unknown as {
  readonly zstdCompressSync: (text: Buffer, options?: { readonly params: Record<number, number> }) => Buffer;
};
const ZSTD_c_checksumFlag = 201;

const one = PACKED.zstd;
const skipped = Buffer.from('502a4d180400000001020304', 'hex');
const skippedNothing = Buffer.from('5f2a4d1800000000', 'hex');

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (const piece of inPieces(bytes, size)) yield Buffer.from(piece);
}

async function unpacked(bytes: Buffer, size: number, isFile: boolean) {
  const condition: Condition = { reason: null };
  const chunks: Buffer[] = [];
  const again = isFile ? () => pieces(bytes, size) : null;
  for await (const chunk of unpack('zstd', pieces(bytes, size), condition, again)) chunks.push(Buffer.from(chunk));
  return { text: Buffer.concat(chunks).toString('latin1'), reason: condition.reason };
}

describe('frames', () => {
  const frames = [one, skipped, one, skippedNothing, one];
  const all = Buffer.concat(frames);

  test.each([1, 2, 3, 7, 64, all.length])('are separated in pieces of %d bytes', (size) => {
    const walk = new ZstdFrames();
    const found: Buffer[] = [];
    const open: Buffer[] = [];
    for (const chunk of inPieces(all, size)) {
      for (const piece of walk.cut(Buffer.from(chunk))) {
        open.push(piece);
        // A piece ends within its frame only at the end of a chunk.
        if (Buffer.concat(open).length >= frames[found.length]!.length) found.push(Buffer.concat(open.splice(0)));
      }
    }
    expect(found).toEqual(frames);
    expect([walk.isOpen, walk.isBroken]).toEqual([false, false]);
  });

  test('are incomplete wherever they are cut off, and only then', () => {
    const ends = new Set<number>();
    frames.reduce((end, frame) => (ends.add(end + frame.length), end + frame.length), 0);
    for (let length = 1; length <= all.length; length++) {
      const walk = new ZstdFrames();
      for (const _ of walk.cut(all.subarray(0, length)));
      expect([length, walk.isOpen]).toEqual([length, !ends.has(length)]);
    }
  });

  test('that are invalid are detected', () => {
    const walk = new ZstdFrames();
    for (const _ of walk.cut(Buffer.concat([one, Buffer.from('no frame')])));
    expect(walk.isBroken).toBe(true);
  });
});

describe.skipIf(!hasNativeZstd)('node:zlib gives what WebAssembly gives', () => {
  async function same(bytes: Buffer, size: number): Promise<string | null> {
    const native = await unpacked(bytes, size, true);
    expect(native).toEqual(await unpacked(bytes, size, false));
    return native.reason;
  }

  test('of frames one after another, in pieces of any size', async () => {
    for (const size of [1, 5, 64, 1 << 16]) {
      expect(await same(Buffer.concat([one, skipped, one, skippedNothing, one]), size)).toBeNull();
      expect(await same(Buffer.concat([one, Buffer.from('no frame')]), size)).toContain('not read');
      expect(await same(Buffer.concat([one, Buffer.alloc(20)]), size)).toContain('not read');
    }
  });

  test('of data cut off anywhere, or with any byte changed', async () => {
    const reasons = new Set<string | null>();
    for (let at = 4; at < one.length; at++) {
      reasons.add(await same(one.subarray(0, at), 1 << 16));
      const changed = Buffer.from(one);
      changed[at]! ^= 1 << (at % 8);
      reasons.add(await same(changed, 64));
    }
    expect(reasons.size).toBeGreaterThan(2);
  });

  test('of many blocks, cut and damaged in their middle', async () => {
    const text = seededLines(12_000);
    const summed = zstdCompressSync(text, { params: { [ZSTD_c_checksumFlag]: 1 } });
    const plain = zstdCompressSync(text);
    const random = seeded(3);
    expect([await same(summed, 1 << 16), await same(plain, 1 << 16)]).toEqual([null, null]);
    for (let time = 0; time < 12; time++) {
      const share = random();
      for (const packed of [summed, plain]) {
        const at = 8 + Math.floor(share * (packed.length - 8));
        expect(await same(packed.subarray(0, at), 1 << 16)).toContain('ends too early');
        const damaged = Buffer.from(packed);
        damaged.fill(0xff, at, at + 40);
        if (packed === plain) await same(damaged, 1 << 16);
        else {
          const [native, other] = [await unpacked(damaged, 1 << 16, true), await unpacked(damaged, 1 << 16, false)];
          expect(native.reason).toBe(other.reason);
          expect(native.reason).toContain('damaged');
          // No text is lost that WebAssembly gives; after the damage it may differ.
          expect(native.text.length).toBeGreaterThanOrEqual(other.text.length);
        }
      }
    }
  });
});
