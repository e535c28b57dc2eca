// Is it a Parquet file? Known from its first bytes.

/** Bytes at the start and end of every file; of one whose index is encrypted. */
export const MAGIC = 'PAR1';
export const ENCRYPTED_MAGIC = 'PARE';

/** True for the first bytes of a Parquet file, encrypted or not. */
export function isParquet(head: Uint8Array): boolean {
  if (head.length < MAGIC.length) return false;
  const magic = String.fromCharCode(...head.subarray(0, MAGIC.length));
  return magic === MAGIC || magic === ENCRYPTED_MAGIC;
}
