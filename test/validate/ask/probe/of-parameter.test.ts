// Probes of a parameter come from URLs that have it, and from no others.
import { expect, test } from 'vitest';
import { Grammar } from '../../../../src/validate/ask/probe/grammar.js';
import { probesOfParameter } from '../../../../src/validate/ask/probe/of-parameter.js';

const grammar = new Grammar(['http://h/list?start=0', 'http://h/list?start=10&cat=2', 'http://h/list?cat=2']);

test('other values, fields and pages are tried with a URL that has it', () => {
  const urls = probesOfParameter('start', ['http://h/list?start=0'], grammar).flatMap((kind) => kind.urls);
  expect(urls).toContain('http://h/list?start=10');
  expect(urls).toContain('http://h/list?start=1');
});

test('nothing is tried where none has it, though the list knows values of it', () => {
  expect(probesOfParameter('start', ['http://h/list?cat=2'], grammar)).toEqual([]);
  expect(probesOfParameter('start', [], grammar)).toEqual([]);
});
