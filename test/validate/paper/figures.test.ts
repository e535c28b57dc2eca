// Figures 3 and 4 to the letter, on sites that fit into a test: the site is a function from URL to page.
import { describe, expect, it, test } from 'vitest';
import type { Rule } from '../../../src/rule/rule.js';
import { validateRules } from '../../../src/validate/paper/figure-4.js';
import { Planner } from '../../../src/validate/plan.js';
import type { Settlement } from '../../../src/validate/settlement.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { siteUrlsOf } from '../../url-list.js';
import { FunctionSource, type FunctionSite } from '../function-source.js';

async function validate(
  site: FunctionSite,
  urls: readonly string[],
  rules: readonly Rule[],
  { budget = Infinity, ...more }: { readonly budget?: number; readonly N?: number; readonly epsilon?: number } = {},
) {
  const list = siteUrlsOf(urls.map((url) => ({ url })));
  const drawing = { seed: 1, tries: 300, pathOnly: false, withSketches: false, forAsking: false };
  const source = new FunctionSource(site, budget);
  const settlements: Settlement[] = [];
  const { signal } = new AbortController();
  const options = {
    N: 100,
    epsilon: 0.05,
    minSamples: 3,
    pathOnly: false,
    source,
    siteOf: () => 'h',
    base: '',
    signal,
  };
  const planner = new Planner(drawing);
  list.site = rules[0]!.site;
  planner.draw(list, rules);
  const plan = planner.plans(rules).flatMap((site) => site.rules);
  for await (const one of validateRules(plan, { ...options, ...more })) settlements.push(one);
  return { settlements, source, rules: settlements.flatMap(({ after }) => after) };
}

const many = (count: number, url: (k: number) => string) => Array.from({ length: count }, (_, k) => url(k));
const likely = (from: string, to: string, more: Parameters<typeof sampleRule>[2] = {}) =>
  sampleRule(from, to, { status: 'likely', ...more });
const html = likely('.html', '', { anchor: 'end' });
const numbered: FunctionSite = (url) => url.replace(/\D/g, '');

describe('Figure 3', () => {
  it('accepts at (1 - ε)N positives, and refutes at εN negatives', async () => {
    const urls = many(300, (k) => `http://h/a${k}.html`);
    const { rules } = await validate(numbered, urls, [html]);
    expect(rules[0]).toMatchObject({ status: 'valid', verdict: { positive: 95, negative: 0 } });
    const wrong = await validate((url) => url, urls, [html]);
    expect(wrong.rules[0]).toMatchObject({ status: 'invalid', verdict: { positive: 0, negative: 5 } });
  });

  it('counts a page that is not there as a negative, and what nobody can say not at all', async () => {
    const urls = many(300, (k) => `http://h/a${k}.html`);
    const gone = await validate((url) => (url.endsWith('.html') ? numbered(url) : 404), urls, [html]);
    expect(gone.rules[0]).toMatchObject({ status: 'invalid', verdict: { negative: 5 } });
    expect(gone.rules[0]!.verdict!.negatives[0]![2]).toBe('status 404');
    const silent = await validate((url) => (url.endsWith('.html') ? numbered(url) : null), urls, [html]);
    expect(silent.rules[0]).toMatchObject({ status: 'likely', verdict: { undecided: 'few-samples', negative: 0 } });
    expect(silent.rules[0]!.verdict!.unjudged).toEqual({ 'v: not-archived': 300 });
  });

  it('with ε = 0 refutes at the first negative only, whereas the loop would refute everything', async () => {
    const urls = many(300, (k) => `http://h/a${k}.html`);
    const strict = await validate(numbered, urls, [html], { epsilon: 0 });
    expect(strict.rules[0]).toMatchObject({ status: 'valid', verdict: { positive: 100 } });
    const wrong = await validate((url) => url, urls, [html], { epsilon: 0 });
    expect(wrong.rules[0]).toMatchObject({ status: 'invalid', verdict: { negative: 1 } });
  });

  test.each([
    [3, 0, 'valid'],
    [3, 1, 'invalid'],
    [60, 2, 'valid'],
    [2, 0, 'likely'],
  ])(
    'when L has no other URL, the share of negatives decides: %d right, %d wrong, %s',
    async (right, wrong, status) => {
      const urls = many(right + wrong, (k) => `http://h/${k < right ? 'a' : 'wrong'}${k}.html`);
      const { rules } = await validate((url) => (url.includes('wrong') ? url : numbered(url)), urls, [html]);
      expect(rules[0]).toMatchObject({ status, verdict: { positive: right, negative: wrong } });
    },
  );

  it('compares pages, whatever their addresses: a redirect back is as good as a page', async () => {
    const slashed: FunctionSite = (url) => (url.endsWith('/') ? numbered(url) : { redirect: `${url}/` });
    const { rules } = await validate(
      slashed,
      many(200, (k) => `http://h/a${k}/`),
      [likely('/', '', { anchor: 'end' })],
    );
    expect(rules[0]).toMatchObject({ status: 'valid', from: '/', to: '' });
  });
});

describe('Figure 4', () => {
  it('tries the other direction if the first fails', async () => {
    const site: FunctionSite = (url) => (url.endsWith('.html') || /a\d\.p$/.test(url) ? numbered(url) : 404);
    const urls = [...many(200, (k) => `http://h/a${k}.html`), ...many(10, (k) => `http://h/a${k}.p`)];
    const { rules } = await validate(site, urls, [likely('.html', '.p', { anchor: 'end' })]);
    expect(rules).toMatchObject([{ status: 'valid', from: '.p', to: '.html', verdict: { positive: 10, negative: 0 } }]);
    expect(rules[0]!.otherWay!.negatives[0]![2]).toBe('status 404');
  });

  it('tries to set a parameter that cannot be removed', async () => {
    const site: FunctionSite = (url) => (url.includes('s=') ? url.replace(/s=\d+/, '') : 404);
    const rule = sampleParameter('s', { status: 'likely', value: '1' });
    const { rules } = await validate(
      site,
      many(60, (k) => `http://h/a${k}?s=${k % 5}`),
      [rule],
    );
    expect(rules).toMatchObject([{ status: 'valid', action: 'set', value: '1' }]);
  });

  it('eliminates what refines a rule that was not eliminated, without a fetch, and nothing else', async () => {
    const site: FunctionSite = (url) => (url.includes('/x/') ? url : url.replace(/\.html$/, ''));
    const { settlements } = await validate(
      site,
      many(60, (k) => `http://h/p/a${k}.html`),
      [
        html,
        likely('a7.html', 'a7', { rank: 2, anchor: 'end' }),
        likely('/p/', '/q/', { rank: 3 }),
        likely('h/p/', 'h/q/', { rank: 4 }),
      ],
    );
    expect(settlements.map(({ outcome }) => outcome)).toEqual(['valid', 'needless', 'invalid', 'invalid']);
    expect(settlements[1]!.requests).toBe(0);
  });

  it('applies a rule to URLs of L as they are, whatever rules are valid', async () => {
    const site: FunctionSite = (url) => (/_\d+&u=/.test(url) ? 404 : url.replace(/[?&]u=\d+/, '').replace('?id=', '_'));
    const urls = many(80, (k) => `http://h/s?id=${k}&u=${k % 9}`);
    const { rules } = await validate(site, urls, [
      sampleParameter('u', { status: 'likely' }),
      likely('?id=', '_', { rank: 2 }),
    ]);
    expect(rules.map(({ status }) => status)).toEqual(['valid', 'invalid']);
  });

  it('ends with the requests, and goes on from there: what has a verdict is not tried again', async () => {
    const urls = [...many(200, (k) => `http://h/a${k}.html`), ...many(200, (k) => `http://h/p/b${k}`)];
    const rules = [html, likely('/p/', '/q/', { rank: 2 })];
    const first = await validate(numbered, urls, rules, { budget: 200 });
    expect(first.rules.map(({ status, verdict }) => `${status} ${verdict!.undecided}`)).toEqual([
      'valid undefined',
      'likely budget',
    ]);
    const second = await validate(numbered, urls, first.rules);
    expect(second.settlements.map(({ outcome }) => outcome)).toEqual(['kept', 'valid']);
    expect(second.source.asked.filter((url) => url.includes('.html'))).toEqual([]);
  });
});
