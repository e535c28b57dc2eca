import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanParam } from '../../src/export/clean-param.js';
import type { ParameterRule } from '../../src/rule/rule.js';
import { amount } from '../amount.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { requestOf } from './arbitrary.js';
import { carriedForm } from './canonized.js';

/** What the lines make of a URL of their host, by the help of Yandex Webmaster. */
function cleaned(text: string, url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  const lines = text.split('\n').filter((line) => line.startsWith('Clean-param: '));
  const gone = lines.flatMap((line) => {
    const [, names = '', prefix = ''] = line.split(' ');
    return path.startsWith(prefix) ? names.split('&') : [];
  });
  const fields = query?.split('&').filter((field) => !gone.includes(field.split('=')[0]!)) ?? [];
  return fields.length > 0 ? `${path}?${fields.join('&')}` : path;
}

/** For each host or site, the names for each prefix, in the order of the lines. */
function sectionsOf(text: string): readonly unknown[] {
  const [, ...sections] = text.split('\n\n# ');
  return sections.map((section) => {
    const [host, ...lines] = section.trimEnd().split('\n');
    const pairs = lines.map((line) => line.split(' '));
    return [host, pairs.map(([, names = '', prefix = '']) => [prefix, names.split('&')])];
  });
}

/** The same by a scan of all rules for each host, and of all rules of a host for each of them. */
function sectionsByScan(rules: readonly ParameterRule[]): readonly unknown[] {
  const said = rules.map(({ name, site, path }) => {
    const [, host = '', rest = path] = /^\/\/([^/]*)(.*)$/.exec(path) ?? [];
    const own = host || (site === '*' ? 'every site' : site);
    return { name, own, site: host === '' ? site : undefined, prefix: rest === '/' ? '' : rest };
  });
  return [...new Set(said.map(({ own }) => own))].map((host) => {
    const all = said.filter(({ own, site }) => [host, 'every site'].includes(own) || host.endsWith(`.${site}`));
    const kept = all.filter(({ name, prefix }, at) =>
      all.every((other, k) => {
        const isSaid = other.name === name && prefix.startsWith(other.prefix);
        return !isSaid || (other.prefix === prefix && k >= at);
      }),
    );
    const prefixes = [...new Set(kept.map(({ prefix }) => prefix))];
    return [host, prefixes.map((of) => [of, kept.filter(({ prefix }) => prefix === of).map(({ name }) => name)])];
  });
}

const linesOf = (text: string) => text.split('\n').filter((line) => !line.startsWith('#') && line !== '');

describe('Clean-param lines', () => {
  it('group names by prefix, and have for each host what holds for its site', () => {
    const { text, carried, left } = cleanParam.write(
      requestOf([
        sampleParameter('sid', { site: 'example.com' }),
        sampleParameter('ref', { site: 'example.com', rank: 2 }),
        sampleParameter('s', { site: 'example.com', rank: 3, scope: 'prefix', path: '//www.example.com/forum/' }),
        sampleParameter('t', { site: 'example.com', rank: 4, scope: 'prefix', path: '/forum/' }),
      ]),
    );
    expect(text.split('\n').slice(-8)).toEqual([
      '# example.com',
      'Clean-param: sid&ref',
      'Clean-param: t /forum/',
      '',
      '# www.example.com',
      'Clean-param: sid&ref',
      'Clean-param: s&t /forum/',
      '',
    ]);
    expect(carried).toHaveLength(4);
    expect(left).toEqual([]);
  });

  it('join what holds for every site, and say nothing twice', () => {
    const { text, carried } = cleanParam.write(
      requestOf([
        sampleParameter('utm_source'),
        sampleParameter('sid', { rank: 2, site: 'example.com', scope: 'prefix', path: '/forum/' }),
        sampleParameter('sid', { rank: 3, site: 'example.com' }),
        sampleParameter('utm_source', { rank: 4, site: 'example.org' }),
      ]),
    );
    expect(text.split('\n').slice(-9)).toEqual([
      '# every site',
      'Clean-param: utm_source',
      '',
      '# example.com',
      'Clean-param: utm_source&sid',
      '',
      '# example.org',
      'Clean-param: utm_source',
      '',
    ]);
    expect(carried).toHaveLength(4);
  });

  it.each([
    [sampleRule('/a', '/b'), 'Clean-param takes parameters only'],
    [sampleParameter('a', { action: 'set', value: '1' }), 'Clean-param takes parameters out, and sets none'],
    [sampleParameter('a', { scope: 'path', path: '/list' }), 'Clean-param takes every path that begins alike'],
    [
      sampleParameter('a', { scope: 'prefix', path: '/a*b/' }),
      'Clean-param takes letters, digits and .-/_ in a path only',
    ],
    [
      sampleParameter('a', { scope: 'prefix', path: `/${'a'.repeat(490)}/` }),
      'is too long for a line of 500 characters',
    ],
    [sampleParameter('a', { except: ['/?a=1'] }), 'Clean-param has no exceptions'],
    [sampleParameter('a&b'), 'has a name with characters that Clean-param may not accept'],
  ])('leave out %j', (rule, reason) => {
    const { text, left } = cleanParam.write(requestOf([rule]));
    expect(left).toEqual([{ rule, reason }]);
    expect(linesOf(text)).toEqual([]);
  });

  it('have for each host what a scan of all rules finds for it', () => {
    const place = fc.record({
      site: fc.constantFrom('*', 'h.com', 'a.h.com', 'b.a.h.com', 'xh.com', 'com'),
      host: fc.constantFrom('', '', '//h.com', '//a.h.com', '//c.h.com', '//b.a.h.com'),
      prefix: fc.constantFrom('', '/', '/x', '/x/', '/x/y', '/x-', '/xy/', '/z/'),
    });
    const rule = fc.tuple(fc.constantFrom('a', 'b'), place).map(([name, { site, host, prefix }]) => {
      const path = host === '' ? prefix : `${host}${prefix || '/'}`;
      return sampleParameter(name, { site, scope: path === '' ? 'site' : 'prefix', path });
    });
    let hosts = 0;
    const law = fc.property(fc.array(rule, { maxLength: 12 }), (rules) => {
      const { text } = cleanParam.write(requestOf(rules.map((one, at) => ({ ...one, rank: at + 1 }))));
      const expected = sectionsByScan(rules);
      expect(sectionsOf(text)).toEqual(expected);
      hosts += expected.length;
    });
    fc.assert(law, { numRuns: amount(1000) });
    expect(hosts).toBeGreaterThan(amount(2000, 20));
  });

  it('give URLs the form that canonize gives them, in lines of at most 500 characters', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'b', 'c'),
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 20, maxLength: 60 }),
    );
    const path = fc.constantFrom('', '/x/', '/x/y', '/z');
    const rule = fc
      .tuple(name, path)
      .map(([one, prefix]) => sampleParameter(one, { scope: prefix === '' ? 'site' : 'prefix', path: prefix }));
    const field = fc.tuple(name, fc.constantFrom('=', '=1', '=?')).map((parts) => parts.join(''));
    const url = fc.tuple(path, fc.constantFrom('/', '/y', ''), fc.array(field, { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 40 }), fc.array(url, { minLength: 10, maxLength: 10 }), (rules, urls) => {
        const request = requestOf(rules.map((one, at) => ({ ...one, rank: at + 1 })));
        const written = cleanParam.write(request);
        expect(written.carried).toHaveLength(rules.length);
        expect(Math.max(0, ...linesOf(written.text).map((line) => line.length))).toBeLessThanOrEqual(500);
        for (const [at, rest, fields] of urls) {
          const one = `${at}${rest}` === '' ? '/' : `${at}${rest}${fields.length > 0 ? '?' : ''}${fields.join('&')}`;
          expect(cleaned(written.text, one)).toBe(carriedForm(request, written, one));
        }
      }),
      { numRuns: 60, seed: 6 },
    );
  });

  it('cannot be escaped from by text of the rules or the name of their file', () => {
    const hostile = ['\n', '\r', ' ', '#', '\u0000', '\u2028', '\udc80', 'é', '&', '\nDisallow: /'];
    const rules = hostile.flatMap((one, at) => [
      sampleParameter(`a${one}`, { rank: 2 * at + 1, site: one, scope: 'prefix', path: `/${one}` }),
      sampleParameter('b', { rank: 2 * at + 2, site: one }),
    ]);
    const { text } = cleanParam.write(requestOf(rules, { source: 'a\nDisallow: /' }));
    expect(linesOf(text).filter((line) => !/^Clean-param: b(&b)*$/.test(line))).toEqual([]);
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });
});
