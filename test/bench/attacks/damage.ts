// What do files do whose bytes were changed: compressed logs and WARC files? Each is read to where it breaks off, with
// a reason, and what was read until then adds up.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { UserError } from '../../../src/base/error.js';
import { PACKED } from '../../log/packed.js';
import { PACKINGS, pack, record, shelfIn, WARCINFO, type Shelf } from '../../log/warc/compose.js';
import { seeded } from '../input/random.js';
import { damaged, readAll } from './fuzz.js';

export interface Damage {
  readonly kind: string;
  readonly files: number;
  /** Lines of logs, or pages of archives, that were still read. */
  readonly read: number;
  readonly slowestMs: number;
}

const WARC_RECORDS = Array.from({ length: 12 }, (_, k) =>
  record({ url: urlOf(k), body: `<p>page ${k % 3} of twelve</p>` }),
);

/** All kinds of files that are damaged. */
export const FILES: Readonly<Record<string, Buffer>> = {
  ...PACKED,
  ...Object.fromEntries(PACKINGS.map((packing) => [`WARC, ${packing}`, pack([WARCINFO, ...WARC_RECORDS], packing)])),
};

/** Reads so many damaged files of the kind. Throws if one was not read as it should be. */
export async function damage(kind: string, count: number, seed: number): Promise<Damage> {
  const whole = FILES[kind]!;
  const random = seeded(seed);
  const pick = (most: number) => Math.floor(random() * most);
  const folder = mkdtempSync(join(tmpdir(), 'dustbuster-damage-'));
  const shelf = kind.startsWith('WARC') ? shelfIn(folder) : undefined;
  let [read, slowestMs] = [0, 0];
  for (let file = 0; file < count; file++) {
    let bytes: Buffer = Buffer.from(whole);
    for (let times = 1 + pick(3); times > 0; times--) bytes = damaged(bytes, whole, pick);
    const begin = performance.now();
    read += shelf === undefined ? (await readAll(bytes)).lines : await pagesIn(bytes, shelf);
    slowestMs = Math.max(slowestMs, performance.now() - begin);
  }
  rmSync(folder, { recursive: true });
  return { kind, files: count, read, slowestMs };
}

/** How many pages of an archive are found; none if it is refused with a message. */
async function pagesIn(bytes: Uint8Array, shelf: Shelf): Promise<number> {
  try {
    const archive = await shelf.open([bytes]);
    let found = 0;
    for (let k = 0; k < WARC_RECORDS.length; k++) if ((await archive.find(urlOf(k))) !== undefined) found++;
    await archive.close();
    return found;
  } catch (error) {
    if (error instanceof UserError) return 0;
    throw error;
  }
}

function urlOf(k: number): string {
  return `http://a.example/${k}?page=${k % 3}`;
}
