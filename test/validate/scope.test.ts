// The ladder of scopes, and how a URL is assigned to them.
import { describe, expect, it, test } from 'vitest';
import { narrower } from '../../src/validate/scope.js';
import { sampleParameter } from '../rule/sample.js';

const names = (scope: 'site' | 'prefix' | 'path', path: string, urls: readonly string[]) =>
  narrower(sampleParameter('x', { scope, path }), urls).map(
    (step) => `${step.scope.scope} ${step.scope.path} ${step.urls.length}`,
  );

describe('one step down', () => {
  it('from the site of several hosts is each host', () => {
    expect(names('site', '', ['http://a.h/x?s=1', 'https://a.h/y?s=1', 'http://b.h/?s=1'])).toEqual([
      'prefix //a.h/ 2',
      'prefix //b.h/ 1',
    ]);
  });

  it('from the site of one host, or a host, is each first folder, or a file there', () => {
    const urls = ['http://h/a/1?s=1', 'http://h/a/2?s=1', 'http://h/b?s=1', 'http://h/b;v=1?s=2', 'http://h/?s=1'];
    const steps = ['path //h/b 2', 'prefix //h/a/ 2', 'path //h/ 1'].sort();
    expect(names('site', '', urls).sort()).toEqual(steps);
    expect(names('prefix', '//h/', urls).sort()).toEqual(steps);
  });

  it('in a log without hosts has no host', () => {
    expect(names('site', '', ['/a/b?s=1', '/a/c?s=1', '/d?s=1'])).toEqual(['prefix /a/ 2', 'path /d 1']);
    expect(names('prefix', '/a/', ['/a/b?s=1', '/a/c/d?s=1'])).toEqual(['path /a/b 1', 'prefix /a/c/ 1']);
  });

  it('ignores slashes in queries and path parameters', () => {
    expect(names('site', '', ['/a?u=/b/c', '/a;p=/d'])).toEqual(['path /a 2']);
  });

  test('from an exact path there is none', () => {
    expect(names('path', '/a', ['/a?s=1'])).toEqual([]);
  });
});
