import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { carriable } from '../../src/export/carry.js';
import type { Rule } from '../../src/rule/rule.js';
import { anchors, sampleParameter, sampleRule } from '../rule/sample.js';
import { amount } from '../amount.js';

function carried(rules: readonly Rule[], isBounded = true): readonly Rule[] {
  const said = rules.map((rule, at) => ({ rule: { ...rule, rank: at + 1 } }));
  return carriable(said, { isBounded }).carried.map(({ rule }) => rule);
}

const ranks = (rules: readonly Rule[], isBounded = true) => carried(rules, isBounded).map(({ rank }) => rank);
const set = (name: string, value: string) => sampleParameter(name, { action: 'set', value });

describe('a target without state', () => {
  it.each<[string, readonly Rule[], readonly number[]]>([
    ['rules that shorten', [sampleRule('bb', 'a'), sampleRule('b', 'a'), sampleParameter('sid')], [1, 2, 3]],
    ['a rule that lengthens', [sampleRule('story', 'my-story')], [1]],
    ['of a rule and the same turned round the one that shortens', [sampleRule('a', 'bc'), sampleRule('bc', 'a')], [2]],
    [
      'rules that add what none takes away',
      [sampleRule('a', 'x-a'), sampleRule('b', 'c'), sampleRule('/', '/')],
      [1, 2],
    ],
    ['a rule that lengthens beside parameters that go', [sampleRule('http', 'https'), sampleParameter('utm')], [1, 2]],
    ['a circle of three without one', [sampleRule('a', 'b'), sampleRule('b', 'c'), sampleRule('c', 'a')], [1, 3]],
    ['a parameter that is set, beside rules that leave it', [set('sort', 'name'), sampleRule('names', 'x')], [1, 2]],
    ['not one whose value a rule takes away', [set('sort', 'a.html'), sampleRule('.html', '')], [2]],
    ['of two values for a parameter the first', [set('sort', '1'), set('sort', '2')], [1]],
    ['a parameter that is set to a bare name', [sampleParameter('a', { action: 'set' }), sampleRule('=', '')], [1, 2]],
  ])('exports %s', (_, rules, expected) => {
    expect(ranks(rules)).toEqual(expected);
  });

  it('exports no rule that could be applied for ever if it has no limit', () => {
    expect(ranks([sampleRule('story', 'my-story'), sampleRule('b', 'a')], false)).toEqual([2]);
    expect(ranks([sampleRule('a', 'b-b'), sampleParameter('sid')], false)).toEqual([1, 2]);
  });

  it('never exports rules that form a cycle', () => {
    const piece = fc.constantFrom('a', 'b', 'c', '-', '=', '&', 'a=1', '1');
    const text = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''));
    const substring = fc
      .tuple(text, text, fc.constantFrom(...anchors))
      .map(([from, to, anchor]) => sampleRule(from, to, { anchor }));
    const parameter = fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(null, '1', 'a=1', 'b'), fc.boolean())
      .map(([name, value, isSet]) => sampleParameter(name, { value, action: isSet ? 'set' : 'remove' }));
    // One round leads from `y` to `z`, the next from `z` over `x` to `y`.
    const circle = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'a-b', '1'), { minLength: 3, maxLength: 3 })
      .map(([x, y, z]) => [sampleRule(z!, x!), sampleRule(y!, z!), sampleRule(x!, y!)]);
    const rule = fc.oneof({ weight: 3, arbitrary: substring }, parameter);
    const url = fc.array(piece, { maxLength: 10 }).map((pieces) => `/?${pieces.join('&')}`);
    const rules = fc
      .tuple(fc.array(rule, { maxLength: 3 }), fc.oneof(circle, fc.array(rule, { minLength: 2, maxLength: 3 })))
      .map((both) => both.flat());
    let circles = 0;
    let lengthening = 0;
    const law = fc.property(rules, fc.array(url, { minLength: 6 }), (all, urls) => {
      const options = {
        normalize: 'none',
        accept: 'valid',
        maxIterations: 30,
        urlForm: 'path',
        sitePolicy: 'all',
      } as const;
      const kept = carried(all);
      const every = createCanonizer(
        all.map((one, at) => ({ ...one, rank: at + 1 })),
        options,
      );
      const safe = createCanonizer(kept, options);
      if (kept.some((one) => one.kind === 'substring' && one.to.length > one.from.length)) lengthening++;
      for (const one of urls) {
        if (every.explain(encodeText(one)).ending === 'cycle') circles++;
        expect([one, safe.explain(encodeText(one)).ending]).not.toEqual([one, 'cycle']);
      }
    });
    fc.assert(law, { numRuns: amount(750, 5) });
    expect(circles).toBeGreaterThan(amount(100, 10));
    expect(lengthening).toBeGreaterThan(amount(250, 10));
  });
});
