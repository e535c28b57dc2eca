import { afterEach, describe, expect, it } from 'vitest';
import { controlsOf } from '../../../src/sketch/controls.js';
import { createLiveSource } from '../../../src/validate/live/live.js';
import { byPath, closeSources, documentOf, redirect, serve, SITE, sourceOf, textPage, type Site } from './site.js';

const sites: Site[] = [];

async function siteOf(...args: Parameters<typeof serve>): Promise<Site> {
  const site = await serve(...args);
  sites.push(site);
  return site;
}

afterEach(async () => {
  await closeSources();
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

/** Of a text without a tag. */
const NO_CONTROLS = controlsOf(Buffer.from(''), 'text/html')!;

describe('a page of the live site', () => {
  it('is its document, found at its own URL', async () => {
    const site = await siteOf(byPath({ '/a': 'one two three' }));
    const source = sourceOf();
    const url = `${site.origin()}/a`;
    expect(await source.fetch(url, SITE)).toEqual({
      kind: 'page',
      document: textPage('one two three'),
      controls: NO_CONTROLS,
      finalUrl: url,
      redirects: 0,
      type: 'text/html',
    });
    expect(source.requests).toBe(2); // robots.txt and the page
  });

  it('is requested once, however often it is needed, in any spelling of fragment and host', async () => {
    const site = await siteOf(byPath({ '/a': 'x' }));
    const source = sourceOf();
    const spellings = [`${site.origin()}/a`, `${site.origin()}/a#top`, `HTTP://WWW.SITE.test:${site.port}/a`];
    const results = await Promise.all([...spellings, ...spellings].map((url) => source.fetch(url, SITE)));
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['page']));
    expect(site.paths).toEqual(['/a']);
  });

  it('is requested again on demand, but only once more', async () => {
    const site = await siteOf((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      response.setHeader('content-type', 'text/html').end(site.paths.length === 1 ? 'one' : 'two');
    });
    const source = sourceOf();
    const url = `${site.origin()}/a`;
    const documentAt = async (time: 'fetch' | 'fetchAgain') => {
      const result = await source[time]!(url, SITE);
      return result.kind === 'page' ? result.document : result;
    };
    expect(await documentAt('fetch')).toEqual(textPage('one'));
    expect(await documentAt('fetchAgain')).toEqual(textPage('two'));
    expect(await documentAt('fetchAgain')).toEqual(textPage('two'));
    expect(await documentAt('fetch')).toEqual(textPage('one'));
    expect(site.paths).toEqual(['/a', '/a']);
  });

  it('is requested byte for byte as in the log', async () => {
    const site = await siteOf((request, response) => response.end(request.url));
    const source = sourceOf();
    const table = {
      '': '/',
      '?': '/?',
      '?q': '/?q',
      '/a/../b/./c': '/a/../b/./c',
      '//a//b/': '//a//b/',
      '/a%2Fb%2fc': '/a%2Fb%2fc',
      '/%7Euser/~user': '/%7Euser/~user',
      '/a;x=1;y?p+q&&r=;s': '/a;x=1;y?p+q&&r=;s',
      '/a?': '/a?',
      '/a?b?c': '/a?b?c',
      '/a?b=c#d?e': '/a?b=c',
      '/%zz%': '/%zz%',
      '/a b\tc': '/a%20b%09c',
      '/é': '/%C3%A9',
      '/\udce9?\udcff=\u{1f600}': '/%E9?%FF=%F0%9F%98%80',
      '/\\|^`{}[]<>"\'': '/\\|^`{}[]<>"\'',
      '/a\r\nX-Evil: 1': '/a%0D%0AX-Evil:%201',
    };
    for (const [path, sent] of Object.entries(table)) {
      const result = await source.fetch(site.origin() + path, SITE);
      expect(result).toMatchObject({ kind: 'page' });
      expect(site.paths.at(-1)).toBe(sent);
    }
  });

  it('is requested with GET and our user agent, and nothing else that identifies us', async () => {
    const site = await siteOf((request, response) => {
      if (request.url === '/robots.txt') return;
      response.setHeader('set-cookie', ['id=1; Path=/', 'b=2']).setHeader('content-type', 'text/html').end('x');
    });
    const source = sourceOf({ userAgent: 'dustbuster/1.0 (me@example.com)' });
    for (const path of ['/a', '/b']) await source.fetch(site.origin() + path, SITE);
    for (const { method, headers } of site.requests) {
      expect(method).toBe('GET');
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
      expect(headers['user-agent']).toBe('dustbuster/1.0 (me@example.com)');
      expect(headers.host).toBe(`www.site.test:${site.port}`);
    }
    expect(site.requests).toHaveLength(3);
    expect(site.connections.size).toBe(1);
  });

  it('does not go through a proxy of the environment, which would connect in our place', async () => {
    const site = await siteOf(byPath({ '/a': 'x' }));
    const proxy = await siteOf((_request, response) => void response.end('from the proxy'));
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await sourceOf().fetch(`${site.origin()}/a`, SITE)).toMatchObject({ document: textPage('x') });
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      }
    }
    expect(proxy.requests).toEqual([]);
  });
});

describe('the status of an answer', () => {
  const missing = [400, 401, 403, 404, 405, 410, 418, 451, 499, 500, 501];
  const unavailable = [
    201, 202, 204, 206, 300, 301, 302, 304, 305, 307, 399, 408, 425, 429, 502, 503, 504, 520, 599, 999,
  ];

  it.each(missing)('%i says that there is no such page', async (status) => {
    const site = await siteOf(byPath({ '/a': (_request, response) => response.writeHead(status).end('x') }));
    const result = await sourceOf().fetch(`${site.origin()}/a`, SITE);
    expect(result).toEqual({ kind: 'missing', reason: 'status', detail: String(status) });
  });

  it.each(unavailable)('%i says nothing about the page', async (status) => {
    const site = await siteOf(byPath({ '/a': (_request, response) => response.writeHead(status).end() }));
    const result = await sourceOf().fetch(`${site.origin()}/a`, SITE);
    expect(result).toEqual({ kind: 'unavailable', reason: 'status', detail: String(status) });
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('of status %i lead to the document at their end', async (status) => {
    const site = await siteOf(byPath({ '/u': redirect('/v', status), '/v': 'the page' }));
    const result = await sourceOf().fetch(`${site.origin()}/u`, SITE);
    expect(result).toEqual({
      kind: 'page',
      document: textPage('the page'),
      controls: NO_CONTROLS,
      finalUrl: `${site.origin()}/v`,
      redirects: 1,
      type: 'text/html',
    });
  });

  it.each([
    ['relative', '/d/e/u?q', 'v', '/d/e/v'],
    ['relative to a folder above', '/d/e/u', '../v?x=1', '/d/v?x=1'],
    ['above the root', '/u', '../../v', '/v'],
    ['to a folder', '/d/e/u', '.', '/d/e/'],
    ['to a folder above', '/d/e/u', '/d/../f/..', '/'],
    ['of a query only', '/d/u?a', '?b', '/d/u?b'],
    ['with a fragment', '/u', '/v#part', '/v'],
    ['with non-ASCII bytes', '/u', Buffer.from('/é?ü').toString('latin1'), '/%C3%A9?%C3%BC'],
    ['with bytes that are no UTF-8', '/u', '/\xe9', '/%E9'],
    ['with blanks around and inside', '/u', '  /v w ', '/v%20w'],
    ['with escapes that stay', '/u', '/a%2fb%7E', '/a%2fb%7E'],
    ['with a colon that is no scheme', '/d/u', './a:b', '/d/a:b'],
  ])('%s', async (_name, from, location, to) => {
    const site = await siteOf((request, response) => {
      if (request.url === '/robots.txt') return;
      if (request.url === from) redirect(location)(request, response);
      else response.end('x');
    });
    const result = await sourceOf().fetch(site.origin() + from, SITE);
    expect(site.paths).toEqual([from, to]);
    expect(result).toMatchObject({ kind: 'page', finalUrl: site.origin() + to });
  });

  it('to another host of the site are followed, absolute or with the scheme left out', async () => {
    const site: Site = await siteOf((request, response) => {
      if (request.url === '/u') redirect(`//b.site.test:${site.port}/v`)(request, response);
      else if (request.url === '/v') redirect(`HTTP://C.Site.test:${site.port}`)(request, response);
      else if (request.url === '/') response.end('x');
    });
    const result = await sourceOf().fetch(`${site.origin()}/u`, SITE);
    expect(result).toMatchObject({ kind: 'page', finalUrl: `http://c.site.test:${site.port}/` });
    expect(
      site.requests.map((request) => `${request.headers.host}${request.url}`.replace(`:${site.port}`, '')),
    ).toEqual([
      'www.site.test/robots.txt',
      'www.site.test/u',
      'b.site.test/robots.txt',
      'b.site.test/v',
      'c.site.test/robots.txt',
      'c.site.test/',
    ]);
  });

  it.each([
    'http://other.test/',
    '//other.test/x',
    'https://site.test.evil.test/',
    'ftp://www.site.test/',
    'mailto:a@b',
    'http:///x',
    'javascript:1',
  ])('to %s leave the site, and are not followed', async (location) => {
    const site = await siteOf(byPath({ '/u': redirect(location) }));
    const source = sourceOf();
    expect(await source.fetch(`${site.origin()}/u`, SITE)).toMatchObject({
      kind: 'missing',
      reason: 'redirect-outside',
    });
    expect(source.requests).toBe(2);
  });

  it('to what is never requested prove nothing', async () => {
    const site = await siteOf(
      byPath({
        '/u': redirect('/logout'),
        '/v': redirect('//me@www.site.test/'),
        '/w': redirect('/private/x'),
        '/robots.txt': 'User-agent: *\nDisallow: /private',
      }),
    );
    const source = sourceOf();
    const reasons = await Promise.all(['/u', '/v', '/w'].map((path) => source.fetch(site.origin() + path, SITE)));
    expect(reasons).toMatchObject([{ reason: 'action-url' }, { reason: 'credentials' }, { reason: 'robots' }]);
    expect(site.paths.sort()).toEqual(['/u', '/v', '/w']);
  });

  it.each([304, 305, 306])('do not include %i, whatever its Location', async (status) => {
    const site = await siteOf(byPath({ '/u': redirect('/v', status), '/v': 'x' }));
    expect(await sourceOf().fetch(`${site.origin()}/u`, SITE)).toMatchObject({ kind: 'unavailable', reason: 'status' });
    expect(site.paths).toEqual(['/u']);
  });

  it('with two Locations lead to the first', async () => {
    const site = await siteOf(
      byPath({
        '/u': (_q, response) => response.writeHead(302, ['location', '/v', 'location', '/w']).end(),
        '/v': 'x',
      }),
    );
    expect(await sourceOf().fetch(`${site.origin()}/u`, SITE)).toMatchObject({ finalUrl: `${site.origin()}/v` });
  });

  it('without a Location are not an answer', async () => {
    const site = await siteOf(
      byPath({ '/u': (_request, response) => response.writeHead(302).end(), '/v': redirect('') }),
    );
    const source = sourceOf();
    for (const path of ['/u', '/v']) {
      expect(await source.fetch(site.origin() + path, SITE)).toMatchObject({ kind: 'unavailable', reason: 'status' });
    }
  });

  it('that loop are not a page', async () => {
    const site = await siteOf(byPath({ '/u': redirect('/v'), '/v': redirect('/u'), '/w': redirect('#x') }));
    const source = sourceOf();
    for (const path of ['/u', '/w']) {
      expect(await source.fetch(site.origin() + path, SITE)).toMatchObject({
        kind: 'missing',
        reason: 'redirect-loop',
      });
    }
    expect(site.paths).toEqual(['/u', '/v', '/w']);
  });

  it('are followed at most five times', async () => {
    const site = await siteOf((request, response) => {
      const left = Number(request.url!.slice(1));
      if (left > 0) redirect(`/${left - 1}`)(request, response);
      else if (left === 0) response.end('x');
    });
    expect(await sourceOf().fetch(`${site.origin()}/5`, SITE)).toMatchObject({ kind: 'page' });
    const source = sourceOf();
    expect(await source.fetch(`${site.origin()}/6`, SITE)).toMatchObject({ kind: 'missing', reason: 'redirect-loop' });
    expect(source.requests).toBe(7);
  });

  it('to the canonized form of a page share its fetch, in any order', async () => {
    for (const order of [
      ['/u', '/v'],
      ['/v', '/u'],
    ]) {
      const site = await siteOf(byPath({ '/u': redirect('/v', 301), '/v': 'x' }));
      const source = sourceOf();
      const results = await Promise.all(order.map((path) => source.fetch(site.origin() + path, SITE)));
      expect(results).toEqual(
        order.map((path) => ({
          kind: 'page',
          document: textPage('x'),
          controls: NO_CONTROLS,
          finalUrl: `${site.origin()}/v`,
          redirects: path === '/v' ? 0 : 1,
          type: 'text/html',
        })),
      );
      expect(site.paths.sort()).toEqual(['/u', '/v']);
    }
  });
});

describe('what is refused without a request', () => {
  it.each([
    ['/a', 'not-http'],
    ['ftp://www.site.test/', 'not-http'],
    ['http://', 'not-http'],
    ['http:///a', 'not-http'],
    ['http://www site.test/', 'not-http'],
    ['http://www.site.test:99999/', 'not-http'],
    ['http://www.site.test:25/', 'not-http'],
    ['http://www.site.test:80:80/', 'not-http'],
    ['http://[::1/', 'not-http'],
    ['http://me:pw@www.site.test/', 'credentials'],
    // A backslash is a slash: the host is other.test.
    ['http://other.test\\@www.site.test/', 'outside-site'],
    ['http://@www.site.test/', 'credentials'],
    ['http://www.other.test/', 'outside-site'],
    ['http://www.site.test/logout', 'action-url'],
    ['http://www.site.test/a?api_key=0A1B', 'token-url'],
    ['http://www.site.test/a', undefined],
    ['https://www.site.test:8443/a?b', undefined],
  ])('%s: %s', async (url, reason) => {
    const source = sourceOf();
    expect(source.refusal(url, SITE)).toBe(reason);
    if (reason !== undefined) expect(await source.fetch(url, SITE)).toEqual({ kind: 'unavailable', reason });
    expect(source.requests).toBe(0);
  });
});

describe('the budget', () => {
  it('counts all requests, and refuses more', async () => {
    const site = await siteOf(byPath({ '/a': 'x', '/u': redirect('/v'), '/v': 'y' }));
    const source = sourceOf({ maxRequests: 3 });
    expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'page' });
    expect(await source.fetch(`${site.origin()}/u`, SITE)).toEqual({ kind: 'unavailable', reason: 'budget' });
    expect(await source.fetch(`${site.origin()}/v`, SITE)).toEqual({ kind: 'unavailable', reason: 'budget' });
    expect(await source.fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'page' });
    expect(site.requests).toHaveLength(3);
    expect(source.requests).toBe(3);
  });

  it('also holds for requests that were queued when it was used up', async () => {
    const site = await siteOf(byPath({ '/a': 'a', '/b': 'b', '/c': 'c', '/d': 'd' }));
    const source = sourceOf({ maxRequests: 3 });
    const urls = ['/a', '/b', '/c', '/d'].map((path) => site.origin() + path);
    const results = await Promise.all(urls.map((url) => source.fetch(url, SITE)));
    expect(results.filter((result) => result.kind === 'unavailable' && result.reason === 'budget')).toHaveLength(2);
    expect([site.requests.length, source.requests]).toEqual([3, 3]);
  });

  it('of 0 sends nothing', async () => {
    const site = await siteOf(byPath({ '/a': 'x' }));
    const result = await sourceOf({ maxRequests: 0 }).fetch(`${site.origin()}/a`, SITE);
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'budget' });
    expect(site.requests).toEqual([]);
  });
});

describe('the end', () => {
  it('comes immediately when the signal fires, for active and queued requests', async () => {
    const stop = new AbortController();
    const site = await siteOf((request) => {
      if (request.url === '/slow') stop.abort();
    });
    const source = sourceOf({ signal: stop.signal, rate: 0.001 });
    const urls = ['/slow', '/b', '/c'].map((path) => `${site.origin()}${path}`);
    const results = await Promise.all(urls.map((url) => source.fetch(url, SITE)));
    expect(results).toEqual(urls.map(() => expect.objectContaining({ kind: 'unavailable', reason: 'network' })));
    expect(site.paths).toEqual(['/slow']);
    expect(source.requests).toBe(2);
    await Promise.all([source.close(), source.close()]);
    expect(await source.fetch(`${site.origin()}/d`, SITE)).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('leaves no connection open', async () => {
    const site = await siteOf(byPath({ '/a': 'x' }));
    const source = sourceOf();
    await source.fetch(`${site.origin()}/a`, SITE);
    const [socket] = site.connections;
    expect(socket!.destroyed).toBe(false);
    const closed = new Promise((resolve) => socket!.on('close', resolve));
    await source.close();
    await closed;
  });
});

describe('options that make no sense', () => {
  const sound = { userAgent: 'a', documentOf, isInside: () => true };

  it.each([
    [{ userAgent: '' }, 'user agent'],
    [{ userAgent: 'a\r\nb: c' }, 'user agent'],
    [{ userAgent: 'ü' }, 'user agent'],
    [{ rate: 0 }, 'rate'],
    [{ rate: NaN }, 'rate'],
    [{ maxRequests: -1 }, 'requests'],
    [{ maxBodyBytes: 0 }, 'body'],
  ])('%j are refused', (wrong, word) => {
    expect(() => createLiveSource({ ...sound, ...wrong })).toThrow(word);
  });
});
