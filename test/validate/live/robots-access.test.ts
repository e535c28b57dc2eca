import { expect, it } from 'vitest';
import { ruleLines } from '../../../src/validate/live/robots-access.js';

it.each([
  ['User-agent: *', 'User-agent: *'],
  ['\xef\xbb\xbfuser agent : a', '\xef\xbb\xbfuser agent : a'],
  ['  Disallow:/x y', '  Disallow:/x y'],
  ['Disallow: /caf\xc3\xa0', 'Disallow: /caf\xc3\xa0'],
  ['Dissallow: /', 'Dissallow: /'],
  ['Allow /a', 'Allow /a'],
  ['Crawl-delay: 3 # of Ann', 'Crawl-delay: 3 '],
  ['# Ann says hello', ''],
  ['<p>Disallow: no', ''],
  ['Allow me to say something', ''],
  ['Sitemap: http://h/', ''],
])('keeps the rule of a line, and no other text: %s', (line, kept) => {
  expect(ruleLines(line)).toBe(kept);
});

it('keeps the numbers of the lines', () => {
  expect(ruleLines('a\r\nAllow: /\n\n<p>\rDisallow:\n')).toBe('\nAllow: /\n\n\nDisallow:\n');
});

it('takes linear time', () => {
  for (const piece of [' ', 'allow', 'allow ', 'd', '\n', '#', 'allow x '])
    expect(ruleLines(piece.repeat(200_000)).length).toBeLessThanOrEqual(1_600_000);
});
