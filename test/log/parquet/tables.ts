// Random tables, as Parquet and as CSV of the same rows.
import { Buffer } from 'node:buffer';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';

type Encoding = 'PLAIN' | 'RLE_DICTIONARY' | 'DELTA_BYTE_ARRAY' | 'DELTA_LENGTH_BYTE_ARRAY' | 'DELTA_BINARY_PACKED';

export interface Row {
  readonly url: Buffer | null;
  readonly status: number | null;
  readonly size: number | null;
  readonly digest: string | null;
}

export interface Writing {
  readonly codec: 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP' | 'BROTLI';
  readonly texts: Encoding;
  readonly numbers: 'PLAIN' | 'RLE_DICTIONARY' | 'DELTA_BINARY_PACKED';
  readonly groupRows: number;
  readonly pageBytes: number;
}

export const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
};

/** With a column that nobody asks for between the others. */
export function parquetOf(rows: readonly Row[], { codec, texts, numbers, groupRows, pageBytes }: Writing): Buffer {
  const column = <T>(pick: (row: Row) => T) => rows.map(pick) as never;
  const nullable = true;
  const bytes = parquetWriteBuffer({
    codec,
    compressors: COMPRESSORS,
    rowGroupSize: groupRows,
    pageSize: pageBytes,
    columnData: [
      { name: 'note', data: column(() => 'not read'), type: 'STRING' },
      { name: 'url', data: column(({ url }) => url), type: 'BYTE_ARRAY', encoding: texts, nullable },
      { name: 'fetch_status', data: column(({ status }) => status), type: 'INT32', encoding: numbers, nullable },
      {
        name: 'size',
        data: column(({ size }) => (size === null ? null : BigInt(size))),
        type: 'INT64',
        encoding: numbers,
        nullable,
      },
      { name: 'content_digest', data: column(({ digest }) => digest), type: 'STRING', encoding: texts, nullable },
    ],
  });
  return Buffer.from(bytes);
}

export function csvOf(rows: readonly Row[]): Buffer {
  const lines = rows.flatMap(({ url, status, size, digest }) => [
    Buffer.from('"'),
    Buffer.from((url ?? Buffer.alloc(0)).toString('latin1').replaceAll('"', '""'), 'latin1'),
    Buffer.from(`",${status ?? ''},${size ?? ''},${digest ?? ''}\n`),
  ]);
  return Buffer.concat([Buffer.from('url,fetch_status,size,content_digest\n'), ...lines]);
}
