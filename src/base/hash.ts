// Hashes of byte ranges. They find candidates and never decide equality.
//
// FNV-1a with a murmur finisher, in 32-bit integers: for keys of 10 to 100 bytes a call into wasm costs more than the
// whole loop (measured on 1,000,000 URLs of 60 bytes, see test/bench: this 73 ns a key, xxhash-wasm h32Raw 152 ns).

/** A 32-bit hash of bytes[start, end), as a signed integer; another seed gives an independent hash. */
export function hashBytes(bytes: Uint8Array, start: number, end: number, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return mixed(hash);
}

/** Spreads the bits of a 32-bit integer (the finisher of MurmurHash3). */
export function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** True where bytes[a, a + length) and others[b, b + length) are the same. */
export function sameBytes(bytes: Uint8Array, a: number, others: Uint8Array, b: number, length: number): boolean {
  for (let k = 0; k < length; k++) if (bytes[a + k] !== others[b + k]) return false;
  return true;
}
