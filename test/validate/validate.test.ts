// Figures 3 and 4 on sites that fit into a test: the site is a function from URL to text. (Real servers: test/e2e.)
import { describe, expect, test } from 'vitest';
import { documentOf } from '../../src/sketch/page.js';
import { Judge } from '../../src/validate/judge.js';
import { planSite } from '../../src/validate/plan.js';
import type { PageResult, PageSource } from '../../src/validate/source.js';
import type { ValidateOptions } from '../../src/validate/attempt.js';
import { validateSite, type Settlement } from '../../src/validate/validate.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { siteUrlsOf } from '../url-list.js';
import type { Rule } from '../../src/rule/rule.js';

type Site = (url: string) => string | number | { readonly redirect: string } | undefined;

/** Pages of 60 words that depend on a name: different names have nothing in common. */
function wordsOf(name: string): string {
  return Array.from({ length: 60 }, (_, k) => `${name}${k}`).join(' ');
}

class FunctionSource implements PageSource {
  readonly name = 'live';
  readonly asked: string[] = [];
  readonly #site: Site;
  readonly #budget: number;

  constructor(site: Site, budget = Infinity) {
    this.#site = site;
    this.#budget = budget;
  }

  get requests(): number {
    return new Set(this.asked).size;
  }

  async fetchAgain(url: string): Promise<PageResult> {
    return this.fetch(url);
  }

  async fetch(url: string): Promise<PageResult> {
    return this.#follow(url, 0);
  }

  async #follow(url: string, redirects: number): Promise<PageResult> {
    if (!this.asked.includes(url) && this.requests >= this.#budget) return { kind: 'unavailable', reason: 'budget' };
    this.asked.push(url);
    const answer = this.#site(url);
    if (answer === undefined) return { kind: 'unavailable', reason: 'network' };
    if (typeof answer === 'number') return { kind: 'missing', reason: 'status', detail: String(answer) };
    if (typeof answer === 'object') return this.#follow(answer.redirect, redirects + 1);
    return {
      kind: 'page',
      document: documentOf(Buffer.from(wordsOf(answer)), 'text/plain'),
      finalUrl: url,
      redirects,
    };
  }

  refusal(): undefined {
    return undefined;
  }

  async close(): Promise<void> {}
}

const defaults: ValidateOptions = { stop: 'sequential', N: 100, epsilon: 0.05, minSamples: 3, pathOnly: false };

interface Result {
  readonly settlements: readonly Settlement[];
  readonly source: FunctionSource;
  /** The rules after validation. */
  readonly rules: readonly Rule[];
}

async function settle(
  site: Site,
  urls: readonly string[],
  rules: readonly Rule[],
  more: { readonly budget?: number; readonly signal?: AbortSignal } & Partial<ValidateOptions> = {},
): Promise<Result> {
  const { budget, signal = new AbortController().signal, ...options } = more;
  const source = new FunctionSource(site, budget);
  const list = siteUrlsOf(urls.map((url) => ({ url })));
  const plan = planSite('h', list, rules, {
    seed: 1,
    tries: 300,
    pathOnly: false,
    withSketches: false,
    forAsking: false,
  });
  const judge = new Judge({ source, siteOf: () => 'h', base: '', signal });
  const settlements: Settlement[] = [];
  for await (const settlement of validateSite(plan.rules, judge, { ...defaults, ...options }))
    settlements.push(settlement);
  return { settlements, source, rules: settlements.flatMap(({ after }) => after) };
}

const many = (count: number, url: (k: number) => string) => Array.from({ length: count }, (_, k) => url(k));
const likely = (from: string, to: string, more: Parameters<typeof sampleRule>[2] = {}) =>
  sampleRule(from, to, { status: 'likely', support: { low: 100, high: 100 }, ...more });

describe('a rule', () => {
  test('that is true is valid after 35 samples, with up to three of them', async () => {
    const { rules, source, settlements } = await settle(
      (url) => url.replace(/\D/g, ''),
      many(200, (k) => `http://h/a${k}.html`),
      [likely('.html', '', { anchor: 'end' })],
    );
    expect(rules[0]).toMatchObject({ status: 'valid', verdict: { positive: 35, negative: 0, unjudged: {} } });
    expect(rules[0]!.verdict!.positives).toHaveLength(3);
    expect(rules[0]!.otherWay).toBeUndefined();
    expect(source.requests).toBeLessThanOrEqual(84);
    expect(settlements[0]!.requests, 'with those that made the site known').toBe(source.requests);
  });

  test('with few instances in the log for what it changes needs 70 samples', async () => {
    const { rules } = await settle(
      (url) => url.replace(/\D/g, ''),
      many(200, (k) => `http://h/a${k}.html`),
      [likely('.html', '', { anchor: 'end', support: { low: 49, high: 49 } })],
    );
    expect(rules[0]).toMatchObject({ status: 'valid', verdict: { positive: 70, negative: 0 } });
  });

  test('that is wrong in one part of the site is tried there', async () => {
    // 20 of 400: a uniform draw of 35 misses them one time in six.
    const site: Site = (url) => (url.includes('/corner/') ? url : url.replace(/\D/g, ''));
    const urls = [
      ...many(380, (k) => `http://h/p${k % 3}/a${k}.html`),
      ...many(20, (k) => `http://h/corner/a${k}.html`),
    ];
    const { rules } = await settle(site, urls, [likely('.html', '', { anchor: 'end' })]);
    expect(rules[0]).toMatchObject({ status: 'invalid' });
    expect(rules[0]!.verdict!.negatives[0]![0]).toContain('/corner/');
  });

  test('that holds the other way round is reversed, with the evidence against this way', async () => {
    const site: Site = (url) =>
      url.endsWith('.html') ? url.replace(/\D/g, '') : /a[0-9]\.p$/.test(url) ? url.replace(/\D/g, '') : 404;
    const urls = [...many(100, (k) => `http://h/a${k}.html`), ...many(10, (k) => `http://h/a${k}.p`)];
    const { rules } = await settle(site, urls, [
      likely('.html', '.p', { anchor: 'end', examples: [['http://h/a1.html', 'http://h/a1.p']] }),
    ]);
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({ status: 'valid', from: '.p', to: '.html', anchor: 'end' });
    expect(rules[0]!.examples).toEqual([['http://h/a1.p', 'http://h/a1.html']]);
    expect(rules[0]!.verdict).toMatchObject({ positive: 10, negative: 0 });
    expect(rules[0]!.otherWay!.negatives[0]).toEqual([
      expect.stringMatching(/html$/),
      expect.any(String),
      'status 404',
    ]);
  });

  describe('against which the site redirects', () => {
    const slashed: Site = (url) => (url.endsWith('/') ? url.replace(/\D/g, '') : { redirect: `${url}/` });
    const dropsSlash = likely('/', '', { anchor: 'end', support: { low: 5, high: 5 } });

    test('is reversed, by the word of the site', async () => {
      const urls = [...many(200, (k) => `http://h/a${k}/`), ...many(9, (k) => `http://h/b${k}`)];
      const { rules } = await settle(slashed, urls, [dropsSlash]);
      expect(rules).toHaveLength(1);
      expect(rules[0]).toMatchObject({ status: 'valid', from: '', to: '/', anchor: 'end', word: 'redirect' });
      expect(rules[0]!.otherWay!.negatives[0]![2]).toBe('redirects');
    });

    test('is as true as the paper has it, if it is to the letter', async () => {
      const { rules } = await settle(
        slashed,
        many(200, (k) => `http://h/a${k}/`),
        [dropsSlash],
        { stop: 'fixed' },
      );
      expect(rules[0]).toMatchObject({ status: 'valid', from: '/', to: '' });
    });

    test('is invalid if no form could show the other way', async () => {
      const { rules } = await settle(
        slashed,
        many(200, (k) => `http://h/a${k}/`),
        [dropsSlash],
      );
      expect(rules[0]).toMatchObject({ status: 'invalid', from: '/', to: '' });
    });
  });

  test('that inserts is refused where both forms answer, and the site calls for neither', async () => {
    const inserts = likely('', '.html', { anchor: 'end' });
    const { rules } = await settle(
      (url) => url.replace(/\D/g, ''),
      many(100, (k) => `http://h/a${k}`),
      [inserts],
    );
    expect(rules[0]).toMatchObject({ status: 'invalid', from: '', to: '.html' });
    expect(rules[0]!.verdict!.negatives[0]![2]).toBe('the site does not say so');
  });

  test('that fails both ways is kept as invalid, with its counter-examples', async () => {
    const { rules } = await settle(
      (url) => url,
      many(50, (k) => `http://h/${k % 2 === 0 ? 'en' : 'da'}/${k}`),
      [likely('en', 'da')],
    );
    expect(rules[0]).toMatchObject({ status: 'invalid', from: 'en', to: 'da', verdict: { positive: 0, negative: 2 } });
    expect(rules[0]!.verdict!.negatives[0]![2]).toBe('different');
    // Two different pages refute both directions.
    expect(rules[0]!.otherWay).toBeUndefined();
  });

  test('with too few samples that can be judged stays likely, with the reason', async () => {
    const { rules } = await settle(
      (url) => (/7/.test(url) ? 'x' : undefined),
      many(30, (k) => `http://h/a${k}.html`),
      [likely('.html', '', { anchor: 'end' })],
      { minSamples: 5 },
    );
    expect(rules[0]).toMatchObject({ status: 'likely', verdict: { undecided: 'few-samples', positive: 3 } });
    expect(rules[0]!.verdict!.unjudged).toEqual({ 'u: network': 27 });
  });

  test('with few samples is decided by all of them', async () => {
    const urls = many(4, (k) => `http://h/a${k}.html`);
    const rule = likely('.html', '', { anchor: 'end' });
    const whole = await settle((url) => url.replace(/\D/g, ''), urls, [rule]);
    expect(whole.rules[0]).toMatchObject({ status: 'valid', verdict: { positive: 4 } });
    const partly = await settle((url) => (url.endsWith('a2') ? 404 : url.replace(/\D/g, '')), urls, [rule]);
    expect(partly.rules[0]).toMatchObject({ status: 'invalid', verdict: { positive: 3, negative: 1 } });
  });
});

describe('pages that differ with each request', () => {
  let requests = 0;
  const banner: Site = (url) => (url.endsWith('/b') ? `any${requests++}` : url.replace(/\D/g, ''));
  const hosts = likely('http://www.h/', 'http://h/', { anchor: 'start' });
  const twins = (count: number, banners: number) => [
    ...many(count, (k) => `http://www.h/${k}/a`),
    ...many(banners, (k) => `http://www.h/${k}/b`),
  ];

  test('do not count against a rule that is true for the others', async () => {
    const { rules } = await settle(banner, twins(300, 25), [hosts]);
    expect(rules[0]).toMatchObject({ status: 'valid', verdict: { negative: 0 } });
    expect(rules[0]!.verdict!.unjudged['unsteady']).toBeGreaterThan(0);
  });

  test('do not excuse a rule that is wrong for stable pages', async () => {
    const site: Site = (url) => (url.endsWith('/b') ? url : url.replace(/\D/g, ''));
    const { rules } = await settle(site, twins(300, 25), [hosts]);
    expect(rules[0]).toMatchObject({ status: 'invalid' });
  });

  test('prove nothing if there are no others', async () => {
    const { rules } = await settle(banner, twins(0, 100), [hosts]);
    expect(rules[0]).toMatchObject({ status: 'invalid', verdict: { positive: 0, negative: 2 } });
  });
});

test('refinements of a valid rule are dropped unfetched, and those of an invalid one are not', async () => {
  const site: Site = (url) => (url.includes('/x/') ? url : url.replace(/\.html$/, ''));
  const urls = many(60, (k) => `http://h/p/a${k}.html`);
  const { settlements } = await settle(site, urls, [
    likely('.html', '', { anchor: 'end' }),
    likely('a7.html', 'a7', { rank: 2, anchor: 'end' }),
    likely('/p/', '/q/', { rank: 3 }),
    likely('h/p/', 'h/q/', { rank: 4 }),
  ]);
  expect(settlements.map(({ outcome }) => outcome)).toEqual(['valid', 'needless', 'invalid', 'invalid']);
});

test('a rule is tried on the output of the valid ones before it, and again if these were found later', async () => {
  // With `u` in the URL the short form is not known to the server; without it is.
  const site: Site = (url) => (/_\d+&u=/.test(url) ? 404 : url.replace(/[?&]u=\d+/, '').replace('?id=', '_'));
  const urls = [...many(80, (k) => `http://h/s?id=${k}&u=${k % 9}`), ...many(80, (k) => `http://h/s?id=${k}`)];
  const short = likely('?id=', '_');
  const tracking = sampleParameter('u', { rank: 2, status: 'likely' });
  const before = await settle(site, urls, [tracking, { ...short, rank: 3 }]);
  expect(before.rules.map(({ status }) => status)).toEqual(['valid', 'valid']);
  const after = await settle(site, urls, [short, tracking]);
  expect(after.settlements.map(({ outcome, isLast }) => `${outcome} ${isLast === true}`)).toEqual([
    'invalid false',
    'valid false',
    'valid true',
  ]);
});

test('a rule for a host that a valid rule replaces is rewritten for the other host, or is needless', async () => {
  const site: Site = (url) => url.replace('www.', '').replace('a?id=', 'a_');
  const urls = [
    ...many(50, (k) => `http://www.h/a?id=${k}`),
    ...many(50, (k) => `http://www.h/b/${k}`),
    ...many(50, (k) => `http://h/a_${k}`),
  ];
  const { settlements, rules } = await settle(site, urls, [
    likely('http://www.h/', 'http://h/', { anchor: 'start' }),
    likely('http://www.h/a?id=', 'http://www.h/a_', { rank: 2, anchor: 'start' }),
    likely('http://www.h/b/', 'http://h/b/', { rank: 3, anchor: 'start' }),
    likely('www.h/b', 'www.h/c', { rank: 4 }),
  ]);
  expect(settlements.map(({ outcome }) => outcome)).toEqual(['valid', 'valid', 'needless', 'needless']);
  expect(rules[1]).toMatchObject({ from: 'http://h/a?id=', to: 'http://h/a_', status: 'valid' });
});

describe('a parameter', () => {
  const parameter = (more: Parameters<typeof sampleParameter>[1] = {}) =>
    sampleParameter('s', { status: 'likely', value: '1', ...more });

  test('that is required but irrelevant is set', async () => {
    const site: Site = (url) => (url.includes('s=') ? url.replace(/s=\d+/, '') : 404);
    const { rules } = await settle(
      site,
      many(60, (k) => `http://h/a${k}?s=${k % 5}`),
      [parameter()],
    );
    expect(rules[0]).toMatchObject({ status: 'valid', action: 'set', value: '1' });
    expect(rules[0]!.otherWay!.negatives[0]![2]).toBe('status 404');
  });

  test('that is relevant in one folder only has a rule for the others', async () => {
    const site: Site = (url) => (url.includes('/compare/') ? url : url.replace(/\?.*/, ''));
    const urls = ['product', 'compare', 'news'].flatMap((folder) =>
      many(40, (k) => `http://h/${folder}/${k}?s=${k % 7}`),
    );
    const { rules } = await settle(site, urls, [parameter()]);
    expect(rules.map((rule) => (rule.kind === 'parameter' ? `${rule.status} ${rule.scope} ${rule.path}` : ''))).toEqual(
      ['invalid site ', 'valid prefix //h/news/', 'valid prefix //h/product/'],
    );
  });

  test('that is neutral on one of two hosts has a rule for it', async () => {
    const site: Site = (url) => (url.includes('//b.h/') ? url : url.replace(/\?.*/, ''));
    const urls = ['a', 'b'].flatMap((host) => many(40, (k) => `http://${host}.h/x/${k}?s=${k % 7}`));
    const { rules } = await settle(site, urls, [parameter()]);
    expect(rules.filter(({ status }) => status === 'valid')).toMatchObject([{ scope: 'prefix', path: '//a.h/' }]);
  });

  test('without evidence in the log leaves no trace unless it is valid', async () => {
    const untested = parameter({ support: { groups: 0, urls: 40 }, against: 0, confidence: 0 });
    const unreachable = await settle(
      () => undefined,
      many(40, (k) => `http://h/${k}?s=1`),
      [untested],
    );
    expect(unreachable.rules).toEqual([]);
    const neutral = await settle(
      (url) => url.replace(/\?.*/, ''),
      many(40, (k) => `http://h/${k}?s=1`),
      [untested],
    );
    expect(neutral.rules).toMatchObject([{ status: 'valid' }]);
  });
});

describe('a validation', () => {
  const urls = [...many(60, (k) => `http://h/a${k}.html`), ...many(60, (k) => `http://h/p/b${k}`)];
  const rules = [likely('.html', '', { anchor: 'end' }), likely('/p/', '/q/', { rank: 2 })];
  const site: Site = (url) => url.replace(/\D/g, '');

  test('ends with the budget: what is settled stays so, the rest is as it was', async () => {
    const { settlements } = await settle(site, urls, rules, { budget: 120 });
    expect(settlements.map(({ outcome }) => outcome)).toEqual(['valid', 'likely']);
    expect(settlements[1]!.after[0]!.verdict!.undecided).toBe('budget');
    const none = await settle(site, urls, rules, { budget: 0 });
    expect(none.settlements).toHaveLength(1);
    expect(none.settlements[0]!.after[0]).toMatchObject({ status: 'likely', verdict: { undecided: 'budget' } });
  });

  test('continues where it was: rules that have a verdict are not tried again', async () => {
    const first = await settle(site, urls, rules, { budget: 120 });
    const second = await settle(site, urls, first.rules);
    expect(second.settlements.map(({ outcome }) => outcome)).toEqual(['kept', 'valid']);
    expect(second.source.asked.filter((url) => url.includes('.html')).length).toBe(0);
  });

  test('that is interrupted says so', async () => {
    const controller = new AbortController();
    let asked = 0;
    const failing: Site = (url) => {
      if (asked++ === 60) controller.abort();
      return controller.signal.aborted ? undefined : site(url);
    };
    const { settlements } = await settle(failing, urls, rules, { signal: controller.signal });
    expect(settlements.at(-1)!.after[0]).toMatchObject({ status: 'likely', verdict: { undecided: 'interrupted' } });
  });

  test('does not count a page found under many names as evidence', async () => {
    const soft: Site = (url) => (url.endsWith('.html') && /[02468]\./.test(url) ? url : 'nothing here');
    const { rules: after } = await settle(soft, urls, rules);
    for (const rule of after) expect(rule.status).not.toBe('valid');
    const unjudged = after.flatMap(({ verdict, otherWay }) => [verdict?.unjudged, otherWay?.unjudged]);
    expect(unjudged.some((counts) => (counts?.['soft-error'] ?? 0) > 0)).toBe(true);
  });
});
