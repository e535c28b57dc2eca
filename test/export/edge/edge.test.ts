// Do functions at the edge, and the keys for Crawlee, agree with canonize? They are loaded and called in Node, as their
// hosts call them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { cloudflare } from '../../../src/export/edge/modules.js';
import { cloudfront } from '../../../src/export/edge/cloudfront.js';
import { crawlee } from '../../../src/export/edge/modules.js';
import { amount } from '../../amount.js';
import { scratchFolder } from '../../cli/process.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { requestOf, ruleSets, settings, urls } from '../arbitrary.js';
import { handWritten, usualUrls } from '../edits/arbitrary.js';
import { carriedForm, preparedForm } from '../canonized.js';

const folder = scratchFolder();
afterAll(() => folder.remove());
afterEach(() => vi.unstubAllGlobals());

let written = 0;

async function load(text: string): Promise<unknown> {
  const path = join(folder.path, `module-${written++}.mjs`);
  writeFileSync(path, text);
  return await import(/* @vite-ignore */ pathToFileURL(path).href);
}

const inputs = fc.tuple(ruleSets, settings, fc.array(urls, { minLength: 40, maxLength: 40 }));

describe('the Cloudflare Worker', () => {
  interface Worker {
    readonly default: { readonly fetch: (request: Request) => Response | Promise<Response> };
  }

  it('redirects once, to the form of canonize as a browser asks for it', async () => {
    const passed = new Response('passed');
    vi.stubGlobal('fetch', () => Promise.resolve(passed));
    let [redirects, passes] = [0, 0];
    for (const [rules, more, list] of fc.sample(inputs, { numRuns: amount(40, 6), seed: 16 })) {
      const request = requestOf(rules, more);
      const exported = cloudflare.write(request);
      const worker = ((await load(exported.text)) as Worker).default;
      for (const line of list) {
        if (!/^http/i.test(line) || !URL.canParse(line) || line.includes('@')) continue;
        const url = new Request(line).url;
        const form = carriedForm(request, exported, url);
        const response = await worker.fetch(new Request(url));
        if (response === passed) {
          const again = URL.canParse(form) ? new URL(form).href : url;
          if (again !== url) expect(carriedForm(request, exported, again)).not.toBe(again);
          passes++;
          continue;
        }
        const location = response.headers.get('location')!;
        expect([response.status, location]).toEqual([301, new URL(form).href]);
        expect(await worker.fetch(new Request(location))).toBe(passed);
        redirects++;
      }
    }
    expect(redirects).toBeGreaterThan(amount(100, 20));
    expect(passes).toBeGreaterThan(amount(100, 20));
  });

  it('leaves a POST alone, and says what it leaves out', async () => {
    vi.stubGlobal('fetch', () => 'passed');
    const away = sampleRule('/example.com/', '/', { rank: 2, site: 'example.com' });
    const { text, left } = cloudflare.write(requestOf([sampleParameter('sid'), away]));
    expect(left.map(({ rule }) => rule)).toEqual([away]);
    expect(text).toContain('//   rule 2 (example.com)');
    const worker = ((await load(text)) as Worker).default;
    expect(worker.fetch(new Request('http://h.com/?sid=1', { method: 'POST' }))).toBe('passed');
    expect(worker.fetch(new Request('http://h.com/?sid=1'))).toBeInstanceOf(Response);
  });
});

describe('the CloudFront Function', () => {
  it('redirects to no path that clients would take for a host', () => {
    const rules = [sampleParameter('sid'), sampleRule('/index.html', '/', { rank: 2, anchor: 'end' })];
    const { text } = cloudfront.write(requestOf(rules, { urlForm: 'path' }));
    const context = createContext({});
    runInContext(text, context);
    const answer = (uri: string, query?: string) => {
      const request = { method: 'GET', uri, headers: { host: { value: 'h.com' } }, rawQueryString: () => query };
      const said = (context['handler'] as (event: object) => Record<string, unknown>)({ request });
      return (said['headers'] as { location?: { value: string } }).location?.value;
    };
    expect(answer('/a/index.html')).toBe('/a/');
    expect(answer('/a', 'sid=1')).toBe('/a');
    for (const uri of ['//evil.test/index.html', '/\\evil.test/index.html']) expect(answer(uri)).toBeUndefined();
    expect(answer('//evil.test/', 'sid=1')).toBeUndefined();
  });

  interface Event {
    readonly request: {
      readonly method: string;
      readonly uri: string;
      readonly headers: Readonly<Record<string, { readonly value: string }>>;
      readonly rawQueryString: () => string | undefined;
    };
  }
  type Handler = (event: Event) => Event['request'] & { readonly headers: { readonly location?: { value: string } } };

  function handlerOf(text: string): Handler {
    const context = createContext({});
    runInContext(text, context);
    return runInContext('handler', context) as Handler;
  }

  /** Where it redirects, or undefined. */
  function locationOf(handler: Handler, url: string, method = 'GET'): string | undefined {
    const [, proto = '', host = '', uri = '', query] = /^(https?):\/\/([^/]*)([^?]*)(?:\?(.*))?$/.exec(url)!;
    const headers = { host: { value: host }, 'cloudfront-forwarded-proto': { value: proto } };
    const request = { method, uri, headers, rawQueryString: () => query };
    return handler({ request }).headers.location?.value;
  }

  it('redirects normal URLs to the form of canonize, by the rules that it has, or leaves them alone', () => {
    let [redirects, givenUp, carried, rules] = [0, 0, 0, 0];
    const usual = fc.tuple(handWritten, fc.constantFrom('absolute', 'path'), fc.array(usualUrls, { minLength: 40 }));
    for (const [list, urlForm, lines] of fc.sample(usual, { numRuns: 60, seed: 16 })) {
      const site = urlForm === 'path' ? '' : '*';
      const request = requestOf(
        list.map((rule) => ({ ...rule, site })),
        { urlForm },
      );
      const exported = cloudfront.write(request);
      rules += list.length;
      carried += exported.carried.length;
      const handler = handlerOf(exported.text);
      for (const line of lines) {
        const url = preparedForm(request, line);
        // What a browser asks for.
        if (!/^https?:\/\/[a-z0-9][a-z0-9.:-]*\/[\x21-\x7e]*$/.test(url)) continue;
        const given = urlForm === 'path' ? url.replace(/^https?:\/\/[^/]*/, '') : url;
        const form = carriedForm(request, exported, given);
        const location = locationOf(handler, url);
        if (location !== undefined) redirects++;
        const isLeft = location === undefined && withoutScheme(form) !== withoutScheme(given);
        if (isLeft) givenUp++;
        else expect(location).toBe(withoutScheme(form) === withoutScheme(given) ? undefined : form);
      }
    }
    expect(redirects).toBeGreaterThan(100);
    expect(givenUp / redirects).toBeLessThan(0.2);
    expect(carried / rules).toBeGreaterThan(0.5);
  });

  const withoutScheme = (url: string) => url.replace(/^https?:/, '');

  it('has at most 10 KB, and says which rules do not fit', () => {
    const request = requestOf(
      Array.from({ length: 90 }, (_, at) => sampleParameter(`${at}-${'x'.repeat(20)}`, { rank: at + 1 })),
    );
    const { text, carried, left } = cloudfront.write(request);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_240);
    expect(carried.length).toBeGreaterThan(10);
    expect(carried.length + left.length).toBe(90);
    expect(left[0]!.reason).toBe('does not fit into the 10 KB of a CloudFront Function');
    const url = `https://h.com/a?0-${'x'.repeat(20)}=1&b=2`;
    expect(locationOf(handlerOf(text), url)).toBe('https://h.com/a?b=2');
    expect(locationOf(handlerOf(text), url, 'POST')).toBeUndefined();
  });

  it('cannot be escaped from by text of a rule', () => {
    const texts = ['/', '*/', '[]', '()', '+?', '.*', "'", '"', '\\', '`', '${a}', '$&', '$1', '\u2028'];
    const rules = texts.map((text, at) => sampleRule(`/a${at}${text}x`, '/', { rank: at + 1, anchor: 'end' }));
    const request = requestOf(rules, { normalization: 'none', source: 'a\n//*/' });
    const exported = cloudfront.write(request);
    const handler = handlerOf(exported.text);
    const asked = texts.slice(0, 6).map((text, at) => `http://h.com/a${at}${text}x`);
    expect(asked.map((url) => locationOf(handler, url))).toEqual(Array(6).fill('http://h.com/'));
    expect(asked.map((url) => locationOf(handler, url))).toEqual(
      asked.map((url) => carriedForm(request, exported, url)),
    );
    expect(new Set(exported.left.map(({ reason }) => reason))).toEqual(
      new Set(['has text that needs escapes, or is long']),
    );
  });
});

describe('the module for Crawlee', () => {
  interface Module {
    readonly withCanonicalKey: (request: object) => object;
    readonly requestsOf: (urls: readonly string[]) => readonly object[];
  }

  it('gives requests the canonical form for a key, unless they have a body or a key', async () => {
    const text = crawlee.write(requestOf([sampleParameter('sid')])).text;
    const { withCanonicalKey, requestsOf } = (await load(text)) as Module;
    const url = 'http://h.com/?sid=1&x=2';
    const uniqueKey = 'http://h.com/?x=2';
    expect(requestsOf([url])).toEqual([{ url, uniqueKey }]);
    expect(withCanonicalKey({ url, label: 'list' })).toEqual({ url, label: 'list', uniqueKey });
    for (const more of [{ method: 'POST' }, { payload: 'x' }, { uniqueKey: 'x' }]) {
      expect(withCanonicalKey({ url, ...more })).toEqual({ url, ...more });
    }
  });
});
