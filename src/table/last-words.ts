// The last bytes of a URL as a few numbers: what orders most URLs backwards, and says how many last tokens two of them share.
//
//   URL         … | i | n | d | e | x | . | h | t | m | l |
//   its words   | l m t h | . x e d | n i … |       u32 each, the last byte in the highest place; zeros before the URL
//
// So words compare as the URLs do when they are read backwards. Where zeros may stand for bytes, only the URLs can tell.
import { WORDS } from '../base/packed-sort.js';
import { FIRST_RUN_BYTE } from '../url/token.js';

/** Bytes of a URL that its words hold. */
export const LAST_BYTES = 4 * WORDS;

const ONES = 0x01010101;
const LOW_BITS = 0x7f7f7f7f;
const HIGH_BITS = 0x80808080 | 0;
/** Takes a byte over 127 if it stands in runs. */
const TO_RUN = (0x80 - FIRST_RUN_BYTE) * ONES;

/** Writes the words of bytes [start, end) at `to`; `view` is of the same bytes. */
export function packLast(
  { bytes, view }: { readonly bytes: Uint8Array; readonly view: DataView },
  start: number,
  end: number,
  words: Uint32Array,
  to: number,
): void {
  if (end - start >= LAST_BYTES) {
    for (let w = 0; w < WORDS; w++) words[to + w] = view.getUint32(end - 4 - 4 * w, true);
    return;
  }
  for (let w = 0, at = end; w < WORDS; w++) {
    let word = 0;
    for (let shift = 24; shift >= 0; shift -= 8) if (--at >= start) word |= bytes[at]! << shift;
    words[to + w] = word;
  }
}

/**
 * Whole last tokens that two URLs share, END included, from their words at a and b; 0 where these do not tell. `skipped`
 * tokens come behind the words, END included; `inRun` where the first of them is a run and so may begin before them.
 */
export function sharedTokens(words: Uint32Array, a: number, b: number, skipped: number, inRun: boolean): number {
  let tokens = skipped;
  // The highest bit: what came before is in a run.
  let carry = inRun ? 1 << 31 : 0;
  for (let w = 0; w < WORDS; w++) {
    const word = words[a + w]!;
    const other = words[b + w]!;
    const runs = runsOf(word);
    // Bytes behind which a run goes on: these begin no token.
    const behind = (runs >>> 8) | carry;
    const inner = (runs & behind) >>> 7;
    if (word === other) {
      tokens += 4 - (Math.imul(inner, ONES) >>> 24);
      carry = (runs & 0x80) << 24;
      continue;
    }
    const shared = Math.clz32(word ^ other) & ~7;
    const lastShared = shared > 0 ? (word >>> (32 - shared)) & 0xff : w > 0 ? words[a + w - 1]! & 0xff : 1;
    if (lastShared === 0) return 0;
    tokens += shared / 8 - (Math.imul(inner & ~(-1 >>> shared), ONES) >>> 24);
    const isSplit = (((runs | runsOf(other)) & behind) << shared) & (1 << 31);
    return isSplit === 0 ? tokens : tokens - 1;
  }
  return 0;
}

export function hasSameWords(words: Uint32Array, a: number, b: number): boolean {
  let w = 0;
  while (w < WORDS && words[a + w] === words[b + w]) w++;
  return w === WORDS;
}

/** The highest bit of each byte that stands in runs. */
function runsOf(word: number): number {
  return (((word & LOW_BITS) + TO_RUN) | word) & HIGH_BITS;
}
