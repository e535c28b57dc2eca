// Random numbers, the same at each run: a generator seeded by a word, with the draws that visitors need.
import { createHash } from 'node:crypto';

export interface Random {
  unit(): number;
  below(limit: number): number;
  chance(share: number): boolean;
  of<T>(items: readonly T[]): T;
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T;
  word(length: number): string;
  hex(length: number): string;
  shuffle(items: unknown[]): void;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function randomBy(seed: string): Random {
  let state = createHash('sha1').update(seed).digest().readUInt32LE(0);
  /** mulberry32 */
  function unit(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number): number => Math.floor(unit() * limit);
  const drawn = (letters: string, length: number): string =>
    Array.from({ length }, () => letters[below(letters.length)]!).join('');
  return {
    unit,
    below,
    chance: (share) => unit() < share,
    of: (items) => items[below(items.length)]!,
    weighted: (items) => {
      let left = unit() * items.reduce((sum, { weight }) => sum + weight, 0);
      return items.find(({ weight }) => (left -= weight) < 0) ?? items[0]!;
    },
    word: (length) => drawn(LETTERS, length),
    hex: (length) => drawn('0123456789abcdef', length),
    shuffle: (items) => {
      for (let last = items.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [items[last], items[other]] = [items[other], items[last]];
      }
    },
  };
}
