// Writes what a line of a crawl says of its URL beside size and sketch, in front of the sketch (kernel/layout/facts): the
// URL that the site gives for the page, its languages, and when it was captured. A line that says nothing of that keeps
// its bare sketch.
import { isDigit, latin1 } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import {
  FACTS_BYTES,
  FLAGS,
  IS_PAGE,
  LANGUAGES,
  MARK,
  MOST_NAME,
  NAME_LENGTH,
  TIME,
  TIME_DIGITS,
} from '../kernel/layout/facts.js';
import { type Fields, isMissing, setSpan, type Span } from './format/format.js';

const DOT = 0x2e;
const MOST_LANGUAGES_BYTES = 200;

export class FactsWriter {
  #bytes = Buffer.alloc(4096);
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
  #nameLength = 0;
  readonly #label: Span = { bytes: this.#bytes, start: 0, end: 0 };

  /** Keeps the URL that a line names for its page; an empty range if it names none. */
  name(bytes: Uint8Array, start: number, end: number): void {
    this.#nameLength = end - start > MOST_NAME ? 0 : end - start;
    this.#bytes.set(bytes.subarray(start, start + this.#nameLength), FACTS_BYTES);
  }

  /**
   * The sketch of a line with its facts before it, valid until the next call. Null if there is neither; `isPage` tells a
   * page from a redirect, of which only the name counts.
   */
  label(fields: Fields, isPage: boolean): Span | null {
    const { sketch, language } = fields;
    const languages = isPage ? languagesIn(language) : 0;
    const hasSketch = isPage && sketch.end > sketch.start;
    const time = hasSketch || languages !== 0 || this.#nameLength > 0 ? timeIn(fields.time) : 0;
    if (time === 0 && languages === 0 && this.#nameLength === 0) return hasSketch ? sketch : null;
    this.#writeHead(isPage, languages, time);
    const at = FACTS_BYTES + this.#nameLength;
    if (hasSketch) this.#append(sketch, at);
    setSpan(this.#label, this.#bytes, 0, hasSketch ? at + sketch.end - sketch.start : at);
    return this.#label;
  }

  #writeHead(isPage: boolean, languages: number, time: number): void {
    this.#bytes[0] = MARK;
    this.#bytes[FLAGS] = isPage ? IS_PAGE : 0;
    this.#view.setUint16(NAME_LENGTH, this.#nameLength, true);
    this.#view.setUint32(LANGUAGES, languages, true);
    this.#view.setFloat64(TIME, time, true);
  }

  #append({ bytes, start, end }: Span, at: number): void {
    if (at + end - start > this.#bytes.length) {
      const wider = Buffer.alloc(2 * (at + end - start));
      this.#bytes.copy(wider, 0, 0, at);
      this.#bytes = wider;
      this.#view = new DataView(wider.buffer, wider.byteOffset);
    }
    this.#bytes.set(bytes.subarray(start, end), at);
  }
}

/**
 * A number that grows with the time of a capture: its first digits, `2014-01-26 20:06:24.5` as `20140126200624`. Seconds
 * and milliseconds since 1970 are their own number. 0 if there are no digits. The kernel does the same (read/plain-url).
 */
export function timeIn({ bytes, start, end }: Span): number {
  let [time, digits] = [0, 0];
  for (let at = start; at < end && digits < TIME_DIGITS; at++) {
    const byte = bytes[at]!;
    if (isDigit(byte)) {
      time = 10 * time + byte - 0x30;
      digits++;
    } else if (byte === DOT) break;
  }
  return time;
}

/** Words for "unknown", "no language" and "for all others". */
const NO_LANGUAGE = new Set(['und', 'un', 'unknown', 'zxx', 'mul', 'xxx', 'x', 'none', 'null', 'nan']);

/** A bit for each language: `eng,deu`, `en-US`, `["fra"]`. Regions and scripts do not count; 0 if none is known. */
export function languagesIn(span: Span): number {
  if (isMissing(span) || span.end - span.start > MOST_LANGUAGES_BYTES) return 0;
  let bits = 0;
  for (const tag of latin1(span.bytes.subarray(span.start, span.end)).split(/[\s,;|"'[\]]+/)) {
    const language = /^([A-Za-z]{2,8})(?:[-_][A-Za-z0-9]{1,8})*$/.exec(tag)?.[1]?.toLowerCase();
    if (language === undefined || NO_LANGUAGE.has(language)) continue;
    bits |= 1 << (hashBytes(Buffer.from(language), 0, language.length) & 31);
  }
  return bits >>> 0;
}
