// A run is said to be cut short only if there was more to ask.
import { expect, test } from 'vitest';
import { ask, many } from './asked.js';

const urls = many(40, (k) => [`http://h/p/${k}`, `http://h/p/${k}?sid=${k}`]).flat();
const site = (url: string) => url.replace(/\?.*/, '');

/** Questions that were tried with so many requests, and whether the run ended for want of more. */
async function asked(maxRequests: number) {
  let questions = 0;
  const { answer } = await ask(site, urls, { maxRequests, audit: 0, onQuestion: () => questions++ });
  return { maxRequests, questions, stop: answer.stop };
}

test('no request was left only where another question would have been asked', async () => {
  const all = await asked(Infinity);
  expect(all.stop).toBeUndefined();
  const some = await Promise.all(many(60, (k) => asked(4 + k)));
  const [cut, whole] = [some.filter(({ stop }) => stop === 'budget'), some.filter(({ stop }) => stop === undefined)];
  expect(Math.min(cut.length, whole.length)).toBeGreaterThan(3);
  // A question that was begun is counted, so the last may be the one that was cut.
  expect(whole.filter(({ questions }) => questions !== all.questions)).toEqual([]);
  expect(cut.filter(({ questions }) => questions > all.questions)).toEqual([]);
  const first = Math.min(...whole.map(({ maxRequests }) => maxRequests));
  const { requests } = (await ask(site, urls, { audit: 0 })).source;
  expect(first).toBeLessThanOrEqual(requests);
});
