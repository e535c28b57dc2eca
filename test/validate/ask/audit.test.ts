// The result of all rules together: the audit ends clean, or the rules to blame are gone; and it asks for URLs that the
// list lacks, too.
import { describe, expect, test } from 'vitest';
import { sampleParameter } from '../../rule/sample.js';
import type { FunctionSite } from '../function-source.js';
import { ask, many, options } from './asked.js';

const pathOf = (url: string) => new URL(url).pathname;
const numberOf = (url: string) => Number(/\d+/.exec(pathOf(url))?.[0]);
const inUse = [sampleParameter('zz')];
/** Without a question no rule would change, and nothing would be audited. */
const question = many(20, (k) => `http://h/item${k}`).flatMap((url) => [url, `${url}?fbclid=1`]);

describe('a rule that is wrong now and then, with nothing that tells where', () => {
  // Each round finds other URLs, and makes them exceptions.
  const isWrong = (url: string) => url.includes('zz') && (numberOf(url) * 2654435761) % 1009 < 90;
  const site: FunctionSite = (url) => `${pathOf(url)} ${isWrong(url) ? 'wrong' : ''}`;
  const urls = [...question, ...many(1200, (k) => `http://h/item${k}?zz=${(k * 7919) % 3001}`)];

  test('is retired in the end', async () => {
    const { answer, formOf } = await ask(site, urls, { rules: inUse, maxRequests: 20_000 });
    const { audit } = answer;
    expect(audit).toMatchObject({ different: 0, dead: 0, redirecting: 0, retired: 1 });
    expect(urls.filter((url) => url.includes('zz') && formOf(url) !== url)).toEqual([]);
  });

  test('is retired if there are no requests to look into it', async () => {
    const { answer, formOf } = await ask(site, urls, { rules: inUse, maxRequests: 300 });
    expect(answer.audit!.retired).toBe(1);
    expect(urls.filter((url) => url.includes('zz') && formOf(url) !== url)).toEqual([]);
  });
});

describe('a parameter that a few of a hundred pages depend on', () => {
  // The number of a reply: in a long topic it leads to the page that has the reply.
  const nameOf = (k: number) => `http://h/${'qwzk'[k % 4]}${k}`;
  const urls = many(100, (k) => [nameOf(k), `${nameOf(k)}?v=${k}`]).flat();
  const siteOf =
    (long: readonly number[]): FunctionSite =>
    (url) =>
      numberOf(url) >= 100
        ? 404
        : `page${numberOf(url)}${url.includes('?') && long.includes(numberOf(url)) ? ' 2' : ''}`;

  test('is dropped but for one of them', async () => {
    const { answer } = await ask(siteOf([5]), urls);
    expect(answer.accepted).toMatchObject([{ name: 'v', except: [`${nameOf(5)}?v=5`] }]);
  });

  test('is no rule with more exceptions', async () => {
    expect((await ask(siteOf([5, 7]), urls)).answer.accepted).toEqual([]);
  });
});

describe('the sample of an audit', () => {
  const site: FunctionSite = (url) => (/^\/item\d+$/.test(pathOf(url)) ? pathOf(url) : 404);
  const urls = [...question, ...many(200, (k) => `http://h/item${k}`).flatMap((url, k) => [url, `${url}?zz=${k}`])];

  test('has a tenth that the list lacks', async () => {
    const { answer, source } = await ask(site, urls, { rules: inUse, audit: 100 });
    expect(answer.audit).toMatchObject({ sample: 100, probes: 10, different: 0 });
    const made = source.asked.filter((url) => !urls.includes(url) && url.includes('zz='));
    expect(new Set(made).size).toBeGreaterThanOrEqual(10);
  });

  test('is smaller if the requests run out, and it is known how much was wanted', async () => {
    const { answer } = await ask(site, urls, { rules: inUse, maxRequests: 60, audit: 100 });
    expect(answer.audit!.sample).toBeLessThan(100);
    expect(answer.audit).toMatchObject({ wanted: 100 });
    const whole = await ask(site, urls, { rules: inUse, audit: 100 });
    expect(whole.answer.audit).not.toHaveProperty('wanted');
  });

  test('finds what the list does not show', async () => {
    // Right for each value that the list has.
    const listed = new Set(urls);
    const turning: FunctionSite = (url) =>
      url.includes('zz=') && !listed.has(url) ? `another${numberOf(url)}` : pathOf(url);
    const { answer, formOf } = await ask(turning, urls, { rules: inUse, audit: options.audit });
    expect(answer.audit!.retired + answer.audit!.narrowed).toBeGreaterThan(0);
    expect(formOf('http://h/item7?zz=8')).toBe('http://h/item7?zz=8');
  });
});
