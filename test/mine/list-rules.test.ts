import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { listRule, type ListFinding } from '../../src/mine/list-rules.js';
import { Miner } from '../../src/mine/mine.js';
import { putRuleKey } from '../../src/mine/rank-key.js';
import { RowWriter } from '../../src/base/row.js';
import { placeText, readPlace, type ItemsPlace } from '../../src/rule/items-place.js';
import { faultOfStep } from '../../src/rule/step.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { batchOf } from '../url-list.js';
import { mineOptions } from './options.js';

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

describe('a log with lists', () => {
  const WORDS = ['red', 'blue', 'green', 'new', 'wool', 'silk', 'large', 'small', 'sale'];
  const lists = WORDS.flatMap((a, i) => WORDS.flatMap((b, k) => (i === k ? [] : [[a, b]]))).concat(
    WORDS.map((word) => [word]),
  );
  const sizes = {
    set: (words: readonly string[]) =>
      4000 + WORDS.reduce((sum, word, k) => sum + (words.includes(word) ? 2 ** k : 0), 0),
    order: (words: readonly string[]) => 4000 + words.reduce((sum, word) => 11 * sum + WORDS.indexOf(word), 1),
    none: () => -1,
  };
  const mined = (size: keyof typeof sizes, untested = false) => {
    const limits = { memoryBytes: 1 << 26, tmpdir: tmpdir() };
    const miner = new Miner({ ...mineOptions, untested }, createSiteOf('host'), limits);
    const others = Array.from({ length: 40 }, (_, k) => ({
      url: `http://h.test/p/${WORDS[k % 9]}${k}`,
      size: 9000 + 37 * k,
    }));
    miner.add(
      batchOf([
        ...lists.map((words) => ({ url: `http://h.test/list?tags=${words.join(',')}`, size: sizes[size](words) })),
        ...others,
      ]),
    );
    return Array.from(miner.eachRule(untested ? () => undefined : undefined)).filter(({ kind }) => kind === 'step');
  };

  it('has the rule that sorts them if sizes of two orders are equal, likely but never sure', () => {
    const [rule, ...more] = mined('set');
    expect(rule).toMatchObject({ step: 'sort-items', text: '?tags ,', status: 'likely', support: { urls: 36 } });
    expect(rule!.confidence).toBeGreaterThan(0.5);
    expect(rule!.confidence).toBeLessThanOrEqual(0.9);
    expect(more).toEqual([]);
  });

  it('has none if they differ, or if nothing is known; the pages may then be asked', () => {
    expect([mined('order'), mined('order', true), mined('none')]).toEqual([[], [], []]);
    expect(mined('none', true)).toMatchObject([{ step: 'sort-items', text: '?tags ,', confidence: 0.5 }]);
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
