import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refines } from '../../src/rule/refine.js';
import type { Anchor } from '../../src/rule/rule.js';
import { amount } from '../amount.js';
import { anchors, naiveTokens } from './sample.js';

interface Pair {
  readonly from: string;
  readonly to: string;
  readonly anchor: Anchor;
}

const pair = (from: string, to: string, anchor: Anchor = 'none'): Pair => ({ from, to, anchor });

describe('a pair refines another (Lemma 5.3)', () => {
  it.each([
    ['itself', pair('/a', '/b'), pair('/a', '/b'), true],
    ['itself the other way round', pair('/a', '/b'), pair('/b', '/a'), true],
    ['a shorter one inside it', pair('.il/story_', '.il/story?id='), pair('/story_', '/story?id='), true],
    ['a shorter one inside it the other way round', pair('/story?id=9', '/story_9'), pair('_', '?id='), true],
    ['no longer one', pair('_', '?id='), pair('/story_', '/story?id='), false],
    ['not where the rest differs', pair('x/a', 'y/b'), pair('/a', '/b'), false],
    ['an insertion that it makes', pair('ab', 'a?b'), pair('', '?'), false],
    ['an insertion between whole tokens', pair('/b', '/?b'), pair('', '?'), true],
    ['by a later occurrence than the first', pair('a/a/b', 'a/c/b'), pair('a', 'c'), true],
    ['not by half a token', pair('aa', 'ab'), pair('a', 'b'), false],
    ['not where β melts into its surroundings', pair('a-b', 'acb'), pair('-', 'c'), false],
    ['the free one, being anchored', pair('/a', '/b', 'both'), pair('/a', '/b'), true],
    ['not the anchored one, being free', pair('/a', '/b'), pair('/a', '/b', 'end'), false],
    ['the anchored one only at its own end', pair('/a/x', '/b/x', 'end'), pair('/a', '/b', 'end'), false],
    ['the anchored one at its own end', pair('x/a', 'x/b', 'end'), pair('/a', '/b', 'end'), true],
    ['not one anchored at the other end', pair('x/a', 'x/b', 'start'), pair('/a', '/b', 'end'), false],
    ['an appendix', pair('/a', '/a/', 'end'), pair('', '/', 'end'), true],
  ] as const)('%s', (_, fine, broad, expected) => {
    expect(refines(fine, broad)).toBe(expected);
  });

  it('agrees with trying every γ and δ on lists of tokens', () => {
    const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '/', '-'), maxLength });
    const anyPair = (size: number) =>
      fc.record({ from: text(size), to: text(size), anchor: fc.constantFrom(...anchors) });
    // Random pairs hardly ever refine each other; so half of them are extended from the other, truly or nearly so.
    const grown = fc
      .tuple(anyPair(2), text(2), text(2), fc.constantFrom(...anchors), fc.boolean())
      .map(([broad, before, after, anchor, turn]) => {
        const sides = [before + broad.from + after, before + broad.to + after] as const;
        return { broad, fine: { from: sides[turn ? 1 : 0], to: sides[turn ? 0 : 1], anchor } };
      });
    const cases = fc.oneof(grown, fc.record({ broad: anyPair(2), fine: anyPair(4) }));
    let positive = 0;
    let negative = 0;
    fc.assert(
      fc.property(cases, ({ broad, fine }) => {
        fc.pre(broad.from !== broad.to);
        const expected = naiveRefines(fine, broad);
        expect(refines(fine, broad)).toBe(expected);
        if (expected) positive++;
        else negative++;
      }),
      { numRuns: amount(20_000, 2), seed: 53 },
    );
    expect(positive).toBeGreaterThan(amount(1000, 2));
    expect(negative).toBeGreaterThan(amount(1000, 2));
  });
});

function naiveRefines(fine: Pair, broad: Pair): boolean {
  const [alpha, beta] = [sequence(fine.from, fine.anchor), sequence(fine.to, fine.anchor)];
  const [from, to] = [sequence(broad.from, broad.anchor), sequence(broad.to, broad.anchor)];
  for (let before = 0; before <= alpha.length; before++) {
    for (let after = before; after <= alpha.length; after++) {
      const around = (middle: string[]) => [...alpha.slice(0, before), ...middle, ...alpha.slice(after)].join('\n');
      const holds = (a: string[], b: string[]) =>
        alpha.slice(before, after).join('\n') === a.join('\n') && around(b) === beta.join('\n');
      if (holds(from, to) || holds(to, from)) return true;
    }
  }
  return false;
}

function sequence(text: string, anchor: Anchor): string[] {
  const list = naiveTokens(text);
  if (anchor === 'start' || anchor === 'both') list.unshift('START');
  if (anchor === 'end' || anchor === 'both') list.push('END');
  return list;
}
