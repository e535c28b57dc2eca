// What is said of rules and URLs that a run had to leave out.
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { Miner } from '../../src/mine/mine.js';
import { mineReport } from '../../src/report/render.js';
import { mineSummary } from '../../src/report/summary.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { mineOptions } from '../mine/options.js';
import { batchOf } from '../url-list.js';

/** Items, each with a session and without, of several sites. */
function mined(items: number, hosts: number, memoryBytes: number, mostRules = Infinity) {
  const miner = new Miner(mineOptions, createSiteOf('host'), { memoryBytes, tmpdir: tmpdir() });
  for (let k = 0; k < items; k++) {
    const url = `http://h${k % hosts}.test/item?id=${k}`;
    const forms = [url, `${url}&sid=${k}a`, `${url}&sid=${k}b`];
    miner.add(batchOf(forms.map((form) => ({ url: form, size: 1000 + ((k * 7919) % 9000) }))));
  }
  const rules = [...miner.eachRule(undefined, { rules: mostRules, bytes: Infinity })];
  return { rules, summary: miner.summary };
}

const jsonOf = (summary: ReturnType<typeof mined>['summary']) =>
  mineSummary({ output: '-', inputs: [], mined: summary, rules: [], state: undefined, validation: undefined });

describe('a site of more URLs than memory takes', () => {
  const { rules, summary } = mined(40_000, 1, 1_000_000);

  test('is mined by a sample, and all of its URLs are counted', () => {
    expect(summary.urls).toBe(120_000);
    expect(summary.sampled).toEqual([{ site: 'h0.test', urls: 120_000, sampled: expect.any(Number) as number }]);
    expect(summary.largestSites.list()).toEqual([{ site: 'h0.test', urls: 120_000 }]);
    const [rule] = rules;
    expect(rule).toMatchObject({ kind: 'parameter', name: 'sid' });
  });

  test('is named, with the size of its sample', () => {
    const { sampled } = summary.sampled[0]!;
    expect(mineReport(summary)).toContain(`h0.test has 120000 URLs, more than --memory takes: ${sampled} of them (`);
    expect(jsonOf(summary)).toMatchObject({ urls: 120_000, sampled: [{ site: 'h0.test', urls: 120_000, sampled }] });
  });

  test('is mined whole if there is memory', () => {
    const whole = mined(40_000, 1, 1 << 28);
    expect(whole.summary.sampled).toEqual([]);
    expect(mineReport(whole.summary)).not.toContain('more than --memory');
    expect(jsonOf(whole.summary)).not.toHaveProperty('sampled');
  });
});

test('rules beyond the most of a file are counted, with the way to have them if there are several sites', () => {
  const [many, one] = [mined(300, 3, 1 << 28, 2).summary, mined(300, 1, 1 << 28, 0).summary];
  expect(many.unlisted).toBeGreaterThan(0);
  expect(mineReport(many)).toMatch(
    /at most 250000 rules and 256.0 MiB, so \d+ rules? of .* --parts n -o FOLDER writes/,
  );
  expect(jsonOf(many)).toMatchObject({ unlistedRules: many.unlisted });
  expect(mineReport(one)).toContain('in no file');
  expect(mineReport(one)).not.toContain('--parts');
  expect(mineReport(mined(300, 3, 1 << 28).summary)).not.toContain('in no file');
});
