// What are the chunks of a page, for finding replicated collections (Cho, Shivakumar, Garcia-Molina 1999, section 3.1)?
//
//     <h1>cp</h1><p>Copies  a file.<br>Or many.<pre>cp a b        lines    cp | Copies a file. | Or many. | cp a b | cp -r c d
//     cp -r c d                                                   by two   cp, Copies a file. | Or many., cp a b | cp -r c d
//
// A line is what a browser would begin a line with, whatever the width of its window (`html`); other texts have theirs.
// White space is folded, and empty lines are dropped, so that neither layout nor line ends count. Chunks do not overlap;
// the last one may be shorter. A fingerprint is 64 bits of SHA-256, as nobody should be able to make a page whose chunks
// pass for those of another.
import { createHash } from 'node:crypto';
import { htmlLines } from './html.js';
import { seenOf, type Source } from './text.js';

/** The lines of a page: without empty ones, white space folded. */
export function linesOf(source: Source): string[] {
  const seen = source.kind === 'html' ? htmlLines(source.utf8) : seenOf(source);
  const lines = Buffer.from(seen.buffer, seen.byteOffset, seen.length)
    .toString()
    .split(/[\n\r\u2028\u2029]/);
  return lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '');
}

/**
 * The fingerprints of chunks of `lines` lines, 0 for one chunk of all: each once, in the order of the page. 16
 * hexadecimal digits, the first ones of the SHA-256 of the lines, each with a line feed.
 */
export function chunkFingerprints(source: Source, lines: number): string[] {
  const all = linesOf(source);
  const step = lines === 0 ? all.length : lines;
  const found = new Set<string>();
  for (let start = 0; start < all.length; start += step) {
    const text = `${all.slice(start, start + step).join('\n')}\n`;
    found.add(createHash('sha256').update(text).digest('hex').slice(0, 16));
  }
  return [...found];
}
