// Alignments as they can be drawn by hand, and what a rule makes of them.
import { expect, test } from 'vitest';
import { align, alignAll, GAP, sequenceOf } from './alignment.js';
import { ruleOf } from './duster.js';

const drawn = (urls: readonly string[]): string =>
  alignAll(urls.map(sequenceOf))
    .map((tokens) =>
      tokens.size === 1
        ? [...tokens][0]
        : `{${[...tokens]
            .map((one) => one || 'λ')
            .sort()
            .join(',')}}`,
    )
    .join(' ');

test('a parameter that one URL lacks faces gaps', () => {
  expect(drawn(['a?id=12', 'a?id=12&sid=9'])).toBe('a ? id = 12 {&,λ} {sid,λ} {=,λ} {9,λ}');
});

test('all URLs of a cluster are one consensus, whatever their order', () => {
  const urls = ['a/x/12', 'a/y/12', 'a/y/12?s=1'];
  expect(drawn(urls)).toBe('a / {x,y} / 12 {?,λ} {s,λ} {=,λ} {1,λ}');
  expect(drawn([...urls].reverse())).toBe(drawn(urls));
});

test('equal URLs score two a token, and signs never face words', () => {
  expect(align(sequenceOf('a/b'), sequenceOf('a/b')).score).toBe(6);
  const { consensus } = align(sequenceOf('a/b'), sequenceOf('a-b'));
  expect(consensus.every((tokens) => tokens.size === 1 || tokens.has(GAP))).toBe(true);
});

test('what the site has everywhere stays, what one page has is a group, what varies inside of it is left out', () => {
  const consensus = alignAll(['a/old-item/12', 'a/old-item/12&sid=9f'].map(sequenceOf));
  expect(ruleOf(consensus, (token) => !/\d/.test(token))).toEqual({
    context: '^a\\/old\\x2ditem\\/(\\d+)[&=\\p{L}\\p{N}a-z]*$',
    signature: 'a/old-item/$1',
  });
  expect(() => new RegExp(ruleOf(consensus, () => true).context, 'u')).not.toThrow();
});
