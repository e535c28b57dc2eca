// Where are the tokens of a URL?
import { isBoundary } from '../src/url/token.js';

/** Offsets at which tokens of raw `bytes` start, and the length at the end: m + 1 numbers for m tokens. */
export function tokenOffsets(bytes: Uint8Array): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (isBoundary(bytes, at)) offsets.push(at);
  offsets.push(bytes.length);
  return offsets;
}
