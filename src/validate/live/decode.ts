// How is a body unpacked? It comes in chunks, with at most two content encodings, and is read up to `maxBytes`, packed
// or unpacked: a bomb of 10 GB is abandoned after 5 MiB, and so is a stream that never unpacks to anything.
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { unzstdPage } from '../../log/unzstd.js';

export type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** zstd comes last, because node:zlib does not have it in every Node. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd;q=0.5';

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  /** The body is longer than `maxBytes`; `bytes` has its beginning. */
  | { readonly kind: 'too-large'; readonly bytes: Uint8Array }
  /** The body does not have the encoding that its header names. */
  | { readonly kind: 'damaged'; readonly detail: string };

const NAMES: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);
const MAX_ENCODINGS = 2;

/**
 * The encodings of a `Content-Encoding` header in decoding order; undefined if one is unknown, or there are too many.
 */
export function encodingsOf(header: string | undefined): readonly Encoding[] | undefined {
  const names = (header ?? '').toLowerCase().split(',');
  const packed = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (packed.length > MAX_ENCODINGS) return undefined;
  const known = packed.flatMap((name) => NAMES.get(name) ?? []);
  return known.length === packed.length ? known.reverse() : undefined;
}

class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Reads and decodes a body. Rejects with what `chunks` throws; a decoding error is a value. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  encodings: readonly Encoding[],
  maxBytes: number,
): Promise<Body> {
  let failure: { readonly cause: unknown } | undefined;
  const watched = async function* () {
    try {
      yield* limited(chunks, maxBytes);
    } catch (error) {
      failure = { cause: error };
      throw error;
    }
  };
  const parts: Uint8Array[] = [];
  try {
    let unpacked: AsyncIterable<Uint8Array> = watched();
    for (const encoding of encodings) unpacked = limited(unpack(unpacked, encoding), maxBytes);
    for await (const part of unpacked) parts.push(part);
    return { kind: 'whole', bytes: Buffer.concat(parts) };
  } catch (error) {
    const cause = failure === undefined ? error : failure.cause;
    if (cause instanceof TooLarge) return { kind: 'too-large', bytes: Buffer.concat(parts) };
    if (failure !== undefined) throw cause;
    return { kind: 'damaged', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Yields up to `maxBytes`, then throws. */
async function* limited(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let left = maxBytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) {
      yield chunk.subarray(0, left);
      throw new TooLarge();
    }
    left -= chunk.length;
    yield chunk;
  }
}

async function* unpack(packed: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  // An empty body needs no decoding, whatever its header says.
  const [first, rest] = await firstOf(packed);
  if (first === undefined) return;
  if (encoding === 'zstd') yield* unzstdPage(rest);
  else yield* through(rest, decoderFor(encoding, first));
}

/**
 * For `deflate`, half of the servers send the zlib format, as RFC 9110 demands, and the others raw deflate. The first
 * bytes tell which.
 */
function decoderFor(encoding: Exclude<Encoding, 'zstd'>, first: Uint8Array): Transform {
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  const isZlib = (first[0]! & 0x0f) === 8 && (first.length < 2 || (first[0]! * 256 + first[1]!) % 31 === 0);
  return isZlib ? createInflate() : createInflateRaw();
}

/** The chunks that `decoder` produces; an error on either side ends both, and is thrown here. */
async function* through(chunks: AsyncIterable<Uint8Array>, decoder: Transform): AsyncGenerator<Uint8Array> {
  pipeline(chunks, decoder, () => undefined); // it destroys the decoder with the error, which the loop below throws
  for await (const chunk of decoder) yield chunk as Uint8Array;
}

/** The first chunk that is not empty, and an iterable that begins with it. */
async function firstOf(
  chunks: AsyncIterable<Uint8Array>,
): Promise<[first: Uint8Array | undefined, all: AsyncIterable<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  let next = await iterator.next();
  while (next.done !== true && next.value.length === 0) next = await iterator.next();
  if (next.done === true) return [undefined, chunks];
  const first = next.value;
  return [first, resumed(first, iterator)];
}

async function* resumed(first: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
