// Recognizes Parquet files by their first bytes; and the error for damaged ones.

/** The bytes at the start and the end of every file, and of one whose index is encrypted. */
export const MAGIC = 'PAR1';
export const ENCRYPTED_MAGIC = 'PARE';

/** True for the first bytes of a Parquet file, encrypted or not. */
export function isParquet(head: Uint8Array): boolean {
  if (head.length < MAGIC.length) return false;
  const magic = String.fromCharCode(...head.subarray(0, MAGIC.length));
  return magic === MAGIC || magic === ENCRYPTED_MAGIC;
}

/** A fault of the file, as opposed to a bug: the reason why it, or the rest of it, is not read. */
export class BadParquet extends Error {}

export function damagedParquet(how: string): BadParquet {
  return new BadParquet(`the Parquet file is damaged (${how})`);
}
