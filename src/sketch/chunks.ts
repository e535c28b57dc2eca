// The chunks of a page, for finding replicated collections (Cho, Shivakumar, Garcia-Molina 1999, section 3.1):
//
//     <h1>cp</h1><p>Copies  a file.<br>Or many.<pre>cp a b        lines    cp | Copies a file. | Or many. | cp a b | cp -r c d
//     cp -r c d                                                   by two   cp, Copies a file. | Or many., cp a b | cp -r c d
//
// In HTML, a line is what a browser puts on a line of its own, whatever the width of its window (`html`); other texts
// have line ends. With a `width`, longer lines are broken between words, as text browsers do. White space is folded and
// empty lines are dropped, so layout and line ends do not matter. Chunks do not overlap; the last one may be shorter. A
// fingerprint has 64 bits of SHA-256, so that nobody can make a page whose chunks pass for those of another.
import { hash } from 'node:crypto';
import { htmlLines } from './html.js';
import { seenOf, type Source } from './text.js';

/** The non-empty lines of a page, with white space folded. Lines are broken at `width` characters; 0 means never. */
export function linesOf(source: Source, width = 0): string[] {
  const lines = brokenLines(source, width);
  return lines.length === 0
    ? []
    : Buffer.from(lines.buffer, 0, lines.length - 1)
        .toString()
        .split('\n');
}

/**
 * The fingerprints of chunks of `lines` lines (0: one chunk of all), without duplicates, in the order of the page. A
 * fingerprint is the first 16 hexadecimal digits of the SHA-256 of its lines, each with a line feed.
 */
export function chunkFingerprints(source: Source, lines: number, width = 0): string[] {
  const all = brokenLines(source, width);
  const found = new Set<string>();
  for (let start = 0; start < all.length;) {
    const end = lines === 0 ? all.length : linesEnd(all, start, lines);
    found.add(hash('sha256', all.subarray(start, end), 'hex').slice(0, 16));
    start = end;
  }
  return [...found];
}

/** Where the next `lines` lines end, or all the text. */
function linesEnd(bytes: Uint8Array, start: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at < bytes.length; left--) at = bytes.indexOf(LINE_FEED, at) + 1;
  return at;
}

const [SPACE, LINE_FEED, TEXT] = [0x20, 0x0a, 0];
const NONE = -1;

/**
 * The result of `foldedLines`, with line feeds for the spaces where lines are broken. A longer word has its own line.
 */
function brokenLines(source: Source, width: number): Uint8Array<ArrayBuffer> {
  const lines = foldedLines(source);
  if (width === 0) return lines;
  // The number of characters of the line so far, its last space, and the number of characters up to that.
  let [characters, space, upToSpace] = [0, NONE, 0];
  for (let at = 0; at < lines.length; at++) {
    const byte = lines[at]!;
    if (byte === LINE_FEED) {
      [characters, space] = [0, NONE];
      continue;
    }
    // A continuation byte of UTF-8 is no character.
    if ((byte & 0xc0) !== 0x80) characters++;
    if (byte === SPACE) [space, upToSpace] = [at, characters];
    else if (characters > width && space !== NONE) {
      lines[space] = LINE_FEED;
      [characters, space] = [characters - upToSpace, NONE];
    }
  }
  return lines;
}

/** By ASCII byte: TEXT, or what white space becomes. */
const becomes = Uint8Array.from({ length: 128 }, (_, byte) => {
  if (byte === 0x0a || byte === 0x0d) return LINE_FEED;
  return byte === SPACE || (byte >= 0x09 && byte <= 0x0d) ? SPACE : TEXT;
});

/** The lines of a page with white space folded, in UTF-8, each with a line feed. */
function foldedLines(source: Source): Uint8Array<ArrayBuffer> {
  const seen = source.kind === 'html' ? htmlLines(source.utf8) : seenOf(source);
  const folded = new Uint8Array(seen.length + 1);
  /** What to write between the text so far and the next text: nothing at the beginning of a line. */
  let between = TEXT;
  let used = 0;
  for (let at = 0; at < seen.length; at++) {
    const byte = seen[at]!;
    const space = byte < 0x80 ? becomes[byte]! : spaceAt(seen, at);
    if (space === TEXT) {
      if (between !== TEXT) folded[used++] = between;
      between = TEXT;
      folded[used++] = byte;
      continue;
    }
    if (byte >= 0x80) at += byte === TWO_BYTES ? 1 : 2;
    if (used > 0 && between !== LINE_FEED) between = space;
  }
  if (used > 0) folded[used++] = LINE_FEED;
  return folded.subarray(0, used);
}

const TWO_BYTES = 0xc2;

/** What the character at `at` becomes, if it is white space of regular expressions outside of ASCII. */
function spaceAt(bytes: Uint8Array, at: number): number {
  const [first, second, third] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!];
  switch (first) {
    case TWO_BYTES:
      return second === 0xa0 ? SPACE : TEXT;
    case 0xe1:
      return second === 0x9a && third === 0x80 ? SPACE : TEXT;
    case 0xe2:
      if (second === 0x80 && (third === 0xa8 || third === 0xa9)) return LINE_FEED;
      return (second === 0x80 && (third <= 0x8a || third === 0xaf)) || (second === 0x81 && third === 0x9f)
        ? SPACE
        : TEXT;
    case 0xe3:
      return second === 0x80 && third === 0x80 ? SPACE : TEXT;
    case 0xef:
      return second === 0xbb && third === 0xbf ? SPACE : TEXT;
    default:
      return TEXT;
  }
}
