// Pages that answer at two addresses: the hits of the log say which of them is the name, and the site confirms it.
import { describe, expect, test } from 'vitest';
import { settlementsOf } from '../../../src/validate/ask/settlements.js';
import type { Rule } from '../../../src/rule/rule.js';
import { sampleStep } from '../../rule/sample.js';
import type { FunctionSite } from '../function-source.js';
import { ask, many } from './asked.js';

/** One page at three hosts; at the old one most are gone. */
const hosts: FunctionSite = (url) => {
  const [, host, k] = /^http:\/\/(www\.h|h|old\.h)\/p(\d+)$/.exec(url) ?? [];
  return k === undefined || (host === 'old.h' && Number(k) % 4 > 0) ? 404 : `page${k}`;
};

/** The same pages at two hosts, with these hits. */
function atBoth(first: string, second: string, hitsOfFirst: number, hitsOfSecond: number) {
  const urls = many(60, (k) => [`http://${first}/p${k}`, `http://${second}/p${k}`]).flat();
  return { urls, hits: urls.map((_, at) => (at % 2 === 0 ? hitsOfFirst : hitsOfSecond)) };
}

describe('where two hosts have the same pages', () => {
  test('the one with the hits is the name, though it is longer', async () => {
    const { urls, hits } = atBoth('www.h', 'h', 30, 1);
    const { answer, formOf } = await ask(hosts, urls, { hits });
    expect(formOf('http://h/p7')).toBe('http://www.h/p7');
    expect(answer.accepted).toMatchObject([
      { to: expect.stringContaining('www.') as string, status: 'valid', hits: { kept: 1800, given: 60 } },
    ]);
    expect(answer.audit).toMatchObject({ different: 0, dead: 0, redirecting: 0 });
  });

  test('it is the shorter one without hits, with them on its side, and if it is preferred', async () => {
    const { urls, hits } = atBoth('www.h', 'h', 30, 1);
    const other = atBoth('www.h', 'h', 1, 30);
    const without = await ask(hosts, urls);
    const onIts = await ask(hosts, other.urls, { hits: other.hits });
    const preferred = await ask(hosts, urls, { hits, prefer: { host: 'h' } });
    for (const { formOf } of [without, onIts, preferred]) expect(formOf('http://www.h/p7')).toBe('http://h/p7');
  });

  test('canonical links that echo the host say nothing of it', async () => {
    // A field goes, the host stays: http://www.h/p7?id=1 names http://www.h/p7.
    const echo: FunctionSite = (url) => {
      const [, name, k] = /^(http:\/\/(?:www\.)?h\/p(\d+))(?:\?id=\d+)?$/.exec(url) ?? [];
      return k === undefined ? 404 : { page: `page${k}`, canonical: name! };
    };
    const { urls, hits } = atBoth('www.h', 'h', 1, 30);
    const all = urls.flatMap((url, at) => [url, ...(at % 3 === 0 ? [`${url}?id=${at}`] : [])]);
    const hitsOf = new Map(urls.map((url, at) => [url, hits[at]!]));
    const { formOf } = await ask(echo, all, { hits: all.map((url) => hitsOf.get(url) ?? 1) });
    expect(formOf('http://www.h/p7')).toBe('http://h/p7');
    expect(formOf('http://www.h/p6?id=12')).toBe('http://h/p6');
  });

  test('it is no host where pages are gone by now', async () => {
    const urls = many(60, (k) => [`http://old.h/p${4 * k}`, `http://h/p${4 * k}`]).flat();
    const lone = many(20, (k) => `http://h/p${4 * k + 1}`);
    const hits = [...urls.map((_, at) => (at % 2 === 0 ? 30 : 1)), ...lone.map(() => 1)];
    const { formOf } = await ask(hosts, [...urls, ...lone], { hits });
    for (const url of lone) expect(formOf(url)).toBe(url);
    expect(hosts(formOf('http://h/p8'))).toBe('page8');
  });
});

describe('where the slash at the end does not matter', () => {
  const urls = [...many(100, (k) => `http://h/s${k}/`), ...many(20, (k) => `http://h/s${k}`)];
  const hits = urls.map((url) => (url.endsWith('/') ? 30 : 1));

  test('it is added only if the site itself calls for it; else the rule is a key', async () => {
    const called: FunctionSite = (url) => {
      const [, k, slash] = /^http:\/\/h\/s(\d+)(\/?)$/.exec(url) ?? [];
      if (k === undefined) return 404;
      return slash === '/' ? `page${k}` : { page: `page${k}`, canonical: `http://h/s${k}/` };
    };
    const silent: FunctionSite = (url) => /^http:\/\/h\/s(\d+)\/?$/.exec(url)?.[1]?.replace(/^/, 'page') ?? 404;
    const byName = await ask(called, urls, { hits });
    expect(byName.formOf('http://h/s7')).toBe('http://h/s7/');
    const byHits = await ask(silent, urls, { hits });
    expect([byHits.formOf('http://h/s70/'), byHits.formOf('http://h/s7/')]).toEqual(['http://h/s70/', 'http://h/s7/']);
    expect(byHits.answer.accepted).toMatchObject([{ kind: 'step', use: 'key', hits: { kept: 20, given: 3000 } }]);
  });

  test('a key is decided anew where the site is asked again, and stays one without hits', async () => {
    const silent: FunctionSite = (url) => /^http:\/\/h\/s(\d+)\/?$/.exec(url)?.[1]?.replace(/^/, 'page') ?? 404;
    const { answer } = await ask(silent, urls, { hits });
    const rules = answer.accepted.map((rule, at) => ({ ...rule, rank: at + 1 }));
    const without = await ask(silent, urls, { rules });
    expect(without.formOf('http://h/s70/')).toBe('http://h/s70/');
    const again = await ask(silent, urls, { rules, hits: hits.map((n) => 31 - n) });
    expect(again.formOf('http://h/s7/')).toBe('http://h/s7');
    expect(again.answer.accepted[0]!.use).toBe('write');
  });
});

test('rules that nobody asked about again keep their verdict, with newer hits, and take no request', async () => {
  const { urls, hits } = atBoth('www.h', 'h', 1, 30);
  const { answer } = await ask(hosts, urls, { hits });
  const rules = answer.accepted.map((rule, at) => ({ ...rule, rank: at + 1 }));
  const plan = rules.map((rule) => ({ rule, attempts: [] }));
  const more = await ask(hosts, urls, { rules, hits: hits.map((n) => 2 * n) });
  expect(more.source.requests).toBe(0);
  expect(settlementsOf(plan, more.answer)).toMatchObject([
    { outcome: 'kept', requests: 0, after: [{ hits: { kept: 3600, given: 120 } }] },
  ]);
  const turned = await ask(hosts, urls, { rules, hits: hits.map((n) => 31 - n) });
  expect(turned.formOf('http://h/p7')).toBe('http://www.h/p7');
  expect(settlementsOf(plan, turned.answer)).toMatchObject([{ outcome: 'valid' }]);
  expect(turned.answer.audit).toMatchObject({ different: 0, dead: 0 });
});

test('a key that is asked about again is tried as a rule that writes, and is invalid if the pages differ', async () => {
  const urls = [...many(100, (k) => `http://h/s${k}/`), ...many(20, (k) => `http://h/s${k}`)];
  const hits = urls.map((url) => (url.endsWith('/') ? 30 : 1));
  const key = sampleStep('drop-end-slash', '', { status: 'likely', use: 'key', hits: { kept: 20, given: 3000 } });
  const same: FunctionSite = (url) => /^http:\/\/h\/(s\d+)\/?$/.exec(url)?.[1] ?? 404;
  const other: FunctionSite = (url) => /^http:\/\/h\/(s\d+\/?)$/.exec(url)?.[1] ?? 404;
  const plan = [{ rule: key as Rule, attempts: [] }];
  const held = await ask(same, urls, { rules: [key], hits });
  expect(settlementsOf(plan, held.answer)).toMatchObject([
    { outcome: 'key', after: [{ status: 'valid', use: 'key' }] },
  ]);
  const refuted = await ask(other, urls, { rules: [key], hits });
  expect(settlementsOf(plan, refuted.answer)).toMatchObject([{ outcome: 'invalid', after: [{ status: 'invalid' }] }]);
});

test('a tracker is no name, whatever its hits', async () => {
  const urls = many(60, (k) => [`http://h/p${k}`, `http://h/p${k}?utm_source=a`]).flat();
  const lone = many(40, (k) => `http://h/q${k}?utm_source=b`);
  const site: FunctionSite = (url) => /^http:\/\/h\/([pq]\d+)(?:\?.*)?$/.exec(url)?.[1] ?? 404;
  const hits = [...urls.map((url) => (url.includes('?') ? 90 : 1)), ...lone.map(() => 90)];
  const { formOf } = await ask(site, [...urls, ...lone], { hits });
  expect(formOf('http://h/q1?utm_source=b')).toBe('http://h/q1');
});

describe('escapes that everybody uses, but for one folder', () => {
  const signs: FunctionSite = (url) => {
    const [, path] = /^http:\/\/h(\/(?:wiki\/)?a(?::|%3A)\d+)$/.exec(url) ?? [];
    return path === undefined ? 404 : `page${path.replace('%3A', ':').replace(/\W/g, '_')}`;
  };
  const urls = [
    ...many(150, (k) => `http://h/a%3A${k}`),
    ...many(20, (k) => [`http://h/wiki/a%3A${k}`, `http://h/wiki/a:${k}`]).flat(),
  ];
  const hits = urls.map((url) => (url.includes('/wiki/a:') ? 30 : url.includes('/wiki/') ? 2 : 40));

  test('are bare signs there, and the rule a key elsewhere, also when the site is asked again', async () => {
    let rules: Rule[] = [];
    for (const _ of [1, 2, 3]) {
      const { answer, formOf } = await ask(signs, urls, { hits, rules });
      expect([formOf('http://h/wiki/a%3A7'), formOf('http://h/a%3A7')]).toEqual([
        'http://h/wiki/a:7',
        'http://h/a%3A7',
      ]);
      expect(answer.accepted.map(({ use = 'write' }) => use).sort()).toEqual(['key', 'write']);
      rules = answer.accepted.map((rule, at) => ({ ...rule, rank: at + 1 }));
    }
  });
});
