// Rules as an administrator writes them: few lines, redirects that end, and the form of canonize.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEnds } from '../../src/export/simple/form.js';
import { simpleRules } from '../../src/export/simple/rules.js';
import { loadTarget } from '../../src/export/targets.js';
import type { Rule } from '../../src/rule/rule.js';
import { amount, isFew } from '../amount.js';
import { sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';
import { requestOf, ruleSets, urls } from './arbitrary.js';
import { bytesOf, canonizerOf } from './canonized.js';

const ranked = (rules: readonly Rule[]) => rules.map((rule, at) => ({ ...rule, rank: at + 1 }));
const start = (from: string, to: string, more = {}) => sampleRule(from, to, { anchor: 'start', ...more });
const end = (from: string, to: string) => sampleRule(from, to, { anchor: 'end' });

const usual: readonly Rule[] = ranked([
  start('http://www.h.com/', 'http://h.com/'),
  start('http://h.com/cgi-bin/wiki.cgi?', 'http://h.com/wiki?'),
  end('/index.html', '/'),
  sampleParameter('utm_source'),
  sampleParameter('sid', { examples: [['http://h.com/a;sid=7?b=1', 'http://h.com/a?b=1']] }),
  sampleParameter('page', { scope: 'prefix', path: '//h.com/list/' }),
  sampleParameter('s[]', { only: [{ part: 'first', is: 'wiki' }] }),
  sampleStep('fold-slashes', ''),
  sampleStep('drop-last-segment', 'default.asp'),
]);

/** As servers see URLs: with a host, without blanks and fragment. */
function isRequested(url: string): boolean {
  return /^https?:\/\/[a-z0-9.:-]+\/[!-"$-~\x80-\xff]*$/.test(url);
}

/** Fields that are empty or bare, dots, and parameters that the log does not have in paths, are not known by hand. */
function isOrdinary(url: string): boolean {
  const query = /\?(.*)$/s.exec(url)?.[1];
  const fields = query === undefined ? [] : query.split(/[&;]/);
  return fields.every((field) => /^[^=]+=/.test(field)) && !/\/\.\.?(?:[/?]|$)|^[^?]*;[^/?]*=/.test(url);
}

describe('simple rules', () => {
  it.each<[string, string, number]>([
    ['http://www.h.com/index.html?utm_source=a&b=1&sid=2', 'http://h.com/index.html?b=1', 1],
    ['http://www.h.com//x//index.html', 'http://h.com/x/', 2],
    ['http://h.com/x?utm_source=1&sid=2&a=1&sid=3&utm_source=2', 'http://h.com/x?a=1', 1],
    ['http://h.com/x?a=1&sid=2&b=1&sid=3&c=1', 'http://h.com/x?a=1&b=1&c=1', 2],
    ['http://h.com/x?utm_source=1', 'http://h.com/x', 1],
    ['http://h.com/a;sid=7/b?c=1', 'http://h.com/a/b?c=1', 1],
    ['http://h.com/cgi-bin/wiki.cgi?s[]=1&t=2', 'http://h.com/wiki?t=2', 2],
    ['http://h.com/list/7?page=1', 'http://h.com/list/7', 1],
    ['http://h.com/other/7?page=1', 'http://h.com/other/7?page=1', 0],
    ['http://h.com/default.asp?a=1', 'http://h.com/?a=1', 1],
    // Not what a rule is about:
    ['http://h.com/x?xutm_source=1', 'http://h.com/x?xutm_source=1', 0],
    ['http://h.com/utm_source=1&x?a=1', 'http://h.com/utm_source=1&x?a=1', 0],
    ['http://h.com/x&sid=1', 'http://h.com/x&sid=1', 0],
    ['http://h.com/a//../b', 'http://h.com/a//../b', 0],
    ['http://h.com/x?u=http://www.h.com//', 'http://h.com/x?u=http://www.h.com//', 0],
  ])('lead %s to %s', (url, form, redirects) => {
    const { edits, left } = simpleRules(requestOf(usual));
    expect(left).toEqual([]);
    expect(createEnds(edits)(url)).toEqual({ url: form, redirects });
    expect(url.includes('//../') ? form : canonizedBy(usual, url)).toBe(form);
  });

  it.each<[string, readonly Rule[], readonly number[]]>([
    ['a host that moved to a longer one', [start('http://h.com/', 'http://www.h.com/')], [1]],
    ['a scheme', [start('http://', 'https://')], [1]],
    [
      'of two that lead to each other the first',
      [start('http://h.com/', 'http://i.com/'), start('http://i.com/', 'http://h.com/')],
      [1],
    ],
    ['no folder that moves below itself', [start('http://h.com/a/', 'http://h.com/a/b/')], []],
    [
      'of a slash added and dropped the first',
      [sampleStep('add-end-slash', '', { word: 'redirect' }), sampleStep('drop-end-slash', '')],
      [1],
    ],
    ['no text anywhere', [sampleRule('/a', '/b')], []],
    ['no value that is set', [sampleParameter('a', { action: 'set', value: '1' })], []],
    ['no exceptions', [sampleParameter('a', { except: ['http://h.com/'] })], []],
    ['no conditions that are long to say', [sampleParameter('a', { not: [{ part: 'depth', is: 1 }] })], []],
    ['no text that has to be escaped', [end('/a$b"', '/')], []],
  ])('are %s', (_, rules, expected) => {
    expect(simpleRules(requestOf(ranked(rules))).carried.map(({ rank }) => rank)).toEqual(expected);
  });

  it.skipIf(isFew)('are no move that leads back, over however many others', () => {
    const host = (at: number) => `http://h${100_000 + at}.com/`;
    const chain = Array.from({ length: 9000 }, (_, at) => start(`${host(at)}x/`, host(at + 1)));
    const { left } = simpleRules(requestOf(ranked([...chain, start(host(9000), host(0))])));
    expect(left.map(({ rule }) => rule.rank)).toEqual([9001]);
  });

  it('are written in a few lines', async () => {
    const lines = async (name: string) => {
      const { text } = (await loadTarget(name))!.write({ ...requestOf(usual), isSimple: true });
      return text.split('\n').filter((line) => line !== '' && !/^ *#/.test(line));
    };
    const [nginx, apache, varnish] = [await lines('nginx'), await lines('apache'), await lines('varnish')];
    expect([nginx.length, apache.length, varnish.length]).toEqual([20, 41, 32]);
    expect(nginx).toContain(
      'if ($dustbuster ~ "^http://www\\.h\\.com/(?<dust_after>.*)$") { set $dustbuster "http://h.com/$dust_after"; }',
    );
    expect(apache).toContain('RewriteCond "%{ENV:DUSTBUSTER}" "^(https?://[^/?]+(?:/.*)?)/index\\.html$"');
    expect(nginx.at(-1)).toBe('if ($dustbuster != $dustbuster_asked) { return 301 $dustbuster; }');
  });

  it('lead each URL to its canonical form, and no URL in a circle, whatever the rules', () => {
    let alike = 0;
    let moved = 0;
    const law = fc.property(ruleSets, fc.array(urls, { minLength: 4 }), (rules, list) => {
      const request = requestOf(rules);
      const ends = createEnds(simpleRules(request).edits);
      const alone = rules.map((rule) => {
        const { edits, carried } = simpleRules({ ...request, rules: [rule] });
        return carried.length === 0 ? undefined : { ends: createEnds(edits), canonizer: canonizerOf(request, [rule]) };
      });
      for (const text of list) {
        const url = bytesOf(text);
        if (!isRequested(url)) continue;
        expect([url, ends(url).redirects < 20]).toEqual([url, true]);
        for (const one of alone) {
          const form = one === undefined ? url : one.ends(url).url;
          if (one === undefined || form === url) continue;
          moved++;
          if (!isOrdinary(url)) continue;
          const trace = one.canonizer.explain(Buffer.from(url, 'latin1'));
          if (trace.steps.some(({ rule }) => rule === undefined)) continue;
          expect([url, form]).toEqual([url, Buffer.from(trace.canonical).toString('latin1')]);
          alike++;
        }
      }
    });
    fc.assert(law, { numRuns: amount(4000) });
    expect(moved).toBeGreaterThan(amount(200, 20));
    expect(alike).toBeGreaterThan(amount(80, 20));
  });
});

function canonizedBy(rules: readonly Rule[], url: string): string {
  return Buffer.from(canonizerOf(requestOf(rules)).canonize(Buffer.from(url, 'latin1'))).toString('latin1');
}
