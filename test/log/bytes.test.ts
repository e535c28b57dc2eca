import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/error.js';
import { readBytes } from '../../src/log/bytes.js';
import { fileInput } from '../../src/log/inputs.js';
import type { Condition } from '../../src/log/record.js';
import { isFew, rows } from '../amount.js';
import { scratchFolder } from '../cli/process.js';
import { inPieces, read, readInput } from './reading.js';
import { seededLines } from './seeded.js';

const log = seededLines(3000);
const packed = gzipSync(log);

test('a truncated gzip keeps what was read and says so', async () => {
  for (const length of [3, 12, 500, packed.length >> 1, packed.length - 9, packed.length - 8, packed.length - 1]) {
    const { rows, summary } = await read(packed.subarray(0, length));
    expect(summary.truncated).toBe(true);
    expect(summary.reason).toContain('ends too early');
    if (length >= packed.length - 8) expect(rows).toHaveLength(3000);
    if (length === packed.length >> 1) expect(rows.length).toBeGreaterThan(1200);
  }
});

test('a wrong checksum loses no line and is reported', async () => {
  const damaged = Buffer.from(packed);
  damaged[damaged.length - 6]! ^= 1;
  const { rows, summary } = await read(damaged, {}, 100_000);
  expect(rows).toHaveLength(3000);
  expect(summary.reason).toContain('damaged');
});

test('damage in the middle keeps nearly everything before it', async () => {
  const damaged = Buffer.from(packed);
  damaged.fill(0xff, damaged.length >> 1, (damaged.length >> 1) + 40);
  const { rows, summary } = await read(damaged);
  expect(summary.reason).toContain('damaged');
  expect(rows.length).toBeGreaterThan(700);
});

describe('damage in the middle of a file loses nothing of what was before it', () => {
  const text = seededLines(60_000);
  const members = inPieces(text, 1_400_000).map((piece) => gzipSync(piece));

  async function readDamaged(damaged: Buffer): Promise<Buffer> {
    const folder = scratchFolder();
    const path = join(folder.path, 'log.gz');
    writeFileSync(path, damaged);
    const condition: Condition = { reason: null };
    const chunks: Buffer[] = [];
    for await (const chunk of readBytes(fileInput('log.gz', path), condition)) chunks.push(Buffer.from(chunk));
    folder.remove();
    expect(condition.reason).toContain('damaged');
    return Buffer.concat(chunks);
  }

  test.skipIf(isFew).each(rows([...members.keys()], 2))(
    'even if it is detected right there, in member %i',
    async (member) => {
      const before = Buffer.concat(members.slice(0, member));
      const damaged = Buffer.concat([before, ...members.slice(member)]);
      damaged[before.length + 10] = 0x07; // an invalid block type
      const read = await readDamaged(damaged);
      expect(read.equals(text.subarray(0, member * 1_400_000))).toBe(true);
    },
  );

  test.each([20, 1000, 70_000, 400_000])('even if it is detected later, at %i', async (at) => {
    const damaged = gzipSync(text);
    const before = bytesBefore(damaged, at);
    damaged.fill(0xff, at, at + 40);
    const read = await readDamaged(damaged);
    expect(read.subarray(0, before.length).equals(before)).toBe(true);
  });
});

/** The text in the first `length` bytes. */
function bytesBefore(gzip: Buffer, length: number): Buffer {
  return gunzipSync(gzip.subarray(0, length), { finishFlush: constants.Z_SYNC_FLUSH });
}

test.each([1000, 20_000, Infinity])(
  'zeros after the gzip data are padding, anything else is reported (pieces of %d)',
  async (pieceBytes) => {
    const behind = async (more: string) => {
      const { rows, summary } = await read(Buffer.concat([packed, Buffer.from(more, 'latin1')]), {}, pieceBytes);
      expect(rows.length).toBeGreaterThan(2700);
      return summary.reason;
    };
    expect(await behind('\0')).toBeUndefined();
    expect(await behind('\0'.repeat(100_000))).toBeUndefined();
    expect(await behind(`${'\0'.repeat(100_000)}x`)).toBe('what follows the gzip data was not read');
    expect(await behind('plain text')).toContain('damaged');
    expect(await behind('\x1f\x8bnearly a member')).toContain('damaged');
  },
);

test('an input that fails while it is read keeps what was read before', async () => {
  async function* failing() {
    yield Buffer.from('/a\n/b');
    throw Object.assign(new Error('no'), { code: 'EIO' });
  }
  const { rows, summary } = await readInput({ name: 'x', open: failing });
  expect(rows.map((row) => row.url)).toEqual(['/a', '/b']);
  expect(summary).toMatchObject({ truncated: true, reason: 'cannot be read (EIO)' });
});

test('too many open files are an error for the user, not of the input', async () => {
  const open = () => {
    throw Object.assign(new Error('no'), { code: 'EMFILE' });
  };
  await expect(readInput({ name: 'x', open })).rejects.toThrow(UserError);
});

test('a bug is not reported as a bad input', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('/a\n');
    throw new TypeError('a bug');
  }
  await expect(readInput({ name: 'x', open: broken })).rejects.toThrow('a bug');
});

test('an empty input, compressed or not, has no lines', async () => {
  for (const bytes of [Buffer.alloc(0), gzipSync('')]) {
    expect((await read(bytes)).summary).toMatchObject({ lines: 0, records: 0, truncated: false, format: 'unknown' });
  }
});
