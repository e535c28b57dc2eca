// Copies URLs and turns them into collation bytes (url/token), sixteen at a time (SIMD).
//
//   raw byte         00–2f  30–39  3a–40  41–5a  5b–60  61–7a  7b–7f  80–ff
//   collation byte   00–2f  42–4b  30–36  4c–65  37–3c  66–7f  3d–41  80–ff
//   added                0    +18    −10    +11    −36     +5    −62      0
//
// So the addend changes at six bytes. Bytes from 0x80 on are negative as i8, and so below all six. Escapes, which most
// URLs do not have, are renumbered afterwards:
//
//   of an escape     %   0–9   A–F   a–f
//   collation byte   17  1–a   b–10  11–16
import { ESCAPE_BYTE, FIRST_RUN_BYTE, FROM_COLLATION, TO_COLLATION } from './text';

const PERCENT: u8 = 0x25;

/**
 * Writes [source, source + length) to `target` as collation bytes, padded with zeros to units of 8 bytes. Reads
 * `source` up to a whole unit.
 */
export function collateTo(target: usize, source: usize, length: usize): void {
  const start = target;
  const percent = i8x16.splat(PERCENT);
  let found = i8x16.splat(0);
  let left = length;
  for (; left >= 16; left -= 16, source += 16, target += 16) {
    const raw = v128.load(source);
    found = v128.or(found, i8x16.eq(raw, percent));
    v128.store(target, collated(raw));
  }
  if (left >= 8) {
    store<u64>(target, collatedEight(source));
    found = v128.or(found, i8x16.eq(v128.load_zero<u64>(target), percent));
    left -= 8;
    source += 8;
    target += 8;
  }
  if (left > 0) {
    store<u64>(target, collatedEight(source) & firstBytes(left));
    found = v128.or(found, i8x16.eq(v128.load_zero<u64>(target), percent));
  }
  if (v128.any_true(found)) numberEscapes(start, target + left);
}

/** Gives the bytes of escapes their numbers. */
function numberEscapes(at: usize, end: usize): void {
  for (; at + 2 < end; at++) {
    if (load<u8>(at) != PERCENT) continue;
    const high = digitOf(load<u8>(at, 1));
    const low = digitOf(load<u8>(at, 2));
    if (high == 0 || low == 0) continue;
    store<u8>(at, ESCAPE_BYTE);
    store<u8>(at, high, 1);
    store<u8>(at, low, 2);
    at += 2;
  }
}

/** The number of a digit in an escape, from its collation byte; 0 for another byte. */
function digitOf(byte: u8): u8 {
  if (byte - 0x42 < 10) return byte - 0x42 + 1;
  if (byte - 0x4c < 6) return byte - 0x4c + 11;
  return byte - 0x66 < 6 ? byte - 0x66 + 17 : 0;
}

function collatedEight(source: usize): u64 {
  return v128.extract_lane<u64>(collated(v128.load_zero<u64>(source)), 0);
}

/** A mask of the first `count` bytes of a word; `count` is less than 8. */
export function firstBytes(count: usize): u64 {
  return ((<u64>1) << ((<u64>count) << 3)) - 1;
}

function collated(raw: v128): v128 {
  const first = v128.and(i8x16.gt_s(raw, i8x16.splat(0x2f)), i8x16.splat(18));
  const second = v128.and(i8x16.gt_s(raw, i8x16.splat(0x39)), i8x16.splat(-10 - 18));
  const third = v128.and(i8x16.gt_s(raw, i8x16.splat(0x40)), i8x16.splat(11 + 10));
  const fourth = v128.and(i8x16.gt_s(raw, i8x16.splat(0x5a)), i8x16.splat(-36 - 11));
  const fifth = v128.and(i8x16.gt_s(raw, i8x16.splat(0x60)), i8x16.splat(5 + 36));
  const sixth = v128.and(i8x16.gt_s(raw, i8x16.splat(0x7a)), i8x16.splat(-62 - 5));
  const added = i8x16.add(i8x16.add(first, second), i8x16.add(third, fourth));
  return i8x16.add(i8x16.add(raw, added), i8x16.add(fifth, sixth));
}

// The tables of collation bytes, as url/token numbers them.

/** Call this once, before any other use. */
export function fillCollation(): void {
  let alone = 0;
  let inRuns = <i32>FIRST_RUN_BYTE;
  for (let byte = 0; byte < 256; byte++) {
    const next = isRunByte(byte) ? inRuns++ : alone++;
    store<u8>(TO_COLLATION + <usize>byte, <u8>next);
    store<u8>(FROM_COLLATION + <usize>next, <u8>byte);
  }
  // No URL has the control characters that these numbers belong to.
  for (let byte = 0x30; byte <= 0x66; byte++) {
    const digit = digitOf(load<u8>(TO_COLLATION + <usize>byte));
    if (digit != 0) store<u8>(FROM_COLLATION + <usize>digit, <u8>byte);
  }
  store<u8>(FROM_COLLATION + <usize>ESCAPE_BYTE, PERCENT);
}

/** True if a raw byte belongs to runs. */
function isRunByte(byte: i32): bool {
  const lower = byte | 0x20;
  return byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

/** Writes the collation bytes [start, end) as raw bytes to `to`. */
export function uncollate(start: usize, end: usize, to: usize): void {
  for (; start < end; start++, to++) store<u8>(to, load<u8>(FROM_COLLATION + <usize>load<u8>(start)));
}
