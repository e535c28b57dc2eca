// A rule that inserts text needs the site's word for every kind of form that it is handed, also for those that are made
// by rules accepted after it.
import type { RequestListener } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { documentOf } from '../../../src/sketch/page.js';
import { sampleRule } from '../../rule/sample.js';
import { wordsOf, type FunctionSite, type Said } from '../function-source.js';
import { closeSources, serve, sourceOf } from '../live/site.js';
import { ask, expectSigned, many } from './asked.js';

afterAll(closeSources);

/**
 * Posts redirect to a slash at the end. Of an old page the list has two names with an extension; what its name without
 * one says is given, with a slash and without.
 */
function siteWith(old: (url: string, isFolder: boolean) => Said): FunctionSite {
  return (url) => {
    const [, folder, name, end] = /^http:\/\/[^/]*\/(?:(old)\/)?(\w+)(\/|\.php|\.htm)?$/.exec(url) ?? [];
    if (name === undefined) return 404;
    if (folder !== undefined) return end === '.php' || end === '.htm' ? pageOf(url) : old(url, end === '/');
    return end === '/' ? pageOf(url) : end === undefined ? { redirect: `${url}/` } : 404;
  };
}

/** All names of a page have this page. */
const pageOf = (url: string) => /(\w+)(?:\/|\.\w+)?$/.exec(url)![1]!;

const listOf = (host: string, old: number) => {
  const posts = many(80, (k) => `${host}/a${k}`);
  const pages = many(old, (k) => `${host}/old/x${k}`);
  return {
    pages,
    urls: [
      ...posts.map((url) => `${url}/`),
      ...posts.slice(0, 50),
      ...pages.flatMap((url) => [`${url}.php`, `${url}.htm`]),
    ],
  };
};

const rules = ['.php', '.htm'].map((from) =>
  sampleRule(from, '', { status: 'likely', anchor: 'end', confidence: 0.9, support: { low: 20, high: 20 } }),
);
const isAdded = { kind: 'step', step: 'add-end-slash', word: 'redirect' };

describe('a slash at the end, to which posts redirect', () => {
  test.each([
    ['a few pages', 6, pageOf],
    ['many pages', 40, pageOf],
    ['a few pages that name a third URL', 6, (url: string) => ({ page: pageOf(url), canonical: 'http://h/x/' })],
  ])('is not added to the names of %s that a later rule makes, if the site does not', async (_, count, said) => {
    const site = siteWith(said);
    const { urls, pages } = listOf('http://h', count);
    const { answer, formOf } = await ask(site, urls, { rules });
    expect(expectSigned(site, urls, formOf)).toBe(80 + count);
    expect(answer.accepted).toContainEqual(expect.objectContaining(isAdded));
    expect(formOf('http://h/a3')).toBe('http://h/a3/');
    // The rule before made them, and this one is handed them.
    for (const page of pages) expect([formOf(`${page}.php`), formOf(page)]).toEqual([page, page]);
  });

  test('is not added to a few exceptions, also where other rules come to them by way of other forms', async () => {
    const isOld = (name: string) => Number(name.slice(1)) >= 200;
    const site: FunctionSite = (url) => {
      const [, name, end] = /^http:\/\/h\/+(\w+)(\/|\.php|\.htm)?$/.exec(url) ?? [];
      if (name === undefined || (isOld(name) ? false : end?.startsWith('.'))) return 404;
      return isOld(name) || end === '/' ? name : { redirect: `http://h/${name}/` };
    };
    const posts = many(120, (k) => `http://h/a${k}`);
    const pages = many(6, (k) => `http://h/a${200 + k}`);
    const urls = [
      ...posts.flatMap((url) => [`${url}/`, url]),
      ...posts.slice(0, 60).map((url) => `${url.replace('/a', '//a')}/`),
      ...pages.flatMap((url) => [`${url}.php`, `${url}.htm`, `${url.replace('/a', '//a')}.php`]),
    ];
    const { answer, formOf } = await ask(site, urls, { rules });
    expect(expectSigned(site, urls, formOf)).toBe(120 + 6);
    for (const page of pages) expect(formOf(`${page.replace('/a', '//a')}.php`)).toBe(page);
    expect(answer.accepted).toContainEqual(
      expect.objectContaining({ ...isAdded, except: expect.arrayContaining(pages) as string[] }),
    );
  });

  test.each([1, 2, 3])(
    'is not added to a few that the log has as pages, however many are redirects (%i)',
    async (seed) => {
      const isPage = (url: string) => Number(/\d+/.exec(url)?.[0]) % 50 === 7;
      const site: FunctionSite = (url) => {
        const [, name, end] = /^http:\/\/h\/(\w+)(\/?)$/.exec(url) ?? [];
        if (name === undefined) return 404;
        return isPage(url) || end === '/' ? name : { redirect: `${url}/` };
      };
      const bare = many(400, (k) => `http://h/a${k}`);
      const urls = [...bare, ...bare.filter((url) => !isPage(url)).map((url) => `${url}/`)];
      const { answer, formOf } = await ask(site, urls, { seed, redirected: bare.filter((url) => !isPage(url)) });
      expect(expectSigned(site, urls, formOf)).toBe(400);
      expect(answer.accepted).toContainEqual(expect.objectContaining(isAdded));
      const pages = bare.filter(isPage);
      expect(pages.length).toBe(8);
      expect(pages.map(formOf)).toEqual(pages);
    },
  );

  test('is added to those that redirect to it as well', async () => {
    const site = siteWith((url, isFolder) => (isFolder ? pageOf(url) : { redirect: `${url}/` }));
    const { urls, pages } = listOf('http://h', 40);
    const { answer, formOf } = await ask(site, urls, { rules });
    expect(expectSigned(site, urls, formOf)).toBe(80 + 40);
    for (const page of pages) expect(formOf(`${page}.php`)).toBe(`${page}/`);
    expect(answer.accepted).toContainEqual(expect.objectContaining(isAdded));
  });

  test('is not added to names that a later rule makes, by a real server', async () => {
    const site = siteWith(pageOf);
    const server = await serve(answeredBy(site));
    try {
      const host = server.origin();
      const { urls, pages } = listOf(host, 12);
      const { answer, formOf } = await ask(site, urls, { rules, pages: sourceOf({ documentOf }) });
      expect(expectSigned(site, urls, formOf)).toBe(80 + 12);
      expect(answer.accepted).toContainEqual(expect.objectContaining(isAdded));
      for (const page of pages) expect(formOf(`${page}.php`)).toBe(page);
    } finally {
      await server.close();
    }
  });
});

function answeredBy(site: FunctionSite): RequestListener {
  return ({ headers, url }, response) => {
    if (url === '/robots.txt') return;
    const said = site(`http://${headers.host}${url}`);
    if (typeof said === 'string') response.setHeader('content-type', 'text/plain').end(wordsOf(said));
    else if (typeof said === 'object' && said !== null && 'redirect' in said)
      response.writeHead(301, { location: said.redirect }).end();
    else response.writeHead(404).end();
  };
}
