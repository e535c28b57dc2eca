// The interface of decompressors, and how they report bad data. `unpack` loads them.

export type Packing = 'gzip' | 'bzip2' | 'xz' | 'zstd';

/** Decompresses synchronously: if there are threads, this already runs in one of them. */
export interface Unpacker {
  /** The text of `packed`, in its own memory. Throws {@link BadPacking} after the text before the damage. */
  push(packed: Buffer): Iterable<Buffer>;
  /** The rest of the text, at the end of the input. */
  end(): Iterable<Buffer>;
  close(): void;
}

/** A fault of the compressed bytes, as opposed to a bug. */
export class BadPacking extends Error {}

export function endsTooEarly(packing: Packing): BadPacking {
  return new BadPacking(`the ${packing} data ends too early`);
}

export function damaged(packing: Packing, how: string): BadPacking {
  return new BadPacking(`the ${packing} data is damaged (${how})`);
}

export function unreadRest(packing: Packing): BadPacking {
  return new BadPacking(`what follows the ${packing} data was not read`);
}
