import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/error.js';
import { RunFile, runFileBytes, RunWriter, type RunSeal } from '../../src/base/run-file.js';
import { mergeSorted } from '../../src/base/merge.js';
import { eachRow, type Row } from '../../src/base/row.js';
import { scratchFolder } from '../cli/process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());
const at = (name: string) => join(folder.path, name);

function rowOf(key: string, payload: string): Row {
  const bytes = Buffer.from(key + payload);
  return { bytes, keyStart: 0, keyEnd: Buffer.byteLength(key), end: bytes.length };
}

function write(path: string, rows: readonly (readonly [string, string])[], number = 1): RunSeal {
  const writer = new RunWriter(path, number);
  for (const [key, payload] of rows) writer.add(rowOf(key, payload));
  return writer.seal();
}

function rowsIn(path: string, seal: RunSeal): [string, string][] {
  const file = new RunFile(path, seal);
  try {
    const rows: [string, string][] = [];
    for (const row of eachRow(mergeSorted([file.rows], 1 << 16))) {
      const { bytes, keyStart, keyEnd, end } = row;
      const text = Buffer.from(bytes.subarray(keyStart, end)).toString();
      rows.push([text.slice(0, keyEnd - keyStart), text.slice(keyEnd - keyStart)]);
    }
    return rows;
  } finally {
    file.close();
  }
}

/** True if the file is refused with a message for the user. */
function isRefused(path: string, seal: RunSeal): boolean {
  try {
    rowsIn(path, seal);
    return false;
  } catch (error) {
    if (error instanceof UserError) return true;
    throw error;
  }
}

const many = Array.from({ length: 5000 }, (_, k) => [`key ${String(k).padStart(6, '0')}`, 'x'.repeat(k % 97)] as const);

describe('a run', () => {
  test.each([0, 1, 7, 5000])('of %i rows is read back as it was written', (count) => {
    const rows = many.slice(0, count);
    const seal = write(at('whole.run'), rows);
    expect(seal.rows).toBe(count);
    expect(seal.longestKey).toBe(count === 0 ? 0 : 10);
    expect(readFileSync(at('whole.run')).length).toBe(runFileBytes(seal.bytes));
    expect(rowsIn(at('whole.run'), seal)).toEqual(rows);
  });

  test('can have rows longer than its blocks', () => {
    const rows = ['a', 'b', 'c'].map((key) => [key.repeat(100_000), 'y'.repeat(200_000)] as const);
    expect(rowsIn(at('long.run'), write(at('long.run'), rows))).toEqual(rows);
  });

  test('leaves no file when it is discarded', () => {
    const writer = new RunWriter(at('gone.run'), 1);
    writer.add(rowOf('a', 'b'));
    writer.discard();
    expect(() => readFileSync(at('gone.run'))).toThrow('ENOENT');
  });
});

describe('damage', () => {
  const path = () => at('damaged.run');
  let whole: Buffer;
  let seal: RunSeal;
  beforeAll(() => {
    seal = write(path(), many.slice(0, 12));
    whole = readFileSync(path());
  });

  test('is detected wherever the file is cut, and if bytes follow', () => {
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path(), whole.subarray(0, length));
      if (!isRefused(path(), seal)) expect(length).toBe('refused');
    }
    writeFileSync(path(), Buffer.concat([whole, Buffer.of(0)]));
    expect(() => rowsIn(path(), seal)).toThrow(/is damaged: it is not as long as it was/);
  });

  test('of any single byte is detected', () => {
    for (let k = 0; k < whole.length; k++) {
      const changed = Buffer.from(whole);
      changed[k]! ^= 1 << (k % 8);
      writeFileSync(path(), changed);
      if (!isRefused(path(), seal)) expect(k).toBe('refused');
    }
  });

  test('far inside the file is detected before a row of its block is used', () => {
    const large = write(at('large.run'), many);
    const bytes = readFileSync(at('large.run'));
    bytes[200_000]! ^= 1;
    writeFileSync(at('large.run'), bytes);
    expect(() => rowsIn(at('large.run'), large)).toThrow(/large\.run is damaged: its bytes have changed/);
  });

  test('is reported for another run in its place', () => {
    const other = write(at('other.run'), many.slice(1, 13));
    expect(other.bytes).not.toBe(0);
    expect(() => rowsIn(at('other.run'), seal)).toThrow(UserError);
    write(at('number.run'), many.slice(0, 12), 2);
    expect(() => rowsIn(at('number.run'), seal)).toThrow(/not the file that was written/);
  });

  test('is reported for a missing file', () => {
    expect(() => new RunFile(at('none.run'), seal)).toThrow(/none\.run: it is missing \(ENOENT\)\. Put it back/);
  });
});
