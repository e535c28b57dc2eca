// Full URLs among the paths of a server's log.
import { expect, test } from 'vitest';
import { read } from './reading.js';

const line = (target: string, answer = '200 512') =>
  `10.0.0.1 - - [20/Nov/2025:04:00:00 +0000] "GET ${target} HTTP/1.1" ${answer}\n`;
const paths = ['/a', '/b', '/c', '/d'].map((path) => line(path)).join('');
const at = (host: string, log: string) => log.replace(/^(?=.)/gm, `${host} `);
const full = line('http://other.example/x') + line('http://www.example.com/e') + line('HTTP://EXAMPLE.com:8080?q=1');

/** The URLs beyond those of the paths, what was dropped, and the form of all. */
async function among(log: string, base: string | null = null) {
  const { rows, summary, urlForm } = await read(log, { base, normalize: 'safe' });
  return { urls: rows.slice(4).map(({ url }) => url), dropped: summary.dropped, urlForm };
}

test('without a host in the log or in the options, no full URL is known to be of the server', async () => {
  expect(await among(paths + full)).toEqual({ urls: [], dropped: { 'foreign-host': 3 }, urlForm: 'path' });
});

test('with a base, those of its host are read as paths, with or without www', async () => {
  const own = ['https://www.example.com/e', 'http://example.com:8080/?q=1'];
  const expected = { urls: own, dropped: { 'foreign-host': 1 }, urlForm: 'absolute' };
  expect(await among(paths + full, 'https://www.example.com')).toEqual(expected);
  expect((await among(paths + full, 'https://example.com/')).dropped).toEqual({ 'foreign-host': 1 });
  expect((await among(paths + full, 'https://example.org')).dropped).toEqual({ 'foreign-host': 3 });
});

test('a URL that ends with its host is the root', async () => {
  expect((await among(paths + line('http://example.com'), 'http://example.com')).urls).toEqual(['http://example.com/']);
});

test('a log with hosts says by itself what is foreign', async () => {
  const log = at('www.example.com:443', paths + full);
  const urls = ['https://www.example.com/e', 'http://example.com:8080/?q=1'];
  expect(await among(log)).toEqual({ urls, dropped: { 'foreign-host': 1 }, urlForm: 'absolute' });
});

test('all count in the log of a proxy, which has more of them than paths', async () => {
  const proxied = Array.from({ length: 5 }, (_, k) => `http://h${k}.example/`);
  const { urls, dropped } = await among(paths + proxied.map((url) => line(url)).join(''));
  expect({ urls, dropped }).toEqual({ urls: proxied, dropped: {} });
});

test('what is dropped anyway has no say: scanners ask for more than a site has', async () => {
  const refused = Array.from({ length: 9 }, (_, k) => line(`http://h${k}.example/`, '404 12')).join('');
  const { urls, dropped } = await among(paths + refused + line('http://other.example/'));
  expect({ urls, dropped }).toEqual({ urls: [], dropped: { 'client-error': 9, 'foreign-host': 1 } });
});

test('a list of URLs is not a log of requests', async () => {
  const { rows, urlForm } = await read('/a\n/b\n/c\nhttp://other.example/\n');
  expect([rows.length, urlForm]).toEqual([4, 'mixed']);
});

test.each(['*', 'other.example:443', 'ftp://h/a'])('%s is no full URL of a page, as before', async (target) => {
  expect(Object.keys((await among(paths + line(target), 'http://h')).dropped)).not.toContain('foreign-host');
});
