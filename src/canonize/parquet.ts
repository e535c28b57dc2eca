// Rows of `url`, tab, `canonical` -> the bytes of a Parquet file with these two columns, one row group at a time.
//
//    rows of a row group as text   http://h/a?s=1 \t http://h/a \n  colour red \t \n  \n …
//    url                           ~~~~~~~~~~~~~~                   ~~~~~~~~~~       null
//    canonical                                       ~~~~~~~~~~                null  null
//
// A column without a value is null: `canonical` of a line that is not a URL, both of a line that was too long.
//
// A URL may have bytes that are not UTF-8, which readers of a text column reject. So the columns are texts only if all
// of their values are UTF-8, otherwise bytes. This is known only at the end, where the schema is.
import { isUtf8 } from 'node:buffer';
import type { SchemaElement } from 'hyparquet';
import type { ColumnSource } from 'hyparquet-writer';
import { NEWLINE, TAB } from '../base/ascii.js';
import { ByteBuffer } from '../base/buffer.js';

export interface ParquetOutput {
  /** Read at the end of the file: true if some value is not UTF-8, so that the columns have to be bytes. */
  isBytes: boolean;
  /** Always called at the end, with the footer for columns of bytes, and the position of the footer. */
  readonly onBytesEnd?: (end: Uint8Array, at: number) => void;
}

/** DuckDB's default; it reads row groups in parallel. */
const GROUP_ROWS = 122_880;
/** Ends a row group earlier if URLs average more than some 70 bytes. */
const GROUP_BYTES = 16 << 20;

/**
 * Where the pieces of `text` are cut does not affect the result. Use or copy each piece of the file before requesting
 * the next one.
 */
export async function* parquetOf(
  text: AsyncIterable<Uint8Array>,
  output: ParquetOutput = { isBytes: false },
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: schemaOf('bytes'), createdBy: 'dustbuster' });
  const rows = new Rows();
  function write(): Uint8Array {
    output.isBytes ||= !rows.isUtf8;
    void file.write({ columnData: rows.columns(), rowGroupSize: rows.count }); // copies all values
    rows.clear();
    const bytes = writer.getBytes();
    writer.index = 0;
    return bytes;
  }
  for await (const piece of text) {
    rows.add(piece);
    while (rows.fill()) yield write();
  }
  if (rows.count > 0) yield write();
  if (writer.index > 0) yield writer.getBytes(); // the magic of a file without rows
  const at = writer.offset;
  function endOf(values: 'texts' | 'bytes'): Uint8Array {
    writer.offset = at;
    writer.index = 0;
    file.schema = schemaOf(values);
    void file.finish();
    return writer.getBytes().slice();
  }
  output.onBytesEnd?.(endOf('bytes'), at);
  yield endOf(output.isBytes ? 'bytes' : 'texts');
}

function schemaOf(values: 'texts' | 'bytes'): SchemaElement[] {
  const kind = values === 'texts' ? ({ converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const) : {};
  const column = { type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL', ...kind } as const;
  return [
    { name: 'root', num_children: 2 },
    { name: 'url', ...column },
    { name: 'canonical', ...column },
  ];
}

/** The rows of a row group, and the text behind them. */
class Rows {
  readonly #text = new ByteBuffer(1 << 20);
  /** For each row: the position of its last tab (-1 if none), and its end. */
  #tabs: number[] = [];
  #ends: number[] = [];
  #tab = -1;
  /** Offset up to which the text has been searched for rows. */
  #scanned = 0;

  get count(): number {
    return this.#ends.length;
  }

  get isUtf8(): boolean {
    return isUtf8(this.#text.bytes.subarray(0, this.#end));
  }

  get #end(): number {
    return this.#ends.at(-1) ?? 0;
  }

  add(piece: Uint8Array): void {
    this.#text.addWhole(piece);
  }

  /** Finds the rows in new text; returns true once they fill a row group. */
  fill(): boolean {
    const { bytes, used } = this.#text;
    for (let at = this.#scanned; at < used; at++) {
      const byte = bytes[at]!;
      if (byte === TAB) this.#tab = at;
      if (byte !== NEWLINE) continue;
      this.#tabs.push(this.#tab);
      this.#ends.push(at);
      this.#tab = -1;
      if (this.count < GROUP_ROWS && at < GROUP_BYTES) continue;
      this.#scanned = at + 1;
      return true;
    }
    this.#scanned = used;
    return false;
  }

  /** The columns, as views that are valid until the next call of any method. */
  columns(): ColumnSource[] {
    const { bytes } = this.#text;
    const urls: (Uint8Array | null)[] = [];
    const forms: (Uint8Array | null)[] = [];
    let start = 0;
    for (const [row, end] of this.#ends.entries()) {
      const tab = this.#tabs[row]!;
      urls.push(tab < 0 ? null : bytes.subarray(start, tab));
      forms.push(tab < 0 || tab + 1 === end ? null : bytes.subarray(tab + 1, end));
      start = end + 1;
    }
    return [
      { name: 'url', data: urls },
      { name: 'canonical', data: forms },
    ];
  }

  /** Starts the next row group with the text behind the rows. */
  clear(): void {
    const text = this.#text;
    const start = this.#end + 1;
    text.bytes.copyWithin(0, start, text.used);
    text.used -= start;
    this.#scanned -= start;
    this.#tabs = [];
    this.#ends = [];
  }
}
