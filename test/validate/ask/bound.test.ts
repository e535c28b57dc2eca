// A rule says no more than was tried: of few URLs, only of such; and it cuts no escape.
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../src/base/bytes.js';
import type { Rule } from '../../../src/rule/rule.js';
import { boundTo, boundToNames } from '../../../src/validate/ask/bound.js';
import { cutsEscapes } from '../../../src/validate/ask/escapes.js';
import { parameterRule, stepRule } from '../../../src/validate/ask/questions.js';
import { sampleRule } from '../../rule/sample.js';
import type { FunctionSite } from '../function-source.js';
import { ask, many } from './asked.js';

describe('a rule that few URLs speak for', () => {
  const view = parameterRule('*', 'view', 'remove', 'list');
  const old = sampleRule('/old/', '/');
  const not = [{ part: 'first', is: 'x' } as const];

  test.each<[string, Rule, readonly string[], Rule['only']]>([
    ['of one value', view, ['/a?view=list', '/b?x=1&view=list'], [{ part: 'field', is: 'view=list' }]],
    [
      'of two',
      view,
      ['/a?view=list', '/b?view=all'],
      [
        { part: 'field', is: 'view=list' },
        { part: 'field', is: 'view=all' },
      ],
    ],
    ['of many', view, many(4, (k) => `/a?view=${k}`), undefined],
    ['of one folder', old, ['/docs/old/a', '/docs/old/b'], [{ part: 'first', is: 'docs' }]],
    ['of one name', old, ['/docs/old/a', '/b/old/a'], [{ part: 'last', is: 'a' }]],
    ['of the root', old, ['/a', '/b'], undefined],
    ['that has its own', { ...old, only: not }, ['/docs/old/a', '/docs/old/b'], not],
    ['of a step', stepRule('*', 'fold-slashes'), ['/a//b', '/a//c'], undefined],
  ])('%s', (_, rule, urls, only) => {
    const changes = urls.map((text, number) => ({
      form: { text, bytes: encodeText(text), origin: 0, number, urls: 1 },
      image: '',
    }));
    expect(boundTo(rule, changes).only).toEqual(only);
  });

  test('leaves other values alone, which nobody has tried', async () => {
    const site: FunctionSite = (url) => {
      const { pathname, searchParams } = new URL(url);
      const view = searchParams.get('view') ?? 'list';
      return /^\/item\d+$/.test(pathname) ? `${pathname} ${view.replace('list', '')}` : 404;
    };
    const urls = many(60, (k) => `http://h/item${k}`).flatMap((url, k) => [
      url,
      ...(k < 4 ? [`${url}?view=list`] : []),
    ]);
    const { formOf } = await ask(site, urls);
    expect(formOf('http://h/item9?view=list')).toBe('http://h/item9');
    expect(formOf('http://h/item9?view=grid')).toBe('http://h/item9?view=grid');
  });
});

describe('empty fields', () => {
  const rule = stepRule('*', 'drop-empty-fields');
  const changesOf = (urls: readonly string[]) =>
    urls.map((text, number) => ({ form: { text, bytes: encodeText(text), origin: 0, number, urls: 1 }, image: '' }));

  test.each<[string, readonly string[], readonly string[], Rule['not']]>([
    ['of one name, tried', ['/a?q='], ['/a?q='], undefined],
    ['of another one than was tried', ['/a?q=', '/a?tag=&x=1'], ['/a?q='], [{ part: 'field', is: 'tag=' }]],
    ['that a probe has tried', ['/a?q=', '/a?tag=&x=1'], ['/a?q=', '/b?tag='], undefined],
  ])('%s', (_, urls, right, not) => {
    expect(boundToNames(rule, changesOf(urls), right).not).toEqual(not);
    expect(boundToNames({ ...rule, step: 'fold-slashes' }, changesOf(urls), right).not).toBeUndefined();
  });
});

describe('an escape', () => {
  const urls = ['/a?f=class%3Acard&f=class%3Abox', '/2026/b'];
  test.each<[string, string, boolean]>([
    ['f=class%3Acard&f=class%', 'f=class%', true],
    ['a', 'b%3', true],
    ['3Acard', '3Abox', true],
    ['%3A', ':', false],
    ['2026', '2025', false],
    ['card', 'box', false],
  ])('is cut by %s → %s: %s', (from, to, isCut) => expect(cutsEscapes(sampleRule(from, to), urls)).toBe(isCut));

  test('is not cut, whatever a log suggests', async () => {
    // The last one decides.
    const site: FunctionSite = (url) => `${new URL(url).pathname} ${new URL(url).searchParams.getAll('f').at(-1)}`;
    const listed = many(40, (k) => `http://h/item${k}`).flatMap((url, k) => [
      `${url}?f=class%3Acard&f=class%3Abox${k}`,
      `${url}?f=class%3Abox${k}`,
    ]);
    const cut = sampleRule('f=class%3Acard&f=class%', 'f=class%', { status: 'likely' });
    const { answer } = await ask(site, listed, { rules: [cut] });
    expect(answer.accepted.filter((rule) => rule.kind === 'substring')).toEqual([]);
  });
});
