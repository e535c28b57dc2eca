// What is wrong with a Parquet file, as opposed to a bug: the reason why it, or the rest of it, is not read.
import { unreadable } from '../bytes.js';

export class BadParquet extends Error {}

export function damagedParquet(how: string): BadParquet {
  return new BadParquet(`the Parquet file is damaged (${how})`);
}

/** Why an input, or the rest of it, is not read. Rethrows what is not the input's fault. */
export function reasonOf(error: unknown): string {
  return error instanceof BadParquet ? error.message : unreadable(error);
}
