import { describe, expect, it } from 'vitest';
import { meaningfulFields } from '../../src/rule/meaningful.js';
import type { Rule } from '../../src/rule/rule.js';
import { sampleParameter, samplePattern, sampleRule, sampleStep } from './sample.js';

const pairs = (...examples: [string, string][]): Pick<Rule, 'examples'> => ({ examples });

describe('the fields of a rule that may mean something', () => {
  it.each<[string, Rule, readonly string[]]>([
    ['a parameter that goes', sampleParameter('aff'), ['aff']],
    ['one that is set', sampleParameter('Lang', { action: 'set', value: 'en' }), ['Lang']],
    ['a tracker', sampleParameter('utm_source'), []],
    ['another name', sampleParameter('sid'), []],
    ['an address in url', sampleParameter('url', { value: 'http://a.example/' }), ['url']],
    ['an address in an example', sampleParameter('url', pairs(['/a?url=%2Fb&x=1', '/a?x=1'])), ['url']],
    ['a number in url', sampleParameter('url', { value: '7', ...pairs(['/a?url=8', '/a']) }), []],
    ['its letters made small', sampleStep('lower-case', 'lang'), ['lang']],
    ['the letters of a path made small', sampleStep('lower-case'), []],
    ['empty fields', sampleStep('drop-empty-fields'), []],
    ['repeated fields', sampleStep('drop-repeated-fields'), []],
    ['fields in order', sampleStep('sort-fields'), []],
    ['a field taken away', sampleRule('?aff=12', ''), ['aff']],
    ['its name alone', sampleRule('&ref=', '&'), ['ref']],
    ['a bare name', sampleRule('/a?aff', '/a'), ['aff']],
    ['without the sign before it', sampleRule('lang=de', 'lang=en'), ['lang']],
    ['with a path before it', sampleRule('/shop?lang=de&id=', '/shop?id='), ['lang']],
    ['a field that is added', sampleRule('/shop/', '/shop/?currency=EUR'), ['currency']],
    ['a path parameter', sampleRule(';lang=de', ''), ['lang']],
    ['several', sampleRule('?lang=de&aff=1&id=', '?id='), ['lang', 'aff']],
    ['a field that stays', sampleRule('/a?lang=de&id=', '/b?lang=de&no='), []],
    ['a field that moves', sampleRule('/a&ref=', '/a?ref='), []],
    ['a path that looks like one', sampleRule('/ref=nav/', '/'), []],
    ['no field', sampleRule('index.html', ''), []],
    [
      'a value, in each example of such a field',
      sampleRule('EUR', 'USD', pairs(['/a?currency=EUR', '/a?currency=USD'])),
      ['currency'],
    ],
    ['a value, in some of them', sampleRule('de', 'en', pairs(['/a?lang=de', '/a?lang=en'], ['/de/', '/en/'])), []],
    ['a field dropped by a pattern', samplePattern('/{1:path}?lang={value}', '/{1}'), ['lang']],
    ['a field kept by it', samplePattern('/a/{1:word}?lang={2:value}', '/b/{1}?lang={2}'), []],
    ['a field moved into the path by it', samplePattern('/a?lang={1:value}', '/a/{1}'), ['lang']],
    [
      'others that it drops',
      samplePattern('/{1:path}?{*}', '/{1}', pairs(['/a?aff=1', '/a'], ['/a?x=1', '/a'])),
      ['aff'],
    ],
    ['others that it keeps', samplePattern('/x/{1:path}?{*}', '/{1}?{*}', pairs(['/x/a?aff=1', '/a?aff=1'])), []],
  ])('%s', (_, rule, names) => {
    expect(meaningfulFields(rule)).toEqual(names);
  });
});
