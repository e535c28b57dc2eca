import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { circularMoves, isMove } from '../../../src/export/simple/moves.js';
import type { SubstringRule } from '../../../src/rule/rule.js';
import { amount } from '../../amount.js';
import { sampleRule } from '../../rule/sample.js';

const move = (from: string, to: string) => sampleRule(from, to, { anchor: 'start' }) as SubstringRule;

/** The naive way: each move that is left is followed to all moves that are left. */
function circularByScan(moves: readonly SubstringRule[]): readonly SubstringRule[] {
  const originOf = (text: string) => /^[^/]*(?:\/\/[^/?]*)?/.exec(text)![0];
  const isNext = ({ to }: SubstringRule, { from }: SubstringRule) => {
    const [end, begin] = [originOf(to), originOf(from)];
    return end.startsWith(begin) || begin.startsWith(end);
  };
  const out: SubstringRule[] = [];
  for (const first of moves.filter(({ from, to }) => to.length >= from.length).toReversed()) {
    const left = moves.filter((one) => !out.includes(one));
    const reached = new Set(left.filter((one) => isNext(first, one)));
    for (const one of reached) for (const next of left) if (isNext(one, next)) reached.add(next);
    if (reached.has(first)) out.push(first);
  }
  return out;
}

describe('moves that could lead in a circle', () => {
  it('are those that a scan of all pairs finds', () => {
    const scheme = fc.constantFrom('http', 'https', 'http:', 'http://', 'https://');
    const host = fc.constantFrom('', 'a', 'ab', 'b', 'b.', 'b.com', 'b.com:80', 'c', 'd');
    const path = fc.constantFrom('', '/', '/x/', '/x/yz/', '?');
    const text = fc.oneof(
      { weight: 1, arbitrary: scheme },
      { weight: 5, arbitrary: fc.tuple(host, path).map(([one, more]) => `http://${one}${more}`) },
    );
    const moves = fc.array(fc.tuple(text, text), { maxLength: 14 });
    const sizes = new Map<string, number>();
    const law = fc.property(moves, (pairs) => {
      const all = pairs.map(([from, to]) => move(from, to)).filter(isMove);
      const expected = circularByScan(all);
      expect(circularMoves(all)).toEqual(expected);
      const size = expected.length === 0 ? 'none' : expected.length < all.length / 2 ? 'few' : 'most';
      sizes.set(size, (sizes.get(size) ?? 0) + 1);
    });
    fc.assert(law, { numRuns: amount(2000, 5) });
    for (const size of ['none', 'few', 'most']) expect(sizes.get(size)).toBeGreaterThan(amount(100, 10));
  });
});
