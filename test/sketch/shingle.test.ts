import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FINGERPRINT_LIMIT, fingerprints, smallestFingerprints } from '../../src/sketch/shingle.js';

const of = (text: string, w?: number) => [...fingerprints(text, w)];

/** How many shingles all of one word each: its distinct words. */
const countWords = (text: string) => of(text, 1).length;

describe('the words of a text', () => {
  test.each([
    ['', 0],
    [' \n.,!?-\u00a0😀❤️ ½'.slice(0, -1), 0],
    ['one', 1],
    ['don’t stop', 3],
    ['snake_case', 2],
    ['3.14 ²', 3],
    ['été', 1],
    ['e\u0301te\u0301', 1],
    ['Donau\u00addampf\u200dschiff', 1],
    ['吾輩は猫', 4],
    ['カタカナ', 3],
    ['abc吾def輩', 4],
    ['が', 1],
    ['か\u3099', 1],
    ['か\u3099abc', 2],
    ['か\u3099か', 2],
    ['ภาษาไทย', 6],
    ['한국어 말', 2],
    ['𠮷野家', 3],
    ['𝒳𝒴 𐐷', 2],
    ['\ud800 a \udc00', 1],
  ])('%j has %d', (text, count) => expect(countWords(text)).toBe(count));

  test.each([
    ['Straße PÅ', 'straße på'],
    ['a-b, c!', ' a b\tc '],
    ['Donau\u00addampf\ufe0f', 'donaudampf'],
    ['吾 輩は\n猫', '吾輩は猫'],
    ['ΟΔΟΣ', 'οδος'],
  ])('%j are those of %j', (a, b) => expect(of(a, 1)).toEqual(of(b, 1)));
});

describe('the shingles of a text', () => {
  test('are those of CS345: three of a rose', () => {
    expect(of('a rose is a rose is a rose')).toHaveLength(3);
    expect(of('a rose is a')).toHaveLength(1);
  });

  test('are one shingle of all words if there are fewer than four', () => {
    expect(of('a rose')).toHaveLength(1);
    expect(of('a rose')).not.toEqual(of('rose a'));
    expect(of('a rose')).not.toEqual(of('a rose is'));
  });

  test('have four words by default', () => {
    const words = 'a b c d e f g h'.split(' ');
    for (let w = 1; w <= 8; w++) expect(of(words.join(' '), w)).toHaveLength(9 - w);
    expect(of(words.join(' '))).toEqual(of(words.join(' '), 4));
  });

  test('are those of its windows, wherever these are', () => {
    const word = fc.constantFrom('a', 'b', 'æ', '吾', 'ord', 'c1');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 6 }), (words, w) => {
        const windows = words.slice(0, Math.max(1, words.length - w + 1)).map((_, k) => words.slice(k, k + w));
        const expected = new Set(windows.flatMap((window) => of(window.join(' '), w)));
        expect(of(words.join(' '), w)).toEqual([...expected].sort((a, b) => a - b));
        expect(expected.size).toBe(new Set(windows.map(String)).size);
      }),
    );
  });

  test('have fingerprints of 40 bits that are spread evenly and do not collide', () => {
    const words = Array.from({ length: 60_000 }, (_, k) => `w${k}`);
    // Each neighbourhood in both orders, so that swapped words are in it too.
    const found = of([...words, ...words.toReversed()].join(' '));
    expect(found).toHaveLength(120_000 - 3);
    expect(found.every((value) => Number.isInteger(value) && value >= 0 && value < FINGERPRINT_LIMIT)).toBe(true);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    const bins = Array.from({ length: 64 }, () => 0);
    for (const value of found) bins[Math.floor((value / FINGERPRINT_LIMIT) * 64)]!++;
    const mean = found.length / 64;
    const chiSquare = bins.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
    expect(chiSquare).toBeLessThan(110); // 63 degrees of freedom: 103 at p = 0.001
  });

  test('do not depend on how many words came before', () => {
    const many = Array.from({ length: 10_000 }, (_, k) => `w${k % 5000}`).join(' ');
    const found = new Set(of(many));
    expect(found.size).toBe(5000);
    expect(of('w4998 w4999 w0 w1').every((value) => found.has(value))).toBe(true);
  });
});

test('version db1 of a sketch has these fingerprints, for ever', () => {
  // A change here invalidates every sketch ever written: give sketches another version.
  expect(of('A rose is a rose is a rose')).toMatchInlineSnapshot(`
    [
      375084438553,
      682986105887,
      852156924831,
    ]
  `);
  expect(of('Rødgrød med fløde')).toMatchInlineSnapshot(`
    [
      30206061545,
    ]
  `);
  expect(of('吾輩は猫である')).toMatchInlineSnapshot(`
    [
      171959408356,
      544392303417,
      620365986476,
      905496855322,
    ]
  `);
});

/** The twin of version db1: words by the Unicode categories of the whole text in lower case, all shingles sorted. */
function smallestByTwin(text: string, w: number, s: number): number[] {
  return of(text.toLowerCase(), w).slice(0, s);
}

test('the smallest fingerprints are those of the text in lower case, of all scripts and repeated or not', () => {
  const unit = fc.constantFrom(...Array.from('aZ09 -ÅßΣσİıǅ中かก\u0301\u00ad\u200d😀𝔘٣'), ' ', 'Rose ', 'is ', 'ΟΔΟΣ ');
  let long = 0;
  fc.assert(
    fc.property(
      fc.string({ unit, minLength: 60, maxLength: 200, size: 'max' }),
      fc.integer({ min: 1, max: 5 }),
      (text, w) => {
        const smallest = [...smallestFingerprints(Buffer.from(text), w, 8)];
        expect(smallest).toEqual(smallestByTwin(text, w, 8));
        long += Number(smallest.length === 8);
      },
    ),
    { numRuns: 1000, seed: 17 },
  );
  expect(long).toBeGreaterThan(300);
});
