import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSiteOf, type SitePolicy } from '../../src/url/public-suffix.js';
import { createSiteFinder } from '../../src/url/site-finder.js';
import { amount } from '../amount.js';

function siteOf(policy: SitePolicy, url: string): string {
  const bytes = Buffer.from(`<${url}>`);
  return createSiteOf(policy)(bytes, 1, bytes.length - 1);
}

test.each([
  ['http://www.example.com/a', 'example.com'],
  ['https://WWW.Example.co.uk:8443/?http://x.org/', 'example.co.uk'],
  ['http://a.alice.github.io/', 'alice.github.io'],
  ['http://github.io/', 'github.io'],
  ['http://user@www.example.com', 'example.com'],
  ['http://www.example.com./', 'example.com'],
  ['http://my_host.example.com/', 'example.com'],
  ['http://127.0.0.1:8080/', '127.0.0.1'],
  ['http://[2001:DB8::1]:80/', '[2001:db8::1]'],
  ['http://LOCALHOST:3000/', 'localhost'],
  ['http://intranet/', 'intranet'],
  ['/path', ''],
  ['no url', ''],
])('the domain of %s is "%s"', (url, site) => {
  expect(siteOf('domain', url)).toBe(site);
});

test.each([
  ['http://WWW.Example.com/a', 'www.example.com'],
  ['http://u:p@h.de:80/', 'h.de'],
  ['https://h.de:443', 'h.de'],
  ['https://h.de:80', 'h.de:80'],
  ['http://h.de:443?x', 'h.de:443'],
  ['http://[::1]:81/', '[::1]:81'],
  ['//path', ''],
])('the host of %s is "%s"', (url, site) => {
  expect(siteOf('host', url)).toBe(site);
});

test('with `all` everything is one site', () => {
  expect([siteOf('all', 'http://h/'), siteOf('all', '/x'), siteOf('all', '')]).toEqual(['*', '*', '*']);
});

test('more hosts than the cache holds get the same answers as without it', () => {
  const known = createSiteOf('host');
  for (let round = 0; round < 2; round++) {
    for (let k = 0; k < 10_000; k++) {
      const url = Buffer.from(`http${k % 3 === 0 ? 's' : ''}://h${k}.de:443/`);
      expect(known(url, 0, url.length)).toBe(k % 3 === 0 ? `h${k}.de` : `h${k}.de:443`);
    }
  }
});

test('the cached answer for a host outlives the buffer that the host was in', () => {
  const siteOf = createSiteOf('host');
  const buffer = Buffer.alloc(40);
  const hosts = Array.from({ length: 300 }, (_, k) => `h${k % 100}.test`);
  for (const host of hosts) {
    // As readers do: one buffer, overwritten by every batch.
    const end = buffer.write(`http://${host}/x`, 'latin1');
    expect(siteOf(buffer, 0, end)).toBe(host);
  }
});

test('whatever came before, the answer is that of a finder that has seen nothing', () => {
  const host = fc.oneof(
    fc.constantFrom('a.de', 'A.de', 'b.de', 'a.de.', 'a.de:80', 'a.de:443', 'u@a.de', '[::1]', ''),
    fc.integer({ min: 110, max: 300 }).map((length) => `${'h'.repeat(length)}.de`),
  );
  const url = fc
    .tuple(fc.constantFrom('http', 'https', 'ftp', 'x'.repeat(261)), host, fc.constantFrom('', '/', '/a', '?a/', '#'))
    .map(([scheme, name, rest]) => `${scheme}://${name}${rest}`);
  fc.assert(
    fc.property(fc.array(url), fc.constantFrom('domain', 'host'), fc.constantFrom(1, 4), (urls, policy, remembered) => {
      const upper = (name: string) => name.toUpperCase();
      const [known, fresh] = [createSiteFinder(policy, upper, remembered), () => createSiteFinder(policy, upper)];
      const buffer = Buffer.alloc(1000);
      for (const each of urls) {
        const end = buffer.write(each, 1, 'latin1') + 1;
        expect(known(buffer, 1, end)).toBe(fresh()(buffer, 1, end));
      }
    }),
    { numRuns: amount(1000) },
  );
});
