// What parameter rules do to URLs (SPEC 7): tables from plain to nasty, and the laws.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import { emptyFields, isParameter, splitFields } from '../../src/url/fields.js';
import { sampleParameter } from './sample.js';
import type { ParameterRule } from '../../src/rule/rule.js';

function apply(url: string, name: string, more: Partial<ParameterRule> = {}): string {
  const bytes = Buffer.from(url, 'latin1');
  return Buffer.from(imageOf(compileRule(sampleParameter(name, more)), bytes, 0)).toString('latin1');
}

function names(url: string): string[] {
  const bytes = Buffer.from(url, 'latin1');
  const fields = splitFields(bytes, emptyFields());
  return Array.from({ length: fields.count }, (_, at) => at)
    .filter((at) => isParameter(fields, at))
    .map((at) => bytes.toString('latin1', fields.start[at], fields.nameEnd[at]));
}

test.each([
  ['http://h/a', []],
  ['http://h/a?x=1&y=2;z', ['x', 'y', 'z']],
  ['/title.cgi?2172', []],
  ['/title.cgi?2172&', []],
  ['/title.cgi?=2172', []],
  ['/a?x=', ['x']],
  ['/a?x&x=', ['x', 'x']],
  ['/a?&utm=x', ['utm']],
  ['/a?=', []],
  ['/a?', []],
  ['/a?u=http://b/?sid=1&t=2', ['u', 't']],
  ['/a?u=http%3A%2F%2Fb%2F%3Fsid%3D1%26t%3D2', ['u']],
  ['/a;jsessionid=F3.node_2?p=v', ['jsessionid', 'p']],
  ['/a;v=1;w=2/b;x=3/c', ['v', 'w', 'x']],
  ['/a;b/c;=3', []],
  ['http://h;x=1/a', []],
  ['http://h?x=1', ['x']],
  ['/?C=N;O=D', ['C', 'O']],
])('the parameters of %s are %j', (url, expected) => {
  expect(names(url)).toEqual(expected);
});

describe('remove', () => {
  test.each([
    ['/a?x=1', '/a'],
    ['/a?x=1&y=2', '/a?y=2'],
    ['/a?y=2&x=1', '/a?y=2'],
    ['/a?y=2&x=1&z=3', '/a?y=2&z=3'],
    ['/a?y=2;x=1&z=3', '/a?y=2&z=3'],
    ['/a?x=1;y=2&z=3', '/a?y=2&z=3'],
    ['/a?x=1&y=2&x=3', '/a?y=2'],
    ['/a?x&x=', '/a'],
    ['/a?&x=1', '/a'],
    ['/a?x=1&', '/a'],
    ['/a?x=1&&y=2', '/a?y=2'],
    ['/a?y=2&&x=1&', '/a?y=2'],
    ['/a?y=%7e+&x=1', '/a?y=%7e+'],
    ['/a;x=1?y=2', '/a?y=2'],
    ['/a;x=1;y=2/b', '/a;y=2/b'],
    ['/a;x=1.node_2?x=3', '/a'],
    ['/a?y&x=1', '/a?y'],
    ['http://h?x=1', 'http://h'],
  ])('makes %s into %s', (url, expected) => {
    expect(apply(url, 'x')).toBe(expected);
  });

  test.each([
    '/a',
    '/a?',
    '/a?&',
    '/a?y=1&&',
    '/a?X=1',
    '/a?xx=1',
    '/a?x',
    '/x=1',
    '/a;x',
    '/a?u=/b?x=1',
    '/a?=x',
    '/a?%78=1',
  ])('leaves %s alone', (url) => {
    expect(apply(url, 'x')).toBe(url);
  });
});

describe('set', () => {
  test.each([
    ['/a?x=1', '7', '/a?x=7'],
    ['/a?x', '7', '/a?x'],
    ['/a?x&y=2', '7', '/a?x=7&y=2'],
    ['/a?x=1&y=2&x=3', '7', '/a?x=7&y=2'],
    ['/a?y=2&&x=1', '7', '/a?y=2&&x=7'],
    ['/a;x=1/b', '7', '/a;x=7/b'],
    ['/a;x=1/b?x=2', '7', '/a;x=7/b'],
    ['/a?x=1&y=2', null, '/a?x&y=2'],
    ['/a?x=1', '', '/a?x='],
    ['/a?y=1', '7', '/a?y=1'],
  ])('makes %s with %s into %s', (url, value, expected) => {
    expect(apply(url, 'x', { action: 'set', value })).toBe(expected);
  });
});

describe('a scope', () => {
  test.each([
    ['http://www.h/forum/list?x=1', 'prefix', '//www.h/forum/', true],
    ['https://www.h/forum/list?x=1', 'prefix', '//www.h/forum/', true],
    ['http://h/forum/list?x=1', 'prefix', '//www.h/forum/', false],
    ['http://h/forum/list?x=1', 'prefix', '/forum/', true],
    ['/forum/list?x=1', 'prefix', '/forum/', true],
    ['/forum/list?x=1', 'prefix', '//www.h/forum/', false],
    ['/forum?x=1', 'prefix', '/forum/', false],
    ['/forum/list?x=1', 'path', '/forum/list', true],
    ['/forum/list;x=1', 'path', '/forum/list', true],
    ['/forum/list2?x=1', 'path', '/forum/list', false],
    ['http://www.h/forum/list?x=1', 'path', '//www.h/forum/list', true],
  ] as const)('%s: %s %s holds: %s', (url, scope, path, holds) => {
    expect(apply(url, 'x', { scope, path }) !== url).toBe(holds);
  });
});

const someUrls = fc
  .tuple(
    fc.constantFrom('/', '/a', 'http://h/', 'http://h', '/a;x=1/b'),
    fc.array(fc.constantFrom('?', '&', ';', '=', 'x', 'y', '1', '%26', '/'), { maxLength: 12 }),
  )
  .map(([start, rest]) => start + rest.join(''));

it('after a rule no URL has the parameter, or has it once with the value: twice is once', () => {
  let changed = 0;
  fc.assert(
    fc.property(someUrls, fc.constantFrom('x', 'y'), fc.constantFrom('', '1', null, undefined), (url, name, value) => {
      const more = value === undefined ? {} : ({ action: 'set', value } as const);
      const image = apply(url, name, more);
      if (image !== url) changed++;
      expect(apply(image, name, more)).toBe(image);
      if (value === undefined) expect(names(image)).not.toContain(name);
      else expect(names(image).filter((other) => other === name).length).toBeLessThan(2);
    }),
    { numRuns: 2000 },
  );
  expect(changed).toBeGreaterThan(50);
});

it('leaves the other fields as they are and in order', () => {
  const others = (url: string, name: string) => {
    const [path = '', ...query] = url.split('?');
    const fields = query
      .join('?')
      .split(/[&;]/)
      .filter((field) => field !== '');
    const bare = fields.length === 1 && !fields[0]!.includes('=');
    const named = (field: string) => !bare && (field === name || field.startsWith(`${name}=`));
    // What stands in the authority is no parameter.
    const [, authority = '', rest = ''] = /^(http:\/\/[^/]*)?(.*)$/s.exec(path) ?? [];
    return [authority + rest.replace(/;x=[^;/]*/g, ''), ...fields.filter((field) => !named(field))];
  };
  fc.assert(
    fc.property(someUrls, (url) => {
      // Without `x` a query may become bare: the original field is compared, not its new reading.
      const image = apply(url, 'x');
      if (image === url) return;
      const [path, ...fields] = others(url, 'x');
      expect([
        image.split('?')[0],
        ...image
          .split('?')
          .slice(1)
          .join('?')
          .split(/[&;]/)
          .filter((field) => field !== ''),
      ]).toEqual([path, ...fields]);
    }),
    { numRuns: 2000 },
  );
});
