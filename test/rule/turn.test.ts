import { describe, expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import type { Condition, Rule } from '../../src/rule/rule.js';
import { turnedRule } from '../../src/rule/turn.js';
import { sampleParameter, samplePattern, sampleRule, sampleStep } from './sample.js';

const apply = (rule: Rule, url: string) => decodeText(imageOf(compileRule(rule), encodeText(url), 0));
const start = { anchor: 'start' } as const;
const is = (part: Condition['part'], text: string | number) => ({ part, is: text }) as Condition;

/** A rule, a URL that it changes, and one that it leaves alone, though its image would be another. */
const CASES: readonly (readonly [string, Rule, changed: string, left: string])[] = [
  [
    'of a host',
    sampleRule('http://m.h/', 'http://h/', { ...start, not: [is('first', 'a')] }),
    'http://m.h/b',
    'http://m.h/a',
  ],
  ['on a host', sampleRule('/old/', '/new/', { only: [is('host', 'h')] }), 'http://h/old/x', 'http://i/old/x'],
  [
    'with the host that it changes',
    sampleRule('http://www.', 'http://', { ...start, only: [is('host', 'www.h')] }),
    'http://www.h/a',
    'http://www.i/a',
  ],
  ['in a folder', sampleRule('/old/', '/new/', { only: [is('first', 'old')] }), 'http://h/old/x', 'http://h/a/old/x'],
  [
    'at a depth',
    sampleRule('http://h/a/', 'http://h/', { ...start, only: [is('depth', 3)] }),
    'http://h/a/b/c',
    'http://h/a/b',
  ],
  [
    'with an exception',
    sampleRule('http://m.h/', 'http://h/', { ...start, except: ['http://m.h/a'] }),
    'http://m.h/b',
    'http://m.h/a',
  ],
  ['of a slash', sampleStep('drop-end-slash', '', { not: [is('first', 'feed')] }), 'http://h/a/', 'http://h/feed/'],
  [
    'of a slash after a name',
    sampleStep('add-end-slash', '', { only: [is('last', 'b')] }),
    'http://h/a/b',
    'http://h/a/c',
  ],
];

describe('a rule the other way round', () => {
  test.each(CASES)('%s changes the images back, and leaves the others alone', (_, rule, changed, left) => {
    const turned = turnedRule(rule)!;
    const image = apply(rule, changed);
    expect(image).not.toBe(changed);
    expect(apply(turned, image)).toBe(changed);
    expect(apply(rule, left)).toBe(left);
    const bare = { ...rule };
    for (const field of ['only', 'not', 'except'] as const)
      delete (bare as { -readonly [K in keyof Rule]?: Rule[K] })[field];
    const other = apply(bare as Rule, left);
    expect(other).not.toBe(left);
    expect(apply(turned, other)).toBe(other);
  });

  test('has examples and verdict from the other side, and nothing that was said of its direction', () => {
    const verdict = {
      source: 'live',
      positive: 1,
      negative: 1,
      unjudged: {},
      positives: [['http://m.h/b', 'http://h/b']],
      negatives: [['http://m.h/c', 'http://h/c', 'different']],
    } as const;
    const rule = sampleRule('http://m.h/', 'http://h/', {
      ...start,
      examples: [['http://m.h/b', 'http://h/b']],
      verdict,
      word: 'redirect',
      hits: { kept: 1, given: 9 },
    });
    const turned = turnedRule(rule)!;
    expect(turned.examples).toEqual([['http://h/b', 'http://m.h/b']]);
    expect(turned.verdict).toMatchObject({
      positives: [['http://h/b', 'http://m.h/b']],
      negatives: [['http://h/c', 'http://m.h/c', 'different']],
    });
    expect([turned.word, turned.hits]).toEqual([undefined, undefined]);
  });

  test.each([sampleParameter('a'), samplePattern('/{1:word}', '/a'), sampleStep('unescape')])(
    'is none of a rule that does not say what was there before: %o',
    (rule) => {
      expect(turnedRule(rule)).toBeUndefined();
    },
  );
});
