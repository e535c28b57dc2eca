// Chooses the record for a URL, and reads its contents. The candidates of the index are read, best first, until one is
// for exactly this URL and can be used.
//
// A revisit has no payload of its own, but that of an earlier record. That is found by the URL and date that the
// revisit refers to, else by payload digest. The server's headers are those of the revisit, and the codings those of
// the original.
import { decodeText, encodeText, sameBytes } from '../../base/bytes.js';
import { normalizeSafe } from '../../url/normalize.js';
import { inWindows } from './bytes.js';
import { isSuccess, type WarcIndex } from './capture-index.js';
import { dechunk, decodeContent, type Decoded } from './coding.js';
import {
  contentLength,
  dateSeconds,
  type HeaderBlock,
  headerBytes,
  httpStatus,
  isWarc,
  MAX_BLOCK_BYTES,
  parseBlock,
  payloadDigest,
  targetUrl,
} from './head.js';
import { MemberReader } from './member.js';
import type { Region } from './scan.js';

/** What a crawler got. URLs are text of `base/bytes`; `url` is as in the record, without fragment. */
export type Capture =
  | {
      readonly kind: 'document';
      readonly url: string;
      /** 2xx. */
      readonly status: number;
      readonly contentType: string | undefined;
      /** The first Link header, one character per byte. */
      readonly link: string | undefined;
      readonly body: Uint8Array;
    }
  /** An answer that is not 2xx, without its body. Status 0 means unknown. */
  | { readonly kind: 'answer'; readonly url: string; readonly status: number; readonly location: string | undefined }
  | { readonly kind: 'unusable'; readonly url: string; readonly reason: UnusableReason; readonly detail: string };

export type UnusableReason =
  | 'too-large'
  | 'decoding'
  /** The crawler broke off. */
  | 'cut-short'
  /** The archives do not have the record that a revisit refers to. */
  | 'no-original';

const NOT_MODIFIED = 304;

export class CaptureReader {
  readonly #index: WarcIndex;
  readonly #regions: readonly Region[];
  readonly #maxBodyBytes: number;

  constructor(index: WarcIndex, regions: readonly Region[], maxBodyBytes: number) {
    this.#index = index;
    this.#regions = regions;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** The first usable record for exactly this URL, else the first one for it, else the same for its normal form. */
  async find(url: string): Promise<Capture | undefined> {
    const asked = withoutFragment(encodeText(url));
    const normal = normalizeSafe(asked);
    return (
      (await this.#firstUsable(this.#index.withUrl(asked, normal), (target) => target.equals(asked))) ??
      this.#firstUsable(this.#index.withNormalUrl(normal), (target) => sameBytes(normalizeSafe(target), normal))
    );
  }

  /** The capture of a record by number, in the order of the archives; undefined if the file cannot be read any more. */
  async at(number: number): Promise<Capture | undefined> {
    const record = await this.#read(number);
    const target = record && targetUrl(record.warc);
    return record === undefined || target === undefined ? undefined : this.#capture(record, decodeText(target));
  }

  async #firstUsable(numbers: readonly number[], isMeant: (target: Buffer) => boolean): Promise<Capture | undefined> {
    let first: Capture | undefined;
    for (const number of numbers) {
      const record = await this.#read(number);
      const target = record && targetUrl(record.warc);
      if (record === undefined || target === undefined || !isMeant(target)) continue;
      const capture = await this.#capture(record, decodeText(target));
      if (capture.kind !== 'unusable') return capture;
      first ??= capture;
    }
    return first;
  }

  #read(number: number): Promise<StoredRecord | undefined> {
    const region = this.#regions[this.#index.region[number]!]!;
    return readRecord(region, this.#index.offset[number]!, this.#maxBodyBytes);
  }

  async #capture(record: StoredRecord, url: string): Promise<Capture> {
    const type = record.warc.get('WARC-Type');
    const isRevisit = type === 'revisit';
    const original = isRevisit ? await this.#originalOf(record.warc) : record;
    const own = type === 'resource' ? 200 : httpStatus(record.http);
    const isOwn = own !== 0 && (own !== NOT_MODIFIED || original === undefined);
    const status = isOwn ? own : statusOf(original);
    if (original === undefined && (own === 0 || isSuccess(own))) {
      return { kind: 'unusable', url, reason: 'no-original', detail: 'a revisit of what is in none of the archives' };
    }
    const http = isOwn ? record.http : original?.http;
    if (!isSuccess(status) || original === undefined) {
      return { kind: 'answer', url, status, location: textOf(http?.get('Location')) };
    }
    const cut = original.warc.get('WARC-Truncated') ?? (original.warc.get('WARC-Segment-Number') && 'segmented');
    if (cut !== undefined) return { kind: 'unusable', url, reason: 'cut-short', detail: cut };
    const contentType = record.http?.get('Content-Type') ?? contentTypeOf(original);
    const decoded = await this.#decode(original);
    const link = (record.http ?? original.http)?.get('Link');
    return decoded.kind === 'body'
      ? { kind: 'document', url, status, contentType, link, body: decoded.body }
      : { ...decoded, url };
  }

  async #decode({ http, payload }: StoredRecord): Promise<Decoded> {
    const maxBytes = this.#maxBodyBytes;
    if (payload === undefined) return { kind: 'unusable', reason: 'too-large', detail: `more than ${maxBytes} bytes` };
    const body = dechunk(payload, http?.get('Transfer-Encoding'));
    return body.kind === 'body' ? decodeContent(body.body, http?.get('Content-Encoding'), maxBytes) : body;
  }

  /** The record whose payload a revisit has. */
  async #originalOf(revisit: HeaderBlock): Promise<StoredRecord | undefined> {
    const digest = payloadDigest(revisit);
    const url = targetUrl(revisit, 'WARC-Refers-To-Target-URI');
    const date = dateSeconds(revisit.get('WARC-Refers-To-Date'));
    if (url !== undefined) {
      for (const number of this.#index.withUrl(url, normalizeSafe(url))) {
        if (this.#index.date[number] !== date) continue;
        const record = await this.#read(number);
        if (record === undefined || isRevisit(record) || targetUrl(record.warc)?.equals(url) !== true) continue;
        if (agree(digest, payloadDigest(record.warc))) return record;
      }
    }
    for (const number of digest === undefined ? [] : this.#index.withDigest(digest)) {
      const record = await this.#read(number);
      if (record !== undefined && payloadDigest(record.warc)?.equals(digest!) === true) return record;
    }
    return undefined;
  }
}

function isRevisit(record: StoredRecord): boolean {
  return record.warc.get('WARC-Type') === 'revisit';
}

function agree(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined || a.equals(b);
}

function statusOf(record: StoredRecord | undefined): number {
  if (record === undefined) return 0;
  return record.warc.get('WARC-Type') === 'resource' ? 200 : httpStatus(record.http);
}

/** A resource has only WARC headers. */
function contentTypeOf(record: StoredRecord): string | undefined {
  return record.warc.get('WARC-Type') === 'resource'
    ? record.warc.get('Content-Type')
    : record.http?.get('Content-Type');
}

function textOf(value: string | undefined): string | undefined {
  return value === undefined ? undefined : decodeText(headerBytes(value));
}

export function withoutFragment(url: Uint8Array): Uint8Array {
  const hash = url.indexOf(0x23);
  return hash < 0 ? url : url.subarray(0, hash);
}

/** The record that begins at an offset, without the part that exceeds a limit. */
interface StoredRecord {
  readonly warc: HeaderBlock;
  /** The HTTP block, if the record has one. */
  readonly http: HeaderBlock | undefined;
  /** The bytes after the blocks, still encoded; undefined if they are far beyond the limit. */
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

/** The whole record, which begins with `bytes`; undefined if the archive has lost a part of it. */
async function rest(region: Region, offset: number, bytes: Buffer, length: number): Promise<Buffer | undefined> {
  if (bytes.length >= length) return bytes.subarray(0, length);
  if (region.packing === 'gzip') return undefined;
  const whole = await region.bytes.read(offset, length);
  return whole.length === length ? whole : undefined;
}
