// Chunks are lines of text, whatever the markup and the layout that they are in.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkFingerprints, linesOf } from '../../src/sketch/chunks.js';
import { sourceOf } from '../../src/sketch/text.js';
import { amount } from '../amount.js';

const html = (text: string) => sourceOf(Buffer.from(text), 'text/html')!;
const plain = (text: string) => sourceOf(Buffer.from(text), 'text/plain')!;
const fingerprint = (...lines: string[]) =>
  createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
    .slice(0, 16);

describe('the lines of a page', () => {
  test.each<[string, string[]]>([
    ['<h1>cp</h1><p>Copies\n  a <b>file</b>.<br>Or many.', ['cp', 'Copies a file.', 'Or many.']],
    ['a<pre>b c\n\n  d</pre>e\nf', ['a', 'b c', 'd', 'e f']],
    ['<table><tr><td>a<td>b<tr><td>c</table>', ['a b', 'c']],
    ['a <img alt="b\nc"> d<hr>&nbsp;<hr>e', ['a b c d', 'e']],
    ['a <template><p>b</template>c<script>\n</script>d', ['a cd']],
    ['', []],
  ])('%s', (text, lines) => expect(linesOf(html(text))).toEqual(lines));

  test('are those of regular expressions, whatever white space there is', () => {
    const spaces =
      '\t\n\v\f\r \u00a0\u1680\u2000\u200a\u200b\u2027\u2028\u2029\u202f\u205f\u3000\ufeff\u0085\u180e\u3001';
    const unit = fc.oneof(
      fc.constantFrom(...spaces.split(''), '\r\n', '  '),
      fc.constantFrom('a', 'é', '語', '😀', 'ﻀ', '\0'),
    );
    let lines = 0;
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const naive = text
          .split(/[\n\r\u2028\u2029]/)
          .map((line) => line.replace(/\s+/g, ' ').trim())
          .filter((line) => line !== '');
        expect(linesOf({ kind: 'plain', utf8: Buffer.from(text) })).toEqual(naive);
        lines += naive.length;
      }),
      { numRuns: amount(5000) },
    );
    expect(lines).toBeGreaterThan(amount(5000));
  });

  test('are broken between words where they are wider, as words are put one after another', () => {
    const unit = fc.constantFrom('a', 'é', '語', '😀', ' ', ' ', '\n');
    let broken = 0;
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 80, size: 'max' }), fc.integer({ min: 1, max: 12 }), (text, width) => {
        const source = plain(text);
        const naive = linesOf(source).flatMap((line) => {
          const own: string[] = [];
          for (const word of line.split(' ')) {
            const longer = `${own.at(-1)} ${word}`;
            if (own.length > 0 && Array.from(longer).length <= width) own[own.length - 1] = longer;
            else own.push(word);
          }
          broken += own.length - 1;
          return own;
        });
        expect(linesOf(source, width)).toEqual(naive);
        expect(chunkFingerprints(source, 1, width)).toEqual([...new Set(naive.map((line) => fingerprint(line)))]);
      }),
      { numRuns: amount(5000) },
    );
    expect(broken).toBeGreaterThan(amount(5000));
  });

  test('of a text are its own', () => expect(linesOf(plain('a\r\n\r\n b\tc\nd'))).toEqual(['a', 'b c', 'd']));
});

test('chunks of two lines, of more than there are, and of the whole page; each once', () => {
  const page = html('<p>a<p>b<p>c<p>a<p>b<p>d');
  expect(chunkFingerprints(page, 2)).toEqual(
    [
      ['a', 'b'],
      ['c', 'a'],
      ['b', 'd'],
    ].map((lines) => fingerprint(...lines)),
  );
  expect(chunkFingerprints(page, 1)).toEqual(['a', 'b', 'c', 'd'].map((line) => fingerprint(line)));
  expect(chunkFingerprints(page, 4)).toEqual([fingerprint('a', 'b', 'c', 'a'), fingerprint('b', 'd')]);
  expect(chunkFingerprints(page, 0)).toEqual([fingerprint('a', 'b', 'c', 'a', 'b', 'd')]);
  expect(chunkFingerprints(html('<script>x</script>'), 4)).toEqual([]);
});
