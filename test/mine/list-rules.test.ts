import { describe, expect, it } from 'vitest';
import { listRule, type ListFinding } from '../../src/mine/list-rules.js';
import { putRuleKey } from '../../src/mine/rank-key.js';
import { RowWriter } from '../../src/base/row.js';
import { placeText, readPlace, type ItemsPlace } from '../../src/rule/items-place.js';
import { faultOfStep } from '../../src/rule/step.js';

const tags: ItemsPlace = { slot: 'parameter', name: 'tags', separator: ',' };
const found: ListFinding = {
  site: 'h.test',
  place: tags,
  idle: 'order',
  confidence: 0.9,
  urls: 40,
  against: 1,
  seen: ['http://h.test/?tags=a,b', 'http://h.test/?tags=b,a', 'http://h.test/?tags=b%2Ca'],
};

describe('a list of a log', () => {
  it('whose order means nothing is sorted', () => {
    expect(listRule(found)).toEqual({
      site: 'h.test',
      kind: 'step',
      step: 'sort-items',
      text: '?tags ,',
      status: 'likely',
      support: { urls: 40 },
      against: 1,
      confidence: 0.9,
      examples: [
        ['http://h.test/?tags=b,a', 'http://h.test/?tags=a,b'],
        ['http://h.test/?tags=b%2Ca', 'http://h.test/?tags=a%2Cb'],
      ],
    });
    expect(listRule({ ...found, idle: 'repetition' })).toMatchObject({ step: 'drop-repeated-items', examples: [] });
  });

  it('gives no rule if the text of a step cannot name its place', () => {
    for (const name of ['a b', 'a/b', 'a;b', ''])
      expect(listRule({ ...found, place: { ...tags, name } })).toBeUndefined();
  });

  it('has a rank of its own among other lists', () => {
    const keyOf = (place: ItemsPlace) => {
      const row = new RowWriter();
      putRuleKey(row, listRule({ ...found, place })!, 'likeliness');
      return Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.length).toString('latin1');
    };
    expect(keyOf(tags)).not.toBe(keyOf({ ...tags, name: 'tag' }));
  });
});

describe('the text of a place', () => {
  const places: readonly (readonly [ItemsPlace, string])[] = [
    [tags, '?tags ,'],
    [{ slot: 'repeated', name: 'f[]', separator: '&' }, '?f[] &'],
    [{ slot: 'after', name: 'filter', separator: ';' }, '/filter/ ;'],
    [{ slot: 'below', name: '/', separator: '/' }, '/ /'],
    [{ slot: 'below', name: '/c/d/', separator: '/', heads: ['color', 'A b%'] }, '/c/d/ / color A%20b%25'],
  ];

  it.each(places.map(([place, text]) => ({ place, text })))('is $text', ({ place, text }) => {
    expect(placeText(place)).toBe(text);
    expect(faultOfStep({ step: 'sort-items', text })).toBeUndefined();
    const { heads, ...read } = readPlace(text);
    expect({ ...read, ...(heads.length > 0 && { heads: heads.map(decodeURIComponent) }) }).toEqual(place);
  });
});
