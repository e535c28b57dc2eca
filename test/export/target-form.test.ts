// The form that an export gives a URL: that of canonize by the rules it carries, or the URL that came in.
import { describe, expect, it } from 'vitest';
import type { CanonizerOptions } from '../../src/canonize/canonizer.js';
import { countDiffering, targetForms } from '../../src/export/target-form.js';
import type { ExportRequest } from '../../src/export/target.js';
import { loadTarget } from '../../src/export/targets.js';
import { sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';
import { requestOf } from './arbitrary.js';

const rules = [
  sampleRule('/index.html', '/', { rank: 1, anchor: 'end' }),
  sampleParameter('sid', { rank: 2 }),
  sampleStep('lower-case', '', { rank: 3 }),
  sampleRule('.html', '', { rank: 4, anchor: 'end' }),
];
const options: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'domain',
};

async function formsOf(name: string, more: Partial<ExportRequest> = {}) {
  const formOf = targetForms((await loadTarget(name))!, requestOf(rules, more), options);
  return (url: string) => Buffer.from(formOf(Buffer.from(url))).toString();
}

describe('the form by an export', () => {
  it.each<[string, Partial<ExportRequest>, string, string]>([
    ['nginx', {}, 'http://H.com/A/index.html', 'http://h.com/A/'],
    ['nginx', {}, 'http://h.com/a.html', 'http://h.com/a'],
    ['nginx', {}, 'http://h.com/a.html?sid=7', 'http://h.com/a'],
    ['nginx', {}, 'http://h.com/a.html.html', 'http://h.com/a.html.html'],
    ['nutch-expressions', {}, 'http://H.com/A/index.html', 'http://h.com/A/'],
    ['esm', {}, 'http://h.com/A/index.html', 'http://h.com/a/'],
    // A server would have to normalize `/a/.` in between.
    ['nginx', {}, 'http://h.com/a/..html', 'http://h.com/a/..html'],
    ['esm', {}, 'http://h.com/a/..html', 'http://h.com/a/'],
    ['nginx', {}, 'no URL', 'no URL'],
  ])('for %s %j: %s gets %s', async (name, more, url, form) => {
    expect((await formsOf(name, more))(url)).toBe(form);
  });

  it('is counted where it is not that of canonize', async () => {
    const all = targetForms((await loadTarget('esm'))!, requestOf(rules), options);
    const here = targetForms((await loadTarget('nginx'))!, requestOf(rules), options);
    const urls = ['http://h.com/a.html', 'http://h.com/B', 'http://h.com/C?sid=1'].map((url) => Buffer.from(url));
    expect(countDiffering(urls, here, all)).toEqual({
      urls: 3,
      differing: 2,
      examples: [
        ['http://h.com/B', 'http://h.com/B', 'http://h.com/b'],
        ['http://h.com/C?sid=1', 'http://h.com/C', 'http://h.com/c'],
      ],
    });
  });
});
