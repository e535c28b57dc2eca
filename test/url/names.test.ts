import { describe, expect, it } from 'vitest';
import { folded, isOrderName, knownKindOf, mayMean, meaningOf } from '../../src/url/names.js';

describe('a parameter', () => {
  it.each([
    ['aff', 'money'],
    ['AFF_ID', 'money'],
    ['affId', 'money'],
    ['a_aid', 'money'],
    ['ref', 'money'],
    ['ref_', 'money'],
    ['tag', 'money'],
    ['partner-id', 'money'],
    ['mr:referralID', 'money'],
    ['irclickid', 'money'],
    ['couponCode', 'money'],
    ['currency', 'choice'],
    ['lang', 'choice'],
    ['Lang[]', 'choice'],
    ['lang%5B%5D', 'choice'],
    ['variant', 'choice'],
    ['next', 'return'],
    ['returnUrl', 'return'],
    ['return_to', 'return'],
    ['redirect-uri', 'return'],
  ])('%s may mean something: %s', (name, kind) => {
    expect(meaningOf(name)).toBe(kind);
    expect(mayMean(name)).toBe(true);
  });

  it.each(['id', 'page', 'sid', 'q', 'PHPSESSID', 'utm_source', 'utm_affiliate', 'gclid', 'href', 'tags', 'sort', ''])(
    '%s means nothing that is known',
    (name) => {
      expect(meaningOf(name)).toBeUndefined();
      expect(mayMean(name)).toBe(false);
    },
  );

  it.each([
    ['url', 'https://a.example/b', 'return'],
    ['url', 'HTTP%3A%2F%2Fa', 'return'],
    ['to', '/basket/', 'return'],
    ['go', '%2Fbasket', 'return'],
    ['url', '17', undefined],
    ['url', null, undefined],
    ['q', '/basket/', undefined],
  ])('%s=%s leads back if it has an address: %s', (name, value, kind) => {
    expect(meaningOf(name, value)).toBe(kind);
    expect(mayMean(name)).toBe(name !== 'q');
  });

  it.each(['utm_source', 'gclid', 'fbclid', 'PHPSESSID', 'cftoken', 'mc_cid', 'li_fat_id', 'pk_source'])(
    '%s, a known tracker or session, is not among them',
    (name) => {
      expect(knownKindOf(name)).toBeDefined();
      expect(mayMean(name)).toBe(false);
    },
  );
});

it('letter case and separators are folded away, letters of other alphabets are not', () => {
  expect(['Return-URL[]', 'return_url', 'return.url', 'RETURNURL'].map(folded)).toEqual(Array(4).fill('returnurl'));
  expect(folded('größe')).toBe('größe');
});

const SORTING =
  'sort sort_by sort_key sort_id _sort_desc productSort list[sort] sortOrder orderby orderBy order_by dir DIR C O';
const OTHERS = 'assorted border directory description redirect resort id order_id orderNumber order_key dir_no CC c';

describe('the name of a parameter that orders a list', () => {
  it.each(SORTING.split(' '))('%s sorts', (name) => expect(isOrderName(name)).toBe(true));
  it.each(['', ...OTHERS.split(' ')])('"%s" does not', (name) => expect(isOrderName(name)).toBe(false));
});
