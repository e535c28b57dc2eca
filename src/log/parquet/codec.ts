// The bytes of a page, decompressed: by node:zlib what it knows, by libzstd in WebAssembly (unzstd.ts) or
// hyparquet-compressors the rest. The file
// says how many there are, so that no page takes more memory than it claims.
import zlib from 'node:zlib';
import { BadParquet, damagedParquet } from './bad.js';

/** Decompresses a page of exactly so many bytes; throws whatever its library throws. */
export type Decompress = (packed: Buffer, bytes: number) => Uint8Array;

/** Node has it from 22.15 on. */
type Unzstd = (packed: Buffer, options: { readonly maxOutputLength: number }) => Buffer;
const unzstd = (zlib as { readonly zstdDecompressSync?: Unzstd }).zstdDecompressSync;

/** Loads what the codec needs. Throws a BadParquet for one that is not known. */
export async function decompressorOf(codec: string | undefined): Promise<Decompress> {
  switch (codec) {
    case 'UNCOMPRESSED':
      return (packed) => packed;
    case 'GZIP':
      return (packed, bytes) => zlib.gunzipSync(packed, { maxOutputLength: Math.max(1, bytes) });
    case 'BROTLI':
      return (packed, bytes) => zlib.brotliDecompressSync(packed, { maxOutputLength: Math.max(1, bytes) });
    case 'ZSTD': {
      if (unzstd !== undefined) return (packed, bytes) => unzstd(packed, { maxOutputLength: Math.max(1, bytes) });
      return (await import('../unzstd.js')).loadUnzstd();
    }
    case 'SNAPPY':
    case 'LZ4':
    case 'LZ4_RAW': {
      const { compressors } = await import('hyparquet-compressors');
      return compressors[codec]!;
    }
    default:
      throw new BadParquet(`is a Parquet file with the codec ${codec ?? 'of an unknown number'}, which is not read`);
  }
}

/** A page of `bytes` bytes. Throws a BadParquet if it is not one. */
export function unpackPage(decompress: Decompress, packed: Buffer, bytes: number): Buffer {
  let page: Uint8Array;
  try {
    page = decompress(packed, bytes);
  } catch (error) {
    if (error instanceof Error) throw damagedParquet(`a page cannot be decompressed: ${error.message}`);
    throw error;
  }
  if (page.length !== bytes) throw damagedParquet(`a page of ${page.length} bytes says that it has ${bytes}`);
  return Buffer.from(page.buffer, page.byteOffset, page.length);
}
