import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/rule/rule.js';
import {
  ACCEPTS,
  accepts,
  isGrowth,
  isInsertion,
  isLeftOut,
  isNumericSeries,
  standingOf,
} from '../../src/rule/standing.js';
import { sampleParameter, sampleRule, sampleStep } from './sample.js';

describe('a rule only adds text', () => {
  it.each<[string, Rule]>([
    ['where `to` has `from` in it', sampleRule('/', '//')],
    ['at any place', sampleRule('story', 'my-story')],
    ['also where an anchor names another end', sampleRule('/', '/?page=2', { anchor: 'end' })],
    ['where `from` is empty', sampleRule('', '&utm_source=x', { anchor: 'end' })],
    ['where a slash comes at the end', sampleStep('add-end-slash')],
  ])('%s', (_, rule) => {
    expect(isInsertion(rule)).toBe(true);
    for (const accept of ACCEPTS) {
      for (const status of ['valid', 'likely'] as const) {
        const left: Rule = { ...rule, status, confidence: 1 };
        expect(accepts(left, accept)).toBe(false);
        expect(isLeftOut(left)).toBe(true);
        expect(standingOf(left)).toBe(`${status}, only adds`);
        expect(accepts({ ...left, pin: true }, accept)).toBe(true);
      }
      expect(accepts({ ...rule, status: 'valid', word: 'redirect' }, accept)).toBe(true);
      expect(accepts({ ...rule, status: 'valid', word: 'canonical', veto: true }, accept)).toBe(false);
    }
  });

  it.each<[string, Rule]>([
    ['half a word is none', sampleRule('a', 'ab')],
    ['nor is what goes', sampleRule('//', '/')],
    ['nor a parameter that is set, as it is there already', sampleParameter('a', { action: 'set', value: 'long' })],
    ['nor any other step', sampleStep('sort-fields')],
  ])('but %s', (_, rule) => expect(isInsertion(rule)).toBe(false));
});

describe('the rules that are applied', () => {
  const likely = (confidence: number, rule: Rule = sampleRule('a', 'b')): Rule => ({
    ...rule,
    status: 'likely',
    confidence,
  });

  it('are valid ones, or confident ones from .95 on, or all but refuted ones', () => {
    const taken = (rule: Rule) => ACCEPTS.filter((accept) => accepts(rule, accept));
    expect(taken(sampleRule('a', 'b', { confidence: 0 }))).toEqual(['valid', 'confident', 'likely']);
    expect(taken(likely(0.95))).toEqual(['confident', 'likely']);
    expect(taken(likely(0.949))).toEqual(['likely']);
    expect(taken(sampleRule('a', 'b', { status: 'invalid', confidence: 1 }))).toEqual([]);
    expect(taken({ ...likely(1), veto: true })).toEqual([]);
  });

  it('exclude series of numbers if only confidence speaks for them', () => {
    for (const [from, to] of [
      ['/page/2', '/page/1'],
      ['2019-', '2020-'],
      ['a10b9', 'a2b11'],
    ] as const) {
      expect(isNumericSeries(sampleRule(from, to)), from).toBe(true);
      expect(accepts(likely(1, sampleRule(from, to)), 'confident')).toBe(false);
      expect(accepts(likely(1, sampleRule(from, to)), 'likely')).toBe(true);
    }
    expect(isNumericSeries(sampleRule('/page/1', '/page/'))).toBe(false);
    expect(isNumericSeries(sampleRule('a1', 'b1'))).toBe(false);
  });
});

it.each([
  ['/p-12', '/p-1-2', true],
  ['post', 'posts', true],
  ['', '?a=1', true],
  ['/a/', '/a/b/', true],
  ['/a/b/', '/a/', false],
  ['/en/', '/de-at/', false],
  ['é', 'é\u{1f600}', true],
  ['a', 'a', false],
])('%j → %j grows: %j', (from, to, expected) => expect(isGrowth(sampleRule(from, to))).toBe(expected));
