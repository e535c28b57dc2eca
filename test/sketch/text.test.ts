import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { jsonText, visibleText } from '../../src/sketch/text.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const words = (body: Uint8Array, type?: string) => visibleText(body, type)?.split(/\s+/).filter(Boolean).join(' ');

const danish = 'Rødgrød med fløde på Æbeløgade';
const japanese = '吾輩は猫である。名前はまだ無い。カタカナ';
const russian = 'Широкая электрификация южных губерний';

/** Text and the charsets that it was written in. */
const written: readonly (readonly [string, readonly string[]])[] = [
  [danish, ['utf-8', 'iso-8859-1', 'windows-1252', 'iso-8859-15', 'macintosh', 'cp850', 'utf-16le', 'utf-16be']],
  [japanese, ['utf-8', 'shift_jis', 'euc-jp', 'utf-16le']],
  [russian, ['utf-8', 'koi8-r', 'windows-1251', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic', 'cp855']],
];
const variants = written.flatMap(([text, charsets]) => charsets.map((charset) => [charset, text] as const));
const page = (text: string, head = '') =>
  `<html><head>${head}<title>t</title></head><body><p>${text}</p></body></html>`;
/** Charsets in which ASCII has other bytes, so that markup cannot declare them. */
const isWide = (charset: string) => charset.startsWith('utf-16');
/** The charset that iconv-lite calls x-mac-cyrillic. */
const encode = (text: string, charset: string) => iconv.encode(text, charset.replace('x-mac-', 'mac'));

describe('the charset', () => {
  test.each(variants)('%s is that of the header: %s', (charset, text) => {
    const body = encode(page(text), charset);
    expect(words(body, `text/html; charset=${charset}`)).toBe(`t ${text}`);
    expect(words(body, `text/html;boundary=x;CHARSET="${charset.toUpperCase()}"`)).toBe(`t ${text}`);
    expect(words(encode(text, charset), `text/plain;charset=${charset}`)).toBe(text);
  });

  test.each(variants.filter(([charset]) => !isWide(charset)))('%s is that of a meta element: %s', (charset, text) => {
    for (const meta of [
      `<meta charset=${charset}>`,
      `<META Charset = '${charset}' />`,
      `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`,
      `<meta content='text/html;charset=${charset}' http-equiv=content-type>`,
      `<!-- <meta charset="koi8-u"> --><meta name=description content="charset=koi8-u"><meta charset="${charset}">`,
    ]) {
      expect(words(encode(page(text, meta), charset), 'text/html')).toBe(`t ${text}`);
    }
  });

  test('is that of an XML declaration', () => {
    const body = encode(`<?xml version="1.0" encoding='koi8-r'?>${page(russian)}`, 'koi8-r');
    expect(words(body, 'application/xhtml+xml')).toBe(`t ${russian}`);
    expect(words(body, 'text/xml')).toContain(russian);
    expect(words(body)).toBe(`t ${russian}`);
  });

  test.each(['utf-8', 'utf-16le', 'utf-16be'])('a byte order mark of %s takes precedence', (charset) => {
    const body = iconv.encode(`\ufeff${page(japanese, '<meta charset=koi8-r>')}`, charset);
    expect(words(body, 'text/html; charset=shift_jis')).toBe(`t ${japanese}`);
    expect(words(body)).toBe(`t ${japanese}`);
    expect(visibleText(iconv.encode(`\ufeff${danish}`, charset), 'text/plain')).toBe(danish);
  });

  test('the header takes precedence over the page', () => {
    const body = iconv.encode(page(russian, '<meta charset=shift_jis>'), 'koi8-r');
    expect(words(body, 'text/html; charset=koi8-r')).toBe(`t ${russian}`);
  });

  test('without a declaration, valid UTF-8 is UTF-8 and the rest windows-1252', () => {
    expect(words(Buffer.from(page(russian)), 'text/html')).toBe(`t ${russian}`);
    expect(words(iconv.encode(page(danish), 'windows-1252'), 'text/html')).toBe(`t ${danish}`);
    const late = Buffer.from(page(danish, `${' '.repeat(1024)}<meta charset=koi8-r>`));
    expect(words(late, 'text/html')).toBe(`t ${danish}`);
  });

  test('a meta element cannot be read in UTF-16, so it means UTF-8', () => {
    expect(words(Buffer.from(page(danish, '<meta charset=utf-16>')), 'text/html')).toBe(`t ${danish}`);
  });

  test.each([
    'utf8mb4',
    'none',
    '',
    '"',
    'base64',
    'hex',
    'binary',
    'utf-7-imap',
    'utf-7',
    'unicode-1-1-utf-7',
    '__proto__',
    'constructor',
    'replacement',
    'hz-gb-2312',
    '…',
  ])('an unknown label (%s) is ignored', (label) => {
    expect(words(Buffer.from(page(danish)), `text/html; charset=${label}`)).toBe(`t ${danish}`);
    expect(words(Buffer.from(page(danish, `<meta charset="${label}">`)), 'text/html')).toBe(`t ${danish}`);
  });

  test('a byte that the charset lacks affects only itself', () => {
    const body = Buffer.concat([Buffer.from('på '), latin1('\xe5'), Buffer.from(' på')]);
    expect(visibleText(body, 'text/plain; charset=utf-8')).toBe('på \ufffd på');
    expect(visibleText(body, 'text/plain')).toBe('pÃ¥ å pÃ¥');
  });
});

describe('the kind of body', () => {
  const html = '<!doctype html><p>a</p>';
  test.each([
    ['text/html', html, 'a'],
    ['Application/XHTML+XML; x', html, 'a'],
    ['text/html, text/html', html, 'a'],
    ['text/html', '<?xml version="1.0"?><rss><title>a</title><link>h</link></rss>', 'a h'],
    ['text/plain', html, 'a'],
    ['text/plain', '<p>a', '<p>a'],
    ['text/plain', '<?xml version="1.0"?><a b="c">d</a>', 'c d'],
    ['text/plain; charset=utf-8', '<feed><title>a</title></feed>', 'a'],
    ['text/plain', '["a"]', '["a"]'],
    ['text/css', html, html],
    ['application/json', '{"a":"<b>"}', 'a <b>'],
    ['application/ld+json', '[]', ''],
    ['application/xml', '<!doctype html><p>a<script>b</script>', 'a'],
    ['application/rss+xml', '<rss><a href="/x">a</a></rss>', 'a'],
    ['image/svg+xml', '<svg/>', ''],
    ['text/javascript', 'a<b', 'a<b'],
    ['image/png', 'abc', undefined],
    ['application/pdf', 'abc', undefined],
    [undefined, html, 'a'],
    ['', html, 'a'],
    ['html', html, 'a'],
    ['application/octet-stream', html, 'a'],
    [undefined, ' \n<HTML><p>a', 'a'],
    [undefined, '<!-- c --><html>a', 'a'],
    [undefined, '<?xml version="1.0"?>\n<!DOCTYPE html><p>a', 'a'],
    [undefined, '<rss>a', 'a'],
    [undefined, '<?xml version="1.0"?><x>a</x>', 'a'],
    ['application/octet-stream', '<!-- c -->\n<urlset><loc>a</loc></urlset>', 'a'],
    [undefined, '{"a":"\\u0062"}', 'a b'],
    [undefined, '<abbr>a', '<abbr>a'],
    [undefined, 'a <b>', 'a <b>'],
    [undefined, '', ''],
    [undefined, '%PDF-1.4 a', undefined],
    ['application/octet-stream', 'PK\x03\x04', undefined],
    ['application/octet-stream', `${'a'.repeat(9000)}\x00`, undefined],
    ['text/plain', 'GIF89a\x01\x00\x01\x00', undefined],
    ['text/plain', '\x89PNG\r\n\x1a\n', undefined],
    ['text/plain', 'a\tb\r\n\f\x1b', 'a\tb\r\n\f\x1b'],
    ['text/html', '<p>a\x00', 'a\x00'],
  ])('%s: %#', (type, body, text) =>
    expect(visibleText(latin1(body), type)?.trim().replace(/ +/g, ' ')).toBe(text?.trim()),
  );
});

test('every cut of a page, in every charset, is text', () => {
  let cuts = 0;
  for (const [charset, text] of variants) {
    const head = `<meta http-equiv=content-type content="text/html; charset=${charset}"><style>p{}</style>`;
    const body = encode(`<!-- c -->${page(`${text} &amp; <img alt="${text}"><svg><title/>`, head)}`, charset);
    for (let end = 0; end <= body.length; end++, cuts++) {
      expect(typeof visibleText(body.subarray(0, end), 'text/html')).toBe('string');
      expect(typeof visibleText(body.subarray(end), `text/html; charset=${charset}`)).toBe('string');
    }
  }
  expect(cuts).toBeGreaterThan(3000);
});

test('any bytes under any header are text or none', () => {
  const header = fc.oneof(
    fc.constantFrom('text/html; charset=', 'text/plain;charset="', ';', ',', 'a/b;charset', undefined),
    fc.string(),
  );
  const labels = fc.constantFrom('utf-7', 'utf-32', 'utf-16', 'iso-2022-jp', 'gb18030', 'big5', 'cp437', 'euc-kr', 'x');
  const seen = { text: 0, none: 0 };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), header, labels, (body, start, label) => {
      const text = visibleText(body, start && start + label);
      seen[text === undefined ? 'none' : 'text']++;
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(seen.text, seen.none)).toBeGreaterThan(100);
});

const wordsOfJson = (json: string) => jsonText(json).split(/\s+/).filter(Boolean).join(' ');

describe('the wordsOfJson of a JSON text', () => {
  test.each([
    ['', ''],
    ['{"title":"Caf\\u00e9 \\"Nord\\"","tags":[1,-2.5,true,null]}', 'title Café "Nord" tags 1 -2.5 true null'],
    ['{"a":{"b":[]}}', 'a b'],
    ['"a\\nb\\/c\\\\d"', 'a b/c\\d'],
    ['{"a":1}\n{"a":2}', 'a 1 a 2'],
    ['{"a":"b, [c]: {d}"}', 'a b, [c]: {d}'],
    ['{"a":"b', 'a b'],
    ['"a\\', 'a\\'],
    ['"\\ud83d\\ude00"', '😀'],
  ])('%s', (json, text) => expect(wordsOfJson(json)).toBe(text));
});

test('spacing changes no word, and no word of a value is lost', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(wordsOfJson(JSON.stringify(value, null, 2))).toBe(wordsOfJson(JSON.stringify(value)));
      if (typeof value === 'string')
        expect(wordsOfJson(JSON.stringify(value))).toBe(value.split(/\s+/).filter(Boolean).join(' '));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['depth', '['.repeat(1 << 20)],
  ['escapes', `"${'\\'.repeat(1 << 20)}`],
  ['quotes', '"'.repeat(1 << 20)],
])('a megabyte of %s takes linear time', (_, json) => expect(typeof jsonText(json)).toBe('string'));
