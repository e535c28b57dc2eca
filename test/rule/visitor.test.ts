import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/rule/rule.js';
import { namesVisitor } from '../../src/rule/visitor.js';
import { sampleParameter, samplePattern, sampleRule, sampleStep } from './sample.js';

const SID = 'q2v8ksd0f9a7s6d5f4g3h2j1k0';
const OTHER = 'u71mmx03pab5c6d7e8f9g0h1i2';
const withSession = { examples: [[`http://h/a?PHPSESSID=${SID}`, `http://h/a?PHPSESSID=${OTHER}`]] } as const;

describe('a rule names a visitor', () => {
  it.each<[string, Rule]>([
    ['by a session with its name', sampleRule(`?PHPSESSID=${SID}`, '')],
    ['by what it writes', sampleRule('', `&token=abc123`, { anchor: 'end' })],
    ['by a session without its name, as its examples tell', sampleRule(SID, OTHER, withSession)],
    ['by a part of a name', sampleRule(`ID=${SID}`, `ID=${OTHER}`, withSession)],
    ['by the value that it sets', sampleParameter('sid', { action: 'set', value: SID })],
    ['by its scope', sampleParameter('q', { scope: 'prefix', path: '//h/reset/ann@example.org/' })],
    ['by the segment that it drops', sampleStep('drop-segment', 'sk_live_4eC39HqLyjWDarjt')],
    ['by a pattern', samplePattern('/{1:word}?mail=ann%40example.org', '/{1}')],
    ['by all of its conditions', sampleRule('.html', '', { only: [{ part: 'field', is: `sid=${SID}` }] })],
  ])('%s', (_, rule) => expect(namesVisitor(rule)).toBe(true));

  it.each<[string, Rule]>([
    ['if any value is removed', sampleParameter('PHPSESSID', { action: 'remove', value: SID })],
    ['by a digest in a path', sampleRule('/5d41402abc4b2a76b9719d911017c592', '')],
    ['by text that its examples have elsewhere', sampleRule('index2.html', '', withSession)],
    [
      'if only one of its conditions does',
      sampleRule('a', 'b', {
        only: [
          { part: 'field', is: `sid=${SID}` },
          { part: 'first', is: 'a' },
        ],
      }),
    ],
    [
      'by the host of an address',
      sampleRule('www.example.org', 'example.org', {
        examples: [['http://www.example.org/?mail=ann@example.org', 'http://example.org/?mail=ann@example.org']],
      }),
    ],
  ])('not %s', (_, rule) => expect(namesVisitor(rule)).toBe(false));
});
