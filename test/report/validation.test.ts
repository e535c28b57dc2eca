// What a person is told of a validation.
import { expect, test } from 'vitest';
import { validationReport } from '../../src/report/validation.js';
import { sampleRule } from '../rule/sample.js';
import type { Settlement } from '../../src/validate/validate.js';

const settled = (site: string, requests: number): Settlement => {
  const rule = sampleRule('.html', '', { site, status: 'valid' });
  return { before: rule, after: [rule], outcome: 'valid', requests };
};

test('names the median cost of a rule', () => {
  const costs = [70, 2, 4].map((requests) => settled('a.test', requests));
  expect(validationReport(costs, { name: 'live', requests: 76 })).toBe(
    'validated by live: 3 valid, 0 invalid, 0 still likely, 0 needless; 76 requests, half of the rules took at most 4\n',
  );
});

test('names none where sites were asked side by side, as each counted the requests of all', () => {
  const costs = [settled('a.test', 70), settled('b.test', 140)];
  expect(validationReport(costs, { name: 'live', requests: 140 })).toBe(
    'validated by live: 2 valid, 0 invalid, 0 still likely, 0 needless; 140 requests\n',
  );
});

test('names why samples had no verdict, those of rules that stayed likely', () => {
  const rule = sampleRule('.html', '', { status: 'likely' });
  const verdict = {
    source: 'live',
    positive: 0,
    negative: 0,
    unjudged: { 'v: robots': 2, 'u: network': 30 },
    undecided: 'few-samples',
    positives: [],
    negatives: [],
  } as const;
  const likely: Settlement = { before: rule, after: [{ ...rule, verdict }], outcome: 'likely', requests: 1 };
  expect(validationReport([likely, likely], { name: 'live', requests: 2 })).toBe(
    'validated by live: 0 valid, 0 invalid, 2 still likely (few-samples 2), 0 needless; 2 requests\n' +
      'samples of these without a verdict: u: network 60, v: robots 4\n',
  );
});
