// Do the cache keys merge exactly the URLs that canonize merges by the same rules? And does a check see what changed?
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { cloudflareKey } from '../../../src/export/cache/cloudflare-key.js';
import { cloudfrontKey } from '../../../src/export/cache/cloudfront-key.js';
import { HitMeter } from '../../../src/export/cache/hits.js';
import { noVarySearch } from '../../../src/export/cache/no-vary-search.js';
import { varnishKey } from '../../../src/export/cache/varnish-key.js';
import type { RecordBatch } from '../../../src/log/record.js';
import type { ParameterRule, Verdict } from '../../../src/rule/rule.js';
import { amount } from '../../amount.js';
import { scratchFolder } from '../../cli/process.js';
import { sampleParameter, sampleRule, sampleStep } from '../../rule/sample.js';
import { requestOf } from '../arbitrary.js';
import { carriedForm } from '../canonized.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
afterEach(() => vi.unstubAllGlobals());

const verdict: Verdict = { source: 'live', positive: 39, negative: 0, unjudged: {}, positives: [], negatives: [] };

function proved(name: string, more: Partial<ParameterRule> = {}): ParameterRule {
  return sampleParameter(name, { verdict, ...more });
}

const rules = [
  proved('sid'),
  proved('ref', { rank: 2, site: 'h.com' }),
  proved('a.b', { rank: 3, site: 'h.com', scope: 'prefix', path: '//www.h.com/a/' }),
  proved('tab', { rank: 4, site: 'i.co.uk', scope: 'path', path: '/x' }),
];
const request = requestOf(rules);

const field = fc.constantFrom('sid=1', 'sid', 'ref=2', 'a.b=3', 'axb=3', 'tab=4', 'id=5', 'xsid=6');
const fields = fc.array(field, { minLength: 2, maxLength: 4 });
/** Two of one path; one field without `=` would be a bare query, which has no parameter. */
const pairs = fc
  .tuple(
    fc.constantFrom('http://h.com', 'http://www.h.com', 'http://xh.com', 'http://i.co.uk', 'http://j.i.co.uk'),
    fc.constantFrom('/', '/a/', '/a/b', '/x', '/x/y'),
    fields,
    fields,
  )
  .map(([origin, path, a, b]) => [a, b].map((list) => `${origin}${path}?${list.join('&')}&z=0`) as [string, string]);

/** As a browser that knows the header: URLs are alike if their other parameters are. */
function headerKey(text: string): (url: string) => string {
  const lines = text.matchAll(/^ {2}"~(.*)" '(?:params=\((.*)\))?(?:, )?(key-order)?';$/gm);
  const places = Array.from(lines, ([, pattern, names = '', order]) => ({
    place: new RegExp(pattern!),
    names: names.split(' ').map((name) => name.slice(1, -1)),
    isInOrder: order === undefined,
  }));
  return (one) => {
    const { host, pathname, searchParams } = new URL(one);
    const found = places.find(({ place }) => place.test(host + pathname));
    const kept = new URLSearchParams([...searchParams].filter(([name]) => found?.names.includes(name) !== true));
    if (found?.isInOrder === false) kept.sort();
    return `${host}${pathname}?${kept.toString()}`;
  };
}

/** Runs the `set` lines of the block whose conditions hold. */
function vclKey(text: string): (url: string) => string {
  const expression = (pattern: string) => new RegExp(pattern.replace('(?i)', ''), 'g');
  const blocks = Array.from(
    text.matchAll(/^ {2}(?:\} els)?if \((.* ~ .*)\) \{\n((?: {4}set .*\n)+)/gm),
    ([, when, sets]) => ({
      conditions: Array.from(when!.matchAll(/(\S+) ~ "([^"]*)"/g), ([, what, pattern]) => ({
        what,
        pattern: pattern!,
      })),
      edits: Array.from(sets!.matchAll(/regsub(all)?\(\S+, "([^"]*)", "([^"]*)"\)/g), ([, all, find, put]) => ({
        find: new RegExp(find!, all === undefined ? '' : 'g'),
        put: put!.replace('$', '$$'),
      })),
    }),
  );
  return (one) => {
    const { host, pathname, search } = new URL(one);
    const path = pathname + search;
    const block = blocks.find(({ conditions }) =>
      conditions.every(({ what, pattern }) => expression(pattern).test(what === 'req.http.host' ? host : path)),
    );
    return host + (block?.edits ?? []).reduce((key, { find, put }) => key.replace(find, put), path);
  };
}

describe.each([
  ['No-Vary-Search', noVarySearch, headerKey],
  ['the key for Varnish', varnishKey, vclKey],
] as const)('%s', (_, target, read) => {
  it('merges the URLs that canonize merges, and no others', () => {
    const exported = target.write(request);
    expect(exported.carried).toEqual(rules);
    const keyOf = read(exported.text);
    let alike = 0;
    for (const [a, b] of fc.sample(pairs, { numRuns: amount(8000), seed: 16 })) {
      const forms = [a, b].map((one) => carriedForm(request, exported, one));
      expect({ a, b, same: keyOf(a) === keyOf(b) }).toEqual({ a, b, same: forms[0] === forms[1] });
      if (a !== b && forms[0] === forms[1]) alike++;
    }
    expect(alike).toBeGreaterThan(amount(100));
  });
});

it('No-Vary-Search ignores the order of fields where the rule sort-fields holds', () => {
  const sorting = sampleStep('sort-fields', '', { verdict, site: 'h.com', rank: 5 });
  const request = requestOf([...rules, sorting]);
  const exported = noVarySearch.write(request);
  expect(exported.carried).toEqual([...rules, sorting]);
  expect(exported.text).toContain('\'params=("ref" "sid"), key-order\';');
  const keyOf = headerKey(exported.text);
  let turned = 0;
  for (const [a, b] of fc.sample(pairs, { numRuns: amount(12_000, 2), seed: 17 })) {
    const forms = [a, b].map((one) => carriedForm(request, exported, one));
    expect({ a, b, same: keyOf(a) === keyOf(b) }).toEqual({ a, b, same: forms[0] === forms[1] });
    if (forms[0] === forms[1] && carriedForm(requestOf(rules), noVarySearch.write(requestOf(rules)), a) !== forms[0])
      turned++;
  }
  expect(turned).toBeGreaterThan(amount(20, 2));
  expect(varnishKey.write(request).left.map(({ rule }) => rule)).toEqual([sorting]);
  const alone = requestOf([sorting]);
  expect(noVarySearch.write(alone).text).toContain("'key-order';");
  expect(noVarySearch.check!(alone, noVarySearch.write(alone).text)).toEqual([]);
  expect(noVarySearch.check!(requestOf([]), noVarySearch.write(alone).text)).toHaveLength(1);
});

describe('the Cloudflare Worker with a key', () => {
  it('asks its cache by the form, and keeps what the site gives to all', async () => {
    const path = join(scratch.path, 'worker.mjs');
    writeFileSync(path, cloudflareKey.write(request).text);
    const module = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
      readonly default: { fetch(request: Request, env: object, context: object): Promise<Response> };
    };
    const kept = new Map<string, Response>();
    const asked: string[] = [];
    let control = 'max-age=60';
    vi.stubGlobal('caches', {
      default: {
        match: (key: string) => Promise.resolve(kept.get(key)?.clone()),
        put: (key: string, response: Response) => Promise.resolve(kept.set(key, response)),
      },
    });
    vi.stubGlobal('fetch', (one: Request) => {
      asked.push(one.url);
      return Promise.resolve(new Response(one.url, { headers: { 'cache-control': control } }));
    });
    const get = async (one: string, init: RequestInit = {}) =>
      (await module.default.fetch(new Request(one, init), {}, { waitUntil: (done: Promise<unknown>) => done })).text();
    expect(await get('http://k.com/?sid=1&b=2')).toBe('http://k.com/?sid=1&b=2');
    expect(await get('http://k.com/?sid=7&b=2')).toBe('http://k.com/?sid=1&b=2');
    expect([...kept.keys()]).toEqual(['http://k.com/?b=2']);
    expect(await get('http://k.com/?b=2', { headers: { authorization: 'x' } })).toBe('http://k.com/?b=2');
    control = 'private, max-age=60';
    await get('http://k.com/?b=3');
    await get('http://k.com/?b=3');
    expect(asked).toHaveLength(4);
  });
});

const all = [noVarySearch, varnishKey, cloudfrontKey, cloudflareKey];

describe.each(all.map((target) => [target.name, target] as const))('%s', (_, target) => {
  it('lists what pages have shown, with the evidence, and nothing else', () => {
    const other = [
      proved('likely', { status: 'likely', rank: 5 }),
      sampleParameter('pinned', { pin: true, rank: 6 }),
      proved('sizes', { verdict: { ...verdict, source: 'log' }, rank: 7 }),
      proved('labels', { verdict: { ...verdict, source: 'clusters' }, rank: 7 }),
      proved('conditions', { only: [{ part: 'depth', is: 1 }], rank: 8 }),
      sampleRule('/a', '/b', { rank: 9 }),
    ];
    const { text, carried, left } = target.write(requestOf([...rules, ...other]));
    expect(carried).toEqual(rules);
    expect(left.map(({ rule }) => rule)).toEqual(other);
    expect(text).toContain('no effect: a.b on www.h.com/a/*: 39 pages alike, 0 different (live)');
    expect(text).toContain('no effect: tab on *.i.co.uk/x: ');
  });

  it('is checked: what is listed has to have no effect, and what has none has to be listed', () => {
    const { text } = target.write(request);
    expect(target.check!(request, text)).toEqual([]);
    const newer = requestOf([...rules.slice(1), proved('tracker', { rank: 9 })]);
    expect(target.check!(newer, text)).toEqual([
      'sid on */*: listed, and no longer without effect',
      'tracker on */*: without effect, and not listed',
    ]);
  });
});

const hasVarnish = spawnSync('varnishd', ['-V']).status === 0;

it.skipIf(!hasVarnish || process.env['DUSTBUSTER_E2E'] !== '1')('Varnish compiles the key', { timeout: 60_000 }, () => {
  const file = join(scratch.path, 'key.vcl');
  // Varnish has a user of its own.
  chmodSync(scratch.path, 0o755);
  const backend = 'vcl 4.0;\nbackend default { .host = "127.0.0.1"; .port = "1"; }\n';
  writeFileSync(file, backend + varnishKey.write(request).text);
  const { status, stderr } = spawnSync('varnishd', ['-C', '-f', file], { encoding: 'utf8' });
  expect(status === 0 ? '' : stderr).toBe('');
});

it('the policy for CloudFront has the parameters of each place', () => {
  const items = Array.from(cloudfrontKey.write(request).text.matchAll(/^# (\S+)\nresource[^]*?items = (\[.*\])/gm));
  expect(items.map(([, place, names]) => [place, JSON.parse(names!) as unknown])).toEqual([
    ['www.h.com/a/*', ['a.b', 'ref', 'sid']],
    ['*.i.co.uk/x', ['sid', 'tab']],
    ['*.h.com/*', ['ref', 'sid']],
    ['*/*', ['sid']],
  ]);
});

it('a policy of CloudFront names ten parameters, and says which do not fit', () => {
  const names = Array.from({ length: 12 }, (_, at) => `p${at + 1}`);
  const many = names.map((name, at) => proved(name, { rank: at + 1 }));
  const { text, carried, left } = cloudfrontKey.write(requestOf(many));
  expect(carried.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(left.map(({ rule, reason }) => [rule.rank, reason])).toEqual(
    [11, 12].map((rank) => [rank, 'comes after the 10 parameters that a policy names']),
  );
  for (const [, items] of text.matchAll(/items = (\[.*\])/g)) {
    expect((JSON.parse(items!) as string[]).length).toBeLessThanOrEqual(10);
  }
  expect(cloudfrontKey.check!(requestOf(many), text)).toEqual([]);
});

it('a hit ratio counts requests whose key came before, and no redirects or errors', () => {
  const meter = new HitMeter(request, rules);
  const lines = ['/a', '/a', '/a?sid=1&b=1', '/a?b=1', '/a?b=2', '/a', '/b'].map((path) => `http://h.com${path}`);
  const status = Int16Array.from([200, 304, 200, -1, 206, 301, 404]);
  const bytes = Buffer.from(lines.join(''));
  const ends = lines.map((_, at) => lines.slice(0, at + 1).join('').length);
  const batch = { rows: 7, bytes, status, urlStart: Int32Array.from([0, ...ends]), urlEnd: Int32Array.from(ends) };
  meter.add(batch as unknown as RecordBatch);
  expect(meter.hits).toEqual({ requests: 5, before: 1, after: 2 });
});
