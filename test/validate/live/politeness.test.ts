import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { realClock, retryAfterMs } from '../../../src/validate/live/politeness.js';
import { byPath, closeSources, quickClock, redirect, serve, SITE, sourceOf, type Site } from './site.js';

const sites: Site[] = [];

async function siteOf(answer: RequestListener): Promise<Site> {
  const site = await serve(answer);
  sites.push(site);
  return site;
}

afterEach(async () => {
  await closeSources();
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

/** Fetches them one after another; returns the reason of each, or else the kind. */
async function outcomes(source: ReturnType<typeof sourceOf>, urls: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const url of urls) {
    const result = await source.fetch(url, SITE);
    found.push(result.kind === 'unavailable' ? result.reason : result.kind);
  }
  return found;
}

const numbered = (site: Site, count: number) => Array.from({ length: count }, (_, k) => `${site.origin()}/${k}`);

describe('one host', () => {
  it('gets one request at a time, whatever the port and scheme', async () => {
    let inFlight = 0;
    let most = 0;
    const answer: RequestListener = (request, response) => {
      if (request.url === '/robots.txt') return;
      most = Math.max(most, ++inFlight);
      setTimeout(() => {
        inFlight--;
        response.end('x');
      }, 3);
    };
    const [one, two] = [await siteOf(answer), await siteOf(answer)];
    const source = sourceOf();
    const urls = [...numbered(one, 5), ...numbered(two, 5)];
    await Promise.all(urls.map((url) => source.fetch(url, SITE)));
    expect(source.requests).toBe(12);
    expect(most).toBe(1);
  });

  it('is the same with a dot at its end', async () => {
    const clock = quickClock();
    const site = await siteOf(byPath({ '/a': 'x' }));
    const source = sourceOf({ clock, isInside: () => true });
    await outcomes(source, [`${site.origin()}/a`, `${site.origin('www.site.test.')}/a`]);
    expect(source.requests).toBe(4);
    expect(clock.slept).toEqual([1000, 1000, 1000]);
  });

  it('does not hold up another', async () => {
    const held: (() => void)[] = [];
    const site = await siteOf((request, response) => {
      if (request.url === '/robots.txt') return;
      if (request.headers.host!.startsWith('slow.')) held.push(() => response.end('x'));
      else response.end('x');
    });
    const source = sourceOf();
    const slow = source.fetch(`${site.origin('slow.site.test')}/a`, SITE);
    expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'page' });
    expect(held).toHaveLength(1);
    await source.close();
    expect(await slow).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('gets no more than the rate, robots.txt and redirects counted', async () => {
    const clock = quickClock();
    const times: number[] = [];
    const site = await siteOf((request, response) => {
      times.push(clock.now());
      byPath({ '/u': redirect('/v'), '/v': 'x', '/w': 'y' })(request, response);
    });
    const start = clock.now();
    await outcomes(sourceOf({ clock, rate: 4 }), [`${site.origin()}/u`, `${site.origin()}/w`]);
    expect(times.map((time) => time - start)).toEqual([0, 250, 500, 750]);
  });

  it('is not waited for longer than the rest of the interval', async () => {
    const clock = quickClock();
    const site = await siteOf((_request, response) => {
      clock.pass(700);
      response.end('x');
    });
    await outcomes(sourceOf({ clock }), numbered(site, 2));
    expect(clock.slept).toEqual([300, 300]);
  });
});

describe('Retry-After', () => {
  /** Answers the first `times` requests for a page with `status`, later ones with the page. */
  function busy(status: number, retryAfter: () => string, times: number): RequestListener {
    let left = times;
    return (request, response) => {
      if (request.url === '/robots.txt') return;
      if (left-- > 0) response.writeHead(status, { 'retry-after': retryAfter() }).end();
      else response.end('x');
    };
  }

  it.each([429, 503])('of a %i is waited for, and the page is requested again', async (status) => {
    const clock = quickClock();
    const site = await siteOf(busy(status, () => '30', 1));
    expect(await outcomes(sourceOf({ clock }), numbered(site, 1))).toEqual(['page']);
    expect(site.paths).toEqual(['/0', '/0']);
    expect(clock.slept).toEqual([1000, 30_000]);
  });

  it('may be a date', async () => {
    const clock = quickClock();
    const site = await siteOf(busy(503, () => new Date(clock.now() + 45_000).toUTCString(), 1));
    expect(await outcomes(sourceOf({ clock }), numbered(site, 1))).toEqual(['page']);
    expect(clock.slept).toEqual([1000, 45_000]);
  });

  it('delays the next page too, but no page is requested a third time', async () => {
    const clock = quickClock();
    const site = await siteOf(busy(429, () => '10', 2));
    expect(await outcomes(sourceOf({ clock }), numbered(site, 2))).toEqual(['status', 'page']);
    expect(site.paths).toEqual(['/0', '/0', '/1']);
    expect(clock.slept).toEqual([1000, 10_000, 10_000]);
  });

  it('of more than two minutes closes the host', async () => {
    for (const pause of ['121', '99999999999999999999', new Date(Date.UTC(2030, 0)).toUTCString()]) {
      const site = await siteOf(busy(503, () => pause, 1));
      expect(await outcomes(sourceOf(), numbered(site, 3))).toEqual(Array(3).fill('host-given-up'));
      expect(site.paths).toEqual(['/0']);
    }
  });

  it('counts for robots.txt as well', async () => {
    let asked = 0;
    const site = await siteOf((request, response) => {
      if (request.url !== '/robots.txt') response.end('x');
      else if (asked++ === 0) response.writeHead(503, { 'retry-after': '5' }).end();
    });
    expect(await outcomes(sourceOf(), numbered(site, 1))).toEqual(['page']);
  });

  it('of other statuses is ignored', async () => {
    const clock = quickClock();
    const site = await siteOf(busy(502, () => '100', 1));
    expect(await outcomes(sourceOf({ clock }), numbered(site, 2))).toEqual(['status', 'page']);
    expect(clock.slept).toEqual([1000, 1000]);
  });

  it.each([
    ['5', 5000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['5s', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is read as %j ms', (header, ms) => expect(retryAfterMs(header, Date.UTC(2026, 0, 1))).toBe(ms));
});

describe('a host that keeps failing', () => {
  it.each<[string, RequestListener, string]>([
    ['with 500', (_request, response) => response.writeHead(500).end(), 'missing'],
    ['with 503', (_request, response) => response.writeHead(503).end(), 'status'],
    ['with 429', (_request, response) => response.writeHead(429).end(), 'status'],
  ])('%s is closed after five times', async (_name, fail, outcome) => {
    const site = await siteOf((request, response) => {
      if (request.url !== '/robots.txt') fail(request, response);
    });
    const expected = [...Array<string>(5).fill(outcome), 'host-given-up', 'host-given-up'];
    expect(await outcomes(sourceOf(), numbered(site, 7))).toEqual(expected);
    expect(site.paths).toHaveLength(5);
  });

  it('by cutting the connection is closed after five times', async () => {
    const site = await siteOf((request) => {
      if (request.url !== '/robots.txt') request.socket.destroy();
    });
    expect(await outcomes(sourceOf(), numbered(site, 7))).toEqual([
      ...Array(5).fill('network'),
      ...Array(2).fill('host-given-up'),
    ]);
    // The first came on the connection of robots.txt, which might have been closed because of its age.
    expect(site.paths).toEqual(['/0', '/0', '/1', '/2', '/3', '/4']);
  });

  it('only on reused connections is not failing', async () => {
    const used = new Set<unknown>();
    const site = await siteOf((request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      if (request.url !== '/robots.txt') response.end('x');
    });
    expect(await outcomes(sourceOf(), numbered(site, 7))).toEqual(Array(7).fill('page'));
    expect(site.paths).toEqual(['/0', '/0', '/1', '/1', '/2', '/2', '/3', '/3', '/4', '/4', '/5', '/5', '/6', '/6']);
  });

  it('stays open if there was an answer in between, even if it was 404', async () => {
    const site = await siteOf((request, response) => {
      const isFifth = Number(request.url!.slice(1)) % 5 === 4;
      if (request.url !== '/robots.txt') response.writeHead(isFifth ? 404 : 502).end();
    });
    const found = await outcomes(sourceOf(), numbered(site, 20));
    expect(found.filter((outcome) => outcome === 'status')).toHaveLength(16);
    expect(found.filter((outcome) => outcome === 'missing')).toHaveLength(4);
  });

  it('does not affect another host, and its queue does not wait', async () => {
    const clock = quickClock();
    const site = await siteOf((request, response) => {
      if (request.headers.host!.startsWith('b.')) response.end('x');
      else if (request.url !== '/robots.txt') response.writeHead(502).end();
    });
    const source = sourceOf({ clock });
    const results = await Promise.all(numbered(site, 50).map((url) => source.fetch(url, SITE)));
    expect(results.filter((result) => result.kind === 'unavailable' && result.reason === 'host-given-up')).toHaveLength(
      45,
    );
    expect(clock.slept).toHaveLength(5);
    expect(await source.fetch(`${site.origin('b.site.test')}/a`, SITE)).toMatchObject({ kind: 'page' });
  });

  it('without a server gives the reason', async () => {
    const site = await serve(() => undefined);
    await site.close();
    expect(await outcomes(sourceOf(), [`${site.origin()}/a`, 'http://www.site.test:1/'])).toEqual([
      'network',
      'not-http',
    ]);
    let lookups = 0;
    const unknown = sourceOf({ lookup: async () => (lookups++, []) });
    expect(await outcomes(unknown, ['http://www.site.test/'])).toEqual(['network']);
    expect(lookups).toBe(1);
  });
});

describe('the real clock', () => {
  it('sleeps until its time, or until the signal fires', async () => {
    const stop = new AbortController();
    const long = realClock.sleep(1e6, stop.signal);
    await realClock.sleep(1, stop.signal);
    stop.abort();
    await long;
    await realClock.sleep(1e6, stop.signal);
    expect(Math.abs(realClock.now() - Date.now())).toBeLessThan(1000);
  });
});
