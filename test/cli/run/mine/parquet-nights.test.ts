// Nights of Parquet files in a state, compared with the same rows as text.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFew } from '../../../amount.js';
import { csvOf, parquetOf, type Row } from '../../../log/parquet/tables.js';
import { scratchFolder } from '../../process.js';
import { night, rulesText } from './nights.js';

let scratch: ReturnType<typeof scratchFolder>;
beforeAll(() => (scratch = scratchFolder()));
afterAll(() => scratch.remove());

const writing = {
  codec: 'SNAPPY',
  texts: 'RLE_DICTIONARY',
  numbers: 'PLAIN',
  groupRows: 300,
  pageBytes: 1 << 12,
} as const;

/** Rows of one night: some pages under both forms of their URL, some of them known from the nights before. */
function rowsOf(day: number): Row[] {
  return Array.from({ length: 1000 }, (_, n): Row => {
    const page = day * 150 + ((n * 7) % 400);
    const path = Math.floor(n / 400) % 2 === 0 ? `story?id=${page}` : `story_${page}`;
    const url = Buffer.from(n % 97 === 0 ? '/caf\xe9' : `http://h.example/${path}`, 'latin1');
    return { url: n % 101 === 0 ? null : url, status: n % 13 === 0 ? 404 : 200, size: page, digest: `sha1:${page}` };
  });
}

test.skipIf(isFew)(
  'nights of Parquet give the rules of the same nights as text, and a file is read once',
  { timeout: 60_000 },
  async () => {
    const kinds = [
      { kind: 'csv', bytesOf: csvOf },
      { kind: 'parquet', bytesOf: (rows: readonly Row[]) => parquetOf(rows, writing) },
    ];
    const rulesBy: string[][] = [];
    for (const { kind, bytesOf } of kinds) {
      const cwd = join(scratch.path, kind);
      mkdirSync(cwd);
      const run = async (day: number, name: string, bytes: Buffer) => {
        writeFileSync(join(cwd, name), bytes);
        const { code, stderr } = await night(cwd, ['--state', 'S', name], day);
        expect([code, stderr]).toEqual([name === 'renamed' ? 3 : 0, stderr]);
        return { stderr, rules: rulesText(join(cwd, 'dustbuster-rules.json')) };
      };
      const rules: string[] = [];
      for (const day of [0, 1, 2]) rules.push((await run(day, `log.${day}`, bytesOf(rowsOf(day)))).rules);
      const again = await run(3, 'renamed', bytesOf(rowsOf(2)));
      expect(again.stderr).toMatch(/known/);
      rules.push(again.rules);
      rulesBy.push(rules);
      expect(JSON.parse(readFileSync(join(cwd, 'dustbuster-rules.json'), 'utf8')).rules.length).toBeGreaterThan(0);
    }
    expect(rulesBy[1]).toEqual(rulesBy[0]);
    expect(rulesBy[0]![1]).not.toBe(rulesBy[0]![0]);
  },
);
