// A number of a column as text, as CSV would have it: 200, -6, 0.125; a time as milliseconds since 1970, or by ISO 8601
// if these have other than 12 or 13 digits, which is what `readTime` takes for milliseconds.
import type { TextKind } from './leaf.js';

const DAY_MS = 86_400_000;
/** The Julian day of 1970-01-01. */
const EPOCH_DAY = 2_440_588;
const LEAST_DIGITS_MS = 100_000_000_000;
const MOST_DIGITS_MS = 9_999_999_999_999;

/** Longer than any number's text. */
export const TEXT_BYTES = 32;

/** Writes the text of the value at `at` into `to`, and returns its length. */
export function writeNumber(kind: TextKind, bytes: Buffer, at: number, to: Buffer): number {
  switch (kind.kind) {
    case 'int32':
      return writeInteger(bytes.readInt32LE(at), to);
    case 'uint32':
      return writeInteger(bytes.readUInt32LE(at), to);
    case 'int64': {
      const high = bytes.readInt32LE(at + 4);
      return high === 0 ? writeInteger(bytes.readUInt32LE(at), to) : put(String(bytes.readBigInt64LE(at)), to);
    }
    case 'uint64':
      return put(String(bytes.readBigUInt64LE(at)), to);
    case 'float':
      return put(String(bytes.readFloatLE(at)), to);
    case 'double':
      return put(String(bytes.readDoubleLE(at)), to);
    case 'time':
      return writeTime(Number(bytes.readBigInt64LE(at) / kind.perMs), to);
    case 'date':
      return writeTime(bytes.readInt32LE(at) * DAY_MS, to);
    case 'int96': {
      const nanos = bytes.readBigInt64LE(at);
      return writeTime((bytes.readInt32LE(at + 8) - EPOCH_DAY) * DAY_MS + Number(nanos / 1_000_000n), to);
    }
    default:
      throw new Error(`a column of ${kind.kind} has no numbers`);
  }
}

function writeInteger(value: number, to: Buffer): number {
  if (value < 0) return put(String(value), to);
  let length = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) length++;
  for (let at = length - 1, rest = value; at >= 0; at--, rest = Math.floor(rest / 10)) to[at] = 0x30 + (rest % 10);
  return length;
}

function writeTime(ms: number, to: Buffer): number {
  if (ms >= LEAST_DIGITS_MS && ms <= MOST_DIGITS_MS) return writeInteger(ms, to);
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? put('-', to) : put(date.toISOString(), to);
}

function put(text: string, to: Buffer): number {
  return to.write(text, 0, 'latin1');
}
