// A 64-bit hash that shuffles URLs. If two URLs collided, only their order would be affected.
import { hashBytes, OTHER_SEED } from '../../../base/hash.js';
import type { RowWriter } from '../../../base/row-writer.js';

export interface UrlHash {
  readonly first: number;
  readonly second: number;
}

export function hashOf(url: Uint8Array): UrlHash {
  return { first: hashBytes(url, 0, url.length), second: hashBytes(url, 0, url.length, OTHER_SEED) };
}

export const HASH_BYTES = 8;

export function putHash(row: RowWriter, { first, second }: UrlHash): RowWriter {
  return row.u32(first).u32(second);
}
