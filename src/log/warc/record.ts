// What is the record that begins at an offset? Read as a whole, except for what exceeds a limit.
import { inWindows } from './bytes.js';
import { contentLength, isWarc, MAX_BLOCK_BYTES, parseBlock, type HeaderBlock } from './head.js';
import { MemberReader } from './member.js';
import type { Region } from './scan.js';

export interface StoredRecord {
  readonly warc: HeaderBlock;
  /** The HTTP block, if the record has one. */
  readonly http: HeaderBlock | undefined;
  /** What follows the blocks, with the codings that it was sent in; undefined if it is far beyond the limit. */
  readonly payload: Buffer | undefined;
}

const WINDOW_BYTES = 80 << 10;

/** Undefined if no record begins there (any more). */
export async function readRecord(
  region: Region,
  offset: number,
  maxPayloadBytes: number,
): Promise<StoredRecord | undefined> {
  const maxBytes = maxPayloadBytes + 2 * MAX_BLOCK_BYTES;
  const bytes = region.packing === 'gzip' ? await unpack(region, offset, maxBytes) : await head(region, offset);
  const warc = parseBlock(bytes.subarray(0, MAX_BLOCK_BYTES));
  const length = warc === undefined || !isWarc(warc) ? undefined : contentLength(warc);
  if (warc === undefined || length === undefined) return undefined;
  const whole = warc.length + length > maxBytes ? undefined : await rest(region, offset, bytes, warc.length + length);
  const content = (whole ?? bytes).subarray(warc.length);
  const isHttp = content.toString('latin1', 0, 5) === 'HTTP/';
  const http = isHttp ? parseBlock(content.subarray(0, MAX_BLOCK_BYTES)) : undefined;
  return { warc, http, payload: whole === undefined ? undefined : content.subarray(http?.length ?? 0) };
}

/** At most `maxBytes`, plus a piece of a member. */
async function unpack(region: Region, offset: number, maxBytes: number): Promise<Buffer> {
  const member = new MemberReader(inWindows(region.bytes, WINDOW_BYTES), offset);
  const chunks: Buffer[] = [];
  for (let length = 0; length < maxBytes;) {
    const chunk = await member.next();
    if (chunk === undefined) break;
    chunks.push(chunk);
    length += chunk.length;
  }
  member.close();
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function head(region: Region, offset: number): Promise<Buffer> {
  return region.bytes.read(offset, WINDOW_BYTES);
}

/** The whole record, which begins with `bytes`; undefined if the archive has lost some of it. */
async function rest(region: Region, offset: number, bytes: Buffer, length: number): Promise<Buffer | undefined> {
  if (bytes.length >= length) return bytes.subarray(0, length);
  if (region.packing === 'gzip') return undefined;
  const whole = await region.bytes.read(offset, length);
  return whole.length === length ? whole : undefined;
}
