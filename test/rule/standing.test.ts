import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/rule/rule.js';
import {
  ACCEPTS,
  accepts,
  calledOf,
  isAnsweringKey,
  isCandidate,
  isGrowth,
  isInsertion,
  isKey,
  isLeftOut,
  isNumericSeries,
  isOpen,
  isOpenKey,
  isPending,
  isPinned,
  isVetoed,
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

describe('the table of states in the header of rule/standing', () => {
  const [titles, ...rows] = readFileSync(new URL('../../src/rule/standing.ts', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('//     '))
    .map((line) => line.slice('//     '.length));
  const drawn = new Map(rows.map((row) => [row.slice(0, 23).trim(), row.slice(23).trim().split(/ +/)]));

  const likely = sampleRule('a', 'b', { status: 'likely', confidence: 0.5 });
  const adding = sampleRule('a/', 'a//', { confidence: 1 });
  const key = sampleRule('a', 'b', { use: 'key' });
  const tried = { source: 'live', positive: 0, negative: 9, unjudged: {}, positives: [], negatives: [] } as const;
  const states: [state: string, rule: Rule, standing: string, called?: string][] = [
    ['likely, from .5 on', likely, 'likely'],
    ['candidate, below .5', { ...likely, confidence: 0.499 }, 'likely', 'candidate'],
    ['valid', { ...likely, status: 'valid' }, 'valid'],
    ['invalid', { ...likely, status: 'invalid' }, 'invalid'],
    ['likely, only adds', { ...adding, status: 'likely' }, 'likely, only adds'],
    ['valid, only adds', adding, 'valid, only adds'],
    ['pinned, likely', { ...likely, pin: true }, 'pinned'],
    ['pinned, refuted', { ...likely, pin: 'local', status: 'invalid' }, 'pinned, refuted'],
    ['vetoed, pinned too', { ...likely, pin: true, veto: 'local' }, 'vetoed'],
    ['likely key', { ...key, status: 'likely' }, 'likely, a key'],
    ['open key', key, 'valid, a key'],
    ['key, image tried', { ...key, otherWay: tried }, 'valid, a key'],
    ['answering key', { ...key, hits: { kept: 1, given: 9 } }, 'valid, a key'],
    ['pinned key', { ...key, pin: true }, 'pinned'],
    ['refuted key', { ...key, status: 'invalid' }, 'invalid, a key'],
  ];
  const columns: Readonly<Record<string, (rule: Rule) => boolean>> = {
    written: (rule) => accepts(rule, 'valid'),
    used: (rule) => accepts(rule, 'valid', 'key'),
    likely: (rule) => accepts(rule, 'likely'),
    Key: isKey,
    AnsweringKey: isAnsweringKey,
    LeftOut: isLeftOut,
    Pinned: isPinned,
    Vetoed: isVetoed,
    Candidate: isCandidate,
    Pending: isPending,
    OpenKey: isOpenKey,
    Open: isOpen,
  };

  it('has these states and columns', () => {
    expect([...drawn.keys()]).toEqual(states.map(([state]) => state));
    expect(titles!.split(/ +/)).toEqual(['state', ...Object.keys(columns)]);
  });

  it.each(states)('%s', (state, rule, standing, called = standing) => {
    expect(Object.values(columns).map((says) => (says(rule) ? 'x' : '.'))).toEqual(drawn.get(state));
    expect([standingOf(rule), calledOf(rule)]).toEqual([standing, called]);
  });
});
