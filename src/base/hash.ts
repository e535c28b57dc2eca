// Hashes of byte ranges. They find candidates; equality is always decided by the bytes.
//
// FNV-1a with a murmur finisher, in 32-bit integers: for keys of 10 to 100 bytes a call into wasm costs more than the
// whole loop (measured on 1,000,000 URLs of 60 bytes, see test/bench: this 73 ns a key, xxhash-wasm h32Raw 152 ns).
import { FNV_PRIME, FNV_SEED } from '../kernel/layout/fnv.js';
import { encodeText } from './bytes.js';

// Loops that do more than hash inline it.
export { FNV_PRIME, FNV_SEED };

/** Any other seed, for a second hash that is independent of the first. */
export const OTHER_SEED = 0x9e3779b9 | 0;

/** A 32-bit hash of bytes[start, end), as a signed integer; another seed gives an independent hash. */
export function hashBytes(bytes: Uint8Array, start: number, end: number, seed = FNV_SEED): number {
  return mixed(chained(seed, bytes, start, end));
}

/** A 32-bit hash of a text, as an unsigned integer. */
export function hashText(text: string, seed = FNV_SEED): number {
  const bytes = encodeText(text);
  return hashBytes(bytes, 0, bytes.length, seed) >>> 0;
}

/** FNV-1a over bytes[start, end), on top of what came before. */
export function chained(hash: number, bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME);
  return hash;
}

/** Spreads the bits of a 32-bit integer (the finisher of MurmurHash3). */
export function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A hash of two 32-bit integers. */
export function hashPair(a: number, b: number): number {
  return mixed(Math.imul(a, 0x9e3779b1) ^ b);
}
