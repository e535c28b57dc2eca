import { gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { byPath, closeSources, quickClock, redirect, serve, SITE, sourceOf, type Site } from './site.js';

const sites: Site[] = [];

/** A server with pages everywhere and this robots.txt. */
async function siteWith(
  robots: RequestListener | string | Buffer,
  pages: Readonly<Record<string, RequestListener>> = {},
) {
  const site = await serve((request, response) => {
    if (request.url !== '/robots.txt') return byPath({ [request.url!]: 'x', ...pages })(request, response);
    if (typeof robots === 'function') return robots(request, response);
    return response.end(robots);
  });
  sites.push(site);
  return site;
}

afterEach(async () => {
  await closeSources();
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

describe('robots.txt of a host', () => {
  it('is requested once, before the first page, and obeyed', async () => {
    const site = await siteWith('User-agent: dustbuster\nDisallow: /no');
    const source = sourceOf();
    const results = await Promise.all(
      ['/no', '/yes', '/no/more', '/yes?x'].map((path) => source.fetch(site.origin() + path, SITE)),
    );
    expect(results.map((result) => (result.kind === 'unavailable' ? result.reason : result.kind))).toEqual([
      'robots',
      'page',
      'robots',
      'page',
    ]);
    expect(site.requests.map((request) => request.url)).toEqual(['/robots.txt', '/yes', '/yes?x']);
  });

  it('is read by the name that its log shows', async () => {
    const site = await siteWith('User-agent: example-dust\nDisallow: /no\n\nUser-agent: *\nDisallow: /');
    const source = sourceOf({ userAgent: 'example-dust (+https://www.example.com/bot)' });
    expect(await source.fetch(`${site.origin()}/yes`, SITE)).toMatchObject({ kind: 'page' });
    expect(await source.fetch(`${site.origin()}/no?x`, SITE)).toMatchObject({
      reason: 'robots',
      detail: '/no?x (line 2 of robots.txt: Disallow: /no)',
    });
  });

  it('is separate for each scheme, host and port', async () => {
    const [closed, open] = [await siteWith('User-agent: *\nDisallow: /'), await siteWith('')];
    const source = sourceOf();
    expect(await source.fetch(`${closed.origin()}/a`, SITE)).toMatchObject({ reason: 'robots' });
    expect(await source.fetch(`${open.origin()}/a`, SITE)).toMatchObject({ kind: 'page' });
    expect(await source.fetch(`${open.origin('b.site.test')}/a`, SITE)).toMatchObject({ kind: 'page' });
    expect(open.requests.map((request) => request.headers.host!.split(':')[0] + request.url!)).toEqual([
      'www.site.test/robots.txt',
      'www.site.test/a',
      'b.site.test/robots.txt',
      'b.site.test/a',
    ]);
  });

  it.each([204, 400, 401, 403, 404, 410])('allows everything if the answer is %i', async (status) => {
    const site = await siteWith((_request, response) => response.writeHead(status).end('User-agent: *'));
    expect(await sourceOf().fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'page' });
  });

  it.each([206, 304, 429, 500, 501, 502, 503])('allows nothing in this run if the answer is %i', async (status) => {
    const site = await siteWith((_request, response) => response.writeHead(status).end());
    const source = sourceOf();
    for (const path of ['/a', '/b']) {
      expect(await source.fetch(site.origin() + path, SITE)).toMatchObject({
        kind: 'unavailable',
        reason: 'robots',
        detail: `robots.txt: ${status}`,
      });
    }
    expect(site.requests).toHaveLength(1);
  });

  it('allows nothing if it cannot be fetched', async () => {
    const site = await siteWith((request) => request.socket.destroy());
    const source = sourceOf();
    expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'unavailable', reason: 'network' });
    expect(await source.fetch(`${site.origin()}/b`, SITE)).toMatchObject({ kind: 'unavailable', reason: 'network' });
    expect(site.paths).toEqual([]);
  });

  it('may be encoded', async () => {
    const site = await siteWith((_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync('User-agent: *\nDisallow: /a')),
    );
    expect(await sourceOf().fetch(`${site.origin()}/a`, SITE)).toMatchObject({ reason: 'robots' });
  });

  it('is followed through redirects inside the site, even to another host, and applies to the original host', async () => {
    const site: Site = await siteWith((request, response) => {
      if (request.headers.host!.startsWith('www.')) {
        return redirect(`http://b.site.test:${site.port}/robots.txt`, 301)(request, response);
      }
      return response.end('User-agent: *\nDisallow: /a');
    });
    expect(await sourceOf().fetch(`${site.origin()}/a`, SITE)).toMatchObject({ reason: 'robots' });
  });

  it('of two hosts that redirect to each other is abandoned, not waited for', async () => {
    const site: Site = await siteWith((request, response) => {
      const other = request.headers.host!.startsWith('a.') ? 'b' : 'a';
      redirect(`http://${other}.site.test:${site.port}/robots.txt`)(request, response);
    });
    const source = sourceOf();
    const urls = ['a', 'b'].map((name) => `${site.origin(`${name}.site.test`)}/x`);
    for (const result of await Promise.all(urls.map((url) => source.fetch(url, SITE)))) {
      expect(result).toMatchObject({ kind: 'unavailable', reason: 'robots' });
    }
    expect(site.requests).toHaveLength(12);
  });

  it.each(['http://other.test/robots.txt', 'http://me@www.site.test/robots.txt', 'ftp://www.site.test/robots.txt'])(
    'at %s is unknown, so nothing is allowed',
    async (location) => {
      const site = await siteWith(redirect(location));
      const source = sourceOf();
      expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'unavailable', reason: 'robots' });
      expect(source.requests).toBe(1);
    },
  );

  it('is read up to 500 KiB, and applies up to there', async () => {
    const filler = `# ${'x'.repeat(97)}\n`.repeat(6000);
    const site = await siteWith(`User-agent: *\nDisallow: /a\n${filler}Disallow: /b\n`);
    const source = sourceOf();
    expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ reason: 'robots' });
    expect(await source.fetch(`${site.origin()}/b`, SITE)).toMatchObject({ kind: 'page' });
  });

  it('that asks for a pause between requests gets it', async () => {
    const clock = quickClock();
    const site = await siteWith('User-agent: *\nCrawl-delay: 7');
    const source = sourceOf({ clock });
    for (const path of ['/a', '/b', '/c']) await source.fetch(site.origin() + path, SITE);
    expect(clock.slept).toEqual([7000, 7000, 7000]);
  });

  it('that asks for a shorter pause than ours is ignored', async () => {
    const clock = quickClock();
    const site = await siteWith('User-agent: *\nCrawl-delay: 1');
    const source = sourceOf({ clock, rate: 0.5 });
    for (const path of ['/a', '/b']) await source.fetch(site.origin() + path, SITE);
    expect(clock.slept).toEqual([2000, 2000]);
  });

  it.each(['61', '86400', 'Infinity'])('that asks for a pause of %s s refuses us', async (delay) => {
    const site = await siteWith(`User-agent: *\nCrawl-delay: ${delay}`);
    const source = sourceOf();
    expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'unavailable', reason: 'robots' });
    expect(source.requests).toBe(1);
  });
});
