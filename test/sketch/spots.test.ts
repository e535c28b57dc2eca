// Spot signatures are those of the definition, and their text form says what they are.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ANTECEDENTS,
  type Bag,
  bagOf,
  createSpotMaker,
  formatSpots,
  MAX_FEATURES,
  parseSpots,
  readWordList,
  type SpotOptions,
  STOP_WORDS,
} from '../../src/sketch/spots.js';
import { amount } from '../amount.js';

const SPOTS: SpotOptions = { kind: 'spotsigs', chain: 1, long: 20, words: 4 };

/** By the definition, on words: the chains of a text. */
function chainsOf(
  words: readonly string[],
  chain: number,
  antecedents = ANTECEDENTS,
  stopWords = STOP_WORDS,
): string[] {
  const isStop = (word: string) => stopWords.has(word) || antecedents.has(word);
  return words.flatMap((word, at) => {
    const distance = antecedents.get(word);
    if (distance === undefined) return [];
    const taken: string[] = [];
    for (let next = at + distance; taken.length < chain; next += distance) {
      while (next < words.length && isStop(words[next]!)) next++;
      if (next >= words.length) return [];
      taken.push(words[next]!);
    }
    return [taken.join(':')];
  });
}

const ascending = (counts: Iterable<number>) => Array.from(counts).toSorted((a, b) => a - b);
const countsOf = (bag: Bag | undefined) => ascending(bag?.counts ?? []);

describe('spot signatures', () => {
  const word = fc.constantFrom('the', 'is', 'a', 'le', 'of', 'rally', 'kick', 'mayor', 'late', 'haus', 'x1');

  test('are the chains of the words behind antecedents, as often as they occur', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), (words, chain) => {
        const chains = chainsOf(words, chain);
        const expected = new Map<string, number>();
        for (const one of chains) expected.set(one, (expected.get(one) ?? 0) + 1);
        const made = createSpotMaker({ ...SPOTS, chain })(words.join(', ').toUpperCase());
        expect(countsOf(made?.spots)).toEqual(ascending(expected.values()));
        // Equal texts of chains are equal fingerprints, and others are not.
        const again = createSpotMaker({ ...SPOTS, chain })([...words, 'end', 'end'].join(' '));
        const kept = [...(made?.spots?.prints ?? [])].filter((print) => again?.spots?.prints.includes(print));
        expect(kept).toHaveLength(expected.size);
      }),
      { numRuns: amount(1000) },
    );
  });

  test('may have other antecedents and stop words', () => {
    const antecedents = readWordList('# German\nder\nist 2\n\n', 'words', '--antecedents');
    expect(antecedents).toEqual(new Map(Object.entries({ der: 1, ist: 2 })));
    const maker = createSpotMaker({ ...SPOTS, antecedents, stopWords: ['alte'] });
    const made = maker('Der alte Mann ist sehr müde.')!;
    expect(made.spots!.prints).toHaveLength(2);
    expect(made.making).toMatch(/^spotsigs\.1\.[\da-f]{8}$/);
    for (const bad of ['two words here', 'ist 0', '', 'don’t']) {
      expect(() => readWordList(bad, 'words', '--antecedents')).toThrow('--antecedents');
    }
  });

  test('are chosen by the size of the page, with both kinds in between', () => {
    const kinds = [0, 1, 2].map((sentences) => {
      const text = 'red green blue yellow ' + 'the cat was on the mat in a hat. '.repeat(8 * sentences);
      const made = createSpotMaker({ ...SPOTS, kind: 'sizespotsigs', long: 30 })(text)!;
      return [made.spots !== undefined, made.shingles !== undefined];
    });
    expect(kinds).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
  });

  test('are not made of text without function words, or of far too much', () => {
    const [spots, size] = [createSpotMaker(SPOTS), createSpotMaker({ ...SPOTS, kind: 'sizespotsigs' })];
    expect(spots('薔薇は薔薇であり薔薇である')).toBeUndefined();
    expect(size('薔薇は薔薇であり薔薇である')!.shingles!.prints.length).toBeGreaterThan(0);
    expect(size('')).toBeUndefined();
    const long = Array.from({ length: MAX_FEATURES + 1 }, (_, k) => `the w${k}`).join(' ');
    expect(spots(long)).toBeUndefined();
  });

  test('are read from text as they were written, and from nothing else', () => {
    const bag = fc
      .array(fc.nat(2 ** 40 - 1), { maxLength: 20 })
      .map((all) => bagOf(Float64Array.from([...all, ...all.slice(5)])));
    const none = (one: Bag) => (one.prints.length === 0 ? undefined : one);
    fc.assert(
      fc.property(bag, bag, fc.nat(), fc.nat(), (spots, shingles, place, change) => {
        const signature = { making: 'sizespotsigs.1.20.4', spots: none(spots), shingles: none(shingles) };
        const text = formatSpots(signature);
        const isEmpty = signature.spots === undefined && signature.shingles === undefined;
        expect(parseSpots(text)).toEqual(isEmpty ? undefined : signature);
        expect(parseSpots(text.slice(0, -1))).toBeUndefined();
        const changed =
          text.slice(0, place % text.length) +
          String.fromCharCode(33 + (change % 94)) +
          text.slice((place % text.length) + 1);
        const read = parseSpots(changed);
        if (read !== undefined) expect(formatSpots(read)).toBe(changed);
      }),
      { numRuns: amount(1000) },
    );
  });
});
