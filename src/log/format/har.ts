// HTTP archives (HAR 1.2), which the developer tools of browsers and proxies for debugging save: one document of JSON,
// in which each entry is a request.
//
//   {"log":{"version":"1.2","entries":[
//     {"startedDateTime":"2026-03-02T06:00:00.000Z","request":{"method":"GET","url":"https://h.de/a?b"},"response":{…}},
//
// Each entry becomes a line of JSON. Bodies stand in it as texts of any length, so long texts are left out: an entry
// takes as much memory as its short ones.
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE } from '../../base/ascii.js';
import { BATCH_LINES, createLineBatch, type LineBatch, MAX_LINE_BYTES } from '../lines.js';
import type { Condition } from '../record.js';
import { type LineFormat, UNIT } from './format.js';
import { JsonReader } from './jsonl.js';

const NAMES = {
  url: 'request.url',
  method: 'request.method',
  status: 'response.status',
  size: 'response.content.size',
  time: 'startedDateTime',
  duration: 'time',
};

const MEMBERS = 'version|creator|browser|pages|entries|comment';

const HEAD = new RegExp(`^\\s*\\{\\s*"log"\\s*:\\s*\\{\\s*"(${MEMBERS})"\\s*:`);

/** True if `log` is the first member, and has those of an archive. */
export function isHar(head: Buffer): boolean {
  return HEAD.test(head.toString('latin1', 0, 4096));
}

export function createHar(): LineFormat {
  const reader = new JsonReader(undefined, { names: NAMES, unitMs: UNIT.ms });
  return {
    name: 'har',
    linesOf: (chunks, condition) => new EntryReader().read(chunks, condition),
    parse: (bytes, start, end, fields) => reader.read(bytes, start, end, fields),
  };
}

/** The depth of `{` before the members of `log`, and of `{` before those of an entry. */
const [IN_LOG, IN_ENTRY] = [2, 4];
/** A longer text is left out. A URL that is longer would be rejected anyway. */
const LONGEST_TEXT = 1 << 16;

/** Finds the objects in `log.entries`, in any pieces of the document. */
class EntryReader {
  readonly #batch = createLineBatch();
  #out = Buffer.alloc(1 << 16);
  #used = 0;
  #lines = 0;
  #number = 0;
  #depth = 0;
  #isInText = false;
  #isEscape = false;
  #textStart = 0;
  #textBytes = 0;
  /** The last text in `log`: the name of the member that comes. */
  #member = '';
  #isInEntries = false;
  #lineStart = 0;

  async *read(chunks: AsyncIterable<Buffer>, condition: Condition): AsyncGenerator<LineBatch> {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at++) {
        this.#take(chunk[at]!);
        if (this.#lines === BATCH_LINES) yield this.#flush();
      }
      if (this.#lines > 0) yield this.#flush();
    }
    if (this.#depth > 0) condition.reason ??= 'the archive ends too early';
  }

  #take(byte: number): void {
    if (this.#isInText) return this.#takeText(byte);
    if (byte <= SPACE) return;
    const isOpen = byte === OPEN_BRACE || byte === OPEN_BRACKET;
    if (isOpen) this.#open(byte);
    if (byte === QUOTE) this.#beginText();
    if (this.#depth >= IN_ENTRY && this.#isInEntries) this.#put(byte);
    else if (this.#depth === IN_LOG && byte === QUOTE) this.#member = '';
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#close();
  }

  #open(byte: number): void {
    this.#depth++;
    if (this.#depth === IN_LOG + 1) this.#isInEntries = byte === OPEN_BRACKET && this.#member === 'entries';
    if (this.#depth === IN_ENTRY) this.#lineStart = this.#used;
  }

  #close(): void {
    if (this.#depth === IN_ENTRY && this.#isInEntries) this.#endLine();
    this.#depth--;
    if (this.#depth === IN_LOG) this.#isInEntries = false;
  }

  #beginText(): void {
    this.#isInText = true;
    this.#textStart = this.#used + 1;
    this.#textBytes = 0;
  }

  #takeText(byte: number): void {
    const isEnd = byte === QUOTE && !this.#isEscape;
    this.#isEscape = byte === BACKSLASH && !this.#isEscape;
    if (isEnd) this.#isInText = false;
    else this.#textBytes++;
    if (this.#depth === IN_LOG && !isEnd && this.#member.length < 16) this.#member += String.fromCharCode(byte);
    if (this.#depth < IN_ENTRY || !this.#isInEntries) return;
    if (isEnd && this.#textBytes > LONGEST_TEXT) this.#used = this.#textStart;
    if (isEnd || this.#textBytes <= LONGEST_TEXT) this.#put(byte);
  }

  /** Of an entry that is too long, only enough is kept to show that. */
  #put(byte: number): void {
    if (this.#used - this.#lineStart > MAX_LINE_BYTES) return;
    if (this.#used === this.#out.length) this.#out = Buffer.concat([this.#out, Buffer.alloc(this.#out.length)]);
    this.#out[this.#used++] = byte;
  }

  #endLine(): void {
    this.#batch.start[this.#lines] = this.#lineStart;
    this.#batch.end[this.#lines] = this.#used;
    this.#batch.number[this.#lines] = ++this.#number;
    this.#lines++;
  }

  /** The entries that are complete. What is begun is moved to the front of a new buffer. */
  #flush(): LineBatch {
    const batch = this.#batch;
    batch.bytes = this.#out;
    batch.lines = this.#lines;
    const end = batch.end[this.#lines - 1]!;
    const rest = this.#out.subarray(end, this.#used);
    this.#out = Buffer.alloc(Math.max(1 << 16, 2 * rest.length));
    rest.copy(this.#out);
    this.#used = rest.length;
    this.#textStart -= end;
    this.#lineStart = Math.max(0, this.#lineStart - end);
    this.#lines = 0;
    return batch;
  }
}
