// Pages that claim far more than there is: they cost what their rows cost.
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileInput } from '../../../src/log/inputs.js';
import { scratchFolder } from '../../cli/process.js';
import { readInput } from '../reading.js';
import { dictionaryOf, fileOf, pageOf, plainly, secondPageOf, type Page } from './pages.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => void (folder = scratchFolder()));
afterAll(() => folder.remove());

const texts = ['http://h/a', 'http://h/b', 'http://h/c'];
/** A run of 2^31 - 1 times the value that follows; groups of 8 values, 2^31 - 8 and, as 32 bits are read, -8. */
const RUN = [0xfe, 0xff, 0xff, 0xff, 0x0f];
const GROUPS = [0xff, 0xff, 0xff, 0xff, 0x07];
const levels = Buffer.of(3 << 1, 1);

test.each<readonly [string, readonly Page[], readonly string[]]>([
  ['levels', [pageOf(3, 'PLAIN', Buffer.of(...RUN, 1), plainly(texts))], texts],
  ['levels, apart', [secondPageOf(3, 'PLAIN', Buffer.of(...RUN, 1), plainly(texts))], texts],
  [
    'places in a dictionary',
    [dictionaryOf(texts), pageOf(3, 'RLE_DICTIONARY', levels, Buffer.of(2, ...RUN, 1))],
    Array.from({ length: 3 }, () => 'http://h/b'),
  ],
  [
    'places of no bits',
    [dictionaryOf(texts), secondPageOf(3, 'RLE_DICTIONARY', levels, Buffer.of(0, ...GROUPS))],
    Array.from({ length: 3 }, () => 'http://h/a'),
  ],
])('a run of 2^31 %s is decoded as far as its page has rows', async (name, pages, expected) => {
  const path = join(folder.path, `${name}.parquet`);
  writeFileSync(path, fileOf(pages, 3));
  const { rows, summary } = await readInput(fileInput('memory', path));
  expect(summary.reason).toBeUndefined();
  expect(rows.map(({ url }) => url)).toEqual(expected);
});
