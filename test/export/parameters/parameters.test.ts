// Do lists for browsers remove what canonize removes, and nothing else? They are read here as their documentation says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adguard } from '../../../src/export/parameters/adguard.js';
import { clearurls } from '../../../src/export/parameters/clearurls.js';
import { pywb } from '../../../src/export/parameters/pywb.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { requestOf } from '../arbitrary.js';
import { carriedForm } from '../canonized.js';
import { amount } from '../../amount.js';

type Remove = (url: string) => string;

/** AdGuard: `||` is a host or one above it, `|` the begin, `^` a separator or the end; names are compared exactly. */
function asAdGuard(text: string): Remove {
  const list = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('!'))
    .map((line) => {
      const [, pattern = '', name = ''] = /^(.*)\$removeparam=(.*)$/.exec(line)!;
      return { name, matches: expressionOf(pattern) };
    });
  return (url) => withoutFields(url, (name) => list.some((one) => one.name === name && one.matches.test(url)));
}

function expressionOf(pattern: string): RegExp {
  if (/^\/.*\/$/.test(pattern)) return new RegExp(pattern.slice(1, -1), 'i');
  const [, begin = '', rest = '', end = ''] = /^(\|{0,2})(.*?)(\^?)$/.exec(pattern)!;
  const head = begin === '||' ? '^https?://(?:[^/]*\\.)?' : begin === '|' ? '^' : '';
  return new RegExp(`${head}${rest.replace(/[.\\+*?()[\]{}^$|]/g, '\\$&')}${end === '' ? '' : '(?:[/:?]|$)'}`, 'i');
}

/** ClearURLs: rules match whole names in any case. */
function asClearUrls(text: string): Remove {
  const { providers } = JSON.parse(text) as {
    readonly providers: Readonly<Record<string, { readonly urlPattern: string; readonly rules: readonly string[] }>>;
  };
  const list = Object.values(providers).map(({ urlPattern, rules }) => ({
    matches: new RegExp(urlPattern, 'i'),
    names: rules.map((rule) => new RegExp(`^${rule}$`, 'i')),
  }));
  return (url) =>
    withoutFields(url, (name) =>
      list.some((one) => one.matches.test(url) && one.names.some((rule) => rule.test(name))),
    );
}

function withoutFields(url: string, goes: (name: string) => boolean): string {
  const [path = '', query] = url.split('?');
  if (query === undefined) return url;
  const kept = query.split('&').filter((field) => !goes(field.split('=')[0]!));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

const field = fc
  .tuple(fc.constantFrom('sid', 'ref', 'utm_source', 'a.b', 'axb', 'id'), fc.constantFrom('1', 'x'))
  .map(([name, value]) => `${name}=${value}`);
const hosts = ['h.com', 'www.h.com', 'xh.com', 'i.co.uk', 'h.com.evil.org'] as const;
const url = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.constantFrom(...hosts),
    fc.constantFrom('/', '/a/', '/a/b', '/ab', '/x/a/'),
    fc.array(field, { maxLength: 4 }),
  )
  .map(([scheme, host, path, list]) => `${scheme}://${host}${path}${list.length === 0 ? '' : `?${list.join('&')}`}`);
const rules = fc
  .array(
    fc.tuple(
      fc.constantFrom('sid', 'ref', 'utm_source', 'a.b'),
      fc.constantFrom('*', 'h.com', 'i.co.uk'),
      fc.constantFrom('', '', '/a/', '//www.h.com/', '//h.com/a/', '/a'),
      fc.boolean(),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) =>
    list.map(([name, site, path, isWhole], at) =>
      sampleParameter(name, { site, path, scope: path === '' ? 'site' : isWhole ? 'path' : 'prefix', rank: at + 1 }),
    ),
  );

describe.each([
  ['adguard', adguard, asAdGuard],
  ['clearurls', clearurls, asClearUrls],
] as const)('the list for %s', (_, target, read) => {
  it('removes what canonize removes, by the rules that it has', () => {
    let [changed, carried, all] = [0, 0, 0];
    const cases = fc.tuple(rules, fc.constantFrom('domain', 'host'), fc.array(url, { minLength: 20, maxLength: 20 }));
    for (const [list, sitePolicy, urls] of fc.sample(cases, { numRuns: amount(100), seed: 16 })) {
      const request = requestOf(list, { sitePolicy });
      const exported = target.write(request);
      carried += exported.carried.length;
      all += list.length;
      const remove = read(exported.text);
      for (const one of urls) {
        const form = carriedForm(request, exported, one);
        expect({ one, list, form: remove(one) }).toEqual({ one, list, form });
        if (form !== one) changed++;
      }
    }
    expect(changed).toBeGreaterThan(amount(200));
    expect(carried / all).toBeGreaterThan(0.5);
  });

  it('leaves out what it cannot say', () => {
    const request = requestOf([
      sampleRule('/a', '/b'),
      sampleParameter('sid', { action: 'set', value: '1' }),
      sampleParameter('sid', { only: [{ part: 'depth', is: 1 }] }),
      sampleParameter('sid', { except: ['http://h.com/'] }),
      sampleParameter('a,b\n||evil.com^', {}),
      sampleParameter('sid', { scope: 'prefix', path: '/a$b' }),
    ]);
    const { text, carried, left } = target.write(request);
    expect(carried).toEqual([]);
    expect(new Set(left.map(({ reason }) => reason)).size).toBe(6);
    expect(read(text)('http://h.com/?sid=1')).toBe('http://h.com/?sid=1');
  });
});

describe('the fuzzy rules for pywb', () => {
  /** A key of pywb: host reversed without www., in lower case, fields in order. */
  function surt(one: string): string {
    const { hostname, pathname, search } = new URL(one);
    const host = hostname
      .replace(/^www\./, '')
      .split('.')
      .reverse()
      .join(',');
    const query = search === '' ? '' : `?${search.slice(1).split('&').sort().join('&')}`;
    return `${host})${pathname}${query}`.toLowerCase();
  }

  /** All expressions one after another, as pywb applies them to both keys. */
  function normalized(text: string, key: string): string {
    const entries = Array.from(text.matchAll(/- match: '(.*)'\n {10}replace: '(.*)'/g), ([, match, replace]) => ({
      match: new RegExp(match!, 'g'),
      replace: replace!.replace('\\1', '$1'),
    }));
    return entries.reduce((form, { match, replace }) => form.replace(match, replace), key);
  }

  it('find captures whose forms are alike, and no others', () => {
    let [alike, carried] = [0, 0];
    for (const [list, ...urls] of fc.sample(fc.tuple(rules, url, url), { numRuns: amount(2000), seed: 16 })) {
      const [a, other] = urls;
      const isMore = a.length % 2 === 0;
      const more = `${a}${a.includes('?') ? '&' : '?'}sid=9`;
      const b = isMore ? more : other.replace(/^[^?]*/, a.replace(/\?.*/, ''));
      const request = requestOf(list);
      const exported = pywb.write(request);
      carried += exported.carried.length;
      const keys = [a, b].map((one) => normalized(exported.text, surt(one)));
      const forms = [a, b].map((one) => surt(carriedForm(request, exported, one)));
      const found = exported.carried.length > 0 ? keys[0] === keys[1] : forms[0] === forms[1];
      expect({ a, b, list, found }).toEqual({ a, b, list, found: forms[0] === forms[1] });
      if (a !== b && found) alike++;
    }
    expect(alike).toBeGreaterThan(amount(50));
    expect(carried).toBeGreaterThan(amount(1500));
  });

  it('stand in the column of those that pywb has, as its rules.yaml is indented', () => {
    const { text } = pywb.write(requestOf([sampleParameter('sid')]));
    const own = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const merged = RULES_YAML.replace(/^ {4}url_normalize:\n/m, (line) => line + text);
    const columns = Array.from(merged.matchAll(/^( *)- match/gm), ([, indent]) => indent?.length);
    expect(columns).toEqual([8, 8, 8]);
    expect(own.slice(0, 2)).toEqual([expect.stringMatching(/^ {8}- match: /), "          replace: '\\1'"]);
    expect(own.every((line) => /^ {8}(?:- match|  replace): '[^']*'$/.test(line))).toBe(true);
  });
});

/** As pywb's own file begins, in the columns that it has there. */
const RULES_YAML = `default_filters:
    not_exts:
        - asp

    # a remark
    url_normalize:
        # remove a cache buster
        - match: '[?&]_=\\d+'
          replace: ''

rules:
    - url_prefix: 'com,example)/'
`;
