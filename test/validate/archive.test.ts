// Pages from WARC archives keep the contract of every source, and some promises of their own.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import type { Document } from '../../src/sketch/document.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { createArchiveSource } from '../../src/validate/archive.js';
import { locationOf } from '../../src/pages/headers.js';
import type { PageSource } from '../../src/validate/source.js';
import { scratchFolder } from '../cli/process.js';
import { pack, PACKINGS, record, shelfIn, type Composed } from '../log/warc/compose.js';
import { describeSource, type ContractPage } from './source-contract.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const shelf = shelfIn(scratch.path);

const ORIGIN = 'http://www.site.example';
const SITE = 'site.example';
const siteOf = createSiteOf('domain');

/** Pages by their digest alone: sketches do not matter here. */
function documentOf(body: Uint8Array, contentType: string | undefined): Document {
  const digest = createHash('sha256').update(body).digest('hex');
  if (contentType?.startsWith('text/') !== true) return { kind: 'bytes', digest };
  return { kind: 'text', digest, fingerprints: new Float64Array(0), isComplete: true };
}

function isInside(url: string, site: string): boolean {
  const bytes = encodeText(url);
  return siteOf(bytes, 0, bytes.length) === site;
}

async function sourceOver(...files: Buffer[]): Promise<PageSource> {
  return createArchiveSource({ archive: await shelf.open(files), documentOf, isInside });
}

function captured({ path, status, location, body }: ContractPage): Buffer {
  const http = [`HTTP/1.1 ${status} So`, 'Content-Type: text/html; charset=utf-8'];
  if (location !== undefined) http.push(`Location: ${location}`);
  return record({ url: Buffer.from(encodeText(ORIGIN + path)), http, body: body ?? '' });
}

for (const packing of PACKINGS) {
  describeSource(`WARC (${packing})`, async (pages) => {
    const source = await sourceOver(pack(pages.map(captured), packing));
    return { source, site: SITE, url: (path) => ORIGIN + path, close: () => source.close() };
  });
}

describe('an archive', () => {
  test.each<[string, Partial<Composed>, object]>([
    ['of a page', { body: 'x' }, { kind: 'page', document: { kind: 'text' } }],
    ['of a table', { body: 'x', http: ['HTTP/1.1 200 OK', 'Content-Type: Text/CSV; x=1'] }, { type: 'text/csv' }],
    ['of an empty page', { http: ['HTTP/1.1 204 No Content'] }, { kind: 'page', document: { kind: 'bytes' } }],
    ['of a resource', { type: 'resource', http: null, body: 'x' }, { kind: 'page', document: { kind: 'bytes' } }],
    ...[400, 401, 403, 404, 410, 418, 451, 499, 500, 501].map((status): [string, Partial<Composed>, object] => [
      `of a ${status}`,
      { http: [`HTTP/1.1 ${status} No`] },
      { kind: 'missing', reason: 'status', detail: `${status}` },
    ]),
    ...[304, 300, 408, 425, 429, 502, 503, 504, 599, 100].map((status): [string, Partial<Composed>, object] => [
      `of a ${status}`,
      { http: [`HTTP/1.1 ${status} So`] },
      { kind: 'unavailable', reason: 'status', detail: `${status}` },
    ]),
    ['of a page cut by the crawler', { warc: [['WARC-Truncated', 'time']] }, { reason: 'network', detail: 'time' }],
    ['of too long a page', { body: 'x'.repeat((5 << 20) + 1) }, { kind: 'unavailable', reason: 'too-large' }],
    [
      'of a bad coding',
      { http: ['HTTP/1.1 200 OK', 'Content-Encoding: x'] },
      { kind: 'unavailable', reason: 'decoding' },
    ],
    ['of a revisit alone', { type: 'revisit' }, { kind: 'unavailable', reason: 'not-archived' }],
  ])('%s', async (_, made, expected) => {
    const source = await sourceOver(pack([record({ url: `${ORIGIN}/`, ...made })], 'by record'));
    expect(await source.fetch(`${ORIGIN}/`, SITE)).toMatchObject(expected);
    await source.close();
  });

  test('follows redirects from file to file, to another host of the site', async () => {
    const moved = record({ url: `${ORIGIN}/a`, http: ['HTTP/1.1 301 Moved', 'Location: https://m.site.example/b'] });
    const there = record({ url: 'https://m.site.example/b', body: 'there' });
    const source = await sourceOver(pack([moved], 'by record'), there);
    expect(await source.fetch(`${ORIGIN}/a`, SITE)).toMatchObject({
      kind: 'page',
      finalUrl: 'https://m.site.example/b',
    });
    await source.close();
  });

  test('has no answer if a redirect leads to a page that is not archived', async () => {
    const moved = record({ url: `${ORIGIN}/a`, http: ['HTTP/1.1 301 Moved', 'Location: /b'] });
    const source = await sourceOver(moved);
    expect(await source.fetch(`${ORIGIN}/a`, SITE)).toEqual({
      kind: 'unavailable',
      reason: 'not-archived',
      detail: `${ORIGIN}/b`,
    });
    await source.close();
  });

  test('leaves no file in the scratch folder', async () => {
    const source = await sourceOver(pack([record({ body: 'x' }), record({ body: 'y' })], 'as one'));
    expect(readdirSync(scratch.path).filter((name) => !name.endsWith('.warc'))).toEqual([]);
    await source.close();
  });
});

// RFC 3986, 5.4, and what it leaves out.
test.each([
  ['g', 'http://a/b/c/g'],
  ['./g', 'http://a/b/c/g'],
  ['g/', 'http://a/b/c/g/'],
  ['/g', 'http://a/g'],
  ['//g', 'http://g/'],
  ['?y', 'http://a/b/c/d;p?y'],
  ['g?y', 'http://a/b/c/g?y'],
  ['#s', 'http://a/b/c/d;p?q'],
  ['g#s', 'http://a/b/c/g'],
  [';x', 'http://a/b/c/;x'],
  ['g;x?y#s', 'http://a/b/c/g;x?y'],
  ['.', 'http://a/b/c/'],
  ['..', 'http://a/b/'],
  ['../..', 'http://a/'],
  ['../../../g', 'http://a/g'],
  ['g?y/../x', 'http://a/b/c/g?y/../x'],
  ['HTTPS://H:443', 'https://h/'],
  ['mailto:x@y', 'mailto:x@y'],
  ['\udce4?%7e', 'http://a/b/c/%E4?~'],
  [' g\t', 'http://a/b/c/g'],
])('a Location of "%s" leads to %s', (location, target) => {
  expect(locationOf(location, 'http://a/b/c/d;p?q')).toBe(target);
});

test.each([
  ['x', 'http://a', 'http://a/x'],
  ['?y', 'http://a', 'http://a/?y'],
  ['x', 'http://a?q=/z/', 'http://a/x'],
])('a Location of "%s" at %s, without path, leads to %s', (location, base, target) => {
  expect(locationOf(location, base)).toBe(target);
});
