// The URL list of the site that is being mined, as `table/site-urls` holds it.
import { FIXED, MAX_SIZE, MIN_SIZE, UNIT_BITS } from '../layout/record';
import { page } from '../memory/calls';
import { IS_DEBUG } from '../memory/debug';
import { factsBytes } from './facts';

/** The address of the records, then by row: the place of the URL in units of 8 bytes, u32, and its length, u16. */
let bytes: usize = 0;
let position: usize = 0;
let lengths: usize = 0;
export let isPaged: bool = false;
export let rows: i32 = 0;

export function useSite(bytesAt: usize, positionAt: usize, lengthAt: usize, count: i32, paged: i32): void {
  bytes = bytesAt;
  position = positionAt;
  lengths = lengthAt;
  rows = count;
  isPaged = paged != 0;
}

/** The address of the URL of a row. Valid until the second call after this one, so that two rows can be compared. */
export function urlAt(row: i32): usize {
  if (IS_DEBUG) assert(row >= 0 && row < rows);
  if (isPaged) return page(row);
  return bytes + ((<usize>load<u32>(position + ((<usize>row) << 2))) << UNIT_BITS);
}

/** The address of the URL of a row of a list in memory. */
export function residentAt(row: i32): usize {
  return bytes + ((<usize>load<u32>(position + ((<usize>row) << 2))) << UNIT_BITS);
}

export function lengthOf(row: i32): usize {
  if (IS_DEBUG) assert(row >= 0 && row < rows);
  return <usize>load<u16>(lengths + ((<usize>row) << 1));
}

// Prefetching: the data of several rows is read before any of it is needed, so that cache misses overlap. Each function
// returns a value that depends on what it read, so that the compiler keeps the load. Lists on disk do not use it.

/** Prefetches the place and the length of the URL of a row. */
export function touchPlace(row: i32): u32 {
  return load<u32>(position + ((<usize>row) << 2)) ^ (<u32>load<u16>(lengths + ((<usize>row) << 1)));
}

/** Prefetches both ends of the URL of a row, and its data. */
export function touchUrl(row: i32): u32 {
  if (isPaged) return 0;
  const url = urlAt(row);
  return load<u32>(url - 16) ^ load<u32>(url) ^ load<u32>(url + lengthOf(row) - 4);
}

// The data of the row whose URL is at an address.

export function minSizeAt(url: usize): f64 {
  return load<f64>(url - MIN_SIZE);
}

export function maxSizeAt(url: usize): f64 {
  return load<f64>(url - MAX_SIZE);
}

/** The sketch ends at this address. */
export function sketchEndAt(url: usize): usize {
  return url - FIXED;
}

export function sketchLengthAt(url: usize): usize {
  const length = labelLengthAt(url);
  return length == 0 ? 0 : length - factsLengthAt(url);
}

/** The length of the sketch with the facts before it. */
export function labelLengthAt(url: usize): usize {
  return <usize>load<u16>(url - FIXED);
}

/** The facts of the row begin at this address, if it has any. */
export function factsAt(url: usize): usize {
  return url - FIXED - labelLengthAt(url);
}

export function factsLengthAt(url: usize): usize {
  return factsBytes(factsAt(url), labelLengthAt(url));
}
