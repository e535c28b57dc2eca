// Undoes `Transfer-Encoding: chunked` and `Content-Encoding` up to a size limit, as an archive may contain bombs. Many
// archives keep the headers of codings that were already undone. So a body that does not begin the way its coding does
// stays as it is, if that can be detected.
//
// Bodies from the network come as streams (`validate/live/decode`). Here they are in memory, and unpacking one at once
// takes 40 us of CPU for 18.8 kB instead of 160.
import { constants, brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { systemCode } from '../../base/error.js';
import { BadPacking } from '../packing.js';
import { unzstdPage, WindowTooLarge } from '../unzstd.js';

export type Decoded =
  | { readonly kind: 'body'; readonly body: Uint8Array }
  | { readonly kind: 'unusable'; readonly reason: 'too-large' | 'decoding'; readonly detail: string };

/** No page has more nested codings. */
const MAX_CODINGS = 4;

/** `1f4;name=value` and a line end. */
const CHUNK_HEAD = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n/i;
const MAX_CHUNK_HEAD = 1024;

/**
 * A body without its chunks (RFC 9112, 7.1). Unchanged if it does not begin with a chunk, whatever the header says. Our
 * own code, because a truncated body must not pass for a page: warcio's reader returns what is there, with the sizes in
 * it.
 */
export function dechunk(body: Buffer, transferEncoding: string | undefined): Decoded {
  if (!/\bchunked\s*$/i.test(transferEncoding ?? '')) return { kind: 'body', body };
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const head = CHUNK_HEAD.exec(body.toString('latin1', at, at + MAX_CHUNK_HEAD));
    if (head === null) return at === 0 ? { kind: 'body', body } : brokenChunks;
    const start = at + head[0].length;
    const end = start + Number.parseInt(head[1]!, 16);
    // Trailers follow the last chunk.
    if (end === start) return { kind: 'body', body: Buffer.concat(chunks) };
    if (end + 2 > body.length) return brokenChunks;
    if (body[end] !== 0x0d || body[end + 1] !== 0x0a) return at === 0 ? { kind: 'body', body } : brokenChunks;
    chunks.push(body.subarray(start, end));
    at = end + 2;
  }
}

const brokenChunks: Decoded = { kind: 'unusable', reason: 'decoding', detail: 'the chunks are damaged or cut short' };

/** Undoes the codings of a `Content-Encoding` header, the last one first. */
export async function decodeContent(
  body: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Decoded> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const real = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse();
  if (real.length > MAX_CODINGS) return { kind: 'unusable', reason: 'decoding', detail: `${real.length} codings` };
  let decoded = body;
  for (const coding of real) {
    try {
      decoded = await decodeOne(decoded, coding, maxBytes);
    } catch (error) {
      return refusal(error, coding, maxBytes);
    }
  }
  if (decoded.length > maxBytes) return tooLarge(maxBytes);
  return { kind: 'body', body: decoded };
}

/** A fault of a body, as opposed to a bug. */
class CodingError extends Error {}
class SizeError extends Error {}

function refusal(error: unknown, coding: string, maxBytes: number): Decoded {
  const code = systemCode(error);
  if (error instanceof SizeError || error instanceof WindowTooLarge || code === 'ERR_BUFFER_TOO_LARGE')
    return tooLarge(maxBytes);
  if (
    error instanceof CodingError ||
    error instanceof BadPacking ||
    (error instanceof Error && code !== undefined && /^(Z_|ERR__?)/.test(code))
  ) {
    return { kind: 'unusable', reason: 'decoding', detail: `${coding}: ${error.message}` };
  }
  throw error;
}

function tooLarge(maxBytes: number): Decoded {
  return { kind: 'unusable', reason: 'too-large', detail: `more than ${maxBytes} bytes` };
}

async function decodeOne(body: Uint8Array, coding: string, maxBytes: number): Promise<Uint8Array> {
  const limit = { maxOutputLength: maxBytes };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, limit) : body;
    case 'deflate':
      // The standard requires zlib's header; some servers leave it out.
      return isZlib(body) ? inflateSync(body, limit) : inflateRawSync(body, limit);
    case 'br':
      return brotliDecompressSync(body, { ...limit, finishFlush: constants.BROTLI_OPERATION_FINISH });
    case 'zstd':
      return isZstd(body) ? unzstd(body, maxBytes) : body;
    default:
      throw new CodingError('not a coding that is known: gzip, deflate, br, zstd');
  }
}

function isZlib(body: Uint8Array): boolean {
  return body.length >= 2 && (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0;
}

function isZstd(body: Uint8Array): boolean {
  return body[0] === 0x28 && body[1] === 0xb5 && body[2] === 0x2f && body[3] === 0xfd;
}

async function unzstd(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of unzstdPage([body])) {
    length += part.length;
    if (length > maxBytes) throw new SizeError();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
