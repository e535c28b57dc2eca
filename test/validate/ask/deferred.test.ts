// Requests are few: a parameter that matters on some pages, without a sign of it in their URLs, can use up hundreds
// while conditions are tried. Hypotheses that save more for less come first.
import { expect, test } from 'vitest';
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import { Asker } from '../../../src/validate/ask/answer.js';
import { countRequests } from '../../../src/validate/ask/count.js';
import { hypothesisOf } from '../../../src/validate/ask/hypothesis.js';
import { SiteForms } from '../../../src/validate/ask/site-forms.js';
import { tryHypothesis } from '../../../src/validate/ask/try/try.js';
import { Judge } from '../../../src/validate/judge.js';
import { sampleParameter } from '../../rule/sample.js';
import { FunctionSource, type FunctionSite } from '../function-source.js';
import { many, options } from './asked.js';

/** Half of the pages of a folder differ in most states; nothing shows which. */
const site: FunctionSite = (url) => {
  const [, folder, name, query = ''] = /^http:\/\/h\/(\w+)\/p(\d+)(?:\?(.*))?$/.exec(url) ?? [];
  if (name === undefined) return 404;
  const state = Number(/(?:^|&)state=(\d+)/.exec(query)?.[1] ?? '0');
  const isAnother = state > 0 && (Number(name) * 7919 + state * 104_729 + folder!.length) % 1000 < 400;
  return isAnother ? `${folder}${name} in ${state}` : `${folder}${name}`;
};

const urls = ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff'].flatMap((folder) =>
  many(20, (k) => `http://h/${folder}/p${k}`).flatMap((page, k) => [
    page,
    ...many(6, (state) => `${page}?state=${((k * 5 + state * 3) % 40) + 1}`),
  ]),
);

async function tried(nextWorth: number) {
  const source = new FunctionSource(site);
  const signal = new AbortController().signal;
  const judge = new Judge({ source: countRequests(source), siteOf: () => 'h', base: '', signal });
  const canonizeBy = () => {
    const canonizer = createCanonizer([], options.canonizer, () => '*');
    return (url: Uint8Array) => canonizer.canonize(url);
  };
  const forms = new SiteForms(urls, canonizeBy, options);
  forms.setRules([]);
  const hypothesis = hypothesisOf([sampleParameter('state', { site: '*', status: 'likely' })], { prior: 0.9 });
  const reach = forms.reachOf(hypothesis);
  const more = { minSaving: 3, left: 2000, choosing: new Set<string>(), nextWorth };
  const { decision } = await tryHypothesis(hypothesis, reach, forms, new Asker(judge, ''), { ...options, ...more });
  return { decision, requests: source.requests };
}

test('conditions are tried as long as nothing else is worth more', async () => {
  const patient = await tried(0);
  const hurried = await tried(3);
  expect(patient.decision).toBe('refuted');
  expect(hurried.decision).toBe('deferred');
  expect(hurried.requests).toBeLessThan(0.5 * patient.requests);
});
