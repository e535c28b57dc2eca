// A cache of hosts: a list repeats a few hosts, so what depends only on the host is computed once.
//
// The layout is in kernel/layout/host. A host's rules are those that can match any of its URLs. A host is in the slot
// of its hash or in one of the next few; if none of these is free it replaces the first.
import { NUMBER_SIGN, QUESTION, SLASH } from '../base/ascii.js';
import { chained, FNV_SEED } from '../base/hash.js';
import { encodeText } from '../base/bytes.js';
import { HASH, KEY_BYTES, LENGTH, LIST, NOT_PLAIN, PLACES, WAYS, WIDTH } from '../kernel/layout/host.js';
import { markOf } from '../rule/filing.js';

export interface Host {
  /** False if preparation would change the host. */
  readonly isPlain: boolean;
  readonly group: number;
  readonly rules: Int32Array;
}

/** Adds the host of the URL bytes[start, end) to the cache. False if it is there already, or none is to be seen. */
export type KnowHost = (bytes: Uint8Array, start: number, end: number) => boolean;

/** The memory of the cache; an empty cache is all zero. */
export interface HostTables {
  readonly rows: Int32Array;
  readonly keys: Uint8Array;
}

/** A host with a longer key, or with more rules, is treated as not plain. */
const MOST_RULES = 12;

/** The lengths of the tables. */
export const ROWS_LENGTH = WIDTH * (PLACES + WAYS);
export const KEYS_LENGTH = KEY_BYTES * (PLACES + WAYS);

/** `describe` gets `http://host`, without the slash. */
export function createHosts(describe: (key: Uint8Array) => Host, { rows, keys }: HostTables): KnowHost {
  function standsAt(bytes: Uint8Array, start: number, end: number, place: number): boolean {
    if (rows[WIDTH * place + LENGTH] !== end - start) return false;
    const key = KEY_BYTES * place - start;
    for (let at = start; at < end; at++) if (bytes[at] !== keys[key + at]) return false;
    return true;
  }

  function remember(bytes: Uint8Array, start: number, end: number, hash: number, place: number): void {
    const { isPlain, group, rules } = describe(bytes.slice(start, end));
    keys.set(bytes.subarray(start, end), KEY_BYTES * place);
    const isKnown = isPlain && rules.length <= MOST_RULES;
    rows.set([hash, end - start, isKnown ? group : NOT_PLAIN, rules.length], WIDTH * place);
    if (isKnown) rows.set(rules, WIDTH * place + LIST + 1);
  }

  /** The kernel hashes what is after the scheme. */
  return (bytes, start, limit) => {
    const end = hostEnd(bytes, start, limit);
    if (end < 0 || end - start > KEY_BYTES) return false;
    const hash = chained(FNV_SEED, bytes, afterScheme(bytes, start), end);
    const first = markOf(hash) & (PLACES - 1);
    for (let place = first; place < first + WAYS; place++) {
      if (rows[WIDTH * place + LENGTH] === 0) {
        remember(bytes, start, end, hash, place);
        return true;
      }
      if (rows[WIDTH * place + HASH] === hash && standsAt(bytes, start, end, place)) return false;
    }
    remember(bytes, start, end, hash, first);
    return true;
  };
}

/** Where `http://host` ends and the slash of a path follows, or -1. */
function hostEnd(bytes: Uint8Array, start: number, limit: number): number {
  let end = afterScheme(bytes, start);
  if (end < 0) return -1;
  for (; end < limit; end++) {
    const byte = bytes[end]!;
    if (byte === SLASH) return end;
    // Not plain: below the number sign are quotes, `!`, space and control bytes, which no host has.
    if (byte === QUESTION || byte <= NUMBER_SIGN || byte === 0x7f) return -1;
  }
  return -1;
}

const http = encodeText('http://');

/** The offset after a scheme in lower case, or -1. */
function afterScheme(bytes: Uint8Array, start: number): number {
  for (let at = 0; at < 4; at++) if (bytes[start + at] !== http[at]) return -1;
  const colon = bytes[start + 4] === 0x73 ? start + 5 : start + 4;
  for (let at = 0; at < 3; at++) if (bytes[colon + at] !== http[4 + at]) return -1;
  return colon + 3;
}
