// Which capture of a URL is its page? A 200 before a redirect, the newest of each (layout/facts). `table/facts` decides
// the same for rows that were spilled.
import {
  FACTS_BYTES,
  FLAGS,
  HAS_CHANGED,
  IS_PAGE,
  KNOWN_FLAGS,
  LANGUAGES,
  MARK,
  MOST_NAME,
  NAME_LENGTH,
  TIME,
  WAS_SEEN_AGAIN,
} from '../layout/facts';

/** The bytes of facts before the sketch in `length` bytes at `at`; 0 if there are none. */
export function factsBytes(at: usize, length: usize): usize {
  if (length < <usize>FACTS_BYTES || load<u8>(at) != MARK || load<u8>(at, FLAGS) > <u8>KNOWN_FLAGS) return 0;
  const name = <usize>load<u16>(at, NAME_LENGTH);
  const bytes = <usize>FACTS_BYTES + name;
  return name > <usize>MOST_NAME || bytes > length ? 0 : bytes;
}

/** What is known about a page without a common language with another: true if both languages are known. */
export function speakOthers(a: usize, aBytes: usize, b: usize, bBytes: usize): bool {
  if (aBytes == 0 || bBytes == 0) return false;
  const one = load<u32>(a, LANGUAGES);
  const other = load<u32>(b, LANGUAGES);
  return one != 0 && other != 0 && (one & other) == 0;
}

/** A later capture than the one before: 1, an earlier one: -1; 0 if nobody knows. */
export function timeOrder(next: usize, nextBytes: usize, before: usize, beforeBytes: usize): i32 {
  if (nextBytes == 0 || beforeBytes == 0) return 0;
  const time = load<f64>(next, TIME);
  const other = load<f64>(before, TIME);
  if (time == 0 || other == 0 || time == other) return 0;
  return time > other ? 1 : -1;
}

/** A redirect has facts that say so; all else is a page. */
export function isPage(at: usize, bytes: usize): bool {
  return bytes == 0 || (load<u8>(at, FLAGS) & IS_PAGE) != 0;
}

/** The flags that stay when another capture counts. */
export function historyOf(at: usize, bytes: usize): u8 {
  return bytes == 0 ? 0 : load<u8>(at, FLAGS) & (<u8>(HAS_CHANGED | WAS_SEEN_AGAIN));
}

/** Adds flags, if there are facts. */
export function noteHistory(at: usize, bytes: usize, flags: u8): void {
  if (bytes > 0) store<u8>(at, load<u8>(at, FLAGS) | flags, FLAGS);
}
