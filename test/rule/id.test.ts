// Ids of rules: for what they say, and nothing else.
import { expect, test } from 'vitest';
import { readRules, writeRules } from '../../src/rule/file.js';
import { ID_LENGTH, idOf } from '../../src/rule/id.js';
import { sampleFile, sampleRule } from './sample.js';

test('an id is the same in every run and on every machine', () => {
  expect(idOf(sampleRule('www.', '', { site: 'example.com' }))).toBe('rqrbbfe9');
});

test('rank, figures and verdict do not matter; site, sides, direction and conditions do', () => {
  const rule = sampleRule('a', 'b', { site: 'h' });
  const id = idOf(rule);
  const judged = { ...rule, rank: 9, against: 3, status: 'valid', note: 'x', pin: true } as const;
  expect(idOf(judged)).toBe(id);
  const others = [
    { ...rule, site: 'g' },
    { ...rule, from: 'b', to: 'a' },
    { ...rule, to: 'c' },
    { ...rule, only: [{ part: 'first', is: 'x' }] as const },
  ];
  expect(new Set([id, ...others.map(idOf)]).size).toBe(5);
  const [x, y] = [{ part: 'first', is: 'x' } as const, { part: 'first', is: 'y' } as const];
  expect(idOf({ ...rule, not: [x, y] })).toBe(idOf({ ...rule, not: [y, x] }));
});

test('ids spread: of 100,000 similar rules none has that of another, and every digit takes every value', () => {
  const ids = Array.from({ length: 100_000 }, (_, k) => idOf(sampleRule(`/p${k}`, '/q')));
  expect(new Set(ids).size).toBe(ids.length);
  for (let at = 0; at < ID_LENGTH; at++) expect(new Set(ids.map((id) => id[at])).size).toBe(32);
});

test('a file has the id of what its rules say, whatever was written there before', () => {
  const rule = { ...sampleRule('a', 'b'), id: 'stale' };
  const text = [...writeRules(sampleFile([rule]))].join('');
  expect(text).toContain(`"rank":1,"id":"${idOf(rule)}"`);
  expect(readRules(Buffer.from(text), 'file').rules).toEqual([sampleRule('a', 'b')]);
  const without = text.replace(`"id":"${idOf(rule)}",`, '');
  expect([...writeRules(readRules(Buffer.from(without), 'older'))].join('')).toBe(text);
});
