// `canonize` without rules writes no address that browsers would read as another one, and leaves alone what they refuse.
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createBlockCanonizer, createCanonizer, type CanonizerOptions } from '../../src/canonize/canonizer.js';
import { createLineMapper } from '../../src/canonize/lines.js';
import { createTextCanonizer } from '../../src/canonize/text.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { addresses, readingOf } from '../addresses.js';
import { sampleFile } from '../rule/sample.js';

const options: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'domain',
};

type Canonize = (url: string) => string;

const byRounds: Canonize = (url) => decodeText(createCanonizer([], options).canonize(encodeText(url)));

const byLines: Canonize = (url) => {
  const mapper = createLineMapper(createBlockCanonizer([], options));
  return [...mapper.push(encodeText(`${url}\n`)), ...mapper.end()]
    .map((piece) => decodeText(piece))
    .join('')
    .slice(0, -1);
};

const ways: readonly (readonly [name: string, canonize: Canonize])[] = [
  ['URL by URL', byRounds],
  ['by lines', byLines],
  ['in browsers', createTextCanonizer(sampleFile([], { urlForm: 'absolute' }), createSiteOf('domain')).canonize],
];

describe.each(ways)('%s', (_, canonize) => {
  const taken = addresses().filter(([input, href]) => href !== null && URL.canParse(input));
  const refused = addresses().filter(([input, href]) => href === null && !URL.canParse(input));

  test('every address stays the one that browsers read', () => {
    expect(taken.length).toBeGreaterThan(150);
    for (const [input] of taken) {
      const form = canonize(input);
      expect([input, form, readingOf(form)]).toEqual([input, form, readingOf(input)]);
      expect(canonize(form)).toBe(form);
    }
  });

  test('what browsers refuse passes byte for byte', () => {
    expect(refused.length).toBeGreaterThan(180);
    expect(refused.map(([input]) => canonize(input))).toEqual(refused.map(([input]) => input));
  });

  test.each([
    ['http://h/a b', 'http://h/a%20b'],
    ['http://h/a b?c d ', 'http://h/a%20b?c%20d'],
    ['http://h/a #b', 'http://h/a%20'],
    ['/a ü', '/a%20%C3%BC'],
    ['http://h/ü?é=ß', 'http://h/%C3%BC?%C3%A9=%C3%9F'],
    ['http://MÜNCHEN.example/', 'http://xn--mnchen-3ya.example/'],
    ['http://m%C3%BCnchen.example:80', 'http://xn--mnchen-3ya.example/'],
    ['http://xn--mnchen-3ya.example/', 'http://xn--mnchen-3ya.example/'],
    ['http://[2001:DB8::0:1]:8080/a', 'http://[2001:db8::1]:8080/a'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://127.0.0.1:8080/a', 'http://127.0.0.1:8080/a'],
    ['http://a:b@c\\', 'http://a:b@c/'],
    ['http://h\\a\\..\\b?c\\d', 'http://h/b?c\\d'],
    ['http://h/a\tb', 'http://h/a\tb'],
  ])('%j becomes %j', (url, form) => {
    expect(canonize(url)).toBe(form);
  });
});

test('bytes that are no UTF-8 are escapes too, and without normalization nothing is', () => {
  const latin1 = (url: string, how: CanonizerOptions) =>
    Buffer.from(createCanonizer([], how).canonize(Buffer.from(url, 'latin1'))).toString('latin1');
  expect(latin1('http://h/\xe4', options)).toBe('http://h/%E4');
  for (const url of ['http://h/\xe4', 'http://h/a b', 'http://[]', 'http://h\\a', 'http://H/'])
    expect(latin1(url, { ...options, normalize: 'none' })).toBe(url);
});
