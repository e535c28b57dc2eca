// Finds the records of a WARC file and their offsets in one pass, which skips payloads. Damage is reported and skipped,
// and the pass continues at the next recognizable record:
//   gzip by record      | member | member | mem~~~ | member |   the next gzip magic whose member is intact
//   not compressed      | record | record ~~~~~~~~ | record |   the next line that begins with WARC/
//   gzip as a whole     | member with all records           |   decompressed into a scratch file, read as above
//
// A record is accepted only if it is complete: if its Content-Length leads to the end of the member or to the next
// record.
import type { GrowingBytes, RandomBytes } from './bytes.js';
import { findBytes, inWindows } from './bytes.js';
import { contentLength, isWarc, MAX_BLOCK_BYTES, parseBlock, type HeaderBlock } from './head.js';
import { GZIP_MAGIC, MemberReader } from './member.js';

/** Bytes in which records can be found again by their offset. */
export interface Region {
  readonly bytes: RandomBytes;
  readonly packing: 'gzip' | 'plain';
}

interface ScanSink {
  record(region: Region, offset: number, warc: HeaderBlock, http: HeaderBlock | undefined): void;
  damage(offset: number, reason: string): void;
  /** Makes a region for the decompressed bytes of a member with several records. */
  scratch(): Region & { readonly bytes: GrowingBytes };
}

/** What is at an offset. `end` is where to continue; if it is undefined, the next record must be searched for. */
type Seen =
  | { readonly kind: 'whole'; readonly warc: HeaderBlock; readonly http: HeaderBlock | undefined; readonly end: number }
  | { readonly kind: 'damaged'; readonly reason: string; readonly end: number | undefined }
  | { readonly kind: 'many' };

const WINDOW_BYTES = 1 << 18;
const NEXT_RECORD = Buffer.from('\nWARC/');
const RECORD_START = 'WARC/';
/** How far after a record the next one may begin. By the standard there are two line ends. */
const GAP_BYTES = 64;

const NO_RECORD = 'no WARC record begins here';
const NO_LENGTH = 'the record has no Content-Length';
const TOO_LONG = 'the record is shorter than its Content-Length';
const TOO_SHORT = 'the record is longer than its Content-Length';
/** If records follow each other directly, the end of such a record is unknown. */
const WRONG_LENGTH = 'the record is shorter or longer than its Content-Length';

/** Reads the file from front to back; `opened` is the file as it is on disk. */
export async function scanWarc(opened: RandomBytes, sink: ScanSink): Promise<void> {
  const bytes = inWindows(opened, WINDOW_BYTES);
  const region: Region = { bytes: opened, packing: await packingOf(bytes) };
  if (region.packing === 'plain') await scanPlain(region, 0, sink);
  else await scanMembers(region, bytes, sink);
}

async function packingOf(bytes: RandomBytes): Promise<Region['packing']> {
  const head = await bytes.read(0, RECORD_START.length);
  if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return 'gzip';
  if (head.toString('latin1') === RECORD_START) return 'plain';
  const isPlain = (await findBytes(bytes, NEXT_RECORD, 0)) >= 0 || (await findBytes(bytes, GZIP_MAGIC, 0)) < 0;
  return isPlain ? 'plain' : 'gzip';
}

async function scanMembers(region: Region, bytes: RandomBytes, sink: ScanSink): Promise<void> {
  let inDamage = false;
  for (let at = 0; at < bytes.length;) {
    const seen = await lookAtMember(bytes, at);
    if (seen.kind === 'whole') sink.record(region, at, seen.warc, seen.http);
    const { end, damage } = seen.kind === 'many' ? await unpackMember(bytes, at, sink) : outcomeOf(seen);
    if (damage !== undefined && !inDamage) sink.damage(at, damage);
    inDamage = damage !== undefined;
    at = end ?? (await findFrom(bytes, GZIP_MAGIC, at + 1));
  }
}

interface Outcome {
  readonly end: number | undefined;
  readonly damage: string | undefined;
}

function outcomeOf(seen: Exclude<Seen, { kind: 'many' }>): Outcome {
  return { end: seen.end, damage: seen.kind === 'damaged' ? seen.reason : undefined };
}

async function lookAtMember(bytes: RandomBytes, start: number): Promise<Seen> {
  const member = new MemberReader(bytes, start);
  const look = new RecordLook();
  for (let chunk = await member.next(); chunk !== undefined; chunk = await member.next()) {
    await look.take(chunk);
    if (!look.hasMore) continue;
    member.close();
    return { kind: 'many' };
  }
  const reason = member.damage ?? look.fault();
  if (reason !== undefined || look.warc === undefined) {
    return { kind: 'damaged', reason: reason ?? NO_RECORD, end: member.end };
  }
  return { kind: 'whole', warc: look.warc, http: look.http(), end: member.end! };
}

/**
 * Keeps the parts of a member that are needed to judge it: the header blocks, and the bytes where the record should
 * end.
 */
class RecordLook {
  #head = Buffer.alloc(0);
  #after = Buffer.alloc(0);
  #length = 0;
  #end = Infinity;
  warc: HeaderBlock | undefined;

  async take(chunk: Buffer): Promise<void> {
    const room = 2 * MAX_BLOCK_BYTES - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    this.warc ??= recordBlock(this.#head);
    if (this.warc !== undefined) this.#end = this.warc.length + (contentLength(this.warc) ?? Infinity);
    const from = Math.max(0, this.#end - this.#length);
    this.#after = Buffer.concat([this.#after, chunk.subarray(from, from + GAP_BYTES)]).subarray(0, GAP_BYTES);
    this.#length += chunk.length;
  }

  /** True if another record follows in the same member. */
  get hasMore(): boolean {
    return afterLineEnds(this.#after).startsWith(RECORD_START);
  }

  /** Why this is not a complete record. */
  fault(): string | undefined {
    if (this.warc === undefined) return NO_RECORD;
    if (this.#end === Infinity) return NO_LENGTH;
    if (this.#length < this.#end) return TOO_LONG;
    return afterLineEnds(this.#after) === '' ? undefined : TOO_SHORT;
  }

  http(): HeaderBlock | undefined {
    return httpBlock(this.#head, this.warc!);
  }
}

/** Reads everything that can be decompressed, even if the member breaks off. */
async function unpackMember(bytes: RandomBytes, start: number, sink: ScanSink): Promise<Outcome> {
  const member = new MemberReader(bytes, start);
  const region = sink.scratch();
  const from = region.bytes.length;
  for (let chunk = await member.next(); chunk !== undefined; chunk = await member.next()) region.bytes.append(chunk);
  await scanPlain(region, from, sink);
  return { end: member.end, damage: member.damage };
}

/** Scans uncompressed records, one directly after the other, from `start` to the end of the region. */
async function scanPlain(region: Region, start: number, sink: ScanSink): Promise<void> {
  const bytes = inWindows(region.bytes, WINDOW_BYTES);
  let inDamage = false;
  for (let at = await skipLineEnds(bytes, start); at < bytes.length; at = await skipLineEnds(bytes, at)) {
    const seen = await lookAt(bytes, at);
    if (seen.kind === 'whole') sink.record(region, at, seen.warc, seen.http);
    else if (!inDamage) sink.damage(at, seen.reason);
    inDamage = seen.kind === 'damaged';
    at = seen.end ?? (await findFrom(bytes, NEXT_RECORD, at)) + 1;
  }
}

async function lookAt(bytes: RandomBytes, start: number): Promise<Exclude<Seen, { kind: 'many' }>> {
  const head = await bytes.read(start, 2 * MAX_BLOCK_BYTES);
  const warc = recordBlock(head);
  const length = warc && contentLength(warc);
  if (warc === undefined || length === undefined) {
    return { kind: 'damaged', reason: warc === undefined ? NO_RECORD : NO_LENGTH, end: undefined };
  }
  const end = start + warc.length + length;
  if (end > bytes.length) return { kind: 'damaged', reason: TOO_LONG, end: undefined };
  const after = (await bytes.read(end, GAP_BYTES)).toString('latin1');
  if (!isRecordEnd(after)) return { kind: 'damaged', reason: WRONG_LENGTH, end: undefined };
  return { kind: 'whole', warc, http: httpBlock(head, warc), end };
}

/**
 * True for two line ends, as the standard demands; also for fewer before the next record, or if the file ends or was
 * cut.
 */
function isRecordEnd(after: string): boolean {
  const rest = after.replace(/^[\r\n]+/, '');
  return after.startsWith('\r\n\r\n') || rest.startsWith(RECORD_START) || RECORD_START.startsWith(rest);
}

function recordBlock(head: Buffer): HeaderBlock | undefined {
  if (!head.toString('latin1', 0, RECORD_START.length).startsWith(RECORD_START)) return undefined;
  const block = parseBlock(head.subarray(0, MAX_BLOCK_BYTES));
  return block !== undefined && isWarc(block) ? block : undefined;
}

/** The HTTP block of a record whose first bytes are `head`. */
function httpBlock(head: Buffer, warc: HeaderBlock): HeaderBlock | undefined {
  const content = head.subarray(warc.length, warc.length + (contentLength(warc) ?? 0));
  return content.toString('latin1', 0, 5) === 'HTTP/' ? parseBlock(content.subarray(0, MAX_BLOCK_BYTES)) : undefined;
}

function afterLineEnds(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/^[\r\n]+/, '');
}

async function skipLineEnds(bytes: RandomBytes, start: number): Promise<number> {
  for (let at = start; at < bytes.length; at++) {
    const byte = (await bytes.read(at, 1))[0];
    if (byte !== 0x0d && byte !== 0x0a) return at;
  }
  return bytes.length;
}

/** Like `findBytes`, but returns the end of the bytes if there is none. */
async function findFrom(bytes: RandomBytes, pattern: Buffer, start: number): Promise<number> {
  const found = await findBytes(bytes, pattern, start);
  return found < 0 ? bytes.length : found;
}
