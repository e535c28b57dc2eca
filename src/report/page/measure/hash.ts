// A 64-bit hash that shuffles URLs. If two URLs collided, only their order would be affected.
import { hashBytes, OTHER_SEED } from '../../../base/hash.js';
import type { RowWriter } from '../../../base/row-writer.js';

export interface UrlHash {
  readonly first: number;
  readonly second: number;
}

export function hashOf(url: Uint8Array): UrlHash {
  return hashOfRange(url, 0, url.length);
}

export function hashOfRange(bytes: Uint8Array, start: number, end: number): UrlHash {
  return { first: hashBytes(bytes, start, end), second: hashBytes(bytes, start, end, OTHER_SEED) };
}

export const HASH_BYTES = 8;

export function putHash(row: RowWriter, { first, second }: UrlHash): RowWriter {
  return row.u32(first).u32(second);
}
