// Which lines does a fix have where a target cannot express one of its rules?
import { expect, it } from 'vitest';
import { exportedLines } from '../../../../src/cli/run/report/lines.js';
import { sampleParameter, sampleStep } from '../../../rule/sample.js';

it('a server gets the rules that it can express, and a robot all or none', async () => {
  const linesOf = await exportedLines('rules.json', {
    normalize: 'safe',
    accept: 'valid',
    maxIterations: 10,
    urlForm: 'absolute',
    sitePolicy: 'domain',
  });
  const sid = sampleParameter('sid', { rank: 1, site: 'a.test', status: 'valid' });
  const only = [
    { part: 'extension', is: '' },
    { part: 'depth', is: 2 },
  ] as const;
  const trim = { ...sampleStep('trim-end', '', { rank: 2, site: 'a.test', only }), status: 'valid' } as const;
  const shown = (rules: Parameters<typeof linesOf>[0]) =>
    linesOf(rules, 'fix1').map(({ target, left }) => [target, left]);
  expect(shown([sid])).toEqual([
    ['nginx', undefined],
    ['apache', undefined],
    ['clean-param', undefined],
  ]);
  expect(shown([sid, trim])).toEqual([
    ['nginx', 1],
    ['apache', 1],
  ]);
  expect(linesOf([sid, trim], 'fix1')[0]!.text).toContain('Left out:');
  expect(shown([trim])).toEqual([]);
});
