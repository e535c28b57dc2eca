// What may be spent on what: the audit's share is kept for the pages that it will take, not for all that it could.
import { describe, expect, test } from 'vitest';
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import type { Rule } from '../../../src/rule/rule.js';
import { Asker } from '../../../src/validate/ask/answer.js';
import { countRequests } from '../../../src/validate/ask/count.js';
import { freshSince } from '../../../src/validate/ask/look-again.js';
import { minedPrior } from '../../../src/validate/ask/prior.js';
import { Purse } from '../../../src/validate/ask/purse.js';
import { parameterRule } from '../../../src/validate/ask/questions.js';
import { SiteForms } from '../../../src/validate/ask/site-forms.js';
import { Judge } from '../../../src/validate/judge.js';
import { sampleRule } from '../../rule/sample.js';
import { FunctionSource } from '../function-source.js';
import { ask, many, options } from './asked.js';

const MAX = 1000;

/** A list of 600 URLs, of which so many have the parameter. */
function listWith(changed: number) {
  const source = new FunctionSource((url) => new URL(url).pathname);
  const { signal } = new AbortController();
  const judge = new Judge({ source: countRequests(source), siteOf: () => 'h', base: '', signal });
  const asker = new Asker(judge, '');
  const urls = many(600, (k) => `http://h/p${k}${k < changed ? '?x=1' : ''}`);
  const canonizeBy = (rules: readonly Rule[]) => {
    const canonizer = createCanonizer(rules, options.canonizer, () => '*');
    return (url: Uint8Array) => canonizer.canonize(url);
  };
  const forms = new SiteForms(urls, canonizeBy, options);
  const purse = new Purse(forms, asker, { seed: 1, maxRequests: MAX, audit: 300 });
  const kept = () => {
    purse.forQuestions();
    return MAX - asker.limit;
  };
  const use = () => void forms.setRules([{ ...parameterRule('*', 'x', 'remove', '1'), status: 'valid' }]);
  return { asker, forms, kept, use };
}

describe('requests kept for the audit', () => {
  test('are none before a rule is in use, and at most a fifth', () => {
    const { kept, use } = listWith(600);
    expect(kept()).toBe(0);
    use();
    expect(kept()).toBe(0.2 * MAX);
  });

  test('are few if rules change few URLs, or if their pages were asked for', async () => {
    const { kept, use, asker, forms } = listWith(60);
    use();
    const before = kept();
    expect(before).toBeGreaterThan(0.06 * MAX);
    expect(before).toBeLessThan(0.15 * MAX);
    for (const url of forms.urls.slice(0, 60)) await asker.ask(url, forms.formOf(url));
    use();
    expect(kept()).toBe(0.06 * MAX);
  });
});

describe('a rule that the log is sure of', () => {
  test('is asked about first, though it is no common kind, until pages have said something', () => {
    const rule = sampleRule('/old/', '/', { confidence: 0.99 });
    expect(minedPrior(rule)).toBe(0.94);
    const verdict = { source: 'live', positive: 1, negative: 1, unjudged: {}, positives: [], negatives: [] } as const;
    expect(minedPrior({ ...rule, verdict })).toBeLessThan(0.6);
  });

  test('is accepted on few requests', async () => {
    const urls = many(300, (k) => `http://h/p${k}`).flatMap((url, k) => [url, ...(k < 90 ? [`${url}?x=${k}`] : [])]);
    const x = { ...parameterRule('*', 'x', 'remove', '1'), confidence: 0.99 };
    const { formOf } = await ask((url) => new URL(url).pathname, urls, { maxRequests: 90, rules: [x] });
    expect(formOf('http://h/p1?x=1')).toBe('http://h/p1');
  });
});

describe('a rule that is tried anew', () => {
  const DAY = 24 * 3_600_000;

  test.each([
    [2000, 0],
    [240, 0],
    [200, 1],
    [100, 2],
    [40, 5],
  ])('on a budget of %d goes on by pages of %d nights before', (budget, nights) => {
    expect(freshSince({ budget, since: 10 * DAY })).toBe((10 - nights) * DAY);
  });
});
