// When does a parameter rule subsume a substring rule? Tables, and what that means for URLs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFew } from '../amount.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import type { Anchor, ParameterRule } from '../../src/rule/rule.js';
import { createSubsumption, saysTheSame } from '../../src/rule/subsume.js';
import { sampleParameter, sampleRule } from './sample.js';

type Row = readonly [from: string, to: string, anchor?: Anchor];

function says(rule: ParameterRule, [from, to, anchor = 'none']: Row): boolean {
  return saysTheSame({ from, to, anchor }, rule);
}

const sid = sampleParameter('sid');

describe('"sid is removed" subsumes', () => {
  const rows: readonly Row[] = [
    ['&sid=7', ''],
    ['&sid=7', '', 'end'],
    [';sid=7', ''],
    ['?sid=7', '', 'end'],
    ['?sid=7', ''],
    ['?sid=7&', '?'],
    ['?sid=7;', '?'],
    ['sid=7&', ''],
    ['?sid=7&q=', '?q='],
    ['sid=7&q=a', 'q=a'],
    ['&sid=7&q', '&q'],
    ['&q=a&sid=7', '&q=a'],
    ['sid=7', 'sid=8'],
    ['sid=7', 'sid=8', 'end'],
    ['sid=', 'sid'],
    ['sid=', 'sid', 'end'],
    ['&sid=7', '&sid=8'],
    ['&sid=7', '&sid'],
    ['&sid', '', 'end'],
    ['?sid=8&q=7', '?sid=7&q=7'],
    ['&sid=7&sid=8', ''],
    ['&sid=7&sid=8', '&sid=9'],
    [';sid=7?', '?'],
    ['list;sid=7?', 'list?'],
    ['/list;sid=7', '/list', 'end'],
    ['list?sid=7', 'list', 'end'],
    ['.php?sid=7&t=', '.php?t='],
    ['http://h/x?sid=7', 'http://h/x', 'both'],
    ['http://h/x?sid=7&', 'http://h/x?', 'start'],
    ['/x?sid=7&', '/x?', 'start'],
    ['sid=%2F7&', ''],
    ['sid=a.b-c', 'sid=d'],
    ['&sid=http://h/?x=1', ''],
  ];
  for (const row of rows) test(row.join(' → '), () => expect(says(sid, row)).toBe(true));
});

describe('"sid is removed" does not subsume', () => {
  const rows: readonly Row[] = [
    ['&q=7', ''],
    ['7', '8'],
    ['=7', '=8'],
    ['=7', ''],
    ['sid', 'sessionid'],
    ['sid=7', 'q=7'],
    ['sid=7', ''],
    ['&sid=7&q=1', ''],
    ['&sid=7&q=1', '&q=2'],
    ['&sid=7', '&q=7'],
    ['&xsid=7', ''],
    ['&sid-x=7', ''],
    ['&SID=7', ''],
    ['/sid/', '/'],
    ['/sid=7/', '/'],
    ['sid=7&', '&'],
    ['?sid=7', '?'],
    ['?sid=7&', ''],
    ['sid=7/', 'sid=7'],
    ['.html?sid=7', '', 'end'],
    ['.html?sid=7&', '?'],
    ['list?sid=7', 'index?sid=7'],
    ['http://h/x?sid=7', 'https://h/x', 'both'],
    ['-sid=7', ''],
    ['%26sid=7', ''],
  ];
  for (const row of rows) test(row.join(' → '), () => expect(says(sid, row)).toBe(false));
});

describe('"sid is set to 1"', () => {
  const set = sampleParameter('sid', { action: 'set', value: '1' });
  test.each<[Row, boolean]>([
    [['sid=7', 'sid=8'], true],
    [['sid=7', 'sid=1'], true],
    [['&sid=7', '&sid'], true],
    [['&sid=7', ''], false],
    [['?sid=7', '', 'end'], false],
    [['q=7', 'q=1'], false],
  ])('subsumes %j: %s', (row, expected) => expect(says(set, row)).toBe(expected));
});

describe('a rule of narrower scope subsumes only what is within it', () => {
  const prefix = sampleParameter('ref', { scope: 'prefix', path: '//www.example.com/product/' });
  const path = sampleParameter('ref', { scope: 'path', path: '//www.example.com/product/view' });
  const plain = sampleParameter('ref', { scope: 'prefix', path: '/product/' });
  const inside = 'http://www.example.com/product/view';
  test.each<[string, ParameterRule, Row, boolean]>([
    ['prefix', prefix, ['&ref=a', ''], false],
    ['prefix', prefix, ['ref=a', 'ref=b'], false],
    ['prefix', prefix, [`${inside}?ref=a`, inside, 'both'], true],
    ['prefix', prefix, [`${inside}?ref=a&`, `${inside}?`, 'start'], true],
    ['prefix', prefix, ['http://www.example.com/compare?ref=a&', 'http://www.example.com/compare?', 'start'], false],
    ['prefix', prefix, ['/product/view?ref=a', '/product/view', 'end'], false],
    ['prefix', prefix, ['http://example.com/product/x?ref=a', 'http://example.com/product/x', 'both'], false],
    ['path', path, [`${inside}?ref=a&`, `${inside}?`, 'start'], true],
    ['path', path, [`${inside}er?ref=a&`, `${inside}er?`, 'start'], false],
    ['plain', plain, ['/product/view?ref=a&', '/product/view?', 'start'], true],
    ['plain', plain, ['/product/view?ref=a&', '/product/view?'], false],
    ['plain', plain, [`${inside}?ref=a&`, `${inside}?`, 'start'], true],
  ])('%s of %#', (_, rule, row, expected) => expect(says(rule, row)).toBe(expected));
});

test('subsumed pairs have no effect of their own on URLs of whole fields, whatever is in them', () => {
  const fields = ['sid=7', 'sid=8', 'sid', 'q=7', 'sid=7&q=7', 'q=7&sid=8', 'sid=1&sid=2'];
  const sides = ['', ...fields.flatMap((field) => [field, `&${field}`, `${field}&`])];
  const image = (url: string) => Buffer.from(imageOf(compileRule(sid), Buffer.from(url), 0)).toString();
  let [same, different] = [0, 0];
  for (const from of sides) {
    for (const to of sides) {
      if (from === to) continue;
      // The delimiter that a side lacks at its ends comes from the context.
      const starts = [from, to].map((side) => side === '' || side.startsWith('&'));
      const ends = [from, to].map((side) => side === '' || side.endsWith('&'));
      const [before, after] = [starts[0] ? '/p?r=1' : '/p?r=1&', ends[0] && !starts[0] ? 't=2' : '&t=2'];
      const images = [from, to].map((side) => image(before + side + after));
      const isOne = images[0] === images[1] && images.some((url, k) => url !== before + [from, to][k]! + after);
      if (saysTheSame({ from, to, anchor: 'none' }, sid)) {
        same++;
        if (starts[0] === starts[1] && ends[0] === ends[1] && from !== '' && to !== '')
          expect([from, to, isOne]).toEqual([from, to, true]);
      } else different++;
    }
  }
  expect([same > 40, different > 40]).toEqual([true, true]);
});

test.skipIf(isFew)('the names that are looked up for a pair are those of rules that can subsume it', () => {
  const names = ['sid', 'a', 'id', 's/d', 's?a', 'k~'];
  const rules = names.map((name) => sampleParameter(name));
  const field = fc
    .tuple(
      fc.constantFrom('&', ';', '?', ''),
      fc.constantFrom(...names, 'q', ''),
      fc.constantFrom('=7', '=', '', '=a/b'),
    )
    .map((parts) => parts.join(''));
  const around = fc.constantFrom('', '', '', '', '&', '/', 's', '?', ';', '&q=', 'list');
  const side = fc.oneof(
    field,
    around,
    fc.tuple(field, around).map(([a, b]) => a + b),
  );
  const anchor = fc.constantFrom<Anchor>('none', 'none', 'start', 'end', 'both');
  let said = 0;
  fc.assert(
    fc.property(around, side, fc.oneof(fc.constant(''), side), around, anchor, (before, one, other, after, where) => {
      const [from, to] = [before + one + after, before + other + after];
      const pair = { from: Buffer.from(from), to: Buffer.from(to), anchor: where };
      for (const rule of rules) {
        const expected = says(rule, [from, to, where]);
        expect([from, to, rule.name, createSubsumption([rule])(pair)]).toEqual([from, to, rule.name, expected]);
        if (expected) said++;
      }
    }),
    { numRuns: 2500, seed: 5 },
  );
  expect(said).toBeGreaterThan(50);
});

test('a pair is subsumed by any one of several parameter rules, or by all that it names together', () => {
  const isSubsumed = createSubsumption([sampleParameter('a'), sampleParameter('b', { action: 'set', value: '1' })]);
  const pair = (from: string, to: string) => {
    const { anchor } = sampleRule(from, to);
    return { from: Buffer.from(from), to: Buffer.from(to), anchor };
  };
  expect([pair('&a=1', ''), pair('b=2', 'b=3'), pair('&b=2', ''), pair('c=1', 'c=2')].map(isSubsumed)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([pair('&a=1&b=2', '&b=3'), pair('&a=1&b=2', ''), pair('&a=1&c=2', '')].map(isSubsumed)).toEqual([
    true,
    false,
    false,
  ]);
  expect(createSubsumption([])(pair('&a=1', ''))).toBe(false);
});
