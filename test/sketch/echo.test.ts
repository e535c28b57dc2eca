// Addresses are blanked if they differ, in both pages alike, and nothing else is.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blanked, echoesOf } from '../../src/sketch/echo.js';
import { amount, isFew } from '../amount.js';

/** The rest of a page that was found at either URL. */
function left(text: string, u: string, v: string): string {
  const { addresses, words } = echoesOf(u, v);
  return (blanked(blanked(text, addresses), words).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

const [TRACKED, PLAIN] = ['http://h.example/story?id=7&ref=mail', 'http://h.example/story?id=7'];

describe('what is left of', () => {
  test.each([
    ['the whole URL', `At ${TRACKED}.`, 'at'],
    ['the other URL too', `At ${PLAIN}, or`, 'at or'],
    ['the URL without scheme', 'At h.example/story?id=7&ref=mail', 'at'],
    ['path and query', 'At /story?id=7&ref=mail!', 'at'],
    ['the query', 'At ?id=7&ref=mail', 'at'],
    ['the field', 'has (ref=mail) here', 'has here'],
    ['the encoded URL', 'Share: u=http%3A%2F%2Fh.example%2Fstory%3Fid%3D7%26ref%3Dmail', 'share u'],
    ['the URL encoded in small letters', 'http%3a%2f%2fh.example%2fstory%3fid%3d7%26ref%3dmail x', 'x'],
    ['the URL escaped once more', 'At /story?id=7&amp;ref=mail', 'at'],
    ['the value where the other has no such field', 'Hello, reader of our mail', 'hello reader of our'],
    ['a word that holds the value', 'gmail mailing', 'gmail mailing'],
    ['the number of what they have in common', 'Story 7', 'story 7'],
  ])('%s', (_, text, words) => expect(left(text, TRACKED, PLAIN)).toBe(words));

  test.each([
    ['a number in the path', 'Item 7', 'http://h/item/7', 'http://h/item/9', 'item 7'],
    ['a number in a field', 'Item 7 and 9', 'http://h/?id=7', 'http://h/?id=9', 'item 7 and 9'],
    ['a number in an address', 'Item /item/7 and /item/9', 'http://h/item/7', 'http://h/item/9', 'item and'],
    ['a number in a pair', 'Item id=7', 'http://h/?id=7', 'http://h/?id=9', 'item'],
    ['a word with another in its place', 'No kettle', 'http://h/?q=kettle', 'http://h/?q=bread', 'no kettle'],
    ['a segment with nothing in its place', 'The news', 'http://h/a/news', 'http://h/a', 'the news'],
    ['a short value', 'in da', 'http://h/x?lang=da', 'http://h/x', 'in da'],
    ['a small number', 'page 2026', 'http://h/x?y=2026', 'http://h/x', 'page 2026'],
    ['a large number', 'at 1767225600', 'http://h/x?t=1767225600', 'http://h/x', 'at'],
    ['an encoded value', 'for Blå kande', 'http://h/x?q=Bl%C3%A5+kande', 'http://h/x', 'for'],
    ['a value encoded otherwise', 'q=bl%C3%A5%20kande', 'http://h/x?q=Bl%C3%A5+kande', 'http://h/x', ''],
    ['another host', 'See www.h.example now', 'http://www.h.example/', 'http://m.h.example/', 'see now'],
    ['a folder without its slash', 'Index of /docs/pub/ed', 'http://h/docs/pub/ed/', 'http://h/pub/ed/', 'index of'],
    ['a folder without doubled slashes', 'In /docs/pub/ed', 'http://h/docs//pub/ed/', 'http://h/pub/ed/', 'in'],
    ['a folder in a longer word', '/pub/edit', 'http://h/docs/pub/ed/', 'http://h/pub/ed/', 'pub edit'],
    ['a session in the path', 'a;sid=x1', 'http://h/a;sid=x1', 'http://h/a;sid=y2', 'a'],
    ['the root', 'a / b', 'http://h/?r=1', 'http://h/', 'a b'],
    ['one URL', 'http://h/a?b=c', 'http://h/a?b=c', 'http://h/a?b=c', 'http h a b c'],
  ])('%s', (_, text, u, v, words) => expect(left(text, u, v)).toBe(words));
});

const part = fc.string({
  unit: fc.constantFrom('a', 'B', '7', '-', 'é', '%41', '+', '.'),
  minLength: 1,
  maxLength: 6,
});
const url = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.array(fc.tuple(part, part), { maxLength: 3 }))
  .map(([path, query]) => {
    const fields = query.map(([name, value]) => `${name}=${value}`).join('&');
    return `http://h.example/${path.join('/')}${fields === '' ? '' : `?${fields}`}`;
  });

test('the same text is blanked, whichever URL comes first', () => {
  let blanks = 0;
  fc.assert(
    fc.property(url, url, fc.array(fc.oneof(part, url), { maxLength: 5 }), (u, v, texts) => {
      const text = [...texts, u, v].join(' / ');
      const found = left(text, u, v);
      expect(left(text, v, u)).toBe(found);
      if (found !== left(text, u, u)) blanks++;
    }),
    { numRuns: amount(500, 5) },
  );
  expect(blanks).toBeGreaterThan(amount(300, 10));
});

test('pages that repeat their address, in any spelling, are left with the same words', () => {
  const written = fc.constantFrom<(text: string) => string>(
    (text) => text,
    encodeURIComponent,
    (text) => text.replace(/&/g, '&amp;'),
    (text) => text.slice('http://'.length),
    (text) => text.slice('http://h.example'.length),
  );
  const tracker = fc
    .tuple(fc.constantFrom('ref', 'utm_source', 'sid'), part)
    .map(([name, value]) => `${name}=${value}`);
  fc.assert(
    fc.property(url, tracker, written, (plain, field, write) => {
      const tracked = `${plain}${plain.includes('?') ? '&' : '?'}${field}`;
      const page = (address: string) => `You are here: ${write(address)} , nowhere else`;
      expect(left(page(tracked), tracked, plain)).toBe(left(page(plain), tracked, plain));
    }),
    { numRuns: amount(500, 5) },
  );
});

test.skipIf(isFew)('accepts any strings as addresses and texts', () => {
  const junk = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.string());
  fc.assert(
    fc.property(junk, junk, junk, (u, v, text) => {
      expect(typeof left(text, u, v)).toBe('string');
    }),
    { numRuns: amount(1000, 5) },
  );
});

test('one letter repeated, in address and page, takes linear time', () => {
  const long = 'a'.repeat(1900);
  const { addresses } = echoesOf(`http://h/${long}b?x=1`, `http://h/${long}c`);
  expect(addresses.length).toBeGreaterThan(3);
  // In time of the product of the lengths, this would exceed the test's time limit.
  expect(blanked('/a'.padEnd(1 << 18, 'a'), addresses)).toHaveLength(1 << 18);
});
