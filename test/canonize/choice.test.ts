import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText, sameBytes } from '../../src/base/bytes.js';
import { createChoice } from '../../src/canonize/choice.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import type { Rule } from '../../src/rule/rule.js';
import { pathStart } from '../../src/url/form.js';
import { amount } from '../amount.js';
import { stepNames, sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';
import { anyRules, someCondition, someStep, someUrl } from './arbitrary.js';

/** The numbers of the rules that are chosen for a URL, which stands between other bytes. */
function chosenFor(url: string, rules: readonly Rule[], before = '&&;', behind = '&a=1&a=1;3/&'): number[] {
  const bytes = encodeText(`${before}${url}${behind}`);
  const start = encodeText(before).length;
  const end = start + encodeText(url).length;
  const choice = createChoice(rules.map(compileRule));
  const path = pathStart(bytes, start, end);
  const count = choice.choose(Int32Array.from(rules.keys()), rules.length, bytes, start, path, end);
  return Array.from(choice.chosen.subarray(0, count));
}

const fields = fc
  .array(fc.constantFrom('a=1', 'a=2', 'b=1', 'B=%2F', '17', 'a', '', 'a=', '%61=1'), { maxLength: 5 })
  .chain((list) => fc.constantFrom('&', ';').map((separator) => list.join(separator)));
const segments = fc
  .array(fc.constantFrom('a', 'b', 'A', '', 'a.b', '%C3', '%cG', 'a;b=1', ';A', '.'), { maxLength: 4 })
  .map((list) => `/${list.join('/')}`);
const withFields = fc
  .tuple(fc.constantFrom('', 'http://h', 'https://a@i:8'), segments, fc.option(fields))
  .map(([host, path, query]) => `${host}${path}${query === null ? '' : `?${query}`}`);

describe('the choice among rules', () => {
  it('leaves out no rule that would change the URL, and is of those whose conditions hold', () => {
    const seen = { left: 0, chosen: 0, conditions: 0 };
    const rules = fc.oneof(anyRules, fc.array(someStep, { minLength: 1, maxLength: 8 }));
    fc.assert(
      fc.property(fc.oneof(someUrl, withFields), rules, (url, list) => {
        const bytes = encodeText(url);
        const compiled = list.map(compileRule);
        const { rules: bare } = createChoice(compiled);
        const chosen = chosenFor(url, list);
        for (const [at, rule] of compiled.entries()) {
          const image = imageOf(rule, bytes, 0);
          const isSame = sameBytes(image, bytes);
          if (!chosen.includes(at)) {
            seen.left++;
            expect(isSame, `${url} ${JSON.stringify(list[at])}`).toBe(true);
            continue;
          }
          seen.chosen++;
          if (rule.limits?.conditions !== undefined) seen.conditions++;
          expect(imageOf(bare[at]!, bytes, 0)).toEqual(image);
        }
      }),
      { numRuns: amount(15_000, 5) },
    );
    expect(Math.min(seen.left, seen.chosen, seen.conditions)).toBeGreaterThan(500);
  });

  it('leaves out steps and parameter rules that change nothing', () => {
    const url = 'http://h/a/b?a=1&b=2';
    const steps = stepNames.filter((step) => !['add-end-slash', 'drop-segment', 'drop-last-segment'].includes(step));
    const keyed = ['one-separator', 'unescape'];
    expect(
      chosenFor(
        url,
        steps.filter((step) => !keyed.includes(step)).map((step) => sampleStep(step)),
      ),
    ).toEqual([]);
    const none = [sampleParameter('c'), sampleParameter('a', { action: 'set', value: '1' })];
    expect(chosenFor(url, [...none, sampleParameter('b')])).toEqual([2]);
  });

  it('tests a condition anew on every form', () => {
    const rule = sampleRule('a', 'b', { only: [{ part: 'first', is: 'a' }] });
    const choice = createChoice([compileRule(rule)]);
    const chosen = ['/a', '/b', '/a'].map((url) => choice.choose(Int32Array.of(0), 1, encodeText(url), 0, 0, 2));
    expect(chosen).toEqual([1, 0, 1]);
  });

  it('takes equal conditions of several rules for one, and others not', () => {
    const list = fc.array(someCondition, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(withFields, list, (url, conditions) => {
        const rules = conditions.map((condition) => sampleRule('a', 'b', { only: [condition] }));
        const each = rules.flatMap((rule, at) => (chosenFor(url, [rule]).length > 0 ? [at] : []));
        expect(chosenFor(url, rules)).toEqual(each);
      }),
    );
  });
});
