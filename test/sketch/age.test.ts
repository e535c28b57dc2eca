import { expect, test } from 'vitest';
import { markAges, withoutAges } from '../../src/sketch/age.js';

test.each([
  ['Ticket opened 3\n hours ago by ann', 'Ticket opened  by ann'],
  ['\ufdd0\ufdd1changed about an hour ago', 'changed '],
  ['posted 1\u00a0Woche; geändert vor 5 Minuten', 'posted 1 Woche; geändert '],
  ['vor einem Jahr, vor einer Stunde', ', '],
  ['modifié il y a 2 jours', 'modifié '],
  ['hace 3 días, há uma semana', ', '],
  ['3 дня назад', ''],
  ['for 2 timer siden', ''],
  ['5 分钟前 / 2時間前', ' / '],
])('an age is left out: %s', (text, rest) => {
  expect(withoutAges(markAges(text))).toBe(rest);
});

test.each([
  'for 5 users',
  'vor 3 Kapiteln',
  'il y a 3 chats',
  'long ago, in 1999',
  '3 hours',
  'the year 1999',
  '3 hours agony',
  'x3 hours agoy',
])('nothing else is: %s', (text) => {
  expect(markAges(text)).toBe(text);
});

test('a text of one kind of word takes linear time', () => {
  for (const piece of ['1', 'a', '1 a ', 'vor 1 ', '1 a, 1 a ', '分', '\ufdd0', ' \ufdd1']) {
    const text = piece.repeat(200_000).trim();
    expect(withoutAges(text)).toBe(text);
    expect(markAges(text)).toBe(
      text
        .replace(/[\ufdd0\ufdd1]/g, '')
        .replace(/ +/g, ' ')
        .trim(),
    );
  }
});
