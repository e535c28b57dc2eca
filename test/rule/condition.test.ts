import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { compileConditions, conditionsKey, faultOfCondition, holdsFor, meets } from '../../src/rule/condition.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import type { Condition } from '../../src/rule/rule.js';
import { someCondition, someUrl } from '../canonize/arbitrary.js';
import { sampleStep } from './sample.js';

const URL = 'http://me@www.example.com:8080/forum/x;s=1/list.old.html;v=2?id=7&sort';

const rows: readonly (readonly [Condition['part'], string | number, string, boolean])[] = [
  ['host', 'www.example.com:8080', URL, true],
  ['host', 'www.example.com', URL, false],
  ['host', '', '/a', true],
  ['host', '', URL, false],
  ['first', 'forum', URL, true],
  ['first', 'x', URL, false],
  ['first', 'x', '/x;s=1', true],
  ['first', '', '/', true],
  ['first', '', 'http://h?a', true],
  ['last', 'list.old.html', URL, true],
  ['last', '', '/a/', true],
  ['last', 'a', '/a/', false],
  ['last', 'a', '/a?b/c', true],
  ['segment', 'x', URL, true],
  ['segment', 'forum', URL, true],
  ['segment', 's=1', URL, false],
  ['segment', '', '/a//b', true],
  ['segment', '', '/a/b', false],
  ['extension', 'html', URL, true],
  ['extension', 'old', URL, false],
  ['extension', '', '/a', true],
  ['extension', '', '/.htaccess', true],
  ['extension', '', '/a.', true],
  ['extension', 'b', '/a.b/c', false],
  ['depth', 3, URL, true],
  ['depth', 2, '//a/;x/b/', true],
  ['depth', 0, 'http://h', true],
  ['depth', 1, '/a?b/c', true],
  ['fields', 2, URL, true],
  ['fields', 1, URL, false],
  ['fields', 1, '/a;s=1?&;b&', true],
  ['fields', 0, '/a;s=1?&', true],
  ['fields', 0, 'http://h', true],
  ['parameter', 's', URL, true],
  ['parameter', 'id', URL, true],
  ['parameter', 'sort', URL, true],
  ['parameter', 'i', URL, false],
  ['parameter', '2172', '/title.cgi?2172', false],
  ['field', 'id=7', URL, true],
  ['field', 'v=2', URL, true],
  ['field', 'sort', URL, true],
  ['field', 'id', URL, false],
  ['text', 'x;s', URL, true],
  ['text', 'sort', URL, true],
  ['text', 'www', URL, false],
  ['text', '%28', '/a?b=%28', true],
  ['text', 'sorted', URL, false],
  ['query', '7', URL, true],
  ['query', 'sor', URL, true],
  ['query', 'forum', URL, false],
  ['query', ':', 'http://h:80/a:b;c=:?d=e', false],
  ['query', ':', 'http://h:80/?d&e=f:', true],
  ['query', ':', '/a?:', true],
  ['query', ':', 'http://h:80', false],
  ['query', '', '/a?', true],
  ['query', '', '/a', false],
  ['query', 'a&b', '/a?a&b', true],
  ['query', '//', 'http://h//a?u=http://i', true],
  ['field', '2172', '/title.cgi?2172', true],
];

describe('a condition', () => {
  it.each(rows)('%s is %j of %s: %j', (part, is, url, expected) => {
    expect(meets(encodeText(url), { part, is } as Condition)).toBe(expected);
  });

  it('that no URL can meet is an error', () => {
    const faults: readonly Condition[] = [
      { part: 'host', is: 'a/b' },
      { part: 'first', is: 'a;b' },
      { part: 'extension', is: 'tar.gz' },
      { part: 'parameter', is: '' },
      { part: 'parameter', is: 'a=b' },
      { part: 'field', is: 'a&b' },
    ];
    for (const condition of faults) expect(faultOfCondition(condition), JSON.stringify(condition)).toBeDefined();
    for (const [part, is] of rows) expect(faultOfCondition({ part, is } as Condition)).toBeUndefined();
  });
});

describe('a rule with conditions', () => {
  it('applies if one of `only` is met, if there are any, and none of `not`', () => {
    const seen = { held: 0, kept: 0 };
    const conditions = fc.array(someCondition, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.option(conditions), fc.option(conditions), someUrl, (only, not, url) => {
        const bytes = encodeText(url);
        const where = { ...(only !== null && { only }), ...(not !== null && { not }) };
        const isMet = (condition: Condition) => meets(bytes, condition);
        const expected =
          (only ?? []).length === 0 ? !(not ?? []).some(isMet) : only!.some(isMet) && !(not ?? []).some(isMet);
        const compiled = compileConditions(where);
        expect(compiled === undefined || holdsFor(compiled, bytes)).toBe(expected);
        const everywhere = imageOf(compileRule(sampleStep('add-end-slash')), bytes, 0);
        const image = imageOf(compileRule(sampleStep('add-end-slash', '', where)), bytes, 0);
        expect(image).toEqual(expected ? everywhere : bytes);
        if (everywhere !== bytes) seen[expected ? 'held' : 'kept']++;
      }),
      { numRuns: 3000, seed: 13 },
    );
    expect(seen.held).toBeGreaterThan(100);
    expect(seen.kept).toBeGreaterThan(100);
  });

  it('is the same in whatever order they are written', () => {
    const [a, b] = [{ part: 'first', is: 'a' } as const, { part: 'depth', is: 2 } as const];
    expect(conditionsKey({ only: [a, b] })).toBe(conditionsKey({ only: [b, a, a], not: [] }));
    expect(conditionsKey({ only: [a] })).not.toBe(conditionsKey({ not: [a] }));
    expect(conditionsKey({ not: [] })).toBe('');
  });
});
