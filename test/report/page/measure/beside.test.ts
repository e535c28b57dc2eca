// A thread that measures beside the groups changes nothing of a report.
import { expect, it } from 'vitest';
import { FEWEST_URLS } from '../../../../src/report/page/measure/beside.js';
import { sampleFile, sampleParameter, sampleRule } from '../../../rule/sample.js';
import { lineOf, reportOf } from '../visited.js';

const rules = [
  sampleRule('/new', '/', { site: 'a.test', status: 'valid' }),
  sampleParameter('sid', { rank: 2, status: 'likely', confidence: 0.9 }),
  sampleRule('/p', '/q', { rank: 3, status: 'likely', confidence: 0.1 }),
];

it('is the same report with a thread for parameters and rules by themselves, and without', async () => {
  const urls = Array.from({ length: FEWEST_URLS }, (_, k) => {
    const page = Math.floor(k / 3);
    return `http://a.test${k % 2 === 0 ? '/new' : ''}/p${page}?sid=${k % 3}&page=${page % 7}`;
  });
  const log = urls.map((url, k) => lineOf({ url, size: 100 + (k % 50) })).join('');
  const memoryBytes = 1 << 27;
  const alone = await reportOf(log, sampleFile(rules), { threads: 1, memoryBytes });
  expect(alone.rules.map(({ touched }) => touched)).toEqual([FEWEST_URLS / 2, FEWEST_URLS, undefined]);
  expect(alone.log!.parameters.map(({ name }) => name)).toEqual(['page', 'sid']);
  expect(await reportOf(log, sampleFile(rules), { threads: 2, memoryBytes })).toEqual(alone);
  // Too little memory to share.
  expect(await reportOf(log, sampleFile(rules), { threads: 2 })).toEqual(alone);
});
