// Crawls know what the site calls a page: the target of a redirect, and the canonical link. Each line that names another
// URL is one more hit of that.
import { describe, expect, test } from 'vitest';
import { read } from './reading.js';

const urlsOf = async (text: string, options = {}) =>
  (await read(text, options)).rows.map(({ url, size }) => (size < 0 ? url : `${url} ${size}`));

describe('columns of crawls', () => {
  test.each([
    [
      'Screaming Frog',
      'Address,Status Code,Size (bytes),Redirect URL,Canonical Link Element 1\n' +
        'http://h/a?id=1,200,5,,http://h/a/1\nhttp://h/old,301,9,http://h/new,\nhttp://h/a/1,200,5,,http://h/a/1\n',
      ['http://h/a?id=1 5', 'http://h/a/1', 'http://h/old', 'http://h/new', 'http://h/a/1 5'],
    ],
    [
      'a list of sketch',
      '{"url":"http://h/a?id=1","status":200,"size":5,"canonical":"http://h/a/1"}\n' +
        '{"url":"http://h/old","status":301,"redirect":"http://h/new","canonical":null}\n{"url":"http://h/b","status":200}\n',
      ['http://h/a?id=1 5', 'http://h/a/1', 'http://h/old', 'http://h/new', 'http://h/b'],
    ],
    [
      'Common Crawl, tabs',
      'url\tfetch_status\tfetch_redirect\nhttp://h/a\t200\t\nhttp://h/b\t308\thttp://h/c\nhttp://h/d\t302\thttp://h/e\n',
      ['http://h/a', 'http://h/b', 'http://h/c'],
    ],
    ['a path', 'url\thost\tcanonical\n/a?x\th\t/a\n', ['http://h/a?x', 'http://h/a']],
    ['a path beside a full URL', 'url\tcanonical\nhttp://h/a?x\t/a\n', ['http://h/a?x', 'http://h/a']],
    [
      'no URL',
      'url\tcanonical\thost\n/a\t-\th\n/b\tnone\th\n/c\tmailto:x\th\n',
      ['http://h/a', 'http://h/b', 'http://h/c'],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await urlsOf(text)).toEqual(expected);
    const { summary } = await read(text);
    expect(summary.records).toBeLessThanOrEqual(summary.lines);
  });

  test.each([
    ['/x/', 'https://h:8080/x/'],
    ['//i/x', 'https://i/x'],
    ['?z=1', 'https://h:8080/a/b?z=1'],
    ['./x', 'https://h:8080/a/x'],
    ['../x', 'https://h:8080/x'],
    ['x.html', 'https://h:8080/a/x.html'],
    ['x/y?q=/', 'https://h:8080/a/x/y?q=/'],
    ['http://i', 'http://i/'],
    ['#top', null],
    ['none', null],
    ['N/A', null],
    ['["http://i/"]', null],
    ['{"href":"/x"}', null],
    ['mailto:x@h', null],
    ['javascript:history.back()', null],
    ['/\u0001', null],
    ['//', null],
    ['http://', null],
    [`/${'x'.repeat(9000)}`, null],
    ['/\u00e9', 'https://h:8080/%C3%A9'],
  ])('the target %j leads to %j', async (target, url) => {
    const text = `url\tcanonical\nhttps://h:8080/a/b?c=/d\t${target}\n`;
    const urls = await urlsOf(text, { normalize: 'safe' });
    expect(urls).toEqual(['https://h:8080/a/b?c=/d', ...(url === null ? [] : [url])]);
  });

  test('by --columns', async () => {
    expect(await urlsOf('url\tleads\n/a\t/b\n', { columns: { redirect: 'leads' } })).toEqual(['/a', '/b']);
  });

  test('batches have room for them', async () => {
    const lines = Array.from({ length: 9000 }, (_, k) => `/p${k}?x\t/p${k}\n`);
    expect((await urlsOf(`url\tcanonical\n${lines.join('')}`)).length).toBe(18_000);
  });
});
