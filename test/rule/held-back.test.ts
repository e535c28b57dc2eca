import { describe, expect, it } from 'vitest';
import { readRules, writeRules } from '../../src/rule/file.js';
import { heldReason, heldRules, holdingBack, released } from '../../src/rule/held-back.js';
import type { Rule } from '../../src/rule/rule.js';
import { accepts } from '../../src/rule/standing.js';
import { sampleFile, sampleParameter, samplePattern, sampleRule } from './sample.js';

const RULES: readonly Rule[] = [
  sampleParameter('aff'),
  sampleParameter('sid', { rank: 2 }),
  sampleRule('?lang=de', '', { rank: 3, status: 'likely' }),
  samplePattern('/{1:path}?next={value}', '/{1}', { rank: 4 }),
  sampleParameter('ref', { rank: 5, pin: true }),
];
const OF_CLUSTERS = {
  source: 'clusters',
  positive: 9,
  negative: 0,
  unjudged: {},
  positives: [],
  negatives: [],
} as const;
const usesOf = (rules: readonly Rule[]) => rules.map(({ use }) => use);

describe('rules that may mean money or choice', () => {
  it('are keys, unless they are pinned; others stay as they are', () => {
    expect(usesOf(heldRules(RULES, {}))).toEqual(['key', undefined, 'key', 'key', undefined]);
  });

  it('are written if each of their fields is, however its name is spelled', () => {
    expect(usesOf(heldRules(RULES, { write: ['AFF', 'La-ng'] }))).toEqual([
      undefined,
      undefined,
      undefined,
      'key',
      undefined,
    ]);
    const two = sampleRule('?lang=de&aff=1', '');
    expect(usesOf(heldRules([two], { write: ['aff'] }))).toEqual(['key']);
    expect(usesOf(heldRules([two], { write: ['aff', 'lang'] }))).toEqual([undefined]);
  });

  it('are written again once they are named, and held back twice they are as once', () => {
    const once = heldRules(RULES, {});
    expect(heldRules(once, {})).toBe(once);
    expect(heldRules(once, { write: ['aff', 'lang', 'next'] })).toEqual(released({ rules: RULES }).rules);
  });

  it('are released, and what the clusters of mine made a key stays one', () => {
    const ofClusters = sampleParameter('aff', { use: 'key', verdict: OF_CLUSTERS });
    const unknown = sampleParameter('sid', { use: 'key' });
    const rules = [...heldRules(RULES, {}), ofClusters, unknown];
    expect(usesOf(released({ rules }).rules)).toEqual([
      undefined,
      undefined,
      undefined,
      'write',
      undefined,
      'key',
      'key',
    ]);
  });

  it('are so in a file from before, when it is read', () => {
    const text = [...writeRules(sampleFile(RULES))].join('');
    const { rules } = readRules(Buffer.from(text), 'old');
    expect(rules.filter((rule) => accepts(rule, 'likely')).map(({ rank }) => rank)).toEqual([2, 5]);
    expect(rules.filter((rule) => accepts(rule, 'likely', 'key'))).toHaveLength(5);
  });

  it('are said with the reason', () => {
    const [aff, sid, lang] = heldRules(RULES, {});
    expect(heldReason(aff!)).toBe('changes no text, but may mean money or choice (aff)');
    expect(heldReason(sid!)).toBeUndefined();
    expect(heldReason(lang!)).toBe('may mean money or choice (lang)');
  });

  it('leave a file without them as it is, the same object', () => {
    const file = sampleFile([sampleRule('a', 'b')]);
    expect(holdingBack(file)).toBe(file);
  });
});
