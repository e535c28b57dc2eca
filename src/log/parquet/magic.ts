// Is it a Parquet file? Known from its first bytes. And how is it said that one is damaged?

/** Bytes at the start and end of every file; of one whose index is encrypted. */
export const MAGIC = 'PAR1';
export const ENCRYPTED_MAGIC = 'PARE';

/** True for the first bytes of a Parquet file, encrypted or not. */
export function isParquet(head: Uint8Array): boolean {
  if (head.length < MAGIC.length) return false;
  const magic = String.fromCharCode(...head.subarray(0, MAGIC.length));
  return magic === MAGIC || magic === ENCRYPTED_MAGIC;
}

/** What is wrong with a file, as opposed to a bug: the reason why it, or the rest of it, is not read. */
export class BadParquet extends Error {}

export function damagedParquet(how: string): BadParquet {
  return new BadParquet(`the Parquet file is damaged (${how})`);
}
