// The step that folds slashes of paths, beside the pairs of text that do: where the log shows it, and nowhere else.
import { describe, expect, test } from 'vitest';
import { loadTarget } from '../../src/export/targets.js';
import type { StepRule } from '../../src/rule/rule.js';
import { accepts } from '../../src/rule/standing.js';
import type { TestRecord } from '../url-list.js';
import { mined, summaryOf } from './planted.js';

const HOST = 'http://s.test';
const sizeOf = (k: number) => 9000 + ((k * 7919) % 60_000);
const pageOf = (k: number) => `${['a', 'b', 'c'][k % 3]!}/page${(k * 7919).toString(36)}`;
const asked = (path: string, size: number): TestRecord => ({ url: HOST + path, size });

/** Pages under two addresses, of which the second says so. */
const twice = (other: (page: string) => string, sizeOfOther = sizeOf) =>
  Array.from({ length: 90 }, (_, k) => [
    asked(`/${pageOf(k)}`, sizeOf(k)),
    ...(k % 2 === 0 ? [asked(other(pageOf(k)), sizeOfOther(k))] : []),
  ]).flat();

const stepsOf = (records: readonly TestRecord[]) =>
  mined(records).filter((rule): rule is StepRule => rule.kind === 'step' && rule.step === 'fold-slashes');

describe('repeated slashes', () => {
  const doubled = twice((page) => `/${page.replace('/', '//')}`);

  test('are a step that servers express, with the instances of the log as evidence', async () => {
    const [rule, ...others] = stepsOf(doubled);
    expect(others).toEqual([]);
    expect(rule).toMatchObject({ text: '', status: 'likely', support: { urls: 45 }, against: 0 });
    expect(accepts(rule!, 'confident')).toBe(true);
    expect(rule!.examples[0]![0].replace(/(?<=test\/.*)\/\//, '/')).toBe(rule!.examples[0]![1]);
    for (const name of ['nginx', 'apache']) {
      const target = await loadTarget(name)!;
      const request = { normalization: 'none', urlForm: 'absolute', sitePolicy: 'all', maxIterations: 10 } as const;
      const { carried } = target.write({ ...request, rules: [rule!], source: 'x', generator: 'y' });
      expect(carried).toHaveLength(1);
    }
  });

  test('are counted with the rules in use', () => {
    const { sure, sureCases } = summaryOf(doubled);
    expect(sure + sureCases).toBe(mined(doubled).filter((rule) => accepts(rule, 'confident')).length);
  });

  test.each([
    [
      'are other pages',
      twice(
        (page) => `/${page.replace('/', '//')}`,
        (k) => sizeOf(k + 1),
      ),
    ],
    ['stand in a value', twice((page) => `/go?to=x//${page}`)],
    ['are in no URL', twice((page) => `/${page}.html`)],
  ])('give no rule that is sure where they %s', (_, records) => {
    expect(stepsOf(records).filter((rule) => accepts(rule, 'confident'))).toEqual([]);
  });
});
