// The questions about a site: about everything in enough of its URLs, once, and never by a rule that adds text.
import { describe, expect, test } from 'vitest';
import { isInsertion } from '../../../src/rule/standing.js';
import { hypothesisKey, type Hypothesis } from '../../../src/validate/ask/hypothesis.js';
import { isSeries, minedPrior, parameterPrior } from '../../../src/validate/ask/prior.js';
import { questionsOf } from '../../../src/validate/ask/questions.js';
import { choosers, cornerOf } from '../../../src/validate/ask/strata.js';
import { hypothesesOf } from '../../../src/validate/ask/word.js';
import { sampleRule } from '../../rule/sample.js';

const many = (count: number, url: (k: number) => string) => Array.from({ length: count }, (_, k) => url(k));
const saying = ({ rules }: Hypothesis) =>
  rules.map((rule) => {
    if (rule.kind === 'step') return `${rule.step} ${rule.text}`.trim();
    if (rule.kind === 'pattern') return rule.pattern;
    return rule.kind === 'parameter' ? `${rule.name} ${rule.action}` : `${rule.from} -> ${rule.to}`;
  });

describe('questions', () => {
  const urls = [
    ...many(30, (k) => `http://h/a/index.html?id=${k}`),
    ...many(30, (k) => `http://www.h/a/p${k}?utm_source=x&utm_medium=y`),
    ...many(30, (k) => `http://h/a/p${k}?utm_source=x&utm_medium=y`),
    ...many(5, (k) => `http://h/w/a%3Ab${k}`),
  ];
  const asked = questionsOf('*', urls);
  const all = asked.map((one) => saying(one).join(' + '));

  test('are about parameters, together if they occur together, segments, twins and escapes', () => {
    expect(all).toEqual(expect.arrayContaining(['fold-slashes', 'id remove', 'utm_medium remove + utm_source remove']));
    expect(all).toEqual(expect.arrayContaining(['drop-last-segment index.html', 'unescape']));
    expect(all).toContain('http://www.h/ -> http://h/');
  });

  test('about an index page expect a yes, whether the slash stays or goes', () => {
    const priorOf = (text: string) => asked.find((one) => saying(one)[0] === text)!.prior;
    expect(priorOf('drop-segment index.html')).toBe(priorOf('drop-last-segment index.html'));
    expect(priorOf('drop-segment index.html')).toBeGreaterThan(3 * priorOf('drop-segment a'));
  });

  test('drop no years, numbers and versions, which name other pages tomorrow', () => {
    const dated = many(30, (k) => `http://h/2024/v2.4/posts/17/p${k}`);
    const segments = questionsOf('*', [...dated, ...many(30, (k) => `http://h/posts/p${k}/2024`)])
      .flatMap(saying)
      .filter((text) => /^drop-(?:last-)?segment /.test(text));
    expect(segments).toEqual(['drop-segment posts']);
  });

  test('are asked once, and add no text', () => {
    expect(new Set(asked.map(hypothesisKey)).size).toBe(asked.length);
    expect(asked.flatMap(({ rules }) => rules).filter(isInsertion)).toEqual([]);
    for (const { prior } of asked) expect(prior > 0 && prior <= 1).toBe(true);
  });

  test('are about folders and scripts with the same rests, shallow before deep, without those that shorter ones imply', () => {
    const pages = many(12, (k) => `Page${k}`);
    const asked = questionsOf('*', [
      ...pages.map((page) => `http://h/wiki/${page}`),
      ...pages.map((page) => `http://h/index.php?title=${page}`),
      ...pages.map((page) => `http://h/docs/2.4/${page}/about`),
      ...pages.map((page) => `http://h/manual/${page}/about`),
      ...pages.map((page) => `http://h/cgi-bin/x.cgi?p=${page}`),
      ...pages.map((page) => `http://h/x?p=${page}`),
    ]);
    const twins = asked
      .filter(({ rules: [rule] }) => rule?.kind === 'substring' && rule.anchor === 'start')
      .map((one) => saying(one)[0]);
    expect(twins).toContain('http://h/index.php?title= -> http://h/wiki/');
    expect(twins).toContain('http://h/docs/2.4/ -> http://h/manual/');
    expect(twins).toContain('http://h/cgi-bin/x.cgi? -> http://h/x?');
    expect(twins.filter((one) => one!.includes('/about'))).toEqual([]);
  });

  test('are about a field that is a folder elsewhere, if no other field would be left in a path', () => {
    const names = many(12, (k) => `Page${k}`);
    const asked = questionsOf('*', [
      ...names.map((name) => `http://h/index.php?title=Log&user=${name}`),
      ...names.map((name) => `http://h/wiki/Log/${name}`),
    ]);
    const found = asked.find((one) => saying(one)[0] === 'http://h/index.php?title=Log&user= -> http://h/wiki/Log/');
    expect(found?.rules[0]?.only).toEqual([{ part: 'fields', is: 2 }]);
  });

  test('are few, however many folders have the same rests', () => {
    const folders = Array.from({ length: 3000 }, (_, f) => `f${f}`);
    const asked = questionsOf(
      '*',
      folders.flatMap((folder) => many(5, (k) => `http://h/${folder}/p${k}`)),
    );
    const twins = asked.filter(({ rules: [rule] }) => rule?.kind === 'substring' && rule.anchor === 'start');
    expect(twins).toHaveLength(40);
  });

  test('about languages and versions have lower priors than about folders with the same pages', () => {
    const words = many(12, (k) => `w${k}`);
    const asked = questionsOf('*', [
      ...words.map((word) => `http://h/en/${word}`),
      ...words.map((word) => `http://h/de/${word}`),
      ...words.map((word) => `http://h/a/b/${word}`),
    ]);
    const priorOf = (text: string) => asked.find((one) => saying(one)[0] === text)!.prior;
    expect(priorOf('http://h/en/ -> http://h/de/')).toBeLessThan(priorOf('http://h/a/b/ -> http://h/de/'));
  });

  test('that redirects suggest need two pages, and the use of the site itself for what adds text', () => {
    const hint = (from: string, to: string) => ({ from, to, word: 'redirect' as const });
    expect(hypothesesOf('*', [hint('http://h/a', 'http://h/a/')])).toEqual([]);
    const [slash] = hypothesesOf('*', [hint('http://h/a', 'http://h/a/'), hint('http://h/b', 'http://h/b/')]);
    expect(slash).toMatchObject({ needsWord: true, rules: [{ kind: 'step', step: 'add-end-slash' }] });
    const dropped = hypothesesOf('*', [hint('http://h/a?x=1', 'http://h/a'), hint('http://h/b?x=2', 'http://h/b')]);
    expect(dropped.map(saying)).toContainEqual(['x remove']);
  });
});

describe('a prior', () => {
  test('is low for replacing a number, year, version or language', () => {
    for (const [from, to] of [
      ['page=2', 'page=1'],
      ['/2019/', '/2020/'],
      ['v3.8/', 'v2.5/'],
      ['/en/', '/de/'],
      ['?sort=n;dir=a', '?sort=s;dir=d'],
    ]) {
      expect(isSeries({ from: from!, to: to! })).toBe(true);
    }
    expect(isSeries({ from: 'index', to: '' })).toBe(false);
    expect(minedPrior(sampleRule('/3/', '/2/', { confidence: 0.9 }))).toBeLessThan(
      minedPrior(sampleRule('/old/', '/new/', { confidence: 0.9 })),
    );
  });

  test('is higher for names about the visit than for names that identify the page', () => {
    expect(parameterPrior('utm_source', ['x'])).toBeGreaterThan(parameterPrior('sid', ['x']));
    expect(parameterPrior('sid', ['x'])).toBeGreaterThan(parameterPrior('page', ['1']));
  });
});

test('corners differ in host, folder, kind of last segment, and parameters that choose a page', () => {
  const urls = many(60, (k) => `http://h/a/p${k}.html?do=${['edit', 'show'][k % 2]}&id=${k}`);
  const choosing = choosers(urls);
  expect([...choosing]).toEqual(['do']);
  const corners = new Set(urls.map((url) => cornerOf(url, choosing)));
  expect(corners.size).toBe(2);
  expect(cornerOf('http://h/b/p1.html?do=edit&id=1', choosing)).not.toBe(cornerOf(urls[0]!, choosing));
});
