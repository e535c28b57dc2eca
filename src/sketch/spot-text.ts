// How are spot signatures written in a list of pages?
//
//   sp1-spotsigs.1-57-0-AAAA…      version 1; how they were made; how many spots and shingles; then these,
//                                  six bytes each in base64url: the fingerprint, big endian, ascending, and its count
//
// Six bytes are eight characters, so no feature lies across two groups of base64.
import { MAX_FEATURES, type Bag, type SpotSignature } from './spots.js';

export const SPOT_PREFIX = 'sp1-';

const BYTES = 6;
const CHARS = 8;
const head = /^sp1-((?:size)?spotsigs(?:\.[1-9]\d{0,5}){1,3}(?:\.[\da-f]{8})?)-(0|[1-9]\d{0,4})-(0|[1-9]\d{0,4})-/;
const MAX_HEAD = 80;

export function formatSpots({ making, spots, shingles }: SpotSignature): string {
  const bags = [spots, shingles].filter((bag) => bag !== undefined);
  const bytes = Buffer.alloc(bags.reduce((sum, { prints }) => sum + prints.length, 0) * BYTES);
  let at = 0;
  for (const { prints, counts } of bags) {
    for (let k = 0; k < prints.length; k++, at += BYTES) {
      bytes.writeUIntBE(prints[k]!, at, BYTES - 1);
      bytes[at + BYTES - 1] = counts[k]!;
    }
  }
  const [first, second] = [spots, shingles].map((bag) => bag?.prints.length ?? 0);
  return `${SPOT_PREFIX}${making}-${first}-${second}-${bytes.toString('base64url')}`;
}

/** The inverse of {@link formatSpots}; undefined for any text that it never writes. An empty bag is none. */
export function parseSpots(text: string): SpotSignature | undefined {
  const parts = head.exec(text.slice(0, MAX_HEAD));
  if (parts === null) return undefined;
  const [spotCount, shingleCount] = [Number(parts[2]), Number(parts[3])];
  const encoded = text.slice(parts[0].length);
  if (encoded.length !== (spotCount + shingleCount) * CHARS || encoded.length === 0) return undefined;
  if (spotCount > MAX_FEATURES || shingleCount > MAX_FEATURES) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  // Decoding skips invalid base64url: then encoding the result gives a different text.
  if (bytes.length !== (spotCount + shingleCount) * BYTES || bytes.toString('base64url') !== encoded) return undefined;
  const spots = bagAt(bytes, 0, spotCount);
  const shingles = bagAt(bytes, spotCount, shingleCount);
  return spots === null || shingles === null ? undefined : { making: parts[1]!, spots, shingles };
}

/** Null if they are not as they are written. */
function bagAt(bytes: Buffer, first: number, length: number): Bag | undefined | null {
  if (length === 0) return undefined;
  const bag = { prints: new Float64Array(length), counts: new Uint8Array(length) };
  for (let k = 0, last = -1; k < length; k++) {
    const at = (first + k) * BYTES;
    const print = bytes.readUIntBE(at, BYTES - 1);
    const count = bytes[at + BYTES - 1]!;
    if (print <= last || count === 0) return null;
    last = bag.prints[k] = print;
    bag.counts[k] = count;
  }
  return bag;
}
