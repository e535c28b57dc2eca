// Splits an HTML page into texts, tags and attributes: a scanner over its UTF-8 bytes, which takes 1 to 2 ns a byte:
//
//     <p>Gr<b>ø</b>d &amp; <img alt="kål">      open p · text Gr · open b · text ø · close b · text "d " · reference & · …
//
// It finds the same parts as htmlparser2's Tokenizer (a test compares them), which calls a function for every character
// of a string (4.8 to 13 ns a byte on a page of 314 kB). Only references are left to htmlparser2 (`reference`). Raw text (script, style, …) ends at its own end
// tag. A tag that does not end is no tag.
import { elements, ESCAPABLE, PLAIN, RAW, traitsOf } from './elements.js';
import { referenceEnd, referenceText } from './reference.js';

/** Receives the parts. Places are offsets in the source; elements are numbers of `elements`. */
export interface MarkupSink {
  /** True inside of a drawing or formula, where there is no raw text. */
  readonly isForeign: boolean;
  /** If true after a tag, the scan ends. */
  readonly isDone: boolean;
  text(start: number, end: number): void;
  /** The text of a character reference, in UTF-8. */
  reference(text: Uint8Array): void;
  cdata(start: number, end: number): void;
  open(element: number): void;
  close(element: number): void;
  /** The name of an attribute. Returns whether to report its value. */
  attribute(start: number, end: number): boolean;
  value(start: number, end: number): void;
  valueReference(text: Uint8Array): void;
  attributeEnd(): void;
  openEnd(isSelfClosing: boolean): void;
}

const [LT, GT, AMP, SLASH, BANG, QUESTION, DASH, EQUALS] = [0x3c, 0x3e, 0x26, 0x2f, 0x21, 0x3f, 0x2d, 0x3d];
const [DOUBLE_QUOTE, SINGLE_QUOTE, SQUARE] = [0x22, 0x27, 0x5b];

const SPACE = 1;
/** White space, `/` or `>`, which end a name. */
const NAME_END = 2;
const ALPHA = 4;
/** The same and `=`, which end the name of an attribute. */
const ATTRIBUTE_END = 8;

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isSpace = byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d;
  const isEnd = isSpace || byte === SLASH || byte === GT;
  const isAlpha = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return (
    (isSpace ? SPACE : 0) |
    (isEnd ? NAME_END : 0) |
    (isAlpha ? ALPHA : 0) |
    (isEnd || byte === EQUALS ? ATTRIBUTE_END : 0)
  );
});

/** Scans a page in UTF-8, with any bytes. Takes linear time. */
export function scanMarkup(bytes: Uint8Array, sink: MarkupSink): void {
  const length = bytes.length;
  let start = 0;
  let at = 0;
  while (at < length) {
    const byte = bytes[at]!;
    if (byte !== LT && byte !== AMP) {
      at++;
      continue;
    }
    if (byte === AMP) {
      const end = referenceEnd(bytes, at);
      if (end > at + 1) {
        if (start < at) sink.text(start, at);
        sink.reference(referenceText(bytes, at, end, 'text'));
        start = end;
      }
      at = end;
      continue;
    }
    const end = markupEnd(bytes, at);
    if (end === at) {
      at++;
      continue;
    }
    if (start < at) sink.text(start, at);
    start = at = end >= 0 ? end : readTag(bytes, at, sink);
    if (sink.isDone) return;
  }
  if (start < length) sink.text(start, length);
}

/** Where the comment or the like at `at` ends; `at` if `<` is text here; -1 for a tag. */
function markupEnd(bytes: Uint8Array, at: number): number {
  const next = bytes[at + 1] ?? 0;
  if ((kinds[next]! & ALPHA) !== 0 || next === BANG) return -1;
  if (next === QUESTION) return after(bytes, GT, at + 2);
  if (next !== SLASH || at + 2 === bytes.length) return at;
  const third = bytes[at + 2]!;
  if ((kinds[third]! & ALPHA) !== 0) return -1;
  return third === GT ? at + 3 : after(bytes, GT, at + 3);
}

/** Reads a tag with its raw text, or a declaration; returns its end. */
function readTag(bytes: Uint8Array, at: number, sink: MarkupSink): number {
  const next = bytes[at + 1]!;
  if (next === BANG) return readDeclaration(bytes, at + 2, sink);
  return next === SLASH ? readEndTag(bytes, at + 2, sink) : readStartTag(bytes, at + 1, sink);
}

function after(bytes: Uint8Array, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found < 0 || from >= bytes.length ? bytes.length : found + 1;
}

function nameEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < bytes.length && (kinds[bytes[end]!]! & NAME_END) === 0) end++;
  return end;
}

function readEndTag(bytes: Uint8Array, start: number, sink: MarkupSink): number {
  const end = nameEnd(bytes, start);
  if (end === bytes.length) return end;
  sink.close(elements.find(bytes, start, end));
  return bytes[end] === GT ? end + 1 : after(bytes, GT, end);
}

function readStartTag(bytes: Uint8Array, start: number, sink: MarkupSink): number {
  const end = nameEnd(bytes, start);
  if (end === bytes.length) return end;
  const element = elements.find(bytes, start, end);
  const traits = sink.isForeign ? 0 : traitsOf[element]!;
  sink.open(element);
  const content = readAttributes(bytes, end, sink);
  if ((traits & (RAW | ESCAPABLE | PLAIN)) === 0 || content === bytes.length) return content;
  if ((traits & PLAIN) === 0) return readRawText(bytes, content, sink, start, end, (traits & ESCAPABLE) !== 0);
  sink.text(content, bytes.length);
  return bytes.length;
}

/** Reads attributes, from the end of the tag's name to the end of the tag. */
function readAttributes(bytes: Uint8Array, from: number, sink: MarkupSink): number {
  const length = bytes.length;
  for (let at = from; at < length;) {
    const byte = bytes[at]!;
    if (byte === GT) {
      sink.openEnd(false);
      return at + 1;
    }
    if (byte === SLASH) {
      at = skipSpace(bytes, at + 1);
      if (bytes[at] !== GT) continue;
      sink.openEnd(true);
      return at + 1;
    }
    at = (kinds[byte]! & SPACE) !== 0 ? at + 1 : readAttribute(bytes, at, sink);
  }
  return length;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (kinds[bytes[at]!]! & SPACE) !== 0) at++;
  return at;
}

function readAttribute(bytes: Uint8Array, start: number, sink: MarkupSink): number {
  const length = bytes.length;
  let at = start + 1; // an equals sign may begin a name
  while (at < length && (kinds[bytes[at]!]! & ATTRIBUTE_END) === 0) at++;
  if (at === length) return length;
  const isWanted = sink.attribute(start, at);
  at = skipSpace(bytes, at);
  if (at === length) return length;
  if (bytes[at] !== EQUALS) {
    sink.attributeEnd();
    return at;
  }
  at = skipSpace(bytes, at + 1);
  if (at === length) return length;
  const first = bytes[at]!;
  const isQuoted = first === DOUBLE_QUOTE || first === SINGLE_QUOTE;
  if (isQuoted) at++;
  const end = isQuoted ? quoteEnd(bytes, at, first) : unquotedEnd(bytes, at);
  if (isWanted) readValue(bytes, at, end, sink);
  if (end === length) return length;
  sink.attributeEnd();
  return isQuoted ? end + 1 : end;
}

function quoteEnd(bytes: Uint8Array, start: number, quote: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== quote) at++;
  return at;
}

function unquotedEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && (kinds[bytes[at]!]! & SPACE) === 0 && bytes[at] !== GT) at++;
  return at;
}

function readValue(bytes: Uint8Array, from: number, end: number, sink: MarkupSink): void {
  let start = from;
  for (let at = from; at < end;) {
    if (bytes[at] !== AMP) {
      at++;
      continue;
    }
    const last = referenceEnd(bytes, at);
    if (last > at + 1) {
      if (start < at) sink.value(start, at);
      sink.valueReference(referenceText(bytes, at, last, 'attribute'));
      start = last;
    }
    at = last;
  }
  if (start < end) sink.value(start, end);
}

/** Reads text up to the end tag whose name is in bytes[nameStart, nameStop). */
function readRawText(
  bytes: Uint8Array,
  from: number,
  sink: MarkupSink,
  nameStart: number,
  nameStop: number,
  isEscapable: boolean,
): number {
  const nameLength = nameStop - nameStart;
  let start = from;
  for (let at = from; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === AMP && isEscapable) {
      const end = referenceEnd(bytes, at);
      if (end > at + 1) {
        if (start < at) sink.text(start, at);
        sink.reference(referenceText(bytes, at, end, 'text'));
        start = end;
      }
      at = end;
      continue;
    }
    if (byte !== LT) {
      if (isEscapable) at++;
      else at = rawStart(bytes, at);
      continue;
    }
    const matched = matchedLength(bytes, at + 1, nameStart, nameLength);
    const end = at + 1 + matched;
    if (matched === nameLength + 1 && end < bytes.length && (kinds[bytes[end]!]! & NAME_END) !== 0) {
      if (start < at) sink.text(start, at);
      return readEndTag(bytes, at + 2, sink);
    }
    // Like the Tokenizer: an ampersand right after a partly matched end tag is text.
    at = matched <= nameLength && bytes[end] === AMP ? end + 1 : end;
  }
  if (start < bytes.length) sink.text(start, bytes.length);
  return bytes.length;
}

function rawStart(bytes: Uint8Array, from: number): number {
  const found = bytes.indexOf(LT, from);
  return found < 0 ? bytes.length : found;
}

/** How many bytes from `at` on match `/name`. */
function matchedLength(bytes: Uint8Array, at: number, nameStart: number, nameLength: number): number {
  if (bytes[at] !== SLASH) return 0;
  let matched = 0;
  while (matched < nameLength && at + 1 + matched < bytes.length) {
    if ((bytes[at + 1 + matched]! | 0x20) !== (bytes[nameStart + matched]! | 0x20)) break;
    matched++;
  }
  return matched + 1;
}

const CDATA = Buffer.from('[CDATA[');
const DOCTYPE = Buffer.from('doctype');

/** Reads what follows `<!`: a comment, a CDATA section, or anything up to `>`. */
function readDeclaration(bytes: Uint8Array, start: number, sink: MarkupSink): number {
  const length = bytes.length;
  const first = bytes[start];
  if (first === DASH) {
    return bytes[start + 1] === DASH ? commentEnd(bytes, start + 2) : after(bytes, GT, start + 1);
  }
  if (first !== SQUARE) return doctypeEnd(bytes, start);
  for (let k = 1; k < CDATA.length; k++) {
    if (bytes[start + k] !== CDATA[k]) return after(bytes, GT, start + k);
  }
  const content = start + CDATA.length;
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, length).indexOf(']]>', content, 'latin1');
  if (found < 0) return length;
  sink.cdata(content, found);
  return found + 3;
}

/** The first byte that may end the declaration comes after the first byte that does not match `doctype`. */
function doctypeEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] === GT) return start + 1;
  let k = 0;
  while (k < DOCTYPE.length && start + k < bytes.length && (bytes[start + k]! | 0x20) === DOCTYPE[k]) k++;
  return after(bytes, GT, start + k);
}

/** A comment ends with `-->` or `--!>`. `<!-->` and `<!--->` are complete comments. */
function commentEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] === GT) return start + 1;
  if (bytes[start] === DASH && bytes[start + 1] === GT) return start + 2;
  for (let at = bytes.indexOf(DASH, start); at >= 0 && at < bytes.length; at = bytes.indexOf(DASH, at + 1)) {
    if (bytes[at + 1] !== DASH) continue;
    if (bytes[at + 2] === GT) return at + 3;
    if (bytes[at + 2] === BANG && bytes[at + 3] === GT) return at + 4;
  }
  return bytes.length;
}
