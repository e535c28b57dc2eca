// What does a decoder of packed bytes have to do, and how does it say that they are bad? (`unpack` loads the decoders.)

export type Packing = 'gzip' | 'bzip2' | 'xz' | 'zstd';

/** Unpacks synchronously: what is slow is in a thread of its own already, where there are threads. */
export interface Unpacker {
  /** The text that `packed` brings, in memory of its own. Throws {@link BadPacking}, after what came before it. */
  push(packed: Buffer): Iterable<Buffer>;
  /** The same, where nothing more is to come. */
  end(): Iterable<Buffer>;
  close(): void;
}

/** What is wrong with packed bytes, as opposed to a bug. */
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
