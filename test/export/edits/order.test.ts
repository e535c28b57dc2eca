// The edits of a server: few, and in one pass the form of canonize, or the URL itself.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createForms, createPass } from '../../../src/export/edits/edit.js';
import { redirectEdits } from '../../../src/export/edits/order.js';
import type { Rule } from '../../../src/rule/rule.js';
import { amount } from '../../amount.js';
import { sampleParameter, sampleRule, sampleStep } from '../../rule/sample.js';
import { requestOf, ruleSets, urls } from '../arbitrary.js';
import { bytesOf, canonizerOf } from '../canonized.js';
import { handWritten, usualUrls } from './arbitrary.js';

const ranked = (rules: readonly Rule[]) => rules.map((rule, at) => ({ ...rule, rank: at + 1, pin: true }));
const start = (from: string, to: string, more = {}) => sampleRule(from, to, { anchor: 'start', ...more });
const end = (from: string, to: string) => sampleRule(from, to, { anchor: 'end' });

function editing(rules: readonly Rule[]) {
  const edits = redirectEdits(requestOf(ranked(rules)));
  return { ...edits, formOf: createForms(edits.units), pass: createPass(edits.units) };
}

function canonizedBy(rules: readonly Rule[], url: string): string {
  return Buffer.from(canonizerOf(requestOf(ranked(rules))).canonize(Buffer.from(url, 'latin1'))).toString('latin1');
}

const usual: readonly Rule[] = [
  start('http://www.h.com/', 'http://h.com/'),
  start('http://m.h.com/', 'http://www.h.com/'),
  start('http://h.com/cgi-bin/wiki.cgi?', 'http://h.com/wiki?'),
  end('/index.html', '/'),
  sampleParameter('utm_source'),
  sampleParameter('sid', { examples: [['http://h.com/a;sid=7?b=1', 'http://h.com/a?b=1']] }),
  sampleParameter('page', { scope: 'prefix', path: '//h.com/list/' }),
  sampleParameter('s[]', { only: [{ part: 'first', is: 'wiki' }] }),
  sampleStep('fold-slashes', ''),
  sampleStep('drop-last-segment', 'default.asp'),
  sampleStep('add-end-slash', '', { only: [{ part: 'segment', is: 'catalogue' }] }),
  sampleRule('h.com/shop/', 'h.com/'),
  sampleParameter('from', {
    only: [
      { part: 'field', is: 'from=1' },
      { part: 'field', is: 'from=' },
    ],
  }),
];

describe('the edits of a server', () => {
  it.each([
    ['http://www.h.com/index.html?utm_source=a&b=1&sid=2', 'http://h.com/index.html?b=1'],
    ['http://m.h.com/a', 'http://h.com/a'],
    ['http://m.h.com//x//index.html?sid=1', 'http://h.com/x/'],
    ['http://h.com/x?utm_source=1&sid=2&a=1&sid=3&utm_source=2', 'http://h.com/x?a=1'],
    ['http://h.com/x?sid=1&a=1&sid=2&b=1&sid=3&c=1', 'http://h.com/x?a=1&b=1&c=1'],
    ['http://h.com/x?a=1&sid', 'http://h.com/x?a=1'],
    ['http://h.com/x?utm_source=1', 'http://h.com/x'],
    ['http://h.com/a;sid=7/b?c=1', 'http://h.com/a/b?c=1'],
    ['http://www.h.com/cgi-bin/wiki.cgi?s[]=1&t=2', 'http://h.com/wiki?t=2'],
    ['http://h.com/list/7?page=1', 'http://h.com/list/7'],
    ['http://h.com/other/7?page=1', 'http://h.com/other/7?page=1'],
    ['http://h.com/default.asp?a=1', 'http://h.com/?a=1'],
    ['http://www.h.com/catalogue/a?utm_source=1', 'http://h.com/catalogue/a/'],
    ['http://www.h.com/shop/catalogue/a', 'http://h.com/catalogue/a/'],
    ['http://www.h.com/x?from=1', 'http://h.com/x'],
    ['http://www.h.com/x?from=&a=1&from=1', 'http://h.com/x?a=1'],
    ['http://www.h.com/x?from=12', 'http://h.com/x?from=12'],
    ['http://www.h.com/x?from&a=1', 'http://h.com/x?from&a=1'],
    // Not what a rule is about:
    ['http://h.com/x?xutm_source=1', 'http://h.com/x?xutm_source=1'],
    ['http://h.com/utm_source=1&x?a=1', 'http://h.com/utm_source=1&x?a=1'],
    ['http://h.com/x&sid=1', 'http://h.com/x&sid=1'],
    ['http://h.com/x?sid', 'http://h.com/x?sid'],
  ])('lead %s to %s, as canonize does', (url, form) => {
    const { formOf, left } = editing(usual);
    expect(left).toEqual([]);
    expect(formOf(url)).toBe(form);
    expect(canonizedBy(usual, url)).toBe(form);
  });

  it.each([
    ['text in a value', 'http://h.com/x?u=http://www.h.com//', 'http://h.com/x?u=http://www.h.com//'],
    ['a host in a value', 'http://www.h.com/x?next=http://h.com/shop/a', 'http://h.com/x?next=http://h.com/shop/a'],
    ['the name of a host', 'http://h.com/x?q=www.h.com', 'http://h.com/x?q=www.h.com'],
    ['a path with dots', 'http://h.com/a//../b', 'http://h.com/a//../b'],
    ['what canonize alone would take away', 'http://www.h.com/x?from=1&from=2', 'http://www.h.com/x?from=1&from=2'],
    ['a fragment', 'http://www.h.com/catalogue/x#y', 'http://www.h.com/catalogue/x#y'],
    ['an empty field', 'http://h.com/x?a=1&&sid=1', 'http://h.com/x?a=1&&sid=1'],
    ['what would take another redirect', 'http://h.com/x?a&sid&b&sid&c&sid&d', 'http://h.com/x?a&sid&b&sid&c&sid&d'],
  ])('leave %s alone', (_, url, form) => {
    expect(editing(usual).formOf(url)).toBe(form);
  });

  it.each([
    ['pages redirected so', sampleStep('add-end-slash', '', { word: 'redirect' })],
    [
      'the log has the URLs only as redirects',
      start('http://old.h.com/', 'http://h.com/', { hits: { kept: 9, given: 0 } }),
    ],
  ])("leave out what the site's own redirects do already: %s", (_, rule) => {
    const { left, units } = redirectEdits(requestOf([{ ...rule, rank: 1 }]));
    expect(left.map(({ reason }) => reason)).toEqual(["does what the site's own redirects do already"]);
    expect(units).toEqual([]);
    expect(redirectEdits(requestOf([{ ...rule, rank: 1, pin: true }])).left).toEqual([]);
  });

  it('lead to no other host by the path, whatever is asked for', () => {
    const { formOf } = editing(usual);
    for (const path of [
      '//evil.test',
      '///evil.test/',
      '/\\evil.test',
      '/@evil.test',
      '/.evil.test',
      ':80@evil.test/',
      '/shop//evil.test',
    ])
      for (const host of ['h.com', 'www.h.com', 'm.h.com'])
        expect(formOf(`http://${host}${path}/index.html?sid=1`)).toMatch(/^http:\/\/(?:www\.|m\.)?h\.com[:/]/);
  });

  it.each<[string, readonly Rule[], readonly number[]]>([
    ['a host that moved to a longer one', [start('http://h.com/', 'http://www.h.com/')], [1]],
    ['a scheme', [start('http://', 'https://')], [1]],
    ['one URL', [sampleRule('http://h.com/home', 'http://h.com/', { anchor: 'both' })], [1]],
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
    ['an index file and the slash before it', [end('/index.html', '/'), sampleStep('drop-end-slash', '')], [1, 2]],
    ['the same in the other order', [sampleStep('drop-end-slash', ''), end('/index.html', '/')], [1, 2]],
    ['no text anywhere', [sampleRule('/a', '/b')], []],
    ['no value that is set', [sampleParameter('a', { action: 'set', value: '1' })], []],
    ['no exceptions', [sampleParameter('a', { except: ['http://h.com/'] })], []],
    ['no text that has to be escaped', [end('/a$b"', '/')], []],
  ])('are %s', (_, rules, expected) => {
    expect(editing(rules).carried.map(({ rank }) => rank)).toEqual(expected);
  });

  it('are for a hundred rules at most', () => {
    const rules = Array.from({ length: 120 }, (_, at) => sampleParameter(`p${at}`));
    const { carried, left } = editing(rules);
    expect([carried.length, left.length]).toEqual([100, 20]);
    expect(left[0]!.reason).toBe('comes after the 100 rules that a server gets');
  });

  it('give each URL in one pass the form that canonize gives it, or leave it alone, whatever the rules', () => {
    const counts = { carried: 0, moved: 0, alone: 0, other: 0 };
    const law = fc.property(
      fc.oneof(ruleSets, handWritten),
      fc.array(fc.oneof(urls, usualUrls), { minLength: 6 }),
      (rules, list) => {
        const request = requestOf(ranked(rules));
        const { units, carried } = redirectEdits(request);
        counts.carried += carried.length;
        const [formOf, pass] = [createForms(units), createPass(units)];
        const [canonizer, prepared] = [canonizerOf(request, carried), canonizerOf(request, [])];
        for (const url of list.map(bytesOf).filter(isRequested)) {
          const bytes = Buffer.from(url, 'latin1');
          if (Buffer.from(prepared.canonize(bytes)).toString('latin1') !== url) continue;
          const form = formOf(url);
          const canonical = Buffer.from(canonizer.canonize(bytes)).toString('latin1');
          // A bare name is no parameter where it stands alone: which of several go first decides whether it does.
          if (/\?[^=&;]+$/.test(canonical) && /[&;]/.test(url)) continue;
          if (form === url) {
            if (canonical !== url) counts.alone++;
            continue;
          }
          counts.moved++;
          expect({ url, form, again: pass(form) }).toEqual({ url, form, again: form });
          // Three rules about one place may be applied in another order than canonize's, which is found by trying.
          if (form !== canonical && carried.length > 2) counts.other++;
          else expect({ url, form }).toEqual({ url, form: canonical });
        }
      },
    );
    // Other cases in each run, so that half as many in one find as much in two.
    fc.assert(law, { numRuns: amount(750, 5) });
    expect(counts.moved).toBeGreaterThan(amount(200, 20));
    expect(counts.alone / counts.moved).toBeLessThan(0.3);
    expect(counts.other).toBeLessThanOrEqual(1 + 0.002 * counts.moved);
  });
});

/** As servers see URLs: with a host that browsers take, without blanks and fragment. */
function isRequested(url: string): boolean {
  return URL.canParse(url) && /^https?:\/\/[a-z0-9.:-]+\/[!-"$-~\x80-\xff]*$/.test(url);
}
