import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFew } from '../amount.js';
import { Heads, UNKNOWN } from '../../src/url/heads.js';
import { emptyParts, isHttp, splitUrl } from '../../src/url/parse.js';

/** The head of a URL by the URL parser. */
function headOf(url: Buffer): string | undefined {
  const parts = splitUrl(url, 0, url.length, emptyParts());
  const scheme = url.toString('latin1', 0, parts.schemeEnd);
  if (!isHttp(parts) || scheme !== scheme.toLowerCase() || url[parts.pathStart] !== 0x2f) return undefined;
  return url.toString('latin1', 0, parts.pathStart + 1);
}

const url = fc
  .tuple(
    fc.constantFrom(
      'http://',
      'http://',
      'http://',
      'http://',
      'https://',
      'https://',
      'HTTP://',
      'ftp://',
      'http:/',
      '/',
      '//',
      'httpx://',
      '',
    ),
    fc.constantFrom(
      'a.test',
      'b.test',
      'a.test:81',
      'u:p@a.test',
      '',
      'a.test?x',
      'a.test#x',
      'É.test',
      'h'.repeat(299),
    ),
    fc.constantFrom('/', '/x', '/x/y?z=/', '/', '', '?q=/a/b', '//'),
  )
  .map((pieces) => Buffer.from(pieces.join(''), 'latin1'));

describe('a number for each head', () => {
  test('is the one stored for it, wherever in a buffer the URL is', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(url, { maxLength: 60, size: 'max' }), (urls) => {
        const heads = new Heads();
        const kept = new Map<string, number>();
        for (const [number, one] of urls.entries()) {
          const buffer = Buffer.concat([Buffer.from('http://'), one, Buffer.from('/x/')]);
          const [start, end] = [7, 7 + one.length];
          const head = headOf(one);
          const expected = head === undefined ? UNKNOWN : (kept.get(head) ?? UNKNOWN);
          expect([one.toString('latin1'), heads.find(buffer, start, end)]).toEqual([one.toString('latin1'), expected]);
          if (expected !== UNKNOWN) found++;
          else {
            heads.keep(buffer, start, end, number);
            if (head !== undefined && head.length <= 300) kept.set(head, number);
          }
          // As readers do: one buffer, overwritten by every batch.
          buffer.fill(0x2f);
        }
      }),
    );
    expect(found).toBeGreaterThan(100);
  });

  test.skipIf(isFew)('may be evicted when there are too many, but is never wrong', () => {
    const heads = new Heads();
    let known = 0;
    let wrong = 0;
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < 120_000; k++) {
        const one = Buffer.from(`http://h${(k * 7919) % 120_000}.test/`);
        const number = heads.find(one, 0, one.length);
        if (number === UNKNOWN) heads.keep(one, 0, one.length, (k * 7919) % 120_000);
        else known++;
        if (heads.find(one, 0, one.length) !== (k * 7919) % 120_000) wrong++;
      }
    }
    expect(wrong).toBe(0);
    expect(known).toBeLessThan(240_000);
  });

  test('is removed with all others when they are cleared', () => {
    const heads = new Heads();
    const one = Buffer.from('http://a.test/');
    heads.keep(one, 0, one.length, 5);
    heads.clear();
    expect(heads.find(one, 0, one.length)).toBe(UNKNOWN);
  });
});
