import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonText } from '../../src/sketch/json.js';

const words = (json: string) => jsonText(json).split(/\s+/).filter(Boolean).join(' ');

describe('the words of a JSON text', () => {
  test.each([
    ['', ''],
    ['{"title":"Caf\\u00e9 \\"Nord\\"","tags":[1,-2.5,true,null]}', 'title Café "Nord" tags 1 -2.5 true null'],
    ['{"a":{"b":[]}}', 'a b'],
    ['"a\\nb\\/c\\\\d"', 'a b/c\\d'],
    ['{"a":1}\n{"a":2}', 'a 1 a 2'],
    ['{"a":"b, [c]: {d}"}', 'a b, [c]: {d}'],
    ['{"a":"b', 'a b'],
    ['"a\\', 'a\\'],
    ['"\\ud83d\\ude00"', '😀'],
  ])('%s', (json, text) => expect(words(json)).toBe(text));
});

test('spacing changes no word, and no word of a value is lost', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(words(JSON.stringify(value, null, 2))).toBe(words(JSON.stringify(value)));
      if (typeof value === 'string')
        expect(words(JSON.stringify(value))).toBe(value.split(/\s+/).filter(Boolean).join(' '));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['depth', '['.repeat(1 << 20)],
  ['escapes', `"${'\\'.repeat(1 << 20)}`],
  ['quotes', '"'.repeat(1 << 20)],
])('a megabyte of %s takes linear time', (_, json) => expect(typeof jsonText(json)).toBe('string'));
