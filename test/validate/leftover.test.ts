import { expect, test } from 'vitest';
import type { Rule } from '../../src/rule/rule.js';
import { withoutNeedless } from '../../src/validate/leftover.js';
import { sampleFile, sampleParameter, sampleRule } from '../rule/sample.js';

const valid = sampleRule('.html', '', { site: 's.test', anchor: 'end' });
const fine = sampleRule('index.html', 'index', { site: 's.test', anchor: 'end', status: 'likely' });
const left = (...rules: Rule[]) =>
  withoutNeedless(sampleFile(rules.map((rule, at) => ({ ...rule, rank: at + 1 })))).rules.length;

test.each<[string, readonly Rule[], number]>([
  ['a refinement of a valid rule is left out', [valid, fine], 1],
  ['also where it stands before it', [fine, valid], 1],
  ['not of one that is only likely', [{ ...valid, status: 'likely' }, fine], 2],
  ['not of one that is vetoed', [{ ...valid, veto: 'local' }, fine], 2],
  ['of one that is pinned', [{ ...valid, status: 'likely', pin: true }, fine], 1],
  ['not of one of another site', [{ ...valid, site: 't.test' }, fine], 2],
  ['not if it was decided on', [valid, { ...fine, status: 'invalid' }], 2],
  ['not if a user has a say in it', [valid, { ...fine, pin: true }], 2],
  [
    'a parameter in a narrower scope is',
    [sampleParameter('p'), sampleParameter('p', { scope: 'path', path: '/x', status: 'likely' })],
    1,
  ],
  ['what has nothing to do with it stays', [valid, sampleRule('a', 'b', { site: 's.test', status: 'likely' })], 2],
])('%s', (_, rules, count) => expect(left(...rules)).toBe(count));
