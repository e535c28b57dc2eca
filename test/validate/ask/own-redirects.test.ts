// What the site redirects by itself, as far as its URLs were requested.
import { expect, test } from 'vitest';
import { isOwnRedirect, type Heard } from '../../../src/validate/ask/own-redirects.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { ask, many } from './asked.js';

const sid = sampleParameter('sid');
const redirects = (count: number, to: (k: number) => string | undefined): Heard[] =>
  many(count, (k) => ({ from: `http://h/p${k}?sid=${k}`, redirect: to(k) }));

test.each([
  ['to what the rule makes', redirects(3, (k) => `http://h/p${k}`), true],
  ['further than that', redirects(3, (k) => `https://h/p${k}/`), true],
  ['twice only', redirects(2, (k) => `http://h/p${k}`), false],
  ['for another reason', redirects(9, (k) => `https://h/p${k}?sid=${k}`), false],
  ['now and then', redirects(9, (k) => (k < 5 ? `http://h/p${k}` : undefined)), false],
  ['elsewhere', many(9, (k) => ({ from: `http://h/old${k}`, redirect: `http://h/new${k}` })), false],
])('a site that redirects %s', (_, heard, isOwn) => {
  expect(isOwnRedirect(sid, heard, { pathOnly: false })).toBe(isOwn);
});

test('rules of path form are tried on the path', () => {
  const index = sampleRule('/index.php/', '/', { anchor: 'start' });
  const heard = many(3, (k) => ({ from: `/index.php/p${k}`, redirect: `/p${k}` }));
  expect(isOwnRedirect(index, heard, { pathOnly: true })).toBe(true);
});

test('a rule that was found by asking says that the site redirects so', async () => {
  const site = (url: string) => (url.includes('?sid=') ? { redirect: url.replace(/\?.*/, '') } : `page of ${url}`);
  const urls = many(40, (k) => [`http://h/p${k}`, `http://h/p${k}?sid=${k}`]).flat();
  const { answer } = await ask(site, urls);
  expect(answer.accepted).toMatchObject([{ name: 'sid', word: 'redirect' }]);
  const { answer: other } = await ask((url) => `page of ${url.replace(/\?.*/, '')}`, urls);
  expect(other.accepted).toMatchObject([{ name: 'sid' }]);
  expect(other.accepted[0]!.word).toBeUndefined();
});
