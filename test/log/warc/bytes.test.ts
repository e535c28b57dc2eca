// Bytes of files and of scratch files are the same.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { findBytes, inWindows, openBytes, scratchBytes, type RandomBytes } from '../../../src/log/warc/bytes.js';
import { scratchFolder } from '../../cli/process.js';
import { seededBytes } from './compose.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());

async function bothWays(content: Buffer): Promise<RandomBytes[]> {
  writeFileSync(join(scratch.path, 'file'), content);
  const growing = scratchBytes(scratch.path);
  growing.append(content);
  return [await openBytes(join(scratch.path, 'file')), growing];
}

test('any range is read correctly, through windows of any size', async () => {
  const content = seededBytes(3000);
  for (const bytes of await bothWays(content)) {
    expect(bytes.length).toBe(3000);
    const part = fc.tuple(fc.nat(3100), fc.nat(400));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 900 }), fc.array(part), async (windowBytes, parts) => {
        const windows = inWindows(bytes, windowBytes);
        for (const [position, length] of parts) {
          const expected = content.subarray(position, position + length);
          expect((await windows.read(position, length)).equals(expected)).toBe(true);
        }
      }),
    );
    await bytes.close();
  }
});

test('a pattern is found wherever it is', async () => {
  const seam = 1 << 18;
  for (const place of [0, 5, seam - 3, seam - 1, seam, seam + 1, 2 * seam - 2]) {
    const content = Buffer.alloc(2 * seam + 9);
    content.write('WARC', place);
    for (const bytes of await bothWays(content)) {
      expect(await findBytes(bytes, Buffer.from('WARC'), 0)).toBe(place);
      expect(await findBytes(bytes, Buffer.from('WARC'), place)).toBe(place);
      expect(await findBytes(bytes, Buffer.from('WARC'), place + 1)).toBe(-1);
      await bytes.close();
    }
  }
});
