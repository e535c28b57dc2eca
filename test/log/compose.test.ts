// Earlier URLs, which are cached, do not affect the result for the next one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchBuilder } from '../../src/log/batch.js';
import { Composer } from '../../src/log/compose.js';
import { clearFields, createFields, setSpan } from '../../src/log/format/format.js';

const options = { base: null, scheme: 'http', normalize: 'safe', maxUrlLength: 2048 } as const;

/** The composed URL, or why there is none. */
function composed(composer: Composer, url: string): string {
  const builder = new BatchBuilder();
  const fields = createFields();
  clearFields(fields);
  setSpan(fields.url, Buffer.from(url, 'latin1'), 0, url.length);
  const refusal = composer.compose(fields, builder);
  return refusal === null ? builder.bytes.toString('latin1', 0, builder.used) : `${refusal.kind} ${refusal.cause}`;
}

const origins = ['http://a.de', 'http://a.de:80', 'http://A.de', 'https://a.de', 'http://a.de:99999', 'http://a de'];
const others = ['http://u@a.de', 'http://', 'http://a.d', 'http://a.de.b', 'mailto:x', '*', '', 'http:/a.de', '/a'];
const url = fc
  .tuple(fc.constantFrom(...origins, ...others), fc.constantFrom('', '/', '/x', '?q', '#f', '/../y', '//', '@b.de/'))
  .map((parts) => parts.join(''));

test('full URLs are checked independently of what came before', () => {
  fc.assert(
    fc.property(fc.array(url, { maxLength: 12 }), (urls) => {
      const composer = new Composer(options);
      expect(urls.map((each) => composed(composer, each))).toEqual(
        urls.map((each) => composed(new Composer(options), each)),
      );
    }),
    { numRuns: 300 },
  );
});

test('with good and bad ones among them', () => {
  const composer = new Composer(options);
  const urls = ['http://a.de/x', 'http://a.de:80/y', 'http://a.de@b.de/', 'http://a.de/', 'http://a.de:99999/', '*'];
  expect(urls.map((each) => composed(composer, each))).toEqual([
    'http://a.de/x',
    'http://a.de/y',
    'http://b.de/',
    'http://a.de/',
    'rejected bad-host',
    'dropped asterisk',
  ]);
});

test.each([
  ['http://ann:pw@h.de/x', 'http://h.de/x'],
  ['http://ann@h.de:80?q', 'http://h.de/?q'],
  ['HTTPS://a:b@c@H.de/x#f', 'https://h.de/x'],
  ['http://h.de/@x', 'http://h.de/@x'],
  ['http://ann:pw@/x', 'rejected bad-host'],
])('user and password of %j are left out', (given, expected) => {
  const composer = new Composer(options);
  for (let time = 0; time < 2; time++) expect(composed(composer, given)).toBe(expected);
  const exact = composed(new Composer({ ...options, normalize: 'none' }), given);
  expect(exact).not.toMatch(/ann|pw|a:b|c@/);
});

test.each([...Array.from({ length: 32 }, (_, code) => code), 0x7f])(
  'with control character %i there is no URL',
  (code) => {
    const char = String.fromCharCode(code);
    for (const each of [`/a${char}b`, `/${char}`, `http://a.de/x?${char}=1`, `/${'long/'.repeat(20)}${char}`]) {
      expect(composed(new Composer(options), each)).toBe('rejected no-url');
      expect(composed(new Composer({ ...options, normalize: 'none' }), each)).toBe('rejected no-url');
    }
    expect(composed(new Composer(options), '/a%00b')).toBe('/a%00b');
  },
);
