// What do files do whose bytes were changed: compressed logs and WARC files? Each is read to where it breaks off, with
// a reason, and what was read until then adds up.
import { performance } from 'node:perf_hooks';
import { PACKED } from '../../log/packed.js';
import { PACKINGS, pack, record, WARCINFO } from '../../log/warc/compose.js';
import { seeded } from '../input/random.js';
import { damaged, readAll } from './fuzz.js';

export interface Damage {
  readonly kind: string;
  readonly files: number;
  readonly lines: number;
  readonly slowestMs: number;
}

const WARC_RECORDS = Array.from({ length: 12 }, (_, k) =>
  record({ url: `http://a.example/${k}?page=${k % 3}`, body: `<p>page ${k % 3} of twelve</p>` }),
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
  let [lines, slowestMs] = [0, 0];
  for (let file = 0; file < count; file++) {
    let bytes: Buffer = Buffer.from(whole);
    for (let times = 1 + pick(3); times > 0; times--) bytes = damaged(bytes, whole, pick);
    const begin = performance.now();
    lines += (await readAll(bytes)).lines;
    slowestMs = Math.max(slowestMs, performance.now() - begin);
  }
  return { kind, files: count, lines, slowestMs };
}
