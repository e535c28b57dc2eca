// A Parquet file of one optional column of texts, "url", whose pages are the bytes that a test gives: for pages that no
// writer writes.
import { Buffer } from 'node:buffer';
import type { Encoding, PageHeader } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';

/** A page that is not compressed: its head without the sizes, and its bytes. */
export interface Page {
  readonly head: Omit<PageHeader, 'uncompressed_page_size' | 'compressed_page_size'>;
  readonly bytes: Buffer;
}

export function fileOf(pages: readonly Page[], rows: number): Buffer {
  const file = new ByteWriter();
  file.appendBytes(Buffer.from('PAR1'));
  for (const { head, bytes } of pages) {
    writePageHeader(file, { ...head, uncompressed_page_size: bytes.length, compressed_page_size: bytes.length });
    file.appendBytes(bytes);
  }
  const size = BigInt(file.offset - 4);
  const column = {
    file_offset: 4n,
    meta_data: {
      type: 'BYTE_ARRAY' as const,
      encodings: [],
      path_in_schema: ['url'],
      codec: 'UNCOMPRESSED' as const,
      num_values: BigInt(rows),
      total_uncompressed_size: size,
      total_compressed_size: size,
      data_page_offset: 4n,
    },
  };
  writeMetadata(file, {
    version: 2,
    created_by: 'a test',
    schema: [
      { name: 'root', num_children: 1 },
      { name: 'url', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    ],
    num_rows: BigInt(rows),
    row_groups: [{ columns: [column], total_byte_size: size, num_rows: BigInt(rows) }],
    metadata_length: 0,
  });
  file.appendBytes(Buffer.from('PAR1'));
  return Buffer.from(file.getBytes());
}

/** A page of version 1; `levels` and `values` as they are packed. */
export function pageOf(count: number, encoding: Encoding, levels: Buffer, values: Buffer): Page {
  return {
    head: {
      type: 'DATA_PAGE',
      data_page_header: {
        num_values: count,
        encoding,
        definition_level_encoding: 'RLE',
        repetition_level_encoding: 'RLE',
      },
    },
    bytes: Buffer.concat([numberOf(levels.length), levels, values]),
  };
}

/** A page of version 2. */
export function secondPageOf(count: number, encoding: Encoding, levels: Buffer, values: Buffer): Page {
  return {
    head: {
      type: 'DATA_PAGE_V2',
      data_page_header_v2: {
        num_values: count,
        num_nulls: 0,
        num_rows: count,
        encoding,
        definition_levels_byte_length: levels.length,
        repetition_levels_byte_length: 0,
        is_compressed: false,
      },
    },
    bytes: Buffer.concat([levels, values]),
  };
}

export function dictionaryOf(texts: readonly string[]): Page {
  return {
    head: { type: 'DICTIONARY_PAGE', dictionary_page_header: { num_values: texts.length, encoding: 'PLAIN' } },
    bytes: plainly(texts),
  };
}

/** Texts behind their lengths. */
export function plainly(texts: readonly string[]): Buffer {
  return Buffer.concat(texts.flatMap((text) => [numberOf(Buffer.byteLength(text)), Buffer.from(text)]));
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
