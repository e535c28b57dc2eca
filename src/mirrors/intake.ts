// Takes in the records of a crawl. Names, texts and links become rows that are sorted on disk, so that they can be
// joined without holding any of them in memory.
//
//   names    key: URL, 0, kind    payload: number of the record, or the target of a redirect
//   texts    key: text           payload: number of the record, fingerprints of its chunks
//   links    key: target URL     payload: number of the record
//   table    key: source URL     payload: target URL, for links from a separate table
//
// Two pages have the same text if they have the same chunks in the same order; without chunks, if they have the same
// digest.
import { createHash } from 'node:crypto';
import { encodeText } from '../base/bytes.js';
import { type HeapRowReader, RowWriter } from '../base/row.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';

export const PAGE = 0;
const REDIRECT = 1;

/** Bytes of the key of a text. */
export const TEXT_KEY = 16;
/** Bytes of a fingerprint. */
export const PRINT = 8;

export interface CrawledPage {
  /** Absolute, in safe normal form; text of `base/bytes`. */
  readonly url: string;
  /** Undefined for a page without text, which is compared by its digest. */
  readonly chunks?: readonly string[] | undefined;
  readonly digest?: string | undefined;
  /** Absolute, in safe normal form. */
  readonly links: readonly string[];
}

export interface TakenIn {
  /** The number of records of pages. */
  readonly records: number;
  /** The number of fingerprints, without duplicates within a record. */
  readonly fingerprints: number;
  readonly names: HeapRowReader;
  readonly texts: HeapRowReader;
  readonly targets: HeapRowReader;
  readonly table: HeapRowReader;
}

/** Build (`add`, `addRedirect`), then freeze (`finish`). */
export class Intake {
  readonly #names: SpillSorter;
  readonly #texts: SpillSorter;
  readonly #targets: SpillSorter;
  readonly #table: SpillSorter;
  readonly #row = new RowWriter();
  readonly #joined = new RowWriter();
  #records = 0;
  #fingerprints = 0;
  readonly #printBytes: number;

  /** `printBits`: how many bits of fingerprints count: 64, or 32 as in the paper. */
  constructor(room: SpillRoom, printBits: 32 | 64 = 64) {
    this.#printBytes = printBits / 8;
    const share = (part: number): SpillRoom => ({ ...room, memoryBytes: room.memoryBytes * part });
    this.#names = new SpillSorter(share(0.2), room.stats);
    this.#texts = new SpillSorter(share(0.3), room.stats);
    this.#targets = new SpillSorter(share(0.25), room.stats);
    this.#table = new SpillSorter(share(0.25), room.stats);
  }

  add({ url, chunks, digest, links }: CrawledPage): void {
    const number = this.#records++;
    const row = this.#row;
    this.#put(this.#names, nameOf(url, PAGE), row.clear().u32(number));
    const prints =
      chunks === undefined || chunks.length === 0 ? undefined : printsOf(new Set(chunks), this.#printBytes);
    this.#fingerprints += (prints?.length ?? 0) / PRINT;
    const text = prints ?? (digest === undefined ? undefined : encodeText(digest));
    if (text !== undefined) {
      const key = createHash('sha256')
        .update(prints === undefined ? 'digest ' : 'chunks ')
        .update(text)
        .digest()
        .subarray(0, TEXT_KEY);
      this.#put(
        this.#texts,
        key,
        row
          .clear()
          .u32(number)
          .raw(prints ?? NONE),
      );
    }
    for (const link of links) this.#put(this.#targets, encodeText(link), row.clear().u32(number));
  }

  /** Adds a URL that redirects: links to it count as links to its target. */
  addRedirect(url: string, target: string): void {
    this.#put(this.#names, nameOf(url, REDIRECT), this.#row.clear().raw(encodeText(target)));
  }

  /** Adds a link. Its source is a page that was or will be added. */
  addLink(source: string, target: string): void {
    this.#put(this.#table, encodeText(source), this.#row.clear().raw(encodeText(target)));
  }

  #put(sorter: SpillSorter, key: Uint8Array, payload: RowWriter): void {
    const row = this.#joined.clear().raw(key).range(payload.bytes, 0, payload.length);
    sorter.add(row.bytes, 0, row.length, key.length);
  }

  finish(): TakenIn {
    return {
      records: this.#records,
      fingerprints: this.#fingerprints,
      names: this.#names.finish(),
      texts: this.#texts.finish(),
      targets: this.#targets.finish(),
      table: this.#table.finish(),
    };
  }
}

const NONE = new Uint8Array(0);

/** A key that sorts by URL, as no URL has a zero byte, and puts the page of a URL before its redirects. */
function nameOf(url: string, kind: number): Uint8Array {
  const bytes = encodeText(url);
  const name = new Uint8Array(bytes.length + 2);
  name.set(bytes);
  name[bytes.length + 1] = kind;
  return name;
}

/**
 * Converts hexadecimal digits to bytes, eight per fingerprint. With 32-bit fingerprints the first `kept` bytes count,
 * and the rest is 0.
 */
function printsOf(chunks: ReadonlySet<string>, kept: number): Uint8Array {
  const prints = Buffer.from(Array.from(chunks, (chunk) => chunk.padStart(2 * PRINT, '0')).join(''), 'hex');
  if (kept === PRINT) return prints;
  const short = new Set<number>();
  for (let at = 0; at < prints.length; at += PRINT) short.add(prints.readUInt32BE(at));
  const distinct = Buffer.alloc(PRINT * short.size);
  let at = 0;
  for (const print of short) at = distinct.writeUInt32BE(print, at) + PRINT - kept;
  return distinct;
}
