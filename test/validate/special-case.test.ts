// Special cases beside their general rule: dropping them leaves every form as it is.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import type { Rule } from '../../src/rule/rule.js';
import { isImplied, isNeedless } from '../../src/validate/special-case.js';
import { sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';

const ENDS = { anchor: 'end' } as const;
const UNDER_WIKI = { only: [{ part: 'first', is: 'wiki' }] } as const;
const NOT_WIKI = { not: [{ part: 'first', is: 'wiki' }] } as const;
const SITE_WIDE = sampleParameter('sid');
const below = (path: string, more: Partial<typeof SITE_WIDE> = {}) =>
  sampleParameter('sid', { scope: 'prefix', path, ...more });

const IMPLIED: [string, Rule, Rule][] = [
  ['a narrower scope', below('/shop/'), SITE_WIDE],
  ['a scope in a scope', below('/shop/cart/'), below('/shop/')],
  ['some values', sampleParameter('sid', { only: [{ part: 'field', is: 'sid=1' }] }), SITE_WIDE],
  ['a parameter that is set where it is removed', below('/shop/', { action: 'set', value: '1' }), SITE_WIDE],
  ['the text of a parameter', sampleRule('&sid=1', ''), SITE_WIDE],
  ['more text around it', sampleRule('/en/index.html', '/en/', ENDS), sampleRule('/index.html', '/', ENDS)],
  ['an end of what holds anywhere', sampleRule(':', '/', ENDS), sampleRule(':', '/')],
  ['a step in one folder', sampleStep('fold-slashes', '', UNDER_WIKI), sampleStep('fold-slashes')],
  ['equal conditions', sampleRule('a:b', 'a/b', UNDER_WIKI), sampleRule(':', '/', UNDER_WIKI)],
  ['an exception', sampleStep('fold-slashes', '', { except: ['//'] }), sampleStep('fold-slashes')],
  ['a key beside a rule', sampleRule('a:b', 'a/b', { use: 'key' }), sampleRule(':', '/')],
];

const OTHERS: [string, Rule, Rule][] = [
  ['the general rule itself', SITE_WIDE, below('/shop/')],
  ['another parameter', below('/shop/'), sampleParameter('id')],
  ['other places', sampleStep('fold-slashes', '', UNDER_WIKI), sampleStep('fold-slashes', '', NOT_WIKI)],
  ['an exception of the general rule', sampleStep('fold-slashes'), sampleStep('fold-slashes', '', { except: ['//'] })],
  ['a rule beside a key', sampleRule('a:b', 'a/b'), sampleRule(':', '/', { use: 'key' })],
  ['a rule of another site', sampleRule('a:b', 'a/b', { site: 'a.test' }), sampleRule(':', '/')],
  ['a step with another text', sampleStep('drop-segment', 'a'), sampleStep('drop-segment', 'b')],
  ['part of a longer word', sampleRule('xa:b', 'xab'), sampleRule('a:b', 'ab')],
];

/** Both sides become one, but not in the same form. */
const NEEDLESS: [string, Rule, Rule][] = [
  ['another direction', sampleRule('/en/', '/en/index.html', ENDS), sampleRule('/index.html', '/', ENDS)],
  ['what is removed where it is set', below('/shop/'), sampleParameter('sid', { action: 'set', value: '1' })],
  ['another value', below('/', { action: 'set', value: '2' }), sampleParameter('sid', { action: 'set', value: '1' })],
];

test.each(IMPLIED)('implied: %s', (_, fine, broad) => expect(isImplied(fine, broad)).toBe(true));
test.each([...OTHERS, ...NEEDLESS])('not implied: %s', (_, fine, broad) => expect(isImplied(fine, broad)).toBe(false));

const IGNORED = ['an exception of the general rule', 'a rule beside a key', 'a rule of another site'];

test.each([...IMPLIED, ...NEEDLESS])('needless before it is tried: %s', (_, fine, broad) =>
  expect(isNeedless(fine, broad)).toBe(true),
);
test.each(OTHERS.filter(([name]) => !IGNORED.includes(name)))('not needless: %s', (_, fine, broad) =>
  expect(isNeedless(fine, broad)).toBe(false),
);

describe('whatever the URL', () => {
  const start = fc.constantFrom('/', '/wiki/', '/shop/', '/shop/cart/', '/en/', '/en/index.html');
  const piece = fc.constantFrom('/', '//', 'wiki', 'index.html', ':', 'a:b', 'b');
  const field = fc.constantFrom('sid=1', 'sid=2', 'id=3', 'a:b');
  // Where text of a query stands in a path, or beside an empty field, it says something else (rule/subsume).
  const url = fc
    .tuple(start, fc.array(piece, { maxLength: 3 }), fc.array(field, { maxLength: 4 }))
    .map(([first, path, fields]) => `${first}${path.join('')}${fields.length === 0 ? '' : `?${fields.join('&')}`}`);
  const written = IMPLIED.filter(([, { use }]) => use !== 'key');

  test.each(written)('its form is the same without the special case: %s', (_, fine, broad) => {
    const options = {
      normalize: 'safe',
      accept: 'valid',
      maxIterations: 10,
      urlForm: 'path',
      sitePolicy: 'all',
    } as const;
    const both = createCanonizer([broad, { ...fine, rank: 2 }], options);
    const first = createCanonizer([fine, { ...broad, rank: 2 }], options);
    const one = createCanonizer([broad], options);
    let changed = 0;
    fc.assert(
      fc.property(url, (text) => {
        const form = decodeText(one.canonize(encodeText(text)));
        if (form !== text) changed++;
        expect(decodeText(both.canonize(encodeText(text)))).toBe(form);
        expect(decodeText(first.canonize(encodeText(text)))).toBe(form);
      }),
      // A special case seldom changes anything: fewer would leave to chance whether one does.
      { numRuns: 4000 },
    );
    expect(changed).toBeGreaterThan(2);
  });
});
