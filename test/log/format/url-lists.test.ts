import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../src/base/bytes.js';
import { isSitemap } from '../../../src/log/format/url-lists.js';
import { read } from '../reading.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by <html> -->\n';
const list = `${HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="x" xmlns:image="y">
  <url>
    <loc>
      http://h/a?x=1&amp;y=&#228;ö&#x2F; </loc>
    <lastmod>2012-02-10</lastmod>
    <xhtml:link rel="alternate" hreflang="de" href="http://h/de/a"/>
    <image:image><image:loc>http://h/a.png</image:loc><image:loc/></image:image>
  </url>
  <url><loc><![CDATA[http://h/b?c&amp;d]]>&lt;</loc><loc2>http://h/no</loc2></url>
  <url><loc>http://h/long
      er</loc></url>
  <url><loc/></url>
  <url><priority>0.5</priority></url>
</urlset>
`;
const urls = ['http://h/a?x=1&y=äö/', 'http://h/b?c&amp;d<', 'http://h/long      er'];
const index = `<sitemapindex><sitemap><loc>http://h/1.xml.gz</loc></sitemap><sitemap><loc>http://h/2.xml</loc></sitemap></sitemapindex>`;

async function urlsOf(xml: string | Uint8Array, pieceBytes = Infinity) {
  const { rows, summary } = await read(xml, {}, pieceBytes);
  return { urls: rows.map(({ url }) => url), summary };
}

const counts = {
  name: 'memory',
  format: 'sitemap',
  lines: 4,
  records: 3,
  dropped: {},
  rejected: { empty: 1 },
  firsts: { empty: 4 },
};

describe('a sitemap', () => {
  test.each([1, 2, 3, 7, 64, Infinity])('is the URLs of its <loc>, in pieces of %d bytes', async (pieceBytes) => {
    expect(await urlsOf(list, pieceBytes)).toEqual({ urls, summary: { ...counts, truncated: false } });
  });

  test.each(['utf16le', 'utf16be'] as const)('may be %s, with its mark or without', async (encoding) => {
    for (const mark of ['\ufeff', '']) {
      const bytes = Buffer.from(mark + list, 'utf16le');
      if (encoding === 'utf16be') bytes.swap16();
      for (const pieceBytes of [1, 5, Infinity]) expect((await urlsOf(bytes, pieceBytes)).urls).toEqual(urls);
    }
  });

  test('may have a byte order mark, be compressed, or have a namespace prefix', async () => {
    expect((await urlsOf(`\ufeff${list}`)).urls).toEqual(urls);
    expect((await urlsOf(gzipSync(list), 11)).urls).toEqual(urls);
    const prefixed = list.replaceAll(/<(\/?)(urlset|url|loc)\b/g, '<$1sm:$2');
    expect((await urlsOf(prefixed)).urls).toEqual(urls);
  });

  test('keeps bytes that are not UTF-8', async () => {
    const xml = Buffer.from('<urlset><url><loc>http://h/\xff\xa0</loc></url></urlset>', 'latin1');
    expect((await urlsOf(xml)).urls).toEqual([decodeText(Buffer.from('http://h/\xff\xa0', 'latin1'))]);
  });

  test('of sitemaps is counted, and not followed', async () => {
    const { urls: none, summary } = await urlsOf(index);
    expect(none).toEqual([]);
    expect(summary).toMatchObject({ lines: 2, records: 0, dropped: { 'sitemap-index': 2 }, truncated: false });
  });

  test.each([1, 50, Infinity])('may be followed by others, of either kind (pieces of %d)', async (pieceBytes) => {
    const { urls: found, summary } = await urlsOf(index + list + index + list, pieceBytes);
    expect(found).toEqual([...urls, ...urls]);
    expect(summary).toMatchObject({ lines: 12, dropped: { 'sitemap-index': 4 }, rejected: { empty: 2 } });
  });

  test('cut off anywhere, keeps the complete URLs and says so', async () => {
    const root = list.indexOf('<urlset') + '<urlset '.length;
    const end = list.indexOf('</urlset>') + '</urlset>'.length;
    for (let length = root; length < list.length; length += 3) {
      const { urls: found, summary } = await urlsOf(list.slice(0, length));
      expect(urls.slice(0, found.length)).toEqual(found);
      expect(summary.reason).toBe(length < end ? 'the sitemap ends too early' : undefined);
    }
  });

  test('with any byte changed does no harm', async () => {
    for (let at = 0; at < list.length; at++) {
      for (const byte of at % 2 === 0 ? ['<'] : ['>']) {
        const { summary } = await urlsOf(list.slice(0, at) + byte + list.slice(at + 1));
        expect(summary.lines).toBeLessThan(40);
      }
    }
  });
});

describe('hostile XML', () => {
  const about = (inner: string) => urlsOf(`<urlset>${inner}<url><loc>http://h/</loc></url></urlset>`);

  test('defines no entities', async () => {
    const bomb = `<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>`;
    const { urls: found } = await urlsOf(`${bomb}<urlset><url><loc>http://h/&b;&x;</loc></url></urlset>`);
    expect(found).toEqual(['http://h/&b;&x;']);
  });

  test.each([
    ['a name', `<${'a'.repeat(3 << 20)}/>`],
    ['an attribute', `<a b="${'c'.repeat(3 << 20)}"/>`],
    ['attributes', `<a ${'b="c" '.repeat(1 << 19)}/>`],
    ['a comment', `<!--${'-a'.repeat(1 << 20)}-->`],
  ])('with %s of megabytes is abandoned', async (_, inner) => {
    expect((await about(inner)).summary.reason).toBe('the sitemap has a tag or comment of more than 1 MiB');
  });

  test('that nests deeper and deeper is abandoned', async () => {
    expect((await about('<a>'.repeat(100_000))).summary.reason).toContain('more than 64 elements inside of each other');
  });

  test('with a <loc> of megabytes loses only this URL', async () => {
    for (const filler of ['a', ' ', '&amp;', '<![CDATA[a]]>']) {
      const loc = `<url><loc>http://h/${filler.repeat((2 << 20) / filler.length)}b</loc></url>`;
      const { urls: found, summary } = await about(loc);
      expect(found).toEqual(['http://h/']);
      expect(summary).toMatchObject({ lines: 2, truncated: false });
    }
  });

  test('with unbalanced tags is read as far as possible', async () => {
    expect((await about('</url></loc></x>')).urls).toEqual(['http://h/']);
    expect((await about('<url><loc>http://h/open</url>')).urls).toEqual(['http://h/open', 'http://h/']);
  });
});

test.each([
  [list, true],
  [index, true],
  ['<urlset/>', true],
  [' \n<!DOCTYPE urlset><urlset\n>', true],
  ['<rss><channel><link>http://h/</link></channel></rss>', false],
  ['<feed><urlset/></feed>', false],
  ['<!-- <urlset> -->', false],
  ['<urlsets>', false],
  ['http://h/<urlset>', false],
  ['', false],
  ['<!--', false],
])('%j is a sitemap: %s', (text, is) => {
  expect(isSitemap(Buffer.from(text))).toBe(is);
});
