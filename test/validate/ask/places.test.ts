// A rule that held for every URL of the list must not reach URLs of other kinds, which the list does not have.
import { describe, expect, test } from 'vitest';
import { sampleRule } from '../../rule/sample.js';
import type { FunctionSite } from '../function-source.js';
import { encodeText } from '../../../src/base/bytes.js';
import { placed } from '../../../src/validate/ask/places.js';
import { isOfVisit } from '../../../src/validate/ask/prior.js';
import { parameterRule, stepRule } from '../../../src/validate/ask/questions.js';
import type { Rule } from '../../../src/rule/rule.js';
import { ask, expectSigned, many } from './asked.js';

const partsOf = (url: string) => /^http:\/\/h(\/[^?]*)(?:\?(.*))?$/.exec(url)!.slice(1) as [string, string | undefined];
const valueOf = (query: string | undefined, name: string) =>
  new RegExp(`(?:^|&)${name}=([^&]*)`).exec(query ?? '')?.[1] ?? '';

/** A wiki: names of pages with `:` or `/`, `do=show` is what is shown anyway, and a picture that counts visits. */
const wiki: FunctionSite = (url) => {
  const [path, query] = partsOf(url);
  if (path === '/count.php') return { page: '', text: '.' };
  const id = path.slice(1).replaceAll(':', '/');
  const action = valueOf(query, 'do').replace(/^show$/, '');
  const search = valueOf(query, 'q');
  return `${id} ${action} ${valueOf(query, 'id')} ${search}`.replace(/\W/g, (sign) => `_${sign.charCodeAt(0)}`);
};
const names = many(80, (k) => `lib:p${k}`);
const urls = names.flatMap((name, k) => [
  `http://h/${name}`,
  `http://h/${name.replace(':', '/')}`,
  ...(k % 3 === 0 ? [`http://h/${name}?do=show`, `http://h/${name}?do=`] : []),
  ...(k % 3 === 1 ? [`http://h/${name}?do=edit`] : []),
  `http://h/count.php?id=${name}&${1000 + k}`,
  `http://h/count.php?id=${name}`,
]);
const show = sampleRule('=show', '=', { status: 'likely', anchor: 'end', support: { low: 20, high: 20 } });

/** URLs that the list has nothing of. */
const strangers = [
  'http://h/search?q=http:server',
  'http://h/search?q=show',
  'http://h/lib/p1?id=show',
  'http://h/lib/p1?id=howto:regex',
  'http://h/lib/p1?id=a&77',
  'http://h/lib/p1?q=lib:p1&id=a:b',
];

describe('a wiki', () => {
  test('gets rules that leave kinds of URLs alone which nobody has seen', async () => {
    const { answer, formOf } = await ask(wiki, urls, { rules: [show] });
    const forms = expectSigned(wiki, urls, formOf);
    expect(forms).toBeLessThanOrEqual(80 + 27 + 1);
    expect(answer.accepted.length).toBeGreaterThanOrEqual(3);
    for (const url of strangers) expect(formOf(url)).toBe(url);
  });
});

interface Where {
  readonly reach?: readonly string[];
}

describe('a rule that changed', () => {
  const place = (rule: Rule, changed: readonly string[], more: Where = {}) => {
    const { reach = changed } = more;
    const changesOf = (some: readonly string[]) =>
      some.map((text, number) => ({ form: { text, bytes: encodeText(text), origin: 0, number, urls: 1 }, image: '' }));
    // What is at /px is the same picture for all.
    const proofs = changed.map((form) => ({
      form,
      document: { kind: 'bytes', digest: form.replace(/^\/px.*/, '') } as const,
    }));
    const changes = changesOf(changed);
    return placed(rule, {
      changes,
      reach: changesOf(reach),
      proofs,
      extensions: ['php', 'html'],
      listSigns: [],
      isOfVisit,
    });
  };
  const colon = sampleRule(':', '/');
  const word = sampleRule('/index.html', '/', { anchor: 'end' });

  test.each<[string, Rule, readonly string[], object]>([
    ['paths, of signs', colon, ['/a:b', '/c:d?x=1'], { not: [{ part: 'query', is: ':' }] }],
    ['paths, of words', word, ['/a/index.html', '/b/index.html'], { not: [{ part: 'query', is: '/index.html' }] }],
    [
      'one host',
      sampleRule('old.h', 'h'),
      ['http://old.h/a', 'http://old.h/b?x=1'],
      { from: 'http://old.h/', to: 'http://h/', anchor: 'start', not: undefined },
    ],
    ['two hosts', sampleRule('old.h', 'h'), ['http://old.h/a', 'http://m.old.h/b'], { from: 'old.h' }],
    ['the values of a parameter', colon, ['/a?id=b:c', '/b?x=1&id=b:d'], { only: [{ part: 'parameter', is: 'id' }] }],
    ['the only value of a page', colon, ['/a?id=b:c', '/a?id=b:d'], { not: [{ part: 'query', is: '&' }] }],
    ['those of one page', colon, ['/a?id=b:c', '/a?x=1&id=b:d'], { only: [{ part: 'last', is: 'a' }] }],
    [
      'whole values',
      sampleRule('=show', '='),
      ['/a?do=show', '/b?x=1&do=show'],
      { kind: 'parameter', name: 'do', action: 'set', value: '', only: [{ part: 'field', is: 'do=show' }] },
    ],
    [
      'whole fields',
      sampleRule('id=1', 'id=2'),
      ['/a?id=1', '/b?x=1&id=1'],
      { kind: 'parameter', name: 'id', action: 'set', value: '2', only: [{ part: 'field', is: 'id=1' }] },
    ],
    ['parts of fields', sampleRule('id=1', 'id=2'), ['/a?x&id=1-b', '/a?x&id=1-c'], { from: '&id=1', to: '&id=2' }],
    ['fields at the end', sampleRule('id=1', 'id=2', { anchor: 'end' }), ['/a?id=1', '/b?id=1'], { from: '?id=1' }],
    [
      'fields, first and last',
      sampleRule('id=1', 'id=2', { anchor: 'end' }),
      ['/a?id=1', '/b?x&id=1'],
      { from: 'id=1' },
    ],
    ['what has its name', sampleRule('do=show', 'do='), ['/a?do=show'], { name: 'do', value: '' }],
    ['names without a dot', stepRule('*', 'lower-case'), ['/A', '/b/C?X.y'], { only: [{ part: 'extension', is: '' }] }],
    ['names of files', stepRule('*', 'lower-case'), ['/A', '/b/C.html'], { not: [{ part: 'extension', is: 'php' }] }],
    ['one path', parameterRule('*', 'id', 'set', 'x'), ['/a/b?id=1', '/a/b?id=2'], { scope: 'path', path: '/a/b' }],
    ['a folder', parameterRule('*', 'id', 'set', 'x'), ['/a/b?id=1', '/a/c/d?id=2'], { scope: 'prefix', path: '/a/' }],
    ['all over', parameterRule('*', 'id', 'set', 'x'), ['/a/b?id=1', '/b/c?id=2'], { scope: 'site' }],
    ['two paths', parameterRule('*', 'id', 'remove', 'x'), ['/a/b?id=1', '/a/c?id=2'], { scope: 'site' }],
    ['one path, as a tracker', parameterRule('*', 'ref', 'remove', 'x'), ['/a?ref=1', '/a?ref=2'], { scope: 'site' }],
    ['one path, as a session', parameterRule('*', 'sid', 'remove', 'x'), ['/a?sid=1', '/a?sid=2'], { scope: 'site' }],
    ['paths, at their ends', stepRule('*', 'trim-end'), ['/a.', '/b)'], { not: [{ part: 'query', is: '' }] }],
    ['paths and queries, at their ends', stepRule('*', 'trim-end'), ['/a.', '/b?c)'], { not: undefined }],
    ['one path, in numbers', stepRule('*', 'drop-number-fields'), ['/a?x&1'], { only: [{ part: 'last', is: 'a' }] }],
  ])('%s is a rule of these', (_, rule, changed, expected) => {
    expect({ not: undefined, only: undefined, ...place(rule, changed).rule }).toMatchObject(expected);
  });

  test('paths and values is tried on the values by itself', () => {
    const { rule, elsewhere } = place(colon, ['/a:b', '/c?id=b:d']);
    expect(rule.not).toEqual([{ part: 'query', is: ':' }]);
    const alone = { only: [{ part: 'last', is: 'c' }], not: [{ part: 'query', is: '&' }] };
    expect(elsewhere).toMatchObject([{ from: ':', ...alone }]);
  });

  test('a picture that many URLs have is one of its path', () => {
    const changed = ['/px?id=1', '/px?id=2', '/px?id=3', '/a?id=4', '/a?id=5'];
    const rule = parameterRule('*', 'id', 'remove', '1');
    expect(place(rule, changed).rule).toMatchObject({ scope: 'path', path: '/px' });
    expect(place(rule, [...changed, '/b?id=6']).rule).toMatchObject({ scope: 'site' });
  });

  test('nothing that a condition excludes has no such condition', () => {
    const not = [{ part: 'first', is: 'b' } as const, { part: 'field', is: 'id=2' } as const];
    const rule = { ...parameterRule('*', 'id', 'set', 'x'), not };
    const { rule: found } = place(rule, ['/a/b?id=1'], { reach: ['/a/b?id=1', '/a/b?id=2', '/b?id=3'] });
    expect(found).toMatchObject({ path: '/a/b', not: [{ part: 'field', is: 'id=2' }] });
  });
});
