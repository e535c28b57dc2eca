// Compressed inputs of every kind: complete, concatenated, truncated, changed, hostile. Small ones are cut and changed
// everywhere; those of many blocks are made here by the tools themselves, if installed.
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readBytes } from '../../src/log/bytes.js';
import { fileInput } from '../../src/log/inputs.js';
import type { Condition } from '../../src/log/record.js';
import { packingOf } from '../../src/log/unpack.js';
import { writeRules } from '../../src/rule/file.js';
import { run, scratchFolder } from '../cli/process.js';
import { sampleFile, sampleRule } from '../rule/sample.js';
import { PACKED, TEXT } from './packed.js';
import { inPieces, memoryInput, read } from './reading.js';
import { seededLines } from './seeded.js';

const kinds = Object.entries(PACKED);
/** Which trailing bytes are padding, not damage: of gzip by custom, of xz by its format in multiples of four bytes. */
const PADDED = ['gzip', 'xz'];
/** So many bytes identify the compression. */
const MAGIC = { gzip: 2, bzip2: 4, xz: 6, zstd: 4 };

async function unpacked(bytes: Buffer, pieceBytes = Infinity) {
  const condition: Condition = { reason: null };
  const chunks: Buffer[] = [];
  for await (const chunk of readBytes(memoryInput(bytes, pieceBytes), condition)) chunks.push(Buffer.from(chunk));
  return { text: Buffer.concat(chunks), reason: condition.reason };
}

function isStartOf(text: Buffer, whole: Buffer): boolean {
  return whole.subarray(0, text.length).equals(text);
}

describe.each(kinds)('%s', (name, packed) => {
  const kind = name as keyof typeof PACKED;

  test('is detected by its first bytes', () => {
    expect(packingOf(packed)).toBe(kind);
    expect(packingOf(packed.subarray(0, MAGIC[kind]))).toBe(kind);
    expect(packingOf(packed.subarray(0, MAGIC[kind] - 1))).toBeNull();
  });

  test.each([1, 2, 3, 7, 64, Infinity])('gives its text, in pieces of %d bytes', async (pieceBytes) => {
    expect(await unpacked(packed, pieceBytes)).toEqual({ text: TEXT, reason: null });
  });

  test.each([1, 5, Infinity])(
    'gives the text of several, one of them empty, in pieces of %d bytes',
    async (pieceBytes) => {
      const three = Buffer.concat([packed, EMPTY[kind], packed]);
      expect(await unpacked(three, pieceBytes)).toEqual({ text: Buffer.concat([TEXT, TEXT]), reason: null });
      expect(await unpacked(EMPTY[kind], pieceBytes)).toEqual({ text: Buffer.alloc(0), reason: null });
    },
  );

  test('cut off anywhere, keeps the beginning of the text and says so', async () => {
    for (let length = MAGIC[kind]; length < packed.length; length++) {
      const { text, reason } = await unpacked(packed.subarray(0, length));
      expect(reason).toBe(`the ${kind} data ends too early`);
      expect(isStartOf(text, TEXT)).toBe(true);
    }
  });

  test('cut off anywhere in the second of two, keeps the first', async () => {
    for (let length = 1; length < packed.length; length += 7) {
      const { text, reason } = await unpacked(Buffer.concat([packed, packed.subarray(0, length)]));
      expect(reason).toMatch(/ends too early|was not read|damaged/);
      expect(text.length).toBeGreaterThanOrEqual(TEXT.length);
      expect(isStartOf(text, Buffer.concat([TEXT, TEXT]))).toBe(true);
    }
  });

  test('changed anywhere, gives the text or reports damage', async () => {
    let told = 0;
    for (let at = 0; at < packed.length; at++) {
      for (const change of at % 2 === 0 ? [0x01] : [0x80]) {
        const other = Buffer.from(packed);
        other[at]! ^= change;
        const { text, reason } = await unpacked(other, 1 + (at % 200));
        if (reason !== null) told++;
        // If the first bytes match nothing any more, it is plain text.
        else expect(text.equals(packingOf(other) === kind ? TEXT : other)).toBe(true);
      }
    }
    expect(told).toBeGreaterThan(0.9 * packed.length);
  });

  test('its checksums are verified', async () => {
    for (let at = packed.length - 4; at < packed.length - 1; at++) {
      const other = Buffer.from(packed);
      other[at]! ^= 0x80;
      const { text, reason } = await unpacked(other);
      expect(reason).toContain('damaged');
      expect(isStartOf(text, TEXT)).toBe(true);
    }
  });

  test('trailing data is reported, and nothing of the text is lost', async () => {
    for (const rest of ['garbage', 'more garbage than a header has bytes', '\0\0\0\0x']) {
      const { text, reason } = await unpacked(Buffer.concat([packed, Buffer.from(rest)]), 50);
      // zlib loses what the same call had decoded, which can be read again from a file.
      expect(kind === 'gzip' ? isStartOf(text, TEXT) : text.equals(TEXT)).toBe(true);
      expect(reason).toMatch(/was not read|damaged|ends too early/);
    }
    const { text, reason } = await unpacked(Buffer.concat([packed, Buffer.alloc(8)]), 50);
    expect(text.equals(TEXT)).toBe(true);
    if (PADDED.includes(kind)) expect(reason).toBeNull();
    else expect(reason).toBe(`what follows the ${kind} data was not read`);
  });

  test('doubly compressed data is unpacked once', async () => {
    const { text, reason } = await unpacked(gzipSync(packed));
    expect(text.equals(packed)).toBe(true);
    expect(reason).toBeNull();
  });

  test('two that are read alternately do not affect each other', async () => {
    const other: Condition = { reason: null };
    const twice = Buffer.concat([packed, packed]);
    const reading = readBytes(memoryInput(twice, 11), other);
    const chunks: Buffer[] = [];
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
      chunks.push(Buffer.from(next.value));
      expect((await unpacked(packed, 13)).text.equals(TEXT)).toBe(true);
    }
    expect(Buffer.concat(chunks).equals(Buffer.concat([TEXT, TEXT]))).toBe(true);
  });

  test('is read from files under any name, in folders, and from standard input', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder.path, 'urls.txt'), packed);
    writeFileSync(join(folder.path, 'cut'), packed.subarray(0, -3));
    const mined = await run(['mine', '.', '-o', '-'], { cwd: folder.path });
    expect(mined.stderr).toContain('ends too early');
    expect(mined.code).toBe(3);
    writeFileSync(
      join(folder.path, 'dustbuster-rules.json'),
      [...writeRules(sampleFile([sampleRule('/nowhere', '/')]))].join(''),
    );
    const fromPipe = await run(['canonize'], { cwd: folder.path, input: packed });
    expect(fromPipe.stderr).toBe('');
    expect(fromPipe.stdout.equals(TEXT)).toBe(true);
    const cut = await run(['canonize', '-i', 'cut'], { cwd: folder.path });
    expect(cut.stderr).toContain('ends too early');
    expect(cut.code).toBe(3);
    folder.remove();
  });
});

const EMPTY = {
  gzip: gzipSync(''),
  bzip2: Buffer.from('425a683917724538509000000000', 'hex'),
  xz: Buffer.from('fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a', 'hex'),
  zstd: Buffer.from('28b52ffd240001000099e9d851', 'hex'),
};

describe('zstd', () => {
  const skipped = (length: number) => {
    const frame = Buffer.alloc(8 + length, 'x');
    frame.writeUInt32LE(0x184d2a57, 0);
    frame.writeUInt32LE(length, 4);
    return frame;
  };
  /** A frame without a checksum, of blocks of a kind: 0 raw bytes, 1 one byte repeated. */
  const frame = (window: number, ...blocks: readonly (readonly [number, number, string])[]) => {
    const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, window])];
    for (const [at, [kind, size, bytes]] of blocks.entries()) {
      const head = Buffer.alloc(3);
      head.writeUIntLE((size << 3) | (kind << 1) | Number(at === blocks.length - 1), 0, 3);
      parts.push(head, Buffer.from(bytes));
    }
    return Buffer.concat(parts);
  };
  const WINDOW_128_MIB = 17 << 3;

  test('skippable frames are skipped, wherever they are', async () => {
    const all = Buffer.concat([skipped(5), PACKED.zstd, skipped(0), skipped(300_000), PACKED.zstd, skipped(1)]);
    for (const pieceBytes of [1000, Infinity]) {
      expect(await unpacked(all, pieceBytes)).toEqual({ text: Buffer.concat([TEXT, TEXT]), reason: null });
    }
    expect((await unpacked(all.subarray(0, 9))).reason).toContain('ends too early');
    expect((await unpacked(all.subarray(0, -1))).reason).toContain('ends too early');
  });

  test('a window of 128 MiB is accepted, a larger one refused', async () => {
    expect(await unpacked(frame(WINDOW_128_MIB, [0, 2, '/a']))).toEqual({ text: Buffer.from('/a'), reason: null });
    const { text, reason } = await unpacked(Buffer.concat([PACKED.zstd, frame(WINDOW_128_MIB + 1, [0, 2, '/a'])]));
    expect(text.equals(TEXT)).toBe(true);
    expect(reason).toBe('the zstd data asks for a window of more than 128 MiB, which is refused');
  });

  test('a bomb is just more lines', async () => {
    const blocks = Array.from({ length: 2 }, () => [1, 1 << 17, '\n'] as const);
    const { summary } = await read(frame(7 << 3, ...blocks));
    expect(summary).toMatchObject({ lines: 1 << 18, records: 0, rejected: { empty: 1 << 18 }, truncated: false });
  });

  test('very many tiny blocks in a large window are read', async () => {
    const blocks = Array.from({ length: 100_000 }, () => [0, 1, '\n'] as const);
    expect((await unpacked(frame(WINDOW_128_MIB, ...blocks))).text).toHaveLength(100_000);
  });

  test('a missing dictionary is reported', async () => {
    const other = Buffer.from(PACKED.zstd);
    other[4]! |= 1;
    expect((await unpacked(other)).reason).toMatch(/dictionary|damaged/);
  });
});

describe('xz', () => {
  test('a dictionary of 64 MiB is accepted, a larger one refused', async () => {
    const withDictionary = (code: number) => {
      const other = Buffer.from(PACKED.xz);
      const size = 4 * (other[12]! + 1);
      // The filter LZMA2 has one byte of properties: the size of the dictionary.
      const at = other.indexOf(Buffer.of(0x21, 0x01), 12) + 2;
      other[at] = code;
      other.writeUInt32LE(crc32(other.subarray(12, 12 + size - 4)), 12 + size - 4);
      return other;
    };
    expect(await unpacked(withDictionary(28))).toEqual({ text: TEXT, reason: null });
    const { reason } = await unpacked(withDictionary(29));
    expect(reason).toBe('the xz data asks for a dictionary of more than 64 MiB, which is refused');
  });
});

test.skipIf(packWith('xz -c', TEXT) === null)('an unknown checksum of xz is reported', async () => {
  const { text, reason } = await unpacked(packWith('xz --check=sha256 -c', TEXT)!);
  expect(isStartOf(text, TEXT)).toBe(true);
  expect(reason).toBe('the xz data was packed with a filter or a check that is not known');
});

/** Compressed by a tool; null if it is not installed. */
function packWith(command: string, text: Buffer): Buffer | null {
  const [tool, ...args] = command.split(' ');
  const { status, stdout } = spawnSync(tool!, args, { input: text, maxBuffer: 1 << 28 });
  return status === 0 ? stdout : null;
}

describe('of many blocks', () => {
  const log = seededLines(12_000);

  describe.each([
    ['gzip -c', 1000],
    ['bzip2 -1 -c', 100_000],
    ['bzip2 -9 -c', 900_000],
    ['xz -c', 200_000],
    ['xz -0 --block-size=50000 -c', 100_000],
    ['xz -9e --check=none -c', 200_000],
    ['xz --check=crc32 -T4 -c', 200_000],
    ['zstd -q -1 -c', 1 << 17],
    ['zstd -q -19 --long=27 -c', 1 << 17],
    ['zstd -q --no-check -B1 -c', 1 << 17],
  ])('%s', (command, lostBytes) => {
    const packed = packWith(command, log);

    test.skipIf(packed === null)('gives the text, in large and small pieces', async () => {
      for (const pieceBytes of [Infinity, 70_001, 999]) {
        const { text, reason } = await unpacked(packed!, pieceBytes);
        expect([text.equals(log), reason]).toEqual([true, null]);
      }
    });

    test.skipIf(packed === null)(
      'cut or damaged in the middle, keeps all but one block before the damage',
      async () => {
        for (const share of [0.3, 0.5, 0.95]) {
          const at = Math.floor(packed!.length * share);
          const least = share * log.length - 1.2 * lostBytes - 30_000;
          const cut = await unpacked(packed!.subarray(0, at));
          expect(cut.reason).toContain('ends too early');
          expect(isStartOf(cut.text, log)).toBe(true);
          expect(cut.text.length).toBeGreaterThan(least);
          const damaged = Buffer.from(packed!);
          damaged.fill(0xff, at, at + 40);
          const { text, reason } = await unpacked(damaged);
          expect(reason).toContain('damaged');
          // Some damage is only detected by a checksum after it, when wrong text was passed on already.
          expect(isStartOf(text.subarray(0, Math.max(0, least)), log)).toBe(true);
        }
      },
    );
  });

  test.skipIf(packWith('bzip2 -c', Buffer.alloc(0)) === null)(
    'a block of runs only, 10 MB of one letter, is read',
    async () => {
      const text = Buffer.alloc(10_000_000, 'a');
      const packed = packWith('bzip2 -c', text)!;
      expect(packed.length).toBeLessThan(100);
      expect((await unpacked(packed)).text.equals(text)).toBe(true);
    },
  );
});

test('a file is read like a pipe', async () => {
  const folder = scratchFolder();
  for (const [kind, packed] of kinds) {
    const path = join(folder.path, kind);
    writeFileSync(path, packed);
    const condition: Condition = { reason: null };
    const chunks: Buffer[] = [];
    for await (const chunk of readBytes(fileInput(kind, path), condition)) chunks.push(Buffer.from(chunk));
    expect([Buffer.concat(chunks).equals(TEXT), condition.reason]).toEqual([true, null]);
  }
  folder.remove();
});

test('compressed lines give the same records', async () => {
  const plain = await read(TEXT);
  expect(plain.rows).toHaveLength(40);
  for (const [, packed] of kinds) {
    expect(await read(packed, {}, 17)).toEqual(plain);
    for (const piece of inPieces(packed, 100))
      expect(packingOf(Buffer.from(piece)) === null).toBe(piece[0] !== packed[0]);
  }
});
