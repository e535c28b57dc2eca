// Rules are judged by what they lead to, and confidences by how many of their rules are true.
import { expect, test } from 'vitest';
import { calibrationOf, judgeRules, precisionAt, type AnyRule, type CanonizerOf } from './rules-judged.js';
import type { Truth } from './measures.js';

const truth: Truth = new Map(
  Object.entries({ '/a?x': '1', '/a': '1', '/b?x': '2', '/b': '2', '/c.html': '3', '/c': '4' }).map(([url, near]) => [
    url,
    { exact: url, near },
  ]),
);
/** `from` is taken out where it stands; that is canonizer enough here. */
const canonizerOf: CanonizerOf = ({ rules }) => {
  return (url) => rules.reduce((at, { from }) => at.replace(from as string, ''), url);
};
const rule = (from: string, confidence: number): AnyRule => ({
  kind: 'substring',
  status: 'likely',
  from,
  to: '',
  confidence,
});
const judged = judgeRules(
  { rules: [rule('?x', 0.95), rule('.html', 0.93), rule('?nothing', 0.2)] },
  truth,
  canonizerOf,
);

test('a rule is true where it leads to the same page, and no verdict where it leads to no known URL', () => {
  expect(judged.map(({ isTrue }) => isTrue)).toEqual([true, false, null]);
});

test('precision says how many could be judged', () => {
  expect(precisionAt(judged, 1)).toEqual({ at: 1, share: 1, judged: 1 });
  expect(precisionAt(judged, 50)).toEqual({ at: 50, share: 1 / 3, judged: 2 });
});

test('confidences are compared with truth by tenths', () => {
  expect(calibrationOf(judged)).toEqual([{ from: 0.9, judged: 2, areTrue: 1, meanConfidence: 0.94 }]);
});
