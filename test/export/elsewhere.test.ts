import { describe, expect, it } from 'vitest';
import { leadsElsewhere } from '../../src/export/elsewhere.js';
import { loadTarget } from '../../src/export/targets.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { requestOf } from './arbitrary.js';

describe('a rule could turn part of a path into a host', () => {
  it.each([
    ['/example.com/', '/', 'none'],
    ['//example.com/', '//', 'none'],
    ['http://example.com/', 'http://', 'start'],
    ['example.com/', '', 'none'],
    ['.com/', '.com.', 'none'],
    ['.com/x', '.com', 'none'],
    ['http://www.example.com', 'http:/', 'start'],
  ] as const)('%j → %j (%s)', (from, to, anchor) => {
    expect(leadsElsewhere(sampleRule(from, to, { anchor }))).toBe(true);
  });

  it.each([
    ['http://www.example.com/', 'http://example.com/', 'start'],
    ['://www.', '://', 'none'],
    ['.com/docs/en/', '.com/manual/', 'none'],
    ['/index.html', '/', 'end'],
    ['/story?id=', '/story_', 'none'],
    ['/', '', 'none'],
    ['.html', '', 'end'],
    ['http://', 'https://', 'start'],
  ] as const)('but not %j → %j (%s)', (from, to, anchor) => {
    expect(leadsElsewhere(sampleRule(from, to, { anchor }))).toBe(false);
  });

  it('removing a parameter does not change the host', () => {
    expect(leadsElsewhere(sampleParameter('sid'))).toBe(false);
  });

  it.each(['nginx', 'apache', 'varnish'])('and %s, which would redirect there, omits it', async (name) => {
    const rules = [sampleRule('/example.com/', '/'), sampleRule('/a', '', { rank: 2, anchor: 'end' })];
    const { left } = (await loadTarget(name))!.write(requestOf(rules));
    expect(left).toMatchObject([{ rule: { rank: 1 }, reason: 'could turn a part of a path into the host' }]);
  });
});
