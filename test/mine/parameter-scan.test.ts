// One pass over a URL gives its parameters, and its hash without each of them: the same as `url/fields`, byte for byte.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countNames } from '../../src/mine/parameter-names.js';
import { placeIn, Places } from '../../src/mine/parameter-places.js';
import { MAX_NAMES, UrlScan } from '../../src/mine/parameter-scan.js';
import { emptyFields, isParameter, splitFields, withoutParameter } from '../../src/url/fields.js';
import { hostStart } from '../../src/url/form.js';
import { siteUrlsOf, urlAt } from '../url-list.js';
import { amount } from '../amount.js';

const pieces = 'a=1 a=2 a b=1 b = =x a= ab=1 a=& c=# a=? b=http://h/?a=1 é=1 A=1'.split(' ');
const piece = fc.constantFrom('', ...pieces);
const separator = fc.constantFrom('?', '?', '&', '&', '&', ';', ';', '/', '//');
const start = fc.constantFrom('/p', '/', 'http://h', 'HTTPS://h:8/x', 'http://h;a=1/x', 'httpx://h', '/http://h');
const anyUrl = fc
  .tuple(start, fc.array(fc.tuple(separator, piece), { maxLength: 7 }))
  .map(([origin, parts]) => Buffer.from(origin + parts.flat().join('')).toString('latin1'));

const bytesOf = (url: string) => Buffer.from(url, 'latin1');
const fields = emptyFields();

/** Names in the order of the URL, each once, at the first valid field. */
function namesOf(url: string): Map<string, number> {
  const bytes = bytesOf(url);
  splitFields(bytes, fields);
  const names = new Map<string, number>();
  for (let field = 0; field < fields.count; field++) {
    const text = url.slice(fields.start[field], fields.end[field]);
    const name = url.slice(fields.start[field], fields.nameEnd[field]);
    if (isParameter(fields, field) && !/[&#]/.test(text) && !names.has(name)) names.set(name, fields.start[field]!);
  }
  return names;
}

const without = (url: string, name: string) => {
  const bytes = bytesOf(url);
  return Buffer.from(withoutParameter(bytes, splitFields(bytes, fields), bytesOf(name))).toString('latin1');
};

test('its parameters are those of url/fields, and its hash without one is the hash of the rest', () => {
  const seen = { simple: 0, several: 0, path: 0, host: 0 };
  const scan = new UrlScan();
  fc.assert(
    fc.property(anyUrl, (url) => {
      const names = namesOf(url);
      const bases = [...names.keys()].map((name) => without(url, name)).filter((base) => base !== '');
      const all = [...new Set([url, ...bases])];
      const urls = siteUrlsOf(all.map((one) => ({ url: one })));
      const hashes = new Map<string, string>();
      for (let row = 0; row < urls.count; row++) {
        scan.readHashed(urls, row);
        hashes.set(urlAt(urls, row), `${scan.hashA} ${scan.hashB}`);
        if (urlAt(urls, row) === url) expect(scan.hasHost).toBe(hostStart(bytesOf(url)) > 0);
      }
      expect(new Set(hashes.values()).size).toBe(all.length);
      const row = Array.from({ length: urls.count }, (_, k) => urlAt(urls, k)).indexOf(url);
      scan.readHashed(urls, row);
      const found = Array.from({ length: scan.count }, (_, k) => [
        url.slice(scan.nameAt[k], scan.nameEnd[k]),
        scan.nameAt[k],
      ]);
      expect(found).toEqual([...names]);
      for (let k = 0; k < scan.count; k++) {
        const base = without(url, found[k]![0] as string);
        scan.hashWithout(k);
        if (base !== '') expect(`${scan.hashA} ${scan.hashB}`).toBe(hashes.get(base));
        seen[scan.isSimple(k) ? 'simple' : 'several']++;
        if (url[scan.nameAt[k]! - 1] === ';') seen.path++;
        if (scan.hasHost) seen.host++;
      }
    }),
    { numRuns: amount(1500), seed: 2 },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(amount(50, 20));
});

test('places give the rest of a URL, whether two are equal without a parameter, and the order of values', () => {
  const seen = { same: 0, other: 0, values: 0 };
  fc.assert(
    fc.property(fc.uniqueArray(anyUrl, { minLength: 2, maxLength: 12 }), (list) => {
      const bases = list.flatMap((url) => [...namesOf(url).keys()].map((name) => without(url, name)));
      const all = [...new Set([...list, ...bases.filter((base) => base !== '')])];
      const urls = siteUrlsOf(all.map((url) => ({ url })));
      const { names } = countNames(
        urls,
        { paramMinUrls: 1 },
        { memoryBytes: 1 << 20, tmpdir: tmpdir(), stats: { runs: 0, bytes: 0 } },
      );
      const places = new Places(urls, names);
      const scan = new UrlScan();
      const members: { row: number; place: number; name: number; base: string; value: string }[] = [];
      for (let row = 0; row < urls.count; row++) {
        const url = urlAt(urls, row);
        scan.read(urls, row);
        members.push({ row, place: 0, name: -1, base: url, value: '' });
        for (let k = 0; k < scan.count; k++) {
          const name = url.slice(scan.nameAt[k], scan.nameEnd[k]);
          const value = url.slice(scan.nameEnd[k], scan.end[k]);
          members.push({ row, place: placeIn(scan, k), name: names.find(scan, k), base: without(url, name), value });
        }
      }
      for (const a of members) {
        expect(Buffer.from(places.baseOf(a.row, a.place, a.name)).toString('latin1')).toBe(a.base);
        for (const b of members) {
          const isSame = places.isSameBase(a.row, a.place, a.name, b.row, b.place, b.name);
          expect(isSame).toBe(a.base === b.base);
          seen[isSame ? 'same' : 'other']++;
          if (a.name < 0 || a.name !== b.name) continue;
          const order = places.compareValues(a.row, a.place, b.row, b.place, a.name);
          const expected = a.value.length - b.value.length || Buffer.compare(bytesOf(a.value), bytesOf(b.value));
          expect(Math.sign(order)).toBe(Math.sign(expected));
          if (order !== 0) seen.values++;
        }
      }
    }),
    { numRuns: amount(100, 5), seed: 3 },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(100);
});

test('of a URL with ten thousand names the first ones are considered, with all fields of these names', () => {
  const many = Array.from({ length: 10_000 }, (_, k) => `n${k % 5_000}=${k}`);
  const url = `/x?${many.join('&')}`.slice(0, 60_000);
  const urls = siteUrlsOf([{ url }, { url: without(url, 'n31') }]);
  const scan = new UrlScan();
  const row = urls.lengthOf(0) === url.length ? 0 : 1;
  scan.readHashed(urls, 1 - row);
  const hash = [scan.hashA, scan.hashB];
  scan.readHashed(urls, row);
  expect(scan.count).toBe(MAX_NAMES);
  scan.hashWithout(31);
  expect([scan.hashA, scan.hashB]).toEqual(hash);
});
