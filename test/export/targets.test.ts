// What holds for every target that writes a configuration, whatever the rules. Whether the real programs read it as
// intended is tested in test/e2e.
import { describe, expect, it } from 'vitest';
import type { ExportRequest, RedirectStatus } from '../../src/export/target.js';
import { loadTarget, targetNames } from '../../src/export/targets.js';
import type { Rule, Verdict } from '../../src/rule/rule.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';

function requestOf(...rules: readonly Rule[]): ExportRequest {
  return {
    rules: rules.map((rule, at) => ({ ...rule, rank: at + 1 })),
    normalization: 'safe',
    urlForm: 'absolute',
    sitePolicy: 'domain',
    maxIterations: 10,
    source: 'rules\n"evil";.json',
    generator: 'dustbuster 0.0.0',
  };
}

const evil = 'x\n} evil { "\'\r\\\u2028\udcff */ -- ';
const broken: readonly Rule[] = [
  sampleRule(evil, '/a'),
  sampleRule('/a', evil),
  sampleRule('/b', '/a', { except: [evil], site: evil }),
  sampleParameter(evil, { scope: 'prefix', path: evil }),
  sampleParameter('a', { action: 'set', value: evil }),
  sampleParameter('b'),
];

/** Cache keys want one. */
const verdict: Verdict = { source: 'live', positive: 9, negative: 0, unjudged: {}, positives: [], negatives: [] };

const web = ['nginx', 'apache', 'varnish'];

describe.each(web)('the export for %s', (name) => {
  it('puts no text of a rule on a line of its own, and no control character', async () => {
    const target = (await loadTarget(name))!;
    const { text, carried, left } = target.write(requestOf(...broken));
    expect(carried.length).toBeGreaterThan(0);
    expect(carried.length + left.length).toBe(broken.length);
    for (const line of text.split('\n')) {
      expect(line).toMatch(/^[\x20-\x7e]*$/);
      expect(line).not.toMatch(/^ *\}? *evil|\\$/);
    }
  });

  it('says in a comment what it omits, and why', async () => {
    const target = (await loadTarget(name))!;
    const hits = { kept: 7, given: 1200 };
    const { text, left } = target.write(
      requestOf(sampleRule('b', 'c', { hits }), sampleRule('/a/', '/ b/', { anchor: 'end' }), sampleParameter('sid')),
    );
    expect(left.map(({ rule }) => rule.rank)).toEqual([1, 2]);
    expect(text).toContain('1 of 3 rules');
    expect(text).toContain(
      '`b` becomes `c` wherever it stands: matches anywhere in a URL, even inside values (1200 hits',
    );
    expect(text).toContain('at the end becomes `/ b/`: has text that needs escapes, or is long\n');
  });

  it('is a file that does nothing if no rule is left', async () => {
    const { text, carried } = (await loadTarget(name))!.write(requestOf());
    expect(carried).toEqual([]);
    expect(text).toContain('0 of 0 rules');
  });

  it('carries no rule of which a sample redirects where the rule leads, even if it is pinned', async () => {
    const verdict = (reason: string): Verdict => ({
      source: 'live',
      positive: 40,
      negative: 1,
      unjudged: {},
      positives: [],
      negatives: [['http://example.com/a', 'http://example.com/b', reason]],
    });
    const rules = ['redirects', 'redirect-loop http://example.com/b', 'different'].map((reason, at) =>
      sampleRule(`/a${at}`, '', { anchor: 'end', verdict: verdict(reason), pin: true }),
    );
    const { carried, left } = (await loadTarget(name))!.write(requestOf(...rules));
    expect(carried).toMatchObject([{ from: '/a2' }]);
    expect(left.map(({ reason }) => reason)).toEqual(Array(2).fill('leads to a URL that redirects'));
  });

  it('redirects with the status that was asked for', async () => {
    const target = (await loadTarget(name))!;
    const of = (status?: RedirectStatus) =>
      target.write({ ...requestOf(sampleParameter('sid')), ...(status !== undefined && { status }) }).text;
    expect(of()).toBe(of('301'));
    for (const status of ['302', '307', '308'] as const) {
      expect(of(status)).not.toContain('301');
      expect(of(status)).toMatch(new RegExp(`return ${status} \\$|R=${status},|resp\\.status = ${status};`));
    }
  });

  it('explains its use in a few short lines', async () => {
    const { usage, summary } = (await loadTarget(name))!;
    expect(Math.max(...usage.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130);
    expect(usage.split('\n').length).toBeLessThanOrEqual(12);
    expect(summary.length).toBeLessThan(110);
  });
});

it('nginx gets no word longer than its limit', async () => {
  const rules = Array.from({ length: 40 }, (_, at) => sampleParameter(`${'a.'.repeat(90)}${at}`));
  const { text, left } = (await loadTarget('nginx'))!.write(requestOf(...rules));
  expect(left).toEqual([]);
  expect(Math.max(...Array.from(text.matchAll(/"[^"]*"/g), ([word]) => word.length))).toBeLessThan(4090);
});

it('every target can be loaded by its name', async () => {
  for (const name of targetNames) expect((await loadTarget(name))!.name).toBe(name);
  expect(loadTarget('none')).toBeUndefined();
  expect(targetNames).toEqual(expect.arrayContaining(web));
});

describe.each(
  targetNames.filter((name) => !['csv', 'parquet', 'esm', 'clean-param', 'cloudflare', 'crawlee'].includes(name)),
)('%s', (name) => {
  it('omits rules of a domain below which hosts belong to others', async () => {
    const rules = ['amazonaws.com', 'example.com'].map((site) => sampleParameter('sid', { site, verdict }));
    const { carried, left } = (await loadTarget(name))!.write(requestOf(...rules));
    expect(carried.map(({ site }) => site)).toEqual(['example.com']);
    expect(left).toMatchObject([
      { rule: { site: 'amazonaws.com' }, reason: 'holds for a site with public suffixes below it' },
    ]);
  });
});

const QUERIES_ONLY =
  'clean-param duplicate-url-discarder no-vary-search varnish-key cloudfront-key adguard clearurls pywb';

describe('a parameter that stands in paths', () => {
  const pairs = (...urls: readonly string[]) => urls.map((url) => [`http://h.com${url}`, 'http://h.com/a'] as const);
  const inPaths = sampleParameter('sid', { site: 'h.com', verdict, examples: pairs('/a;sid=1?b=2', '/a;sid=2/') });
  const inBoth = { ...inPaths, examples: pairs('/a;sid=1?b=2', '/a?sid=2') };

  it.each(targetNames)('%s carries it if paths are read there, and otherwise says why not', async (name) => {
    const { carried, left } = (await loadTarget(name))!.write(requestOf(inPaths));
    const seesQueriesOnly = QUERIES_ONLY.split(' ').includes(name);
    expect(carried).toHaveLength(seesQueriesOnly ? 0 : 1);
    expect(left.map(({ reason }) => reason)).toEqual(
      seesQueriesOnly ? ['is about a parameter that stands in paths, and only queries are read there'] : [],
    );
  });

  it.each(targetNames)('%s carries it if it stands in queries, too', async (name) => {
    expect((await loadTarget(name))!.write(requestOf(inBoth)).carried).toHaveLength(1);
  });
});
