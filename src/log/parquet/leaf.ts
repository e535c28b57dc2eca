// The columns of a file, and how their values are written as text. A column is a leaf of the schema, named by its path:
// `url`, `httpRequest.requestUrl`.
import type { SchemaElement } from 'hyparquet';
import { damagedParquet } from './magic.js';

/** How the bytes of a value become text. */
type TextKind =
  | { readonly kind: 'bytes' | 'hex' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'float' | 'double' | 'int96' | 'date' }
  /** A time in units since 1970, `perMs` of them per millisecond. */
  | { readonly kind: 'time'; readonly perMs: bigint }
  /** No useful text; `what` names the type. */
  | { readonly kind: 'none'; readonly what: string };

export interface Leaf {
  readonly name: string;
  /** Its index among the columns of a row group. */
  readonly place: number;
  readonly type: string;
  /** Bytes of a value, if their length is fixed. */
  readonly width: number;
  readonly text: TextKind;
  /** The definition level of a value. A lower level means null. */
  readonly mostLevel: number;
  /** True inside of a list or a map: a row may have several values, or none. */
  readonly isRepeated: boolean;
}

const MOST_DEPTH = 64;
const MOST_WIDTH = 1 << 12;
const WIDTHS: Readonly<Record<string, number>> = { INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 };

/** The leaves of a schema, in which elements come before their children. Throws a BadParquet. */
export function leavesOf(schema: readonly SchemaElement[]): Leaf[] {
  const leaves: Leaf[] = [];
  let at = 0;
  const walk = (path: readonly string[], level: number, isRepeated: boolean, depth: number): void => {
    const element = schema[at++];
    if (element === undefined || depth > MOST_DEPTH) throw damagedParquet('its schema is not a tree');
    const repetition = element.repetition_type;
    const isMany = isRepeated || (depth > 0 && repetition === 'REPEATED');
    const mostLevel = level + (depth > 0 && repetition !== undefined && repetition !== 'REQUIRED' ? 1 : 0);
    const own = depth === 0 ? path : [...path, element.name];
    if (element.type !== undefined) {
      const { type, type_length: width } = element;
      const place = leaves.length;
      const text = textKindOf(element);
      leaves.push({
        name: own.join('.'),
        place,
        type,
        width: WIDTHS[type] ?? (isWidth(width) ? width : 0),
        text,
        mostLevel,
        isRepeated: isMany,
      });
      return;
    }
    for (let child = 0; child < (element.num_children ?? 0); child++) walk(own, mostLevel, isMany, depth + 1);
  };
  walk([], 0, false, 0);
  return leaves;
}

function textKindOf({ type, type_length: width, converted_type: converted, logical_type: logical }: SchemaElement) {
  const none = (what: string): TextKind => ({ kind: 'none', what });
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') return none('DECIMAL');
  switch (type) {
    case 'BYTE_ARRAY':
      return { kind: 'bytes' } as const;
    case 'FIXED_LEN_BYTE_ARRAY':
      return isWidth(width) ? ({ kind: 'hex' } as const) : none('bytes of no known length');
    case 'INT96':
      return { kind: 'int96' } as const;
    case 'FLOAT':
      return { kind: 'float' } as const;
    case 'DOUBLE':
      return { kind: 'double' } as const;
    case 'INT32':
      if (converted === 'DATE' || logical?.type === 'DATE') return { kind: 'date' } as const;
      return { kind: converted === 'UINT_32' ? 'uint32' : 'int32' } as const;
    case 'INT64':
      if (converted === 'TIMESTAMP_MILLIS') return { kind: 'time', perMs: 1n } as const;
      if (converted === 'TIMESTAMP_MICROS') return { kind: 'time', perMs: 1000n } as const;
      if (logical?.type === 'TIMESTAMP') return { kind: 'time', perMs: PER_MS[logical.unit] } as const;
      return { kind: converted === 'UINT_64' ? 'uint64' : 'int64' } as const;
    default:
      return none(type ?? 'a group');
  }
}

/** If the file is damaged, the width may be anything. */
function isWidth(width: number | undefined): width is number {
  return width !== undefined && Number.isSafeInteger(width) && width > 0 && width <= MOST_WIDTH;
}

const PER_MS = { MILLIS: 1n, MICROS: 1000n, NANOS: 1_000_000n } as const;

// Numbers are written as in CSV: 200, -6, 0.125. A time is written as milliseconds since 1970 if these have 12 or 13
// digits, which `readTime` takes for milliseconds; otherwise as ISO 8601.

const DAY_MS = 86_400_000;
/** 1970-01-01 as a Julian day. */
const EPOCH_DAY = 2_440_588;
const LEAST_DIGITS_MS = 100_000_000_000;
const MOST_DIGITS_MS = 9_999_999_999_999;

/** Longer than the text of any number. */
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
