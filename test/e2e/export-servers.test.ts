// Real nginx, Apache and Varnish, each with its exported file: does every URL end at its canonical form? Runs if they
// are installed; .ci/run installs them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Exported, Target } from '../../src/export/target.js';
import { loadTarget } from '../../src/export/targets.js';
import { compare, compareLinks, requestable } from './export-agreement.js';
import { createEnds } from '../../src/export/simple/form.js';
import { simpleRules } from '../../src/export/simple/rules.js';
import { cases, simple } from './export-rules.js';
import { hasApache, hasNginx, hasVarnish, servers, type Server } from './export-servers.js';
import { manyUrls, traps } from './export-urls.js';
import { textsOf } from '../../src/rule/meaning.js';
import { requestOf } from '../export/arbitrary.js';
import { sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';

const installed = { nginx: hasNginx, apache: hasApache, varnish: hasVarnish };
const isWanted = process.env['DUSTBUSTER_E2E'] === '1';
const missing = Object.entries(installed).filter(([, isThere]) => !isThere);
if (isWanted && missing.length > 0) {
  throw new Error('DUSTBUSTER_E2E=1 asks for servers: install nginx-light, apache2-bin and varnish');
}

describe.each(Object.entries(installed))('%s with the rules of an export', { timeout: 120_000 }, (name, isThere) => {
  describe.skipIf(!isThere).each(Object.entries(cases))('for %s URLs', (_, { request, urls, left }) => {
    let target: Target;
    let exported: Exported;
    let server: Server;

    beforeAll(async () => {
      target = (await loadTarget(name))!;
      exported = target.write(request);
      server = await servers.get(name)!(exported.text);
    }, 60_000);
    afterAll(() => server.stop());

    it('leads every URL to its canonical form, in one redirect', async () => {
      const list = requestable(urls, request);
      const wanted = requestable([...manyUrls(list, request.rules, 800), ...list.flatMap(withTraps)], request);
      const { differences, asked, moved, mostRedirects } = await compare(server, exported, request, wanted);
      expect(differences).toEqual([]);
      expect(asked).toBeGreaterThan(900);
      expect(moved).toBeGreaterThan(asked / 2);
      expect(mostRedirects).toBe(1);
    });

    it('redirects nothing but GET and HEAD', async () => {
      const moves = (method: string) => server.end(`http://example.test/a/a/x`, method);
      expect((await moves('HEAD')).redirects).toBe(1);
      expect((await moves('POST')).redirects).toBe(0);
      expect((await moves('DELETE')).redirects).toBe(0);
    });

    it('exports all rules that cannot form a cycle', () => {
      expect(exported.left.map(({ rule }) => textsOf(rule)[0])).toEqual(left);
      expect(exported.carried.length + left.length).toBe(request.rules.length);
    });
  });
});

describe.each(Object.entries(installed))('%s that announces', { timeout: 120_000 }, (name, isThere) => {
  describe.skipIf(!isThere).each(Object.entries(cases))('the forms of %s URLs', (_, { request, urls }) => {
    it('names them in a header of a success, as canonize has them, and redirects nothing', async () => {
      const linking = { ...request, isLink: true };
      const exported = (await loadTarget(name))!.write(linking);
      const server = await servers.get(name)!(exported.text);
      try {
        const list = requestable(urls, request);
        const hostile = list.slice(0, 20).map((url) => `${url}${url.includes('?') ? '&' : '?'}x=<y>"`);
        const wanted = requestable([...manyUrls(list, request.rules, 200), ...hostile], request);
        const { differences, announced } = await compareLinks(server, exported, request, wanted);
        expect(differences).toEqual([]);
        expect(announced).toBeGreaterThan(100);
        expect((await server.announced('http://example.test/a/a/x', 'POST')).link).not.toContain('canonical');
      } finally {
        await server.stop();
      }
    });
  });
});

describe.each(Object.entries(installed))('%s, asked for what is not normal', (name, isThere) => {
  it.skipIf(!isThere)('applies the rules it can, and leaves URLs alone that it would make worse', async () => {
    const { request } = cases.absolute;
    const server = await servers.get(name)!((await loadTarget(name))!.write(request).text);
    const end = async (url: string) => (await server.end(url)).url;
    try {
      expect(await end('http://www.example.test/%c3%a4?utm_source=x')).toBe('http://example.test/%c3%a4');
      expect(await end('http://www.example.test:80/x')).toBe('http://example.test/x');
      expect(await end('http://www.example.test/x/.b/y')).toBe('http://www.example.test/x/.b/y');
      const fields = (count: number) => `http://example.test/x?${'a=1&utm_source=2&'.repeat(count)}c`;
      expect(await end(fields(4))).toBe(`http://example.test/x?${'a=1&'.repeat(4)}c`);
      expect(await end(fields(20))).toBe(fields(20));
    } finally {
      await server.stop();
    }
  });
});

describe.each(Object.entries(installed))('%s, asked for long URLs', { timeout: 60_000 }, (name, isThere) => {
  it.skipIf(!isThere)('answers all of them, and folds any number of slashes in one redirect', async () => {
    const rules = [
      sampleRule('/old/', '/new/', { rank: 1, only: [{ part: 'parameter', is: 'sid' }] }),
      sampleParameter('sid', { rank: 2 }),
      sampleParameter('lang', { rank: 3, action: 'set', value: 'en' }),
      ...(['trim-end', 'fold-slashes', 'drop-end-slash', 'drop-number-fields', 'drop-empty-fields'] as const).map(
        (step, at) => sampleStep(step, '', { rank: 4 + at }),
      ),
    ];
    const { text, carried } = (await loadTarget(name))!.write(requestOf(rules));
    expect(carried).toHaveLength(rules.length);
    const server = await servers.get(name)!(text);
    try {
      const ends = [
        (n: number) => `old/p?q=${'x'.repeat(n)}`,
        (n: number) => `p?${'b&'.repeat(n >> 1)}c`,
        (n: number) => `${'b/'.repeat(n >> 1)}b`,
      ];
      for (const end of ends) {
        for (const length of [100, 170, 600, 1400, 2100, 3000, 4000, 6000]) {
          const url = `http://h.com/${end(length)}`;
          expect([length, await server.end(url)]).toEqual([length, { url, redirects: 0, status: 204 }]);
        }
      }
      const folded = { url: 'http://h.com/a/b/c', redirects: 1, status: 204 };
      expect(await server.end(`http://h.com/${'/'.repeat(30)}a//b${'/'.repeat(40)}c`)).toEqual(folded);
    } finally {
      await server.stop();
    }
  });
});

describe.each(Object.entries(installed))('%s with simple rules', { timeout: 120_000 }, (name, isThere) => {
  it.skipIf(!isThere)('redirects as often as they say, to where they lead', async () => {
    const { request, urls } = simple;
    const { text, left } = (await loadTarget(name))!.write(request);
    expect(left).toEqual([]);
    const ends = createEnds(simpleRules(request).edits);
    const server = await servers.get(name)!(text);
    // Apache does not redirect to a form that ends in ? or &.
    const isPossible = (url: string) => name !== 'apache' || !/[?&]$/.test(ends(url).url);
    const list = requestable(urls, request);
    const wanted = requestable([...manyUrls(list, request.rules, 800), ...list.flatMap(withTraps)], request);
    let moved = 0;
    try {
      for (const url of wanted.filter(isPossible)) {
        const { url: end, redirects, status } = await server.end(url);
        if (status === 400) continue;
        expect([url, end, redirects]).toEqual([url, ...Object.values(ends(url))]);
        if (redirects > 0) moved++;
      }
      expect(moved).toBeGreaterThan(300);
      const post = await server.end('http://www.example.test/index.html', 'POST');
      expect(post.redirects).toBe(0);
    } finally {
      await server.stop();
    }
  });
});

function withTraps(url: string): readonly string[] {
  return traps.map((trap) => url + trap);
}
