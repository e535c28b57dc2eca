import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { carriable } from '../../src/export/carry.js';
import { encodeSet } from '../../src/export/set-text.js';
import type { Rule } from '../../src/rule/rule.js';
import { anchors, sampleParameter, sampleRule } from '../rule/sample.js';
import { amount } from '../amount.js';

function carried(rules: readonly Rule[], isBounded = true): readonly Rule[] {
  const said = rules.map((rule, at) => ({ rule: { ...rule, rank: at + 1 } }));
  return carriable(said, { isBounded }).carried.map(({ rule }) => rule);
}

const ranks = (rules: readonly Rule[], isBounded = true) => carried(rules, isBounded).map(({ rank }) => rank);
const set = (name: string, value: string) => sampleParameter(name, { action: 'set', value });

const piece = fc.constantFrom('a', 'b', 'c', '-', '=', '&', 'a=1', '1');
const text = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''));
const substring = fc
  .tuple(text, text, fc.constantFrom(...anchors))
  .map(([from, to, anchor]) => sampleRule(from, to, { anchor }));
const parameter = fc
  .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(null, '1', 'a=1', 'b'), fc.boolean())
  .map(([name, value, isSet]) => sampleParameter(name, { value, action: isSet ? 'set' : 'remove' }));
const rule = fc.oneof({ weight: 3, arbitrary: substring }, parameter);

/** The naive way: whenever a rule is dropped, the proof begins again with all that are left. */
function carriedByScan(rules: readonly Rule[], isBounded: boolean): readonly Rule[] {
  let left = rules;
  for (let last = lastUnproved(left, isBounded); last !== undefined; last = lastUnproved(left, isBounded)) {
    const dropped = last;
    left = left.filter((one) => one !== dropped);
  }
  return left;
}

function lastUnproved(rules: readonly Rule[], isBounded: boolean): Rule | undefined {
  let open = rules;
  for (;;) {
    const byte = 'abc-=&1'.split('').find((one) => {
      const rises = open.map((rule) => riseOf(rule, one));
      const canRise = isBounded && open.every(({ kind }) => kind === 'substring');
      const [rising, falling] = [rises.some((by) => by > 0), rises.some((by) => by < 0)];
      return rising ? canRise && !falling : falling;
    });
    if (byte === undefined) return open.findLast((rule) => !isHarmless(rule, open));
    open = open.filter((rule) => riseOf(rule, byte) === 0);
  }
}

function riseOf(rule: Rule, byte: string): number {
  const count = (text: string) => text.split(byte).length - 1;
  if (rule.kind === 'substring') return count(rule.to) - count(rule.from);
  if (rule.kind !== 'parameter') throw new Error(rule.kind);
  if (rule.action === 'remove') return -count(rule.name);
  return rule.value === null ? 0 : count(`=${rule.value}`);
}

function isHarmless(rule: Rule, all: readonly Rule[]): boolean {
  if (rule.kind === 'substring') {
    const { from, to } = rule;
    return from.length > to.length || (from.length === to.length && from > to);
  }
  const setOf = (one: Rule) =>
    one.kind === 'parameter' && one.action === 'set' && one.value !== null ? encodeSet(one.name, one.value) : undefined;
  const own = setOf(rule);
  if (own === undefined) return true;
  return all.every((other, at) => {
    if (other.kind === 'substring') return !own.isHitBy(encodeText(other.from));
    const set = setOf(other);
    return set === undefined || at >= all.indexOf(rule) || !own.meets(set);
  });
}

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

  it('gets the rules that a proof from the beginning finds after each one that is dropped', () => {
    const sizes = new Map<string, number>();
    const law = fc.property(fc.array(rule, { maxLength: 8 }), fc.boolean(), (all, isBounded) => {
      const ranked = all.map((one, at) => ({ ...one, rank: at + 1 }));
      const expected = carriedByScan(ranked, isBounded);
      expect(ranks(ranked, isBounded)).toEqual(expected.map(({ rank }) => rank));
      const dropped = all.length - expected.length;
      const size = dropped > 1 ? 'several' : dropped === 1 ? 'one' : 'none';
      sizes.set(size, (sizes.get(size) ?? 0) + 1);
    });
    fc.assert(law, { numRuns: amount(4000) });
    for (const size of ['none', 'one', 'several']) expect(sizes.get(size)).toBeGreaterThan(amount(300, 20));
  });

  it('never exports rules that form a cycle', () => {
    // One round leads from `y` to `z`, the next from `z` over `x` to `y`.
    const circle = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'a-b', '1'), { minLength: 3, maxLength: 3 })
      .map(([x, y, z]) => [sampleRule(z!, x!), sampleRule(y!, z!), sampleRule(x!, y!)]);
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
