// A cache of hosts: a list repeats a few hosts, so what depends only on the host is computed once.
//
// The layout is in kernel/layout/host. A host's rules are those that can match any of its URLs. A host is in the slot
// of its hash or in one of the next few; if none of these is free it replaces the first.
import { NUMBER_SIGN, QUESTION, SLASH } from '../base/ascii.js';
import { FNV_PRIME, FNV_SEED } from '../base/hash.js';
import { encodeText } from '../base/bytes.js';
import { GROUP, HASH, KEY_BYTES, LENGTH, LIST, NOT_PLAIN, PLACES, WAYS, WIDTH } from '../kernel/layout/host.js';
import { markOf } from '../rule/filing.js';

export interface Host {
  /** False if preparation would change the host. */
  readonly isPlain: boolean;
  readonly group: number;
  readonly rules: Int32Array;
}

export interface Hosts {
  /**
   * Returns where `http://host` of the URL at `start` ends, or -1 if it is not plain or no slash follows before
   * `limit`. Sets `group` to the group of the host, and `list` to the place of its rules: rows[list …] = count, rule,
   * rule ….
   */
  end(bytes: Uint8Array, start: number, limit: number): number;
  group: number;
  list: number;
}

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
export function createHosts(describe: (key: Uint8Array) => Host, { rows, keys }: HostTables): Hosts {
  let last = 0;

  function standsAt(bytes: Uint8Array, start: number, end: number, place: number): boolean {
    if (rows[WIDTH * place + LENGTH] !== end - start) return false;
    const key = KEY_BYTES * place - start;
    // Backwards, because hosts of a list differ at their end.
    for (let at = end - 1; at >= start; at--) if (bytes[at] !== keys[key + at]) return false;
    return true;
  }

  function find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const first = markOf(hash) & (PLACES - 1);
    for (let place = first; place < first + WAYS; place++) {
      if (rows[WIDTH * place + LENGTH] === 0) return remember(bytes, start, end, hash, place);
      if (rows[WIDTH * place + HASH] === hash && standsAt(bytes, start, end, place)) return place;
    }
    return remember(bytes, start, end, hash, first);
  }

  function remember(bytes: Uint8Array, start: number, end: number, hash: number, place: number): number {
    const { isPlain, group, rules } = describe(bytes.slice(start, end));
    keys.set(bytes.subarray(start, end), KEY_BYTES * place);
    const isKnown = isPlain && rules.length <= MOST_RULES;
    rows.set([hash, end - start, isKnown ? group : NOT_PLAIN, rules.length], WIDTH * place);
    if (isKnown) rows.set(rules, WIDTH * place + LIST + 1);
    return place;
  }

  const hosts: Hosts = {
    group: NOT_PLAIN,
    list: 0,
    end(bytes, start, limit) {
      const sameEnd = start + rows[WIDTH * last + LENGTH]!;
      if (sameEnd > start && sameEnd < limit && bytes[sameEnd] === SLASH && standsAt(bytes, start, sameEnd, last)) {
        return hosts.group === NOT_PLAIN ? -1 : sameEnd;
      }
      let end = afterScheme(bytes, start);
      if (end < 0) return -1;
      let hash = FNV_SEED;
      for (; end < limit; end++) {
        const byte = bytes[end]!;
        if (byte === SLASH) break;
        // Not plain: no host has a byte up to the number sign (quotes, `!`, space, control bytes).
        if (byte === QUESTION || byte <= NUMBER_SIGN || byte === 0x7f) return -1;
        hash = Math.imul(hash ^ byte, FNV_PRIME);
      }
      if (end >= limit || end - start > KEY_BYTES) return -1;
      last = find(bytes, start, end, hash);
      hosts.group = rows[WIDTH * last + GROUP]!;
      hosts.list = WIDTH * last + LIST;
      return hosts.group === NOT_PLAIN ? -1 : end;
    },
  };
  return hosts;
}

const http = encodeText('http://');

/** The offset after a scheme in lower case, or -1. */
function afterScheme(bytes: Uint8Array, start: number): number {
  for (let at = 0; at < 4; at++) if (bytes[start + at] !== http[at]) return -1;
  const colon = bytes[start + 4] === 0x73 ? start + 5 : start + 4;
  for (let at = 0; at < 3; at++) if (bytes[colon + at] !== http[4 + at]) return -1;
  return colon + 3;
}
