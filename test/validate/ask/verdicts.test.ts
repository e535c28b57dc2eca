// What becomes of the likely rules of a file when the site is asked, one trap at a time.
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/rule/rule.js';
import { settlementsOf } from '../../../src/validate/ask/settlements.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import type { FunctionSite } from '../function-source.js';
import { ask, expectSigned, many, type Asked } from './asked.js';

const likely = (from: string, to: string, more: Parameters<typeof sampleRule>[2] = {}) =>
  sampleRule(from, to, { status: 'likely', support: { low: 100, high: 100 }, site: '*', ...more });
const numbered: FunctionSite = (url) => url.replace(/\D/g, '');

/** What replaces the rule of the file. */
function afterOf({ answer }: Asked, rule: Rule): readonly Rule[] {
  return settlementsOf([{ rule, attempts: [] }], answer).find(({ before }) => before === rule)!.after;
}

test('a rule that holds the other way round is reversed, with the evidence against this way', async () => {
  const site: FunctionSite = (url) => (url.endsWith('.html') || /a\d\.p$/.test(url) ? numbered(url) : 404);
  const urls = [...many(100, (k) => `http://h/a${k}.html`), ...many(10, (k) => `http://h/a${k}.p`)];
  const rule = likely('.html', '.p', { anchor: 'end' });
  const asked = await ask(site, urls, { rules: [rule] });
  expect(asked.answer.accepted).toMatchObject([{ status: 'valid', from: '.p', to: '.html', anchor: 'end' }]);
  expectSigned(site, urls, asked.formOf);
});

test('a rule that fails both ways is kept as invalid, with its counter-examples', async () => {
  const urls = many(50, (k) => `http://h/${k % 2 === 0 ? 'en' : 'da'}/${k >> 1}`);
  const rule = likely('en', 'da');
  const asked = await ask((url) => url, urls, { rules: [rule] });
  const [after] = afterOf(asked, rule);
  expect(after).toMatchObject({ status: 'invalid', from: 'en', to: 'da', verdict: { positive: 0 } });
  expect(after!.verdict!.negatives[0]![2]).toBe('different');
});

test('a rule of which too few samples can be judged stays likely, with the reason', async () => {
  const urls = [...many(30, (k) => `http://h/a${k}.html`), ...many(30, (k) => `http://h/a${k}`)];
  const rule = likely('.html', '', { anchor: 'end' });
  const asked = await ask((url) => (/7/.test(url) ? 'x' : null), urls, { rules: [rule], minSamples: 5 });
  expect(afterOf(asked, rule)).toMatchObject([{ status: 'likely', verdict: { undecided: 'few-samples' } }]);
});

test('a rule with few samples is decided by all of them', async () => {
  const urls = [...many(6, (k) => `http://h/a${k}.html`), ...many(6, (k) => `http://h/a${k}`)];
  const rule = likely('.html', '', { anchor: 'end' });
  const whole = await ask(numbered, urls, { rules: [rule] });
  expect(whole.answer.accepted).toMatchObject([{ status: 'valid', verdict: { positive: 6, negative: 0 } }]);
  const partly = await ask((url) => (/a[24]$/.test(url) ? 404 : numbered(url)), urls, { rules: [rule] });
  expectSigned((url) => (/a[24]$/.test(url) ? 404 : numbered(url)), urls, partly.formOf);
});

test('a rule that is wrong in one part of the site leaves it alone', async () => {
  const site: FunctionSite = (url) => (url.includes('/corner/') ? url : numbered(url));
  const urls = ['p1', 'p2', 'corner'].flatMap((part) =>
    many(part === 'corner' ? 20 : 150, (k) => `http://h/${part}/a${k}`).flatMap((url) => [url, `${url}.html`]),
  );
  const { formOf } = await ask(site, urls, { rules: [likely('.html', '', { anchor: 'end' })] });
  const forms = expectSigned(site, urls, formOf);
  expect(forms).toBeLessThan(urls.length - 250);
});

describe('pages that differ with each request', () => {
  let requests = 0;
  const banner: FunctionSite = (url) => (url.endsWith('/b') ? `any${requests++}` : url.replace(/\D/g, ''));
  const hosts = likely('http://www.h/', 'http://h/', { anchor: 'start' });
  const twins = (count: number, banners: number) =>
    ['http://www.h', 'http://h'].flatMap((host) => [
      ...many(count, (k) => `${host}/${k}/a`),
      ...many(banners, (k) => `${host}/${k}/b`),
    ]);

  test('prove nothing if there are no others', async () => {
    const { answer } = await ask(banner, twins(0, 100), { rules: [hosts] });
    expect(answer.accepted).toEqual([]);
  });

  test('do not keep the others from one form', async () => {
    const urls = twins(300, 25);
    const { formOf } = await ask(banner, urls, { rules: [hosts] });
    const stable = urls.filter((url) => url.endsWith('/a'));
    expect(new Set(stable.map(formOf)).size).toBe(300);
  });

  test('do not excuse a rule that is wrong for stable pages', async () => {
    const site: FunctionSite = (url) => (url.endsWith('/b') ? url : url.replace(/\D/g, ''));
    const urls = twins(300, 25);
    expectSigned(site, urls, (await ask(site, urls, { rules: [hosts] })).formOf);
  });
});

describe('a parameter', () => {
  const parameter = sampleParameter('s', { status: 'likely', value: '1', site: '*' });

  test('that is required but irrelevant is set', async () => {
    const site: FunctionSite = (url) => (url.includes('s=') ? url.replace(/s=\d+/, '') : 404);
    const urls = many(60, (k) => `http://h/a${k >> 1}?s=${k % 5}`);
    const asked = await ask(site, urls, { rules: [parameter] });
    expect(asked.answer.accepted).toMatchObject([{ status: 'valid', kind: 'parameter', name: 's', action: 'set' }]);
  });

  test.each([
    ['in one folder only', '/compare/', (k: number) => `http://h/${['product', 'compare', 'news'][k % 3]}`],
    ['on one of two hosts', '//b.h/', (k: number) => `http://${['a', 'b'][k % 2]}.h/x`],
  ])('that is relevant %s goes where it is not', async (_, where, place) => {
    const site: FunctionSite = (url) => (url.includes(where) ? url : url.replace(/\?.*/, ''));
    const urls = many(240, (k) => `${place(k)}/${k >> 2}?s=${k % 7}`);
    const { formOf } = await ask(site, urls, { rules: [parameter] });
    expect(expectSigned(site, urls, formOf)).toBe(new Set(urls.map((url) => site(url))).size);
  });

  test('of which no page was found is not accepted', async () => {
    const { answer } = await ask(
      () => null,
      many(40, (k) => `http://h/${k}?s=1`),
      { rules: [parameter] },
    );
    expect(answer.accepted).toEqual([]);
  });
});

test('a page found under many names is no evidence', async () => {
  const urls = [...many(60, (k) => `http://h/a${k}.html`), ...many(60, (k) => `http://h/p/b${k}`)];
  const soft: FunctionSite = (url) => (url.endsWith('.html') && /[02468]\./.test(url) ? url : 'nothing here');
  const rules = [likely('.html', '', { anchor: 'end' }), likely('/p/', '/q/', { rank: 2 })];
  expect((await ask(soft, urls, { rules })).answer.accepted).toEqual([]);
});
