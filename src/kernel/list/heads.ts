// Finds the number of the site of a URL. It depends only on the *head* of the URL, `http://host/` with the slash that
// begins the path. Logs have a few hosts, or some thousands, so a hash table caches what JavaScript answered:
//
//   heads     | entries | used | address of the entries | the entry that was found last |
//   an entry  | hash | a URL that begins with the head | length of the head; 0: none | site number |    by the hash
//
// URLs must stay in place while an entry refers to them. The size is bounded: a full table is cleared.
import { siteOf } from '../memory/calls';
import { alloc, free } from '../memory/heap';
import { hashOf, isSame } from '../text/text';

/** Bytes of `heads`. */
export const HEADS_BYTES: usize = 16;

const USED: usize = 4;
const ENTRIES: usize = 8;
const LATEST: usize = 12;

const ENTRY: usize = 16;
const URL: usize = 4;
const LENGTH: usize = 8;
const NUMBER: usize = 12;

const FIRST_ENTRIES: u32 = 16;
const MOST_ENTRIES: u32 = 1 << 16;

const SLASH: u8 = 0x2f;
const QUESTION: u8 = 0x3f;
const NUMBER_SIGN: u8 = 0x23;

export function openHeads(heads: usize): void {
  setEntries(heads, FIRST_ENTRIES);
}

export function clearHeads(heads: usize): void {
  free(load<u32>(heads, ENTRIES));
  setEntries(heads, FIRST_ENTRIES);
}

export function closeHeads(heads: usize): void {
  free(load<u32>(heads, ENTRIES));
}

function setEntries(heads: usize, count: u32): void {
  const bytes = <usize>count * ENTRY;
  const entries = alloc(bytes);
  memory.fill(entries, 0, bytes);
  store<u32>(heads, count);
  store<u32>(heads, 0, USED);
  store<u32>(heads, <u32>entries, ENTRIES);
  store<u32>(heads, <u32>entries, LATEST);
}

/** The number of the site of the URL [start, end). */
export function siteNumber(heads: usize, start: usize, end: usize): i32 {
  const latest = <usize>load<u32>(heads, LATEST);
  const length = <usize>load<u32>(latest, LENGTH);
  if (length > 0 && length <= end - start && isSame(<usize>load<u32>(latest, URL), start, length)) {
    return load<i32>(latest, NUMBER);
  }
  const headLength = headLengthOf(start, end);
  if (headLength == 0) return siteOf(start, end);
  const hash = <u32>hashOf(start, start + headLength, 0);
  let entry = entryOf(heads, hash, start, headLength);
  if (load<u32>(entry, LENGTH) == 0) {
    const number = siteOf(start, end);
    if (makeRoom(heads)) entry = entryOf(heads, hash, start, headLength);
    setEntry(entry, hash, start, headLength, number);
    store<u32>(heads, load<u32>(heads, USED) + 1, USED);
  }
  store<u32>(heads, <u32>entry, LATEST);
  return load<i32>(entry, NUMBER);
}

function setEntry(entry: usize, hash: u32, url: usize, length: usize, number: i32): void {
  store<u32>(entry, hash);
  store<u32>(entry, <u32>url, URL);
  store<u32>(entry, <u32>length, LENGTH);
  store<i32>(entry, number, NUMBER);
}

/** Length of `http://host/`, or of `https://host/`, at the beginning of the URL; 0 if it is not there. */
function headLengthOf(start: usize, end: usize): usize {
  if (end - start < 8 || load<u32>(start) != 0x70747468) return 0;
  const colon = start + (load<u8>(start, 4) == 0x73 ? 5 : 4);
  if (load<u8>(colon) != 0x3a || load<u16>(colon, 1) != 0x2f2f) return 0;
  for (let at = colon + 3; at < end; at++) {
    const byte = load<u8>(at);
    if (byte == SLASH) return at + 1 - start;
    if (byte == QUESTION || byte == NUMBER_SIGN) return 0;
  }
  return 0;
}

/** The entry of a head, or the empty slot for it. */
function entryOf(heads: usize, hash: u32, start: usize, length: usize): usize {
  const mask = load<u32>(heads) - 1;
  const entries = <usize>load<u32>(heads, ENTRIES);
  let entry = entries + <usize>(hash & mask) * ENTRY;
  while (load<u32>(entry, LENGTH) != 0 && !isOf(entry, hash, start, length)) {
    entry = entries + (((entry - entries) / ENTRY + 1) & (<usize>mask)) * ENTRY;
  }
  return entry;
}

function isOf(entry: usize, hash: u32, start: usize, length: usize): bool {
  if (load<u32>(entry) != hash || <usize>load<u32>(entry, LENGTH) != length) return false;
  return isSame(<usize>load<u32>(entry, URL), start, length);
}

/** Grows or clears a full table. True if entries have moved, or are gone. */
function makeRoom(heads: usize): bool {
  const count = load<u32>(heads);
  const used = load<u32>(heads, USED);
  if (used < count / 2) return false;
  const old = <usize>load<u32>(heads, ENTRIES);
  setEntries(heads, min(2 * count, MOST_ENTRIES));
  if (count < MOST_ENTRIES) {
    store<u32>(heads, used, USED);
    const end = old + <usize>count * ENTRY;
    for (let from = old; from < end; from += ENTRY) {
      const length = <usize>load<u32>(from, LENGTH);
      if (length == 0) continue;
      memory.copy(entryOf(heads, load<u32>(from), <usize>load<u32>(from, URL), length), from, ENTRY);
    }
  }
  free(old);
  return true;
}
