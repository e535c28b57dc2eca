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
    ['no path beside a full URL', 'url\tcanonical\nhttp://h/a?x\t/a\n', ['http://h/a?x']],
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

  test('by --columns', async () => {
    expect(await urlsOf('url\tleads\n/a\t/b\n', { columns: { redirect: 'leads' } })).toEqual(['/a', '/b']);
  });

  test('batches have room for them', async () => {
    const lines = Array.from({ length: 9000 }, (_, k) => `/p${k}?x\t/p${k}\n`);
    expect((await urlsOf(`url\tcanonical\n${lines.join('')}`)).length).toBe(18_000);
  });
});
