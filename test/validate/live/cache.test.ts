import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineStore } from '../../../src/base/line-store.js';
import type { Document } from '../../../src/sketch/document.js';
import {
  createFetchCache,
  MAX_CACHE_LINE,
  type FetchCache,
  type KeptAnswer,
} from '../../../src/validate/live/cache.js';
import type { LiveOptions } from '../../../src/validate/live/settings.js';
import { documentOf as documentOfPage } from '../../../src/sketch/page.js';
import { Judge } from '../../../src/validate/judge.js';
import { scratchFolder } from '../../cli/process.js';
import { wordsOf } from '../../sketch/sample.js';
import { byPath, closeSources, quickClock, redirect, serve, SITE, sourceOf, textPage, type Site } from './site.js';

let folder: ReturnType<typeof scratchFolder>;
let path: string;
const sites: Site[] = [];

beforeEach(() => {
  folder = scratchFolder();
  path = join(folder.path, 'fetched.jsonl');
});

afterEach(async () => {
  await closeSources();
  await Promise.all(sites.splice(0).map((site) => site.close()));
  folder.remove();
});

function openCache(now = 10, maxAgeSeconds = 0): FetchCache {
  return createFetchCache(new LineStore(path, MAX_CACHE_LINE), { form: 'w4', now, maxAgeSeconds });
}

async function siteOf(answer: RequestListener): Promise<Site> {
  const site = await serve(answer);
  sites.push(site);
  return site;
}

describe('a second run', () => {
  const clock = quickClock();

  /** Fetches these in a new run. */
  async function run(urls: readonly string[], options: Partial<LiveOptions> = {}) {
    const source = sourceOf({ cache: openCache(clock.now()), clock, ...options });
    const results = [];
    for (const url of urls) results.push(await source.fetch(url, SITE));
    await source.close();
    return { results, requests: source.requests };
  }

  it('sends no request for what the first one found: pages, redirects, missing pages, robots.txt', async () => {
    const site = await siteOf(
      byPath({
        '/u': redirect('/v'),
        '/v': 'x y z',
        '/robots.txt': 'User-agent: *\nDisallow: /no',
        '/b': (_q, r) => r.end('\0'),
      }),
    );
    const urls = ['/u', '/v', '/gone', '/no', '/b'].map((part) => site.origin() + part);
    const first = await run(urls);
    expect(first.results.map((result) => result.kind)).toEqual(['page', 'page', 'missing', 'unavailable', 'page']);
    const second = await run(urls);
    expect(second.results).toEqual(first.results);
    expect(site.paths).toHaveLength(4);
    expect([first.requests, second.requests]).toEqual([5, 0]);
  });

  it('requests again what was unavailable', async () => {
    let status = 503;
    const site = await siteOf(byPath({ '/a': (_request, response) => response.writeHead(status).end('x') }));
    expect(await run([`${site.origin()}/a`])).toMatchObject({ results: [{ kind: 'unavailable' }] });
    expect(readFileSync(path, 'utf8')).not.toContain('unavailable');
    status = 200;
    expect(await run([`${site.origin()}/a`])).toMatchObject({ results: [{ kind: 'page' }], requests: 1 });
  });

  it('revalidates old answers, and takes new ones', async () => {
    let etag = '"1"';
    const asked: (string | undefined)[][] = [];
    const modified = 'Thu, 01 Jan 2026 00:00:00 GMT';
    const site = await siteOf(
      byPath({
        '/a': (request, response) => {
          asked.push([request.headers['if-none-match'], request.headers['if-modified-since']]);
          response.setHeader('etag', etag).setHeader('last-modified', modified).setHeader('content-type', 'text/html');
          if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
          else response.end(`page of ${etag}`);
        },
      }),
    );
    const urls = [`${site.origin()}/a`];
    const first = await run(urls, { maxAgeSeconds: 60 });
    clock.pass(59_000);
    expect((await run(urls, { maxAgeSeconds: 60 })).requests).toBe(0);
    clock.pass(60_000);
    expect(await run(urls, { maxAgeSeconds: 60 })).toEqual({ results: first.results, requests: 1 });
    // The answer counts as fresh again.
    clock.pass(59_000);
    expect((await run(urls, { maxAgeSeconds: 60 })).requests).toBe(0);
    clock.pass(60_000);
    etag = '"2"';
    expect((await run(urls, { maxAgeSeconds: 60 })).results).toMatchObject([{ document: textPage('page of "2"') }]);
    expect(asked).toEqual([
      [undefined, undefined],
      ['"1"', modified],
      ['"1"', modified],
    ]);
  });

  it('requests robots.txt again after a day, and until then uses the cached one', async () => {
    let robots = '';
    const site = await siteOf(byPath({ '/a': 'x', '/b': 'x', '/robots.txt': (_q, r) => r.end(robots) }));
    await run([`${site.origin()}/a`]);
    robots = 'User-agent: *\nDisallow: /';
    clock.pass(23 * 3_600_000);
    expect(await run([`${site.origin()}/b`])).toMatchObject({ results: [{ kind: 'page' }], requests: 1 });
    clock.pass(2 * 3_600_000);
    expect(await run([`${site.origin()}/c`])).toMatchObject({ results: [{ reason: 'robots' }], requests: 1 });
    expect(await run([`${site.origin()}/a`])).toMatchObject({ results: [{ kind: 'page' }], requests: 0 });
  });

  it('does not trust the robots.txt of a failing server, nor of a wrong clock', async () => {
    let status = 500;
    const site = await siteOf(byPath({ '/a': 'x', '/robots.txt': (_q, r) => r.writeHead(status).end() }));
    expect(await run([`${site.origin()}/a`])).toMatchObject({ results: [{ reason: 'robots' }], requests: 1 });
    status = 404;
    const future = quickClock(clock.now() + 1e10);
    expect(await run([`${site.origin()}/a`], { clock: future })).toMatchObject({
      results: [{ kind: 'page' }],
      requests: 2,
    });
    expect(await run([`${site.origin()}/a`])).toMatchObject({ results: [{ kind: 'page' }], requests: 2 });
  });

  it('gives no answers after it is closed', async () => {
    const site = await siteOf(byPath({ '/a': 'x' }));
    await run([`${site.origin()}/a`]);
    const source = sourceOf({ cache: openCache(clock.now()), clock });
    await source.close();
    expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('continues where the first one was cut short', async () => {
    const site = await siteOf(byPath(Object.fromEntries(Array.from({ length: 20 }, (_, k) => [`/${k}`, `page ${k}`]))));
    const urls = Array.from({ length: 20 }, (_, k) => `${site.origin()}/${k}`);
    await run(urls, { maxRequests: 8 });
    writeFileSync(path, readFileSync(path).subarray(0, -20));
    const second = await run(urls);
    expect(new Set(second.results.map((result) => result.kind))).toEqual(new Set(['page']));
    expect(second.requests).toBe(14); // 20 minus the 7 that came through, and one that was cut off
  });

  it('does not send an invalid header from the cache', async () => {
    const site = await siteOf(byPath({ '/a': 'x' }));
    const cache = openCache(clock.now());
    const kept = {
      kind: 'page',
      status: 200,
      document: textPage('old'),
      etag: 'a\r\nX-Evil: 1',
      modified: 'ü€',
    } as const;
    cache.keep(`${site.origin()}/a`, kept, clock.now() - 8 * 86_400_000);
    cache.close();
    expect(await run([`${site.origin()}/a`])).toMatchObject({ results: [{ document: textPage('x') }] });
    expect(site.requests.at(-1)!.headers).not.toHaveProperty('x-evil');
    expect(site.requests.at(-1)!.headers).not.toHaveProperty('if-none-match');
  });
});

describe('pages of earlier runs beside pages of today', () => {
  const clock = quickClock();
  const DAY = 86_400_000;
  const open = () => sourceOf({ cache: openCache(clock.now()), clock, documentOf: documentOfPage });
  const list = (visits: number) =>
    `<ul>${Array.from({ length: 20 }, (_, k) => `<li>${wordsOf(`item${k}x`, 12)} seen by ${visits + k} visitors`).join('')}</ul>`;

  async function judged(u: string, v: string) {
    const source = open();
    const judge = new Judge({ source, siteOf: () => SITE, base: '', signal: new AbortController().signal });
    const { kind } = await judge.judge(u, v);
    await source.close();
    return kind;
  }

  it('a kept page is fetched anew when it differs from one of today', async () => {
    let visits = 100;
    const answer: RequestListener = (_q, r) => r.setHeader('content-type', 'text/html').end(list(visits));
    const site = await siteOf(byPath({ '/list': answer, '/list?from=mail': answer, '/list?from=feed': answer }));
    const [plain, mail, feed] = ['/list', '/list?from=mail', '/list?from=feed'].map((path) => site.origin() + path);
    expect(await judged(plain!, mail!)).toBe('positive');
    expect(site.paths).toHaveLength(2);
    clock.pass(DAY);
    visits = 2000;
    expect(await judged(feed!, plain!)).toBe('positive');
    expect(site.paths.slice(2)).toEqual(['/list?from=feed', '/list']);
    // Two kept pages, one of them a day older: both are fetched, that too only once.
    visits = 30_000;
    expect(await judged(mail!, plain!)).toBe('positive');
    expect(site.paths.slice(4)).toEqual(['/list?from=mail', '/list']);
    expect(await judged(mail!, plain!)).toBe('positive');
    expect(site.paths).toHaveLength(6);
  });

  it('is not asked for where it is alike, or has nothing in common', async () => {
    const site = await siteOf(byPath({ '/a': list(1), '/b': wordsOf('other', 300), '/a?x': list(1), '/b?x': list(1) }));
    const [a, b] = [`${site.origin()}/a`, `${site.origin()}/b`];
    await judged(a, b);
    clock.pass(DAY);
    expect([await judged(`${a}?x`, a), await judged(`${b}?x`, b)]).toEqual(['positive', 'negative']);
    expect(site.paths.slice(2)).toEqual(['/a?x', '/b?x']);
  });

  it('stays when the site does not answer', async () => {
    let status = 200;
    const site = await siteOf(
      byPath({ '/a': (_q, r) => r.writeHead(status, { 'content-type': 'text/html' }).end('x') }),
    );
    const url = `${site.origin()}/a`;
    const first = open();
    const page = await first.fetch(url, SITE);
    expect(first.keptAt!(url)).toBeUndefined();
    expect(first.answered).toEqual({ site: 1, cache: 0, oldest: undefined });
    await first.close();
    const kept = clock.now();
    clock.pass(DAY);
    status = 503;
    const second = open();
    expect(await second.fetch(url, SITE)).toEqual(page);
    expect(second.keptAt!(url)).toBe(kept);
    expect(second.answered).toEqual({ site: 0, cache: 1, oldest: kept });
    expect(await second.renew!(url, SITE)).toEqual(page);
    expect(await second.renew!(url, SITE)).toEqual(page);
    expect(site.paths).toHaveLength(2);
    await second.close();
  });
});

describe('the text of pages', () => {
  const sentence = 'Contact Annemarie Schmidt about invoice 7712345 before Wednesday; her password is swordfish.';
  const page = (own: string) =>
    `<h1>${sentence}</h1><p>${wordsOf('filler', 300)}<p>${own} 今日は良い天気ですね 2 hours ago`;
  /** Everything in the folder: as it is, base64 decoded, and inflated. */
  const contents = () =>
    readdirSync(folder.path).flatMap((name) => {
      const raw = readFileSync(join(folder.path, name));
      const decoded = (raw.toString('latin1').match(/[\w+/=-]{8,}/g) ?? []).map((text) => Buffer.from(text, 'base64'));
      return [raw, ...decoded, ...decoded.map(inflated)].map((bytes) => bytes.toString('utf8').toLowerCase());
    });
  const inflated = (bytes: Buffer) => {
    try {
      return inflateRawSync(bytes);
    } catch {
      return Buffer.alloc(0); // no deflated data
    }
  };

  it('is in no file, also where it is compared with pages of a later run', async () => {
    const html = (own: string): RequestListener => {
      return (_q, r) => r.setHeader('content-type', 'text/html').end(page(own));
    };
    const site = await siteOf(
      byPath({
        '/a?id=7': html('Permalink: /a?id=7'),
        '/a': html('Permalink: /a'),
        '/b': html(wordsOf('other', 300)),
        '/robots.txt': html('Annemarie: Disallow: everything'),
      }),
    );
    const clock = quickClock();
    const [echo, plain, other] = ['/a?id=7', '/a', '/b'].map((path) => site.origin() + path);
    const judged = async () => {
      const source = sourceOf({ cache: openCache(clock.now()), clock, documentOf: documentOfPage });
      const judge = new Judge({ source, siteOf: () => SITE, base: '', signal: new AbortController().signal });
      const kinds = [await judge.judge(echo!, plain!), await judge.judge(echo!, other!)].map(({ kind }) => kind);
      await source.close();
      return { kinds, requests: source.requests };
    };
    expect(await judged()).toEqual({ kinds: ['positive', 'negative'], requests: expect.any(Number) as number });
    expect(await judged()).toEqual({ kinds: ['positive', 'negative'], requests: 0 });
    const texts = contents();
    const words = (
      page('')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).filter((word) => word.length > 5);
    expect(words).toContain('swordfish');
    expect(words).toContain('7712345');
    for (const word of words) expect(texts.filter((text) => text.includes(word))).toEqual([]);
    expect(texts.some((text) => /[a-z]{4}\d{5} [a-z]{4}\d{5}/.test(text))).toBe(true); // the veiled filler
  });

  it('of an older version is gone once the file is opened', () => {
    writeFileSync(path, `{"v":1,"form":"db1-w4","url":"http://h/","time":9,"kind":"robots","text":"${sentence}"}\n`);
    openCache().close();
    expect(readFileSync(path, 'utf8')).toBe('');
  });
});

describe('the cache file', () => {
  const fingerprints = fc
    .uniqueArray(fc.nat(2 ** 40 - 1), { maxLength: 50 })
    .map((list) => Float64Array.from(list).sort());
  const digest = fc.string({ unit: fc.constantFrom('0', '7', 'a', 'f'), minLength: 64, maxLength: 64 });
  const document: fc.Arbitrary<Document> = fc.oneof(
    fc.record({ kind: fc.constant('bytes' as const), digest }),
    fc.record({ kind: fc.constant('text' as const), digest, fingerprints, isComplete: fc.boolean() }),
  );
  const header = fc.string({ unit: 'binary', maxLength: 20 });
  const kept: fc.Arbitrary<KeptAnswer> = fc.oneof(
    fc.record(
      {
        kind: fc.constant('page' as const),
        status: fc.constant(200),
        document,
        type: header,
        etag: header,
        modified: header,
      },
      { requiredKeys: ['kind', 'status', 'document'] },
    ),
    fc.record({ kind: fc.constant('redirect' as const), status: fc.constant(301), to: header }),
    fc.record({ kind: fc.constant('missing' as const), status: fc.nat(599) }),
  );

  it('returns the last answer stored for each URL', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('http://h/a', 'http://h/b?é"\n', 'http://h/c'), kept)),
        (entries) => {
          writeFileSync(path, '');
          const first = openCache();
          for (const [index, [url, answer]] of entries.entries()) first.keep(url, answer, index);
          first.close();
          const second = openCache();
          const last = new Map<string, unknown>(
            entries.map(([url, answer], index) => [url, { kept: answer, time: index }]),
          );
          for (const url of ['http://h/a', 'http://h/b?é"\n', 'http://h/c'])
            expect(second.find(url)).toEqual(last.get(url));
          expect(second.ignoredLines).toBe(0);
          second.close();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps the largest and the smallest fingerprint, and 4096 of them', () => {
    const many = Float64Array.from({ length: 4096 }, (_, k) => k * 268_435_457);
    many[4095] = 2 ** 40 - 1;
    const page = {
      kind: 'page',
      status: 200,
      document: { kind: 'text', digest: '', fingerprints: many, isComplete: false },
    } as const;
    const first = openCache();
    first.keep('u', page, 1);
    first.close();
    const second = openCache();
    expect(second.find('u')).toEqual({ kept: page, time: 1 });
    second.close();
    expect(readFileSync(path).length).toBeLessThan(28_000);
  });

  const whole = () => {
    writeFileSync(path, '');
    const cache = openCache();
    cache.keep('http://h/a', { kind: 'page', status: 200, document: textPage('one two three') }, 5);
    cache.keep('http://h/b', { kind: 'redirect', status: 301, to: 'http://h/a' }, 6);
    cache.keep('http://h/c', { kind: 'missing', status: 404 }, 7);
    cache.close();
    return readFileSync(path);
  };

  it('is usable wherever it was cut off', () => {
    const bytes = whole();
    const ends = [...bytes.keys()].filter((at) => bytes[at] === 10);
    for (let cut = 0; cut < bytes.length; cut += 7) {
      writeFileSync(path, bytes.subarray(0, cut));
      const cache = openCache();
      const found = ['http://h/a', 'http://h/b', 'http://h/c'].filter((url) => cache.find(url) !== undefined).length;
      const complete = ends.filter((end) => end <= cut).length;
      expect(found).toBe(complete);
      expect(cache.ignoredLines).toBe(cut === 0 || bytes[cut - 1] === 10 || ends.includes(cut) ? 0 : 1);
      cache.keep('http://h/d', { kind: 'missing', status: 410 }, 8);
      cache.close();
      const again = openCache();
      expect(again.find('http://h/d')).toEqual({ kept: { kind: 'missing', status: 410 }, time: 8 });
      again.close();
    }
  });

  it.each([
    ['no JSON', 'hello'],
    ['another thing', '[1,2]'],
    ['nothing', 'null'],
    ['of a version with text', '{"v":1,"form":"w4","url":"http://h/x","time":1,"kind":"missing","status":404}'],
    ['of other documents', '{"v":2,"form":"w9","url":"http://h/x","time":1,"kind":"missing","status":404}'],
    ['of an unknown kind', '{"v":2,"form":"w4","url":"http://h/x","time":1,"kind":"odd","status":404}'],
    ['without time', '{"v":2,"form":"w4","url":"http://h/x","kind":"missing","status":404}'],
    ['without document', '{"v":2,"form":"w4","url":"http://h/x","time":1,"kind":"page","status":200}'],
    ...['AAAA', 'AAAAAAEAAAAAAQ==', 'AAAAAAIAAAAAAQ=='].map((packed): [string, string] => [
      `with fingerprints ${packed}`,
      `{"v":2,"form":"w4","url":"http://h/x","time":1,"kind":"page","status":200,"document":{"kind":"text","digest":"","isComplete":true,"fingerprints":"${packed}"}}`,
    ]),
    ['far too long', 'x'.repeat(5 << 20)],
  ])('loses a line that is %s, and counts it', (_name, line) => {
    const bytes = whole();
    appendFileSync(path, `${line}\n`);
    const cache = openCache();
    expect(cache.ignoredLines).toBe(1);
    expect(cache.find('http://h/x')).toBeUndefined();
    expect(cache.find('http://h/c')).toBeDefined();
    cache.close();
    expect(readFileSync(path)).toEqual(bytes);
  });

  const DAY = 86_400_000;
  const agesKept = (maxAgeDays: number) => {
    const first = openCache(100 * DAY);
    for (const age of [0, 29, 31, 59, 61, -29, -31])
      first.keep(`http://h/${age}`, { kind: 'missing', status: 404 }, (100 - age) * DAY);
    for (const age of [0.9, 1.1])
      first.keep(`http://h${age}`, { kind: 'robots', status: 200, text: '' }, (100 - age) * DAY);
    first.close();
    openCache(100 * DAY, maxAgeDays * 86_400).close();
    return readFileSync(path, 'utf8').match(/(?<="url":"http:\/\/h)[^"]*/g);
  };

  it('loses answers after thirty days, and a robots.txt after one', () => {
    expect(agesKept(7)).toEqual(['/0', '/29', '/-29', '0.9']);
  });

  it('keeps answers longer if they may be used longer', () => {
    expect(agesKept(60)).toEqual(['/0', '/29', '/31', '/59', '/-29', '/-31', '0.9']);
  });

  it('is rewritten once more than half of its lines are superseded', () => {
    const sizes: number[] = [];
    for (let runs = 0; runs < 5; runs++) {
      const cache = openCache();
      for (const url of ['a', 'b', 'c']) cache.keep(url, { kind: 'missing', status: 400 + runs }, runs);
      cache.close();
      sizes.push(readFileSync(path, 'utf8').split('\n').length - 1);
    }
    expect(sizes).toEqual([3, 6, 9, 6, 9]);
    const cache = openCache();
    expect(['a', 'b', 'c'].map((url) => cache.find(url))).toEqual(
      Array(3).fill({ kept: { kind: 'missing', status: 404 }, time: 4 }),
    );
    cache.close();
  });

  it('distinguishes a page from the robots.txt of its origin', () => {
    const first = openCache();
    first.keep('http://h', { kind: 'robots', status: 200, text: 'caf\xe9' }, 10);
    first.keep('http://h/', { kind: 'missing', status: 404 }, 10);
    first.close();
    const cache = openCache();
    expect(cache.find('http://h')).toBeUndefined();
    expect(cache.find('http://h/')).toBeDefined();
    expect(cache.findRobots('http://h/', 10, 100)).toBeUndefined();
    expect(cache.findRobots('http://h', 110, 100)).toMatchObject({ text: 'caf\xe9' });
    expect(cache.findRobots('http://h', 111, 100)).toBeUndefined();
    expect(cache.findRobots('http://h', 9, 100)).toBeUndefined();
    cache.close();
  });
});
