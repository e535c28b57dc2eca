// Rules hold in one or two places of one kind, where they change most.
import { expect, test } from 'vitest';
import type { Condition } from '../../../src/rule/rule.js';
import { asPolicy, isPolicy } from '../../../src/validate/ask/policy.js';
import { sampleParameter, sampleStep } from '../../rule/sample.js';
import { many } from './asked.js';

const first = (is: string): Condition => ({ part: 'first', is });
const tree: Condition = { part: 'segment', is: 'tree' };
const id: Condition = { part: 'parameter', is: 'id' };
const urls = [
  ...many(9, (k) => `http://h/a/tree/p${k}`),
  ...many(2, (k) => `http://h/b/p${k}`),
  ...many(5, (k) => `http://h/c/p${k}`),
  ...many(1, (k) => `http://h/d/p${k}?id=${k}`),
];

test.each([
  ['of several kinds the one of most URLs', [first('b'), tree, id], [tree]],
  ['of one kind the two of most URLs', [first('d'), first('b'), first('a'), first('c')], [first('a'), first('c')]],
  ['both at once', [id, first('d'), first('b'), first('c')], [first('c'), first('b')]],
  ['none that loses more than a quarter', [first('c'), first('b'), tree], [first('c'), first('b'), tree]],
])('%s', (_, only, left) => {
  expect(asPolicy(sampleStep('fold-slashes', '', { only }), urls).only).toEqual(left);
});

test('values of the own parameter are no places, and rules that are policies stay as they are', () => {
  const values = ['do=', 'do=show', 'do=view'].map((is): Condition => ({ part: 'field', is }));
  const rules = [
    sampleParameter('do', { only: values }),
    sampleStep('fold-slashes', '', { only: [first('a'), first('b')] }),
    sampleStep('fold-slashes'),
    sampleStep('fold-slashes', '', { not: [first('a'), tree, id] }),
  ];
  for (const rule of rules) expect(asPolicy(rule, urls)).toBe(rule);
  expect(isPolicy(rules[0]!, [...values, first('a')])).toBe(false);
  expect(isPolicy(rules[1]!, values)).toBe(false);
});
