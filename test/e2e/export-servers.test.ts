// Real nginx, Apache and Varnish, each with its exported file: does every URL end at its form, in one redirect? Runs if
// they are installed; .ci/run installs them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Exported, Target } from '../../src/export/target.js';
import { loadTarget } from '../../src/export/targets.js';
import { compare, compareLinks, requestable } from './export-agreement.js';
import { cases } from './export-rules.js';
import { hasApache, hasNginx, hasVarnish, servers, type Server } from './export-servers.js';
import { manyUrls, traps } from './export-urls.js';
import { requestOf } from '../export/arbitrary.js';
import { bytesOf, carriedForm } from '../export/canonized.js';
import { sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';
import { exportedVectors, type Vector } from '../vectors.js';

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

    it('leads every URL to its form, in one redirect', async () => {
      const list = requestable(urls, request);
      const wanted = requestable([...manyUrls(list, request.rules, 800), ...list.flatMap(withTraps)], request);
      const { differences, asked, moved, mostRedirects } = await compare(server, request, wanted);
      expect(differences).toEqual([]);
      expect(asked).toBeGreaterThan(800);
      expect(moved).toBeGreaterThan(asked / 4);
      expect(mostRedirects).toBe(1);
    });

    it('redirects nothing but GET and HEAD', async () => {
      const moves = (method: string) => server.end(`http://example.test/x?utm_source=1`, method);
      expect((await moves('HEAD')).redirects).toBe(1);
      expect((await moves('POST')).redirects).toBe(0);
      expect((await moves('DELETE')).redirects).toBe(0);
    });

    it('leaves out what would have to be escaped', () => {
      expect(exported.left).toHaveLength(left);
      expect(exported.carried.length + left).toBe(request.rules.length);
    });
  });
});

describe.each(Object.entries(installed))('%s that announces', { timeout: 120_000 }, (name, isThere) => {
  describe.skipIf(!isThere).each(Object.entries(cases))('the forms of %s URLs', (_, { request, urls }) => {
    it('names them in a header of a success, and redirects nothing', async () => {
      const exported = (await loadTarget(name))!.write({ ...request, isLink: true });
      const server = await servers.get(name)!(exported.text);
      try {
        const list = requestable(urls, request);
        const hostile = list.slice(0, 20).map((url) => `${url}${url.includes('?') ? '&' : '?'}x=<y>"`);
        const wanted = requestable([...manyUrls(list, request.rules, 200), ...hostile], request);
        const { differences, announced } = await compareLinks(server, request, wanted);
        expect(differences).toEqual([]);
        expect(announced).toBeGreaterThan(50);
        const { link } = await server.announced('http://example.test/x?utm_source=1', 'POST');
        expect(link).not.toContain('canonical');
      } finally {
        await server.stop();
      }
    });
  });
});

/** A log with these URLs would show where its rules apply. */
function withExamples({ rules, forms, ...rest }: Vector): Vector {
  const examples = forms.filter(([url, form]) => url !== form).slice(0, 3);
  return { ...rest, forms, rules: rules.map((rule) => ({ ...rule, examples })) };
}

const vectors = exportedVectors().map(withExamples);

describe.each(Object.entries(installed))('%s with the known answers', { timeout: 120_000 }, (name, isThere) => {
  it.skipIf(!isThere)('gives the form, or leaves alone what a rule is left out for', async () => {
    const target = (await loadTarget(name))!;
    const counts = { given: 0, left: 0 };
    for (const { name: about, rules, forms } of vectors) {
      const request = requestOf(rules);
      const exported = target.write(request);
      const { left } = exported;
      if (exported.carried.length === 0) continue;
      const server = await servers.get(name)!(exported.text);
      try {
        const asked = forms.map(([url, form]) => [bytesOf(url), bytesOf(form)] as const);
        for (const [url, form] of asked.filter(([one]) => requestable([one], request)[0] === one)) {
          const { url: end, redirects } = await server.end(url);
          const wanted =
            left.length === 0 ? form : redirects === 0 ? url : bytesOf(carriedForm(request, exported, url));
          expect({ about, url, end, isOnce: redirects <= 1 }).toEqual({ about, url, end: wanted, isOnce: true });
          counts[end === form ? 'given' : 'left']++;
        }
      } finally {
        await server.stop();
      }
    }
    expect(counts.given).toBeGreaterThan(80);
    expect(counts.left).toBeLessThan(10);
  });
});

describe.each(Object.entries(installed))('%s, asked for what is not normal', (name, isThere) => {
  it.skipIf(!isThere)('applies the rules it can, and leaves URLs alone that it would make worse', async () => {
    const { request } = cases.absolute;
    const server = await servers.get(name)!((await loadTarget(name))!.write(request).text);
    const end = async (url: string) => (await server.end(url)).url;
    try {
      expect(await end('http://www.example.test/%c3%a4?utm_source=x')).toBe('http://example.test/%c3%a4');
      expect(await end('http://www.example.test/x/%2e./y?a=%2B+%2f')).toBe('http://example.test/x/%2e./y?a=%2B+%2f');
      expect(await end('http://www.example.test/x/.b/y')).toBe('http://example.test/x/.b/y');
      expect(await end('http://example.test/x?a=1&&utm_source=1')).toBe('http://example.test/x?a=1&&utm_source=1');
      const fields = (count: number) => `http://example.test/x?${'a=1&utm_source=2&'.repeat(count)}c`;
      expect(await end(fields(2))).toBe(`http://example.test/x?${'a=1&'.repeat(2)}c`);
      expect(await end(fields(20))).toBe(fields(20));
    } finally {
      await server.stop();
    }
  });

  it.skipIf(!isThere)('lets nobody choose where it leads, nor add a header', async () => {
    for (const { request } of Object.values(cases)) {
      const server = await servers.get(name)!((await loadTarget(name))!.write(request).text);
      try {
        const paths = [
          '//evil.test/',
          '///evil.test/',
          '/\\evil.test/',
          '/@evil.test/',
          '/shop//evil.test/',
          '/%0d%0aset-cookie:a=b/',
          '/%0D%0ALocation:%20http://evil.test/',
        ];
        for (const path of paths) {
          for (const more of ['index.html', 'x?utm_source=1', '?utm_source=1&next=//evil.test/', 'catalogue/x']) {
            for (const host of ['example.test', 'www.example.test', 'm.example.test']) {
              const { location = `http://${host}/` } = await server.announced(`http://${host}${path}${more}`);
              expect(location).toMatch(/^http:\/\/(?:www\.|m\.)?example\.test\//);
            }
          }
        }
      } finally {
        await server.stop();
      }
    }
  });
});

describe.each(Object.entries(installed))('%s, asked for long URLs', { timeout: 60_000 }, (name, isThere) => {
  it.skipIf(!isThere)('answers all of them, and folds any number of slashes in one redirect', async () => {
    const rules = [
      sampleRule('http://www.h.com/', 'http://h.com/', {
        rank: 1,
        anchor: 'start',
        not: [{ part: 'parameter', is: 'sid' }],
      }),
      sampleParameter('sid', { rank: 2 }),
      sampleParameter('lang', { rank: 3, only: [{ part: 'segment', is: 'b' }] }),
      sampleRule('.html', '', { rank: 4, anchor: 'end' }),
      ...(['fold-slashes', 'drop-end-slash'] as const).map((step, at) => sampleStep(step, '', { rank: 5 + at })),
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

function withTraps(url: string): readonly string[] {
  return traps.map((trap) => url + trap);
}
