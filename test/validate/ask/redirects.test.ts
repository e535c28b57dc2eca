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
