import { describe, expect, it } from 'vitest';
import { faultsOf, isHtml } from '../../src/robots/faults.js';

const found = (text: string | Buffer) =>
  faultsOf(Buffer.from(text as string)).map(({ line, kind, says }) => `${line} ${kind}: ${says}`);
const inGroup = (line: string) => found(`User-agent: *\n${line}\n`);

describe('a line of a robots.txt', () => {
  it.each([
    'Disallow: /a',
    'Disallow:',
    'Allow: *.css$',
    'Disallow: /a%2Fb # why',
    'Crawl-delay: 0.5',
    'Sitemap: https://www.example.com/map.xml',
    'Clean-param: sid /forum',
    'User-agent: Example_Bot-News',
    '# Dissallow: /a',
    '',
  ])('has no fault: %s', (line) => expect(inGroup(line)).toEqual([]));

  it.each([
    ['Dissallow: /a', 'dissallow is misspelt'],
    ['user agent: a', 'user agent is misspelt'],
    ['Disallow /a', 'the colon is missing'],
    ['Dissalow /a', 'dissalow is misspelt'],
    ['Noindex: /a', 'no crawler reads noindex in robots.txt'],
    ['Forbid: /a', 'no crawler knows the key forbid'],
    ['hello', 'no crawler understands it'],
    ['Disallow: a', 'the path does not begin with / or *'],
    ['Disallow: https://www.example.com/a', 'it has a whole URL'],
    ['Disallow: /a /b', 'it has two paths'],
    ['Crawl-delay: soon', 'it has no number of seconds'],
    ['User-agent:', 'it names no crawler'],
  ])('has an error: %s', (line, says) => expect(inGroup(line)[0]).toMatch(new RegExp(`^2 error: ${says}`)));

  it.each([
    ['User-agent: MJ12bot', 'MJ12bot is MJ by RFC 9309'],
    ['Disallow: /%62%61z', 'letters are escaped'],
    ['Disallow: /a$b', 'a \\$ that is not at the end'],
  ])('is read in two ways: %s', (line, says) => expect(inGroup(line)[0]).toMatch(new RegExp(`^2 note: ${says}`)));

  it('is for nobody before the first User-agent', () => {
    expect(found('Disallow: /a\nUser-agent: *\nDisallow: /b')).toEqual([
      '1 error: it stands before the first User-agent, so it is for no crawler',
    ]);
  });
});

it.each([
  ['<!DOCTYPE html>\n<p>', true],
  ['\ufeff \n<html>', true],
  ['<?xml version="1.0"?>', true],
  ['User-agent: *\n<html>', false],
  ['', false],
])('a page is told from a robots.txt: %j', (text, is) => {
  expect(isHtml(Buffer.from(text))).toBe(is);
  if (is) expect(found(text)).toEqual(['1 error: this is a page in HTML, not a robots.txt']);
});

it('a file that is too long, or one of nothing but faults, is read in bounds', () => {
  expect(found(`User-agent: *\n#${'x'.repeat(500 * 1024)}`)).toEqual([
    '1 error: the file is longer than 500 KiB: crawlers read no further',
  ]);
  expect(found('x\n'.repeat(100_000)).length).toBe(1000);
});

it('lines that Google’s parser reports as misspelt, unknown or unused have errors, and no others', () => {
  const file = [
    'User-Agent: foo',
    'Allow: /some/path',
    'User-Agent bar # no',
    'absolutely random line',
    '#so comment, much wow',
    '',
    'unicorns: /extinct',
    'noarchive: /some',
    'Disallow: /',
    'Error #and comment',
    'useragent: baz',
    'disallaw: /some',
    'site-map: https://e/s.xml #comment',
    'sitemap: https://e/t.xml',
    'Noarchive: /someCapital',
  ];
  const lines = faultsOf(Buffer.from(file.join('\n'))).flatMap(({ line, kind }) => (kind === 'error' ? [line] : []));
  expect(lines).toEqual([3, 4, 7, 8, 10, 11, 12, 13, 15]);
});
