import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHostMatcher, createPathMatcher } from '../../../src/log/glob/match.js';

function matches(glob: string, url: string): boolean {
  const [path, ...rest] = url.split('?');
  return createPathMatcher([glob]).matches(path!, rest.length === 0 ? null : rest.join('?'));
}

test.each([
  ['*.php', '/a.php', true],
  ['*.php', '/x/y/a.php', true],
  ['*.php', '/a.php?q=1', true],
  ['*.php', '/a.php/b', false],
  ['*.php', '/a.html?x=b.php', false],
  ['*.php', '/.php', true],
  ['/*.php', '/a.php', true],
  ['/*.php', '/x/a.php', false],
  ['/shop/**', '/shop/', true],
  ['/shop/**', '/shop/a/b.html', true],
  ['/shop/**', '/shop', false],
  ['/shop/**', '/a/shop/b', false],
  ['/shop/', '/shop/a/b', true],
  ['/shop/', '/shop/', true],
  ['/shop/', '/shop', false],
  ['shop/', '/a/shop/b', true],
  ['/shop', '/shop', true],
  ['/shop', '/shop/', false],
  ['/shop', '/shop/a', false],
  ['/a/*', '/a/b', true],
  ['/a/*', '/a/b/', false],
  ['/a/*', '/a/b/c', false],
  ['/a/**/z', '/a/z', true],
  ['/a/**/z', '/a/b/c/z', true],
  ['/**', '/', true],
  ['**', '/.well-known/a', true],
  ['/?', '/a', true],
  ['/?', '/ab', false],
  ['/?', '/', false],
  ['/[a-c]x', '/bx', true],
  ['/[!a-c]x', '/bx', false],
  ['/{a,b/c}.html', '/b/c.html', true],
  ['/wiki/Foo_(bar)', '/wiki/Foo_(bar)', true],
  ['/a+b', '/a+b', true],
  ['/a+b', '/aab', false],
  ['/a|b', '/a', false],
  ['/!(a)', '/b', false],
  ['!/a', '/b', false],
  ['/a.b', '/axb', false],
  ['/A', '/a', false],
  ['/ä*', '/%C3%A4b', true],
  ['/a%20b', '/a%20b', true],
  [String.raw`/s\?q=*`, '/s?q=a/b', true],
  [String.raw`/s\?q=*`, '/s?p=a&q=1', false],
  [String.raw`/s\?*q=?`, '/s?p=a&q=1', true],
  [String.raw`/s\?*`, '/s', false],
  [String.raw`/s\?`, '/s?', true],
  [String.raw`s\?*`, '/x/s?a', true],
  [String.raw`*\?*sid=*`, '/x/y?sid=1', true],
  [String.raw`/\*`, '/*', true],
  [String.raw`/\*`, '/a', false],
  ['/a**z', '/a/b/z', true],
  ['/{a,b{c,d}}e', '/bde', true],
  ['/{a,b{c,d}}e', '/be', false],
  ['/{,x}a', '/a', true],
  ['/{id}/*', '/{id}/a', true],
  ['/{x{id},b}', '/x{id}', true],
  ['/p{8..11}', '/p10', true],
  ['/p{8..11}', '/p1', false],
  ['/p{a..c}', '/pb', true],
  ['/[]a]', '/]', true],
  ['/[!a]', '//', false],
  ['/[a-]', '/-', true],
  ['/a]}', '/a]}', true],
])('%j and %j: %s', (glob, url, expected) => {
  expect(matches(glob, url)).toBe(expected);
});

test.each(['/[z-a]', '/{a', '/[a', '/{a,{b}', '/[a-'])('%j is refused as an invalid glob', (glob) => {
  expect(() => createPathMatcher([glob])).toThrow(/got the glob "\/.*with an invalid set in brackets/);
});

test('a match of one of several is enough', () => {
  const matcher = createPathMatcher(['/a/', '*.x', String.raw`/q\?y`]);
  expect(['/a/b', '/c/d.x', '/q'].map((path) => matcher.matches(path, 'y'))).toEqual([true, true, true]);
  expect(matcher.matches('/q', null)).toBe(false);
});

test.each([
  ['www.example.com', 'www.example.com', '', true],
  ['www.example.com', 'www.example.com', ':8080', true],
  ['*.example.com', 'a.b.example.com', '', true],
  ['*.example.com', 'example.com', '', false],
  ['*.EXAMPLE.com', 'a.example.com', '', true],
  ['{www.,}example.com', 'example.com', '', true],
  ['example.com:8080', 'example.com', ':8080', true],
  ['example.com:8080', 'example.com', '', false],
  ['*:8080', 'example.com', ':8080', true],
  ['example.com', '', '', false],
  ['*', 'h', '', true],
  ['exampleXcom', 'example.com', '', false],
])('the host glob %j and %s%s: %s', (glob, host, port, expected) => {
  expect(createHostMatcher([glob])(host, port)).toBe(expected);
});

/** The same, character by character. */
function naive(glob: string, path: string): boolean {
  const tails = glob.startsWith('/') ? [path] : Array.from(path.matchAll(/\//g), ({ index }) => path.slice(index + 1));
  return tails.some((tail) => fits(glob, tail));
}

function fits(glob: string, text: string): boolean {
  if (glob === '') return text === '';
  if (glob[0] === '*') {
    if (fits(glob.slice(1), text)) return true;
    return text !== '' && text[0] !== '/' && fits(glob, text.slice(1));
  }
  const isOne = text !== '' && (glob[0] === '?' ? text[0] !== '/' : text[0] === glob[0]);
  return isOne && fits(glob.slice(1), text.slice(1));
}

test('stars and question marks match as in a naive matcher', () => {
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '*', '?'), minLength: 1, maxLength: 8 });
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/'), maxLength: 8 }).map((text) => `/${text}`);
  let matching = 0;
  fc.assert(
    fc.property(glob, path, (pattern, text) => {
      fc.pre(!pattern.includes('**') && !pattern.endsWith('/') && !/(^|\/)\*($|\/)/.test(pattern));
      const expected = naive(pattern, text);
      if (expected) matching++;
      expect(matches(pattern, text)).toBe(expected);
    }),
    { numRuns: 6000 },
  );
  expect(matching).toBeGreaterThan(100);
});

test('ranges and globs are bounded', () => {
  expect(() => createPathMatcher(['/{1..101}'])).toThrow('got "{1..101}" in the glob "/{1..101}"; expected at most');
  expect(() => createPathMatcher(['a'.repeat(5000)])).toThrow('got a glob of 5000 characters');
});

test.each([
  ['/' + '{a,a}'.repeat(40), '/' + 'a'.repeat(39) + 'b'],
  ['/' + '*a'.repeat(60) + 'b', '/' + 'a'.repeat(8000)],
  ['**/'.repeat(60) + 'x', '/a'.repeat(4000)],
  ['/' + '{'.repeat(800) + 'a,a}'.repeat(800), '/b'],
])('a hostile glob is matched in linear time', (glob, path) => {
  expect(matches(glob, path)).toBe(false);
});
