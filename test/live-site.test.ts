// The planted live site is consistent: what it sends agrees with its truth, and the same seed gives the same site.
import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readRecords, createReadReport } from '../src/log/read.js';
import { isFew } from './amount.js';
import { startSite, type LiveSite, type SiteOptions } from './live-site.js';
import { sections, type Trap } from './live-site-sections.js';

let site: LiveSite;
afterEach(() => site.close());

async function start(options: SiteOptions): Promise<LiveSite> {
  return (site = await startSite(options));
}

interface Got {
  readonly status: number;
  readonly body: Buffer;
  readonly location: string | undefined;
}

/**
 * Requests as any client would, the target sent byte for byte; `follow` follows redirects and waits for Retry-After.
 */
async function ask(url: string, follow: 'follow' | 'as it comes' = 'follow'): Promise<Got> {
  const [, host, target] = /^http:\/\/([^/]+)(.*)$/.exec(url)!;
  const got = await request(host!, target!);
  if (follow === 'as it comes') return got;
  if (got.location?.startsWith('/') === true) return ask(`http://${host}${got.location}`);
  return got.status === 503 ? ask(url) : got;
}

/** Not with `fetch`: it accepts neither a Host nor a lookup. */
function request(host: string, path: string): Promise<Got> {
  const [hostname, port] = host.split(':') as [string, string];
  return new Promise((done, failed) => {
    const asked = get({ host: hostname, port, path, lookup: site.lookup, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        done({ status: statusCode, body: Buffer.concat(chunks), location: headers.location });
      });
    });
    asked.on('error', failed);
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
afterAll(() => agent.destroy());

function mainOf(body: Buffer): string {
  const main = /<main>\n(.*)\n<\/main>/s.exec(body.toString())?.[1] ?? '';
  return main.replace(/<\/?p>/g, '');
}

const withoutPort = (url: string) => url.replace(/:\d+/, '');

describe('the planted live site', () => {
  it.skipIf(isFew)('sends equal text for equal documents, and different text for different ones', async () => {
    await start({ pages: 200, slowMs: 1, without: ['picture', 'series'] });
    const textOf = new Map<string, string>();
    let named = 0;
    for (const url of site.urls) {
      const document = site.truth(url);
      if (document === undefined) continue;
      const { status, body } = await ask(url);
      const text = mainOf(body);
      expect({ url, status, text }).toEqual({ url, status: 200, text: site.textOf(url) });
      expect(textOf.get(document) ?? text).toBe(text);
      textOf.set(document, text);
      named++;
    }
    expect(new Set(textOf.values()).size).toBe(textOf.size);
    expect(textOf.size).toBeGreaterThan(200);
    expect(named).toBeGreaterThan(2 * textOf.size - 100);
  });

  it('has URLs without a document: soft errors of one text, 404, and redirects off the site', async () => {
    await start({ pages: 200, slowMs: 1 });
    const nameless = site.urls.filter((url) => site.truth(url) === undefined);
    const soft = new Set<string>();
    for (const url of nameless) {
      const { status, body, location } = await ask(url);
      if (location !== undefined) expect(location).toMatch(/^http:\/\/elsewhere\.invalid\//);
      else if (status === 200) soft.add(mainOf(body));
      else expect(status).toBe(404);
    }
    expect(soft.size).toBe(2);
    expect(site.truth(`http://${site.hosts[0]}/nowhere`)).toBeUndefined();
    expect((await ask(`http://${site.hosts[0]}/nowhere`)).status).toBe(404);
  });

  it.skipIf(isFew)('is the same for the same seed, except for the port', async () => {
    const first = await start({ seed: 5, pages: 100 });
    const second = await startSite({ seed: 5, pages: 100 });
    const other = await startSite({ seed: 6, pages: 100 });
    const shown = (of: LiveSite) => [of.urls.map(withoutPort), of.logLines('vhost').map(withoutPort)];
    const isSame = JSON.stringify(shown(first)) === JSON.stringify(shown(second));
    await Promise.all([second.close(), other.close()]);
    expect(isSame).toBe(true);
    expect(shown(other)).not.toEqual(shown(first));
    expect(new Set(first.urls).size).toBe(first.urls.length);
  });

  it.each(Object.keys(sections) as Trap[])('can have only %s', async (trap) => {
    await start({ only: [trap], pages: 12, slowMs: 1 });
    const statuses = await Promise.all(site.urls.map(async (url) => (await ask(url)).status));
    expect(site.urls.length).toBeGreaterThanOrEqual(12);
    expect(new Set(statuses)).toEqual(new Set([trap === 'offsite' ? 302 : 200]));
  });

  it('has a log that agrees with what it sends', async () => {
    await start({ pages: 100, slowMs: 1, without: ['dynamic', 'busy'] });
    const lines = site.logLines('vhost');
    let compared = 0;
    for (const line of lines.slice(0, 400)) {
      const [, host, target, status, size] = /^(\S+) .*"GET (\S+) HTTP\/1\.1" (\d+) (\S+)/.exec(line)!;
      if (status === '304') continue;
      const got = await ask(`http://${host}${target}`, 'as it comes');
      expect({ line, status: got.status, size: got.body.length }).toEqual({
        line,
        status: Number(status),
        size: Number(size),
      });
      compared++;
    }
    expect(compared).toBeGreaterThan(300);
  });

  it.each(['vhost', 'combined'] as const)('writes a %s log of which every line is read', async (format) => {
    await start({ pages: 60 });
    const report = createReadReport();
    const open = () => [Buffer.from(`${site.logLines(format).join('\n')}\n`)];
    const options = { base: null, scheme: 'http', normalize: 'none', maxUrlLength: 2048 } as const;
    const urls = new Set<string>();
    for await (const { rows, bytes, urlStart, urlEnd } of readRecords([{ name: 'log', open }], options, report)) {
      for (let row = 0; row < rows; row++) {
        urls.add(Buffer.from(bytes.subarray(urlStart[row], urlEnd[row])).toString());
      }
    }
    expect(report.inputs).toMatchObject([{ format, rejected: {}, truncated: false }]);
    const listed = new Set(site.urls.map((url) => (format === 'vhost' ? url : url.replace(/^http:\/\/[^/]+/, ''))));
    const strangers = [...urls].filter((url) => !listed.has(url));
    expect(strangers.filter((url) => !/\/login\?back=|\/moved\/\d+\/$|\/favicon\.ico$/.test(url))).toEqual([]);
    expect(urls.size).toBeGreaterThan(150);
  });
});

describe('its traps', () => {
  const at = (name: string) => `http://${name}:${site.port}`;
  const www = (target: string) => `${at('www.planted.test')}${target}`;
  const hash = (body: Buffer) => createHash('sha1').update(body).digest('hex');

  it('a rule is right on one host and wrong on another, with pages of the same size', async () => {
    await start({ only: ['host-rule'] });
    const forum = (target: string) => `${at('forum.planted.test')}${target}`;
    expect(site.truth(www('/a_100'))).toBe(site.truth(www('/a?id=100')));
    expect(site.truth(forum('/a_100'))).not.toBe(site.truth(forum('/a?id=100')));
    expect((await ask(forum('/a_100'))).body.length).toBe((await ask(forum('/a?id=100'))).body.length);
  });

  it('a short alias is mostly 404, though none in the list is', async () => {
    await start({ only: ['shrinking-404'] });
    const long = site.urls.filter((url) => url.includes('/people/'));
    const images = long.map((url) => url.replace('people/', '~'));
    const missing = images.filter((url) => site.truth(url) === undefined);
    expect(missing.length).toBeGreaterThan(0.8 * long.length);
    expect(missing.filter((url) => site.urls.includes(url))).toEqual([]);
    const short = site.urls.filter((url) => url.includes('/~'));
    expect(short.length).toBeGreaterThan(10);
    for (const url of short) expect(site.truth(url.replace('~', 'people/'))).toBe(site.truth(url));
  });

  it('a rule is right for 90 % of pages', async () => {
    await start({ only: ['ninety'], twins: 1 });
    const old = site.urls.filter((url) => url.includes('/old/'));
    const right = old.filter((url) => site.truth(url) === site.truth(url.replace('/old/', '/new/')));
    expect(right.length / old.length).toBeCloseTo(0.9, 1);
    expect(right.length).toBeLessThan(old.length);
  });

  it('pictures without `ad` differ each time, and have the size of all the others', async () => {
    await start({ only: ['picture'] });
    const bodies = await Promise.all(['', '', '?ad=1', '?ad=1', '?ad=2'].map((ad) => ask(www(`/banner/100${ad}`))));
    const hashes = bodies.map(({ body }) => hash(body));
    expect(new Set(hashes).size).toBe(4);
    expect(hashes[2]).toBe(hashes[3]);
    expect(new Set(bodies.map(({ body }) => body.length)).size).toBe(1);
  });

  it('a series, sort orders and languages have the same size and different text', async () => {
    await start({ only: ['series', 'autoindex', 'sort', 'lang', 'page'] });
    for (const [one, other] of [
      ['/course/lect100', '/course/lect102'],
      ['/pics/pic-101', '/pics/pic-103'],
      ['/files/100/?C=N;O=A', '/files/100/?C=N;O=D'],
      ['/catalog/100?sort=asc', '/catalog/100?sort=desc'],
      ['/guide/100?lang=da', '/guide/100?lang=en'],
      ['/list/100', '/list/100?page=2'],
    ] as const) {
      const [a, b] = await Promise.all([ask(www(one)), ask(www(other))]);
      expect([one, a.body.length, a.body.equals(b.body)]).toEqual([one, b.body.length, false]);
      expect(site.truth(www(one))).not.toBe(site.truth(www(other)));
    }
  });

  it('a dynamic page changes a few words on each request', async () => {
    await start({ only: ['dynamic'] });
    const [a, b] = [await ask(www('/live/100')), await ask(www('/live.php?n=100'))];
    expect(a.body.equals(b.body)).toBe(false);
    const [one, other] = [a, b].map(({ body }) => body.toString().split(/\s+/));
    expect(one!.filter((word, place) => word !== other![place]).length).toBeLessThanOrEqual(3);
  });

  it('asks once to retry later, and to leave /private/ alone', async () => {
    await start({ only: ['busy', 'robots'], retryAfter: 2 });
    const statuses = [await ask(www('/busy/100'), 'as it comes'), await ask(www('/busy/100'), 'as it comes')];
    expect(statuses.map(({ status }) => status)).toEqual([503, 200]);
    expect((await ask(www('/robots.txt'))).body.toString()).toContain('Disallow: /private/');
    await site.close();
    await start({ without: ['robots'] });
    expect((await ask(www('/robots.txt'))).status).toBe(404);
  });

  it('delays a slow page', async () => {
    await start({ only: ['slow'], slowMs: 60 });
    const before = performance.now();
    await ask(www('/slow/100'));
    expect(performance.now() - before).toBeGreaterThan(50);
  });

  it('records its requests', async () => {
    await start({ only: ['slow'], slowMs: 30 });
    await Promise.all([ask(www('/slow/100')), ask(www('/slow/100'))]);
    await ask(www('/slow/101'));
    expect(site.requests.map(({ url, inFlight }) => [url, inFlight])).toEqual([
      [www('/slow/100'), 1],
      [www('/slow/100'), 2],
      [www('/slow/101'), 1],
    ]);
    expect(site.requests[0]).toMatchObject({ host: `www.planted.test:${site.port}`, method: 'GET' });
  });
});
