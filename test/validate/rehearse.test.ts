// A rehearsal on sites with known truth: which redirects fail, why, and by which rule.
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import type { Rule } from '../../src/rule/rule.js';
import { explainBy } from '../../src/validate/ask/audit.js';
import { Judge } from '../../src/validate/judge.js';
import { rehearse, type RehearseOptions, type Walk } from '../../src/validate/rehearse.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { FunctionSource, type FunctionSite } from './function-source.js';

const host = 'http://h.com';
const names = Array.from({ length: 12 }, (_, k) => `${host}/${'abcdefghijkl'[k]}`);
const sid = sampleParameter('sid', { rank: 1 });
const html = sampleRule('.html', '', { rank: 2, anchor: 'end' });

/** Rehearses rules by a server that does what canonize does. */
async function run(
  site: FunctionSite,
  urls: readonly string[],
  rules: readonly Rule[],
  more: Partial<RehearseOptions> = {},
  budget = Infinity,
) {
  const options = {
    normalize: 'safe',
    accept: 'valid',
    maxIterations: 10,
    urlForm: 'absolute',
    sitePolicy: 'all',
  } as const;
  const canonizer = createCanonizer(rules, options);
  const follow = async (url: string): Promise<Walk> => {
    const form = decodeText(canonizer.canonize(Buffer.from(url)));
    return { hops: form === url ? [] : [form], isLoop: false };
  };
  const source = new FunctionSource(site, budget);
  const { signal } = new AbortController();
  const judge = new Judge({ source, siteOf: () => 'h.com', base: '', signal });
  const found = await rehearse(urls, {
    follow,
    judge,
    explain: explainBy((url) => canonizer.explain(url)),
    isThere: async (url) => (await source.fetchAgain(url)).kind === 'page',
    sample: 100,
    seed: 1,
    signal,
    ...more,
  });
  return { found, source };
}

const pageAt: FunctionSite = (url) =>
  url
    .replace(/\?.*$/, '')
    .replace(/\.html?$/, '')
    .replace(/\W/g, '_');
const tracked = names.map((url) => `${url}?sid=7`);

describe('a rehearsal', () => {
  test('compares each redirect with the site, and leaves other URLs alone', async () => {
    const { found, source } = await run(pageAt, [...names, ...tracked], [sid]);
    expect(found).toMatchObject({ urls: 24, redirected: 12, chains: 0, judged: 12, failures: [], unjudged: {} });
    expect(source.requests).toBe(24);
  });

  test('compares no more than the sample', async () => {
    const { found, source } = await run(pageAt, tracked, [sid], { sample: 5 });
    expect(found).toMatchObject({ urls: 12, redirected: 12, judged: 5 });
    expect(source.requests).toBe(10);
  });

  test.each<[string, FunctionSite, string, string]>([
    ['a page that is gone', (url) => (url === `${host}/c` ? 404 : pageAt(url)), 'dead', 'status 404'],
    ['another page', (url) => (url === `${host}/c` ? 'another' : pageAt(url)), 'different', 'different'],
    [
      'a redirect',
      (url) => (url === `${host}/c` ? { redirect: `${host}/c.htm` } : pageAt(url)),
      'redirecting',
      'redirects',
    ],
  ])('finds %s, and the rule to blame', async (_, site, kind, reason) => {
    const both = [...names.map((url) => `${url}.html?sid=7`), ...tracked];
    const { found } = await run(site, both, [sid, html]);
    const failures = found.failures.filter(({ url }) => url.startsWith(`${host}/c`));
    expect(failures.length).toBe(found.failures.length);
    expect(new Set(failures.map((one) => [one.url, one.kind, one.reason, one.rule?.rank].join(' ')))).toEqual(
      new Set([`${host}/c.html?sid=7 ${kind} ${reason} 2`, `${host}/c?sid=7 ${kind} ${reason} 1`]),
    );
  });

  test('blames no rule for a folder without its slash, which the site redirects under either name', async () => {
    const site: FunctionSite = (url) =>
      /\/c(\?|$)/.test(url) ? { redirect: url.replace('/c', '/c/') } : pageAt(url.replace(/\/(\?|$)/, '$1'));
    const { found } = await run(site, tracked, [sid]);
    expect(found).toMatchObject({ judged: 11, failures: [], unjudged: { 'both redirect': 1 } });
    // The server redirects what the site redirects to.
    const back: FunctionSite = (url) => (url === `${host}/c` ? { redirect: `${host}/c?sid=8` } : site(url));
    expect((await run(back, tracked, [sid])).found.failures).toMatchObject([{ kind: 'loop', url: `${host}/c?sid=7` }]);
  });

  test('finds a site that leads back to what the server redirects', async () => {
    const site: FunctionSite = (url) => (url === `${host}/c` ? { redirect: `${host}/c?sid=7` } : pageAt(url));
    const { found } = await run(site, tracked, [sid]);
    expect(found.failures).toMatchObject([
      { kind: 'loop', url: `${host}/c?sid=7`, to: `${host}/c`, rule: { rank: 1 } },
    ]);
  });

  test('finds a server that redirects for ever, and counts what takes it several redirects', async () => {
    const follow = async (url: string): Promise<Walk> =>
      url.includes('/a') ? { hops: [`${host}/a`], isLoop: true } : { hops: [`${url}&x`, pageOf(url)], isLoop: false };
    const pageOf = (url: string) => url.replace('?sid=7', '');
    const { found } = await run(pageAt, tracked, [sid], { follow });
    expect(found).toMatchObject({ redirected: 12, chains: 11, judged: 12 });
    expect(found.failures).toMatchObject([{ kind: 'loop', url: `${host}/a?sid=7`, rule: { rank: 1 } }]);
  });

  test('blames no rule for a page that changes by itself, or a site that refuses everything by now', async () => {
    let requests = 0;
    const random: FunctionSite = (url) => (url.startsWith(`${host}/c`) ? `at${requests++}` : pageAt(url));
    expect((await run(random, tracked, [sid])).found).toMatchObject({ judged: 11, failures: [] });
    const blocking: FunctionSite = (url) => (requests++ < 9 ? pageAt(url) : 403);
    requests = 0;
    const { found } = await run(blocking, tracked, [sid]);
    expect(found).toMatchObject({ judged: 4, failures: [] });
    expect(found.unjudged).toEqual({ 'the site refuses it by now': 1, 'u: status 403': 7 });
  });

  test('knows a site that changes as a whole from a page that does, and asks for few pages again', async () => {
    let requests = 0;
    const changing: FunctionSite = (url) => (requests++ < 9 ? pageAt(url) : pageAt(url.replace(host, `${host}/new`)));
    const { found } = await run(changing, tracked, [sid]);
    expect(found).toMatchObject({ stop: 'changed', isRefusing: false });
    requests = 0;
    const lost: FunctionSite = (url) => (requests++ < 9 ? pageAt(url) : 404);
    expect((await run(lost, tracked, [sid])).found).toMatchObject({ judged: 4, stop: undefined, isRefusing: true });
    // One page is gone, and so is the rule's form of it: the others are as they were.
    const { found: steady, source } = await run((url) => (url === `${host}/c` ? 404 : pageAt(url)), tracked, [sid]);
    expect(steady).toMatchObject({ judged: 12, stop: undefined, isRefusing: false });
    expect(steady.failures).toHaveLength(1);
    expect(source.requests).toBe(24 + 1 + 5);
  });

  test('does not count pages that prove to be soft errors in the end', async () => {
    const { found } = await run(() => 'sorry', tracked, [sid]);
    expect(found).toMatchObject({ judged: 0, failures: [], unjudged: { 'soft-error': 12 } });
  });

  test('stops when its requests are used up, or when it is interrupted', async () => {
    expect((await run(pageAt, tracked, [sid], {}, 7)).found).toMatchObject({ judged: 3, stop: 'budget' });
    const { found } = await run(pageAt, tracked, [sid], { signal: AbortSignal.abort() });
    expect(found).toMatchObject({ urls: 0, judged: 0, stop: 'interrupted' });
  });
});
