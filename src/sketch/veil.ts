// Stores the text of a page so that it can be compared but not read:
//
//     Contact Ann-Marie: room B12, 07700 900123   →   bmyc rwmd-isfq: nkwr jwfp61495, 53622 75733
//
// Every word is replaced by a stand-in, which is a hash of the word: 4 letters (one of 457,000), and 5 digits for the
// digits in it. So equal words have equal stand-ins on all pages and in all runs, and also in the addresses that are
// looked for in a page (`echo`), where words match as a whole or not at all. A stand-in is of the same kind as its
// word: a number remains a number, a word with digits has digits and letters of the same shape (`volatile`), a word of
// more than 20 letters remains that long, and a letter that is a word by itself (`shingle`) becomes a Han character.
// The text between words stays. Single letters and digits stay too, as there are too few of them.
//
// This is no encryption. Somebody with the file and a list of words can try them all, and finds most common words and
// short numbers. A name that is in no list, or a telephone number, shares its stand-in with 100,000 others. A random
// key would not help if it is stored beside the file. And with another key other shingles would be the smallest, so a
// run would not give the same result on two machines.
import { FNV_PRIME, FNV_SEED, mixed, OTHER_SEED } from '../base/hash.js';
import { UNSPACED } from './shingle.js';

const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const unseenPattern = /[\p{Cf}\p{Variation_Selector}]/gu;
const lone = `(?=[\\p{L}\\p{Nl}])[${UNSPACED}]`;
const hasLone = new RegExp(lone, 'u');
/** Letters that are words by themselves, in the first group, or the text between them. */
const loneOrWord = new RegExp(`(${lone}\\p{M}*)|(?:(?!${lone}).)+`, 'gsu');

const LETTERS = 4;
const DIGITS = 5;
/** A longer word of letters counts as a token (`volatile`). */
const LONG = 20;
const FIRST_HAN = 0x4e00;
const HANS = 20_902;

/** The text in lower case, with a stand-in for each word. */
export function veiled(text: string): string {
  const known = new Map<string, string>();
  return text
    .replace(unseenPattern, '')
    .toLowerCase()
    .replace(wordPattern, (word) => {
      let other = known.get(word);
      if (other === undefined) known.set(word, (other = standInOf(word)));
      return other;
    });
}

function standInOf(word: string): string {
  if (!hasLone.test(word)) return standInOfWord(word);
  return word.replace(loneOrWord, (part, letter?: string) =>
    letter === undefined ? standInOfWord(part) : String.fromCharCode(FIRST_HAN + (hashOf(letter, FNV_SEED) % HANS)),
  );
}

function standInOfWord(word: string): string {
  if (word.length === 1) return word;
  const shape = word.replace(/\p{N}+/gu, '0');
  if (shape === '0') return digitsOf(word);
  if (shape !== word) return lettersOf(shape) + digitsOf(word);
  return word.length > LONG ? lettersOf(word).repeat(LONG / LETTERS + 1) : lettersOf(word);
}

function lettersOf(word: string): string {
  let rest = hashOf(word, FNV_SEED);
  let letters = '';
  for (let k = 0; k < LETTERS; k++, rest = Math.floor(rest / 26)) letters += String.fromCharCode(97 + (rest % 26));
  return letters;
}

function digitsOf(word: string): string {
  return String(hashOf(word, OTHER_SEED) % 10 ** DIGITS).padStart(DIGITS, '0');
}

function hashOf(word: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
  return mixed(hash) >>> 0;
}
