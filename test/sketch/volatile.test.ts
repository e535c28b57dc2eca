// What differs between two answers for one URL is blanked on other pages, and nothing else is.
import { describe, expect, test } from 'vitest';
import { VolatileSlots } from '../../src/sketch/volatile.js';
import { wordsOf } from './sample.js';

const page = (name: string, footer: string) => `${wordsOf(name, 60)} This page was generated ${footer} by our servers`;
const words = (text: string) =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)!
    .join(' ');

describe('what changes from one answer to the next', () => {
  test.each([
    ['a time', 'at 2026-11-22 19:44:01 today', 'at 2026-11-22 19:44:02 today', 'at 2027-01-03 07:09:59 today'],
    ['a duration', 'in 0.034 s', 'in 0.029 s', 'in 12.5 s'],
    ['a token', 'for k3j9x2', 'for zz81aa', 'for 0q'],
    ['a counter that grows', 'for 9 readers', 'for 10 readers', 'for 11,204 readers'],
  ])('%s', (_, once, again, later) => {
    const slots = new VolatileSlots();
    expect(slots.learn('u', page('a', once), page('a', again))).toBe(true);
    expect(slots.learn('u', page('a', once), page('a', again))).toBe(false);
    for (const name of ['a', 'b', 'c']) {
      expect(words(slots.without(page(name, later)))).toBe(words(slots.without(page(name, once))));
      expect(words(slots.without(page(name, later)))).toContain(wordsOf(name, 60));
    }
  });

  test('a phrase is learned once two pages have shown it', () => {
    const slots = new VolatileSlots();
    const text = page('a', 'with love');
    expect(slots.learn('u', text, page('a', 'in great haste'))).toBe(false);
    expect(slots.without(text)).toBe(text);
    expect(slots.learn('v', page('b', 'with love'), page('b', 'in great haste'))).toBe(true);
    expect(words(slots.without(text))).toBe(words(slots.without(page('a', 'in vain'))));
  });
});

describe('nothing is learned', () => {
  const slots = new VolatileSlots();
  test.each([
    ['of equal texts', page('a', 'at 7'), page('a', 'at 7')],
    ['of other pages', page('a', 'at 7'), page('b', 'at 7')],
    ['of numbers among numbers', '1 2 3 4 5 6 7 8 9', '1 2 3 4 0 6 7 8 9'],
    ['of no text', '', ''],
    ['of a text that came', '', wordsOf('a', 30)],
  ])('%s', (_, once, again) => {
    expect(slots.learn('u', once, again)).toBe(false);
    const text = page('c', 'at 9');
    expect(slots.without(text)).toBe(text);
  });
});

test('what fills a quarter of a page is not volatile', () => {
  const slots = new VolatileSlots();
  slots.learn('u', page('a', 'at 7 o clock'), page('a', 'at 8 o clock'));
  const short = 'was generated at 9 o clock by';
  expect(slots.without(`${short} our servers`)).not.toContain('9');
  slots.learn('u', `${wordsOf('x', 50)} now 1 2 3 4 end of it`, `${wordsOf('x', 50)} now 5 6 7 8 end of it`);
  expect(slots.without('x 0 now 5 6 7 8 end of it')).toContain('5 6 7 8');
});

test('thousands of words of both texts, and of both letters, take little time', () => {
  const slots = new VolatileSlots();
  const text = 'a '.repeat(130_000);
  expect(slots.learn('u', text, 'b '.repeat(130_000))).toBe(false);
  expect(slots.learn('u', `${text} 1 end`, `${text} 2 end`)).toBe(true);
  expect(slots.without(text)).toBe(text);
});
