// What does a decompressor have to do, and how does it report bad data? (`unpack` loads the decompressors.)

export type Packing = 'gzip' | 'bzip2' | 'xz' | 'zstd';

/** Decompresses synchronously: slow work is already in a thread of its own, if there are threads. */
export interface Unpacker {
  /** The text of `packed`, in memory of its own. Throws {@link BadPacking}, after what came before it. */
  push(packed: Buffer): Iterable<Buffer>;
  /** The rest, when there is no more input. */
  end(): Iterable<Buffer>;
  close(): void;
}

/** What is wrong with compressed bytes, as opposed to a bug. */
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
