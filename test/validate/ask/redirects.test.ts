// URLs that a log has only as redirects have another name: the site says which, and what many of them have in common is
// a rule.
import { describe, expect, test } from 'vitest';
import type { FunctionSite } from '../function-source.js';
import { ask, expectSigned, many } from './asked.js';

/** A site that was rebuilt: its old addresses redirect, except a part of them that still answers. */
const site: FunctionSite = (url) => {
  const [, path] = /^http:\/\/h(\/[^?]*)$/.exec(url) ?? [];
  const old = /^\/archive\/doc-(\d+)\.phtml$/.exec(path ?? '')?.[1];
  if (old !== undefined) return Number(old) % 3 === 0 ? `doc${old}` : { redirect: `http://h/library/doc-${old}/` };
  const doc = /^\/library\/doc-(\d+)\/$/.exec(path ?? '')?.[1];
  return doc === undefined ? 404 : `doc${doc}`;
};
const urls = many(120, (k) => [`http://h/archive/doc-${k}.phtml`, `http://h/library/doc-${k}/`]).flat();
const isLed = (url: string) => redirected.some((one) => (site(one) as { redirect: string }).redirect === url);
const redirected = urls.filter((url) => typeof site(url) === 'object');

describe('redirects of the log', () => {
  test('suggest a rule that changes a URL in two places', async () => {
    const { answer, formOf } = await ask(site, urls, { redirected });
    expect(expectSigned(site, urls, formOf)).toBe(120);
    expect(formOf('http://h/archive/doc-6.phtml')).toBe('http://h/library/doc-6/');
    expect(answer.accepted.length).toBeLessThanOrEqual(2);
  });

  test('are not followed if there are none', async () => {
    const { formOf } = await ask(site, urls);
    expect(formOf('http://h/archive/doc-6.phtml')).toBe('http://h/archive/doc-6.phtml');
  });

  test('leave most of a hundred requests for the questions', async () => {
    const { source, formOf } = await ask(site, urls, { redirected, maxRequests: 100 });
    expect(expectSigned(site, urls, formOf)).toBe(120);
    const [, ...asked] = source.asked;
    expect(asked.findIndex((url) => urls.includes(url) && !redirected.includes(url) && !isLed(url))).toBeLessThan(8);
  });
});

test('a sample that redirects where its rule leads is in the verdict, whatever else failed before it', async () => {
  const name = (k: number) => `http://h/${'qwzk'[k % 4]}${k}`;
  const odd: FunctionSite = (url) => {
    const [bare = '', query] = url.split('?');
    const k = Number(/\d+$/.exec(bare)?.[0] ?? 100);
    if (k >= 100) return 404;
    if (k === 58 && query === undefined) return { redirect: 'http://h/moved58?v=1' };
    if ([5, 7, 17, 41].includes(k) && query !== undefined) return `odd${k}`;
    return `page${k}`;
  };
  const { answer } = await ask(odd, many(100, (k) => [name(k), `${name(k)}?v=1`]).flat());
  expect(answer.accepted).toMatchObject([{ kind: 'parameter', name: 'v' }]);
  const { negative, negatives } = answer.accepted[0]!.verdict!;
  expect([negative, negatives.map(([, , reason]) => reason)]).toEqual([5, ['redirects', 'different', 'different']]);
});
