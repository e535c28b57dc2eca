// Each export says whether it uses keys.
import { expect, test } from 'vitest';
import { exportRequest } from '../../../../src/cli/run/rules/export-request.js';
import { loadTarget, targetNames } from '../../../../src/export/targets.js';
import { sampleParameter } from '../../../rule/sample.js';

const sid = sampleParameter('sid', { rank: 1, site: 'h.com', status: 'valid' });
const tab = sampleParameter('tab', { rank: 2, site: 'h.com', status: 'valid', use: 'key' });
const options = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'domain',
} as const;

/** Formats that have no comments; `use` is a column of the tables. */
const WITHOUT_COMMENTS = new Set([
  'csv',
  'parquet',
  'stormcrawler-expressions',
  'clearurls',
  'duplicate-url-discarder',
]);
/** They have the keys; of the caches only those that pages confirmed, the others are named. */
const WITH_KEYS = ['python', 'scrapy', 'crawlee', 'no-vary-search', 'varnish-key', 'cloudfront-key', 'cloudflare-key'];

test.each(targetNames.filter((name) => !WITHOUT_COMMENTS.has(name)))('%s', async (name) => {
  const target = (await loadTarget(name))!;
  const written = (keyed: readonly (typeof sid)[] | undefined) =>
    target.write(exportRequest('rules.json', { rules: [sid], keyed, options }, {}, target)).text;
  const said = written([sid, tab]);
  if (WITH_KEYS.includes(name)) expect(said).toContain('1 of the rules is only a key: it says which URLs are one page');
  else expect(said).toContain('1 rule that is only a key is not used: this writes addresses');
  expect(target.isKey === true).toBe(WITH_KEYS.includes(name));
  expect(written(undefined)).not.toMatch(/only a key/);
});
