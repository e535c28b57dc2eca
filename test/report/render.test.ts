// The tables of rules, and of the sites that they are of.
import { expect, test } from 'vitest';
import { LargestSites, type MineSummary } from '../../src/mine/mine.js';
import { sitesTable } from '../../src/report/render.js';
import type { Rule } from '../../src/rule/rule.js';

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
