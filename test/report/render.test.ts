// The tables of rules, and of the sites that they are of.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LargestSites, type MineSummary } from '../../src/mine/mine.js';
import { rulesTable, sitesTable } from '../../src/report/render.js';
import type { Rule } from '../../src/rule/rule.js';
import { amount } from '../amount.js';
import { sampleRule } from '../rule/sample.js';

const rulesOf = (...sites: [string, Rule['kind']][]) => sites.map(([site, kind]) => ({ site, kind }) as Rule);

function summaryOf(...sizes: [string, number][]): MineSummary {
  const largestSites = new LargestSites();
  for (const [site, urls] of sizes) largestSites.add(site, urls);
  return { sites: { mined: sizes.length, skipped: 0 }, largestSites } as MineSummary;
}

test('sites are ordered by size, with their rules of both kinds, and never reach the terminal raw', () => {
  const summary = summaryOf(['b.test', 7], ['a.test', 7], ['evil\u001b[31m.test', 90], ['c.test', 2]);
  const rules = rulesOf(
    ['a.test', 'substring'],
    ['a.test', 'parameter'],
    ['a.test', 'substring'],
    ['c.test', 'parameter'],
  );
  const table = sitesTable(rules, summary, 3);
  expect(table.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['site', 'URLs', 'substring rules', 'parameter rules'],
    [expect.not.stringContaining('\u001b'), '90', '0', '0'],
    ['a.test', '7', '2', '1'],
    ['b.test', '7', '0', '0'],
    ['… and 1 more site'],
    [''],
  ]);
});

test('one site needs no table', () => {
  expect(sitesTable(rulesOf(['a.test', 'substring']), summaryOf(['a.test', 7]), 10)).toBe('');
});

test('of very many sites the largest are listed', () => {
  const sizes = Array.from({ length: 5000 }, (_, k): [string, number] => [`s${k}.test`, (k * 7919) % 5000]);
  const list = summaryOf(...sizes).largestSites.list();
  expect(list.map(({ urls }) => urls)).toEqual(Array.from({ length: 1000 }, (_, k) => 4999 - k));
});

test('the sides of a rule that begin alike are shortened where they do', () => {
  const talk = (name: string) => sampleRule(`http://www.a.test/presentations/logstash-${name}/img/`, 'x', {});
  const rule = { ...talk('puppetconf-2012'), to: talk('scale11x').from };
  const [, row] = rulesTable([rule], 10).split('\n');
  expect(row!.split(/ {2,}/).slice(3, 5)).toEqual([
    'http://www.a.test/pr…stash-puppetconf-2012/img/',
    'http://www.a.test/pr…stash-scale11x/img/',
  ]);
});

test('two sides never look alike, and fit', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '/', 'λ', '='), maxLength: 60 });
  fc.assert(
    fc.property(fc.nat(80), text, text, (shared, a, b) => {
      fc.pre(a !== b);
      const rule = sampleRule('x'.repeat(shared) + 'y' + a, 'x'.repeat(shared) + 'y' + b);
      const [, from, to] = /^ *1  \w+  (\S+)  +(\S+) /.exec(rulesTable([rule], 10).split('\n')[1]!)!;
      expect(from).not.toBe(to);
      expect(Math.max(...[from!, to!].map((side) => Array.from(side).length))).toBeLessThanOrEqual(48);
    }),
    { numRuns: amount(300) },
  );
});
