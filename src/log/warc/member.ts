// Decompresses the gzip member at a given offset, and finds its end. A properly compressed WARC file has one member per
// record (ISO 28500, annex D), so the offset of a record is enough to read it:
//
//   | 1f 8b 08 … header | deflate data | crc32 | length |  | 1f 8b 08 … header | deflate data | crc32 | length |  …
//   ^ start                                               ^ end
//
// node:zlib's gunzip continues from one member to the next and does not report the boundary. So the header and the
// trailer are parsed here, and zlib inflates the data between them. (warcio has offsets, but silently takes a damaged
// member for uncompressed data.)
import { constants, crc32, createInflateRaw, inflateRawSync, type InflateRaw } from 'node:zlib';
import { systemCode } from '../../base/error.js';
import type { RandomBytes } from './bytes.js';

export const GZIP_MAGIC = Buffer.of(0x1f, 0x8b, 0x08);

const PIECE_BYTES = 1 << 16;
const MAX_HEADER_BYTES = 1 << 16;
const TRAILER_BYTES = 8;
/** Members up to this decompressed size are inflated without a stream. */
const SHORT_BYTES = 1 << 20;

const TOO_EARLY = 'the gzip data ends too early';

export class MemberReader {
  readonly #bytes: RandomBytes;
  #at: number;
  #crc = 0;
  #length = 0;
  #state: 'header' | 'data' | 'trailer' | 'over' = 'header';
  #inflater: Inflater | undefined;
  /** The end of the member; known once `next` has returned undefined and there was no damage. */
  end: number | undefined;
  /** Why there are no more bytes, unless the member has ended. */
  damage: string | undefined;

  constructor(bytes: RandomBytes, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** The next decompressed bytes; undefined at the end of the member, or of its readable part. */
  async next(): Promise<Buffer | undefined> {
    try {
      if (this.#state === 'header') await this.#readHeader();
      if (this.#state === 'data') {
        const chunk = await this.#inflate();
        if (chunk !== undefined) return this.#count(chunk);
      }
      if (this.#state === 'trailer') await this.#readTrailer();
    } catch (error) {
      if (!isOfZlib(error)) throw error;
      this.#fail(`the gzip data is damaged (${error.message})`);
    }
    this.close();
    return undefined;
  }

  close(): void {
    this.#state = 'over';
    this.#inflater?.close();
  }

  #count(chunk: Buffer): Buffer {
    this.#crc = crc32(chunk, this.#crc);
    this.#length += chunk.length;
    return chunk;
  }

  async #readHeader(): Promise<void> {
    const head = await this.#bytes.read(this.#at, MAX_HEADER_BYTES);
    const length = headerLength(head);
    if (typeof length === 'string') return this.#fail(length);
    this.#at += length;
    this.#state = 'data';
  }

  /** Most records are short. They are inflated in one call, seven times as fast as with a stream (75,000 a second). */
  async #inflate(): Promise<Buffer | undefined> {
    while (this.#state === 'data') {
      const packed = await this.#bytes.read(this.#at, PIECE_BYTES);
      const short = this.#inflater === undefined ? inflateShort(packed) : undefined;
      if (short !== undefined) {
        this.#at += short.consumed;
        this.#state = 'trailer';
        return short.data.length > 0 ? short.data : undefined;
      }
      if (packed.length === 0) this.#fail(TOO_EARLY);
      else {
        this.#inflater ??= new Inflater();
        const chunk = await this.#inflater.write(packed);
        this.#at += this.#inflater.consumed;
        if (this.#inflater.isOver) this.#state = 'trailer';
        if (chunk.length > 0) return chunk;
      }
    }
    return undefined;
  }

  async #readTrailer(): Promise<void> {
    const trailer = await this.#bytes.read(this.#at, TRAILER_BYTES);
    if (trailer.length < TRAILER_BYTES) return this.#fail(TOO_EARLY);
    const isWhole = trailer.readUInt32LE(0) === this.#crc && trailer.readUInt32LE(4) === this.#length % 2 ** 32;
    if (!isWhole) return this.#fail('the gzip data is damaged (its check sum is another)');
    this.end = this.#at + TRAILER_BYTES;
  }

  #fail(reason: string): void {
    this.damage ??= reason;
    this.#state = 'over';
  }
}

/** The length of the gzip header in `head`, or what is wrong with it (RFC 1952, 2.3). */
function headerLength(head: Buffer): number | string {
  if (!head.subarray(0, 3).equals(GZIP_MAGIC)) return head.length < 3 ? TOO_EARLY : 'no gzip member begins here';
  const flags = head[3];
  if (flags === undefined || head.length < 10) return TOO_EARLY;
  let at = 10;
  if ((flags & 4) !== 0) {
    if (head.length < at + 2) return TOO_EARLY;
    at += 2 + head.readUInt16LE(at);
  }
  for (const textFlag of [8, 16]) {
    if ((flags & textFlag) === 0) continue;
    const zero = head.indexOf(0, at);
    if (zero < 0) return TOO_EARLY;
    at = zero + 1;
  }
  if ((flags & 2) !== 0) at += 2;
  return at <= head.length ? at : TOO_EARLY;
}

/** Inflates a whole member, if its data and trailer are in `packed`; undefined if it is longer. */
function inflateShort(packed: Buffer): { data: Buffer; consumed: number } | undefined {
  const options = { info: true, finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: SHORT_BYTES };
  try {
    // With `info`, zlib returns the engine with the buffer; the types do not know that.
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as { buffer: Buffer; engine: InflateRaw };
    const consumed = engine.bytesWritten;
    return consumed + TRAILER_BYTES <= packed.length ? { data: buffer, consumed } : undefined;
  } catch (error) {
    // The stream has no limit, and returns the part before the damage.
    if (isOfZlib(error) || systemCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

/**
 * zlib's stream as calls that return what was inflated. zlib reports an error or the end as an event, and does not call
 * back then.
 */
class Inflater {
  readonly #stream = createInflateRaw();
  #inflated: Buffer[] = [];
  #failure: Error | undefined;
  #wake = (): void => {};
  isOver = false;
  /** How many bytes of the last piece belonged to the stream. */
  consumed = 0;

  constructor() {
    this.#stream.on('data', (data: Buffer) => this.#inflated.push(data));
    this.#stream.on('error', (error) => this.#stop(error));
    this.#stream.on('end', () => this.#stop(undefined));
  }

  /** Throws zlib's error after everything inflated before it was returned. */
  async write(packed: Buffer): Promise<Buffer> {
    if (this.#failure !== undefined) throw this.#failure;
    const before = this.#stream.bytesWritten;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#stream.write(packed, () => resolve());
    });
    this.consumed = this.#stream.bytesWritten - before;
    const inflated = Buffer.concat(this.#inflated.splice(0));
    if (this.#failure !== undefined && inflated.length === 0) throw this.#failure;
    return inflated;
  }

  close(): void {
    this.#stream.destroy();
  }

  #stop(failure: Error | undefined): void {
    this.#failure ??= failure;
    this.isOver = failure === undefined;
    this.#wake();
  }
}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && (systemCode(error)?.startsWith('Z_') ?? false);
}
