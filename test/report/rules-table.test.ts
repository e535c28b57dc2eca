// The table of rules: all that are in use, then how to see the rest.
import { expect, test } from 'vitest';
import type { Rule } from '../../src/rule/rule.js';
import { rulesTable } from '../../src/report/rules-table.js';
import { sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';

const sid = sampleParameter('sid', { examples: [['http://h/?sid=1', 'http://h/']], hits: { given: 1234, kept: 9 } });
const aff = sampleParameter('aff', { rank: 2, use: 'key' });
const slash = sampleStep('drop-end-slash', '', { rank: 3, use: 'key', hits: { given: 7, kept: 1 } });
const likely = sampleRule('a', 'b', { rank: 4, status: 'likely', confidence: 0.9 });
const wrong = sampleRule('c', 'd', {
  rank: 5,
  status: 'invalid',
  verdict: {
    source: 'live',
    positive: 0,
    negative: 1,
    unjudged: {},
    positives: [],
    negatives: [['http://h/c', 'http://h/d', 'different']],
  },
});
const vetoed = sampleRule('e', '', { rank: 6, veto: true, note: 'not here' });
const adding = sampleStep('add-end-slash', '', { rank: 7 });
const all: readonly Rule[] = [sid, aff, slash, likely, wrong, vetoed, adding];

test('all rules in use are shown with hits and an example, keys with the reason, and the rest is counted', () => {
  const ids = /^[0-9a-z]{8}/gm;
  expect(rulesTable(all, { file: 'r.json' }).replace(ids, '--------').split('\n')).toEqual([
    '1 rule is valid: each address becomes its form (hits: lines of the log that the rule redirects)',
    'id         hits  rule',
    '--------  1,234  The parameter `sid` is dropped on every page.',
    '                 /?sid=1 → /',
    '',
    '2 rules are keys: used to recognise pages (canonize --unique, caches, crawlers), never to redirect; they say which addresses are one page',
    'id        hits  rule',
    '--------     7  A slash at the end of the path is dropped on every page.',
    '                (a key: the log goes by the other form, 1 hit at its forms, 7 at the URLs that it changes)',
    '--------        The parameter `aff` is dropped on every page.',
    '                (a key: changes no text, but may mean money or choice (aff); --write aff or pin writes it)',
    '',
    'Not shown: 1 likely rule, 1 refuted, 1 vetoed, 1 that only adds text; dustbuster explain -r r.json lists all rules',
    '',
  ]);
});

test('no exception shows what belongs to a visitor, and trackers stay one line', () => {
  const except = ['http://h/a?fbclid=EyOMvBRsfMhYSJR5dPI3gpJJ'];
  const table = rulesTable([sampleParameter('fbclid', { except }), sampleParameter('gclid', { rank: 2 })]);
  expect(table).toContain('The tracking parameters `fbclid` and `gclid` are dropped on every page.');
  expect(table).not.toContain('EyOM');
});

test('a rule that the site itself confirms says so', () => {
  expect(rulesTable([{ ...adding, word: 'canonical' }])).toMatch(
    /at the end of the path, unless that is a file such as `a.html`, on every page\.\n +\(the site names it as the canonical link\)\n/,
  );
});

test('a rule that clusters decided on shows what it merged falsely, and the bound of 95 %', () => {
  const verdict = (negatives: readonly (readonly [string, string, string])[]) =>
    ({ source: 'clusters', positive: 40, negative: negatives.length, unjudged: {}, positives: [], negatives }) as const;
  const wrongly = { ...sid, verdict: verdict([['http://h/?sid=2', 'http://h/', 'another cluster']]) };
  expect(rulesTable([wrongly])).toMatch(
    /\/\?sid=1 → \/\n +\(by clusters: 40 right merges, 1 wrong, 12\.6 % at most: http:\/\/h\/\?sid=[^ ]+ ⇸ http:\/\/h\/\)\n/,
  );
  expect(rulesTable([{ ...sid, verdict: verdict([]) }])).not.toContain('clusters');
});

test('however many rules are in use, each is shown', () => {
  const many = Array.from({ length: 99 }, (_, k) => sampleParameter(`p${k}`, { rank: k + 1 }));
  expect(rulesTable(many, { top: 3 }).match(/ is dropped on every page\./g)).toHaveLength(99);
});

test('--top is about likely rules, and where no rule is in use some are shown', () => {
  expect(rulesTable(all, { top: 1 })).toContain('`a` becomes `b` wherever it stands.');
  expect(rulesTable([likely])).toContain('`a` becomes `b` wherever it stands.');
  expect(rulesTable([likely], { top: 0 })).toBe('1 likely rule\n');
});

test('the whole file has refuted rules with a counter-example, and why others are not applied', () => {
  const whole = rulesTable(all, { isWhole: true });
  expect(whole).toContain('3 rules are not applied\n');
  expect(whole).toMatch(
    / `c` becomes `d` wherever it stands\.\n +\(refuted: http:\/\/h\/c ⇸ http:\/\/h\/d, different\)\n/,
  );
  expect(whole).toMatch(/ `e` is dropped wherever it stands\.\n +\(vetoed: not here\)\n/);
  expect(whole).toMatch(/\n +\(only adds text, which neither the site nor a user asks for\)\n/);
  expect(whole).toContain('`a` becomes `b`');
  expect(whole).not.toContain('Not shown');
});

test.each([60, 80, 120])('at a width of %i every line fits, but for words that are longer', (width) => {
  const lines = rulesTable(all, { width, isWhole: true }).split('\n');
  expect(lines.filter((line) => line.length > width && line.trim().includes(' '))).toEqual([]);
});

test('trackers are one line, and rules stand in the order of the hits that they redirect', () => {
  const [utm, fb] = ['utm_source', 'fbclid'].map((name, k) =>
    sampleParameter(name, { rank: 10 + k, hits: { given: 20 + k, kept: 1 } }),
  );
  const seldom = sampleParameter('seldom', { rank: 1, hits: { given: 3, kept: 1 } });
  const table = rulesTable([seldom, utm!, sid, fb!]);
  expect(table).toMatch(
    / 41 {2}The tracking parameters `utm_source` and `fbclid` are dropped on every page\.\n +\(\w{8}, \w{8}\)\n/,
  );
  expect(Array.from(table.matchAll(/^\w{8} +([\d,]+) /gm), ([, hits]) => hits)).toEqual(['1,234', '41', '3']);
});

test('what the site redirects itself is one line, and listed where all rules are', () => {
  // The log has all URLs of the second only as redirects.
  const own = [
    { ...adding, word: 'redirect' as const },
    sampleParameter('moved', { rank: 14, hits: { given: 0, kept: 1 } }),
  ];
  const pinned = sampleParameter('pinned', { rank: 15, pin: true, hits: { given: 0, kept: 1 } });
  const said = "rules do what the site's own redirects do already";
  const table = rulesTable([sid, ...own, pinned], { file: 'r.json' });
  expect(table).toContain(`\n2 ${said}: dustbuster explain -r r.json lists them\n`);
  expect(table).toContain('1 rule is valid, 1 is pinned');
  expect(table).not.toContain('`moved`');
  expect(table).toContain('`pinned`');
  expect(rulesTable([sid, own[0]!])).toContain("\n1 rule does what the site's own redirects do already\n");
  const whole = rulesTable([sid, ...own], { file: 'r.json', isWhole: true });
  expect(whole).toMatch(new RegExp(`2 ${said}\\n.*\\n[^]*The parameter `.concat('`moved` is dropped')));
});
