// Rules for thousands of hosts: each target has them as a set, or says that it leaves them out.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadTarget, targetNames } from '../../src/export/targets.js';
import type { ExportRequest } from '../../src/export/target.js';
import type { Condition, Rule, Verdict } from '../../src/rule/rule.js';
import { scratchFolder } from '../cli/process.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { canonized } from './canonized.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());

const hosts = (count: number): Condition[] =>
  Array.from({ length: count }, (_, k) => ({ part: 'host', is: `h${k}.a-host-among-many.example` }));
const verdict: Verdict = { source: 'live', positive: 9, negative: 0, unjudged: {}, positives: [], negatives: [] };

function requestOf(...rules: readonly Rule[]): ExportRequest {
  return {
    rules: rules.map((rule, at) => ({ ...rule, rank: at + 1 })),
    normalization: 'safe',
    urlForm: 'absolute',
    sitePolicy: 'domain',
    maxIterations: 10,
    source: 'rules.json',
    generator: 'dustbuster 0.0.0',
  };
}

const request = requestOf(
  sampleParameter('sid', { only: hosts(5000), verdict }),
  sampleRule('/index.html', '/', { anchor: 'end', not: hosts(40), verdict }),
);

const urls = [0, 1, 39, 40, 4999, 5000, 5001]
  .map((k) => `http://h${k}.a-host-among-many.example/a/index.html?sid=5&p=1`)
  .flatMap((url) => [url, url.replace('?sid=5&p=1', '')]);

const LISTED = [
  'java',
  'nutch',
  'stormcrawler',
  'heritrix',
  'python',
  'scrapy',
  'esm',
  'cloudflare',
  'crawlee',
  'csv',
  'parquet',
];

describe.each(targetNames)('%s', (name) => {
  it('has a rule for 5,000 hosts, or says why not', async () => {
    const { carried, left, text } = (await loadTarget(name))!.write(request);
    const reason = left.find(({ rule }) => rule.rank === 1)?.reason;
    if (LISTED.includes(name)) expect(carried.map(({ rank }) => rank)).toContain(1);
    else {
      expect(reason).toMatch(/more than 64 hosts/);
      expect(text.length).toBeLessThan(100_000);
    }
  });
});

function outputOf(command: string, args: readonly string[], input: string): string[] {
  const { stdout, stderr, status } = spawnSync(command, args, { input, encoding: 'utf8', cwd: scratch.path });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trimEnd().split('\n');
}

const forms = urls.map((url) => canonized(request, url).form);

describe('forms by a rule for 5,000 hosts', { timeout: 60_000 }, () => {
  it('are as expected', () => {
    expect(forms[0]).toBe('http://h0.a-host-among-many.example/a/index.html?p=1');
    expect(forms.at(-1)).toBe('http://h5001.a-host-among-many.example/a/');
  });

  it.skipIf(spawnSync('python3', ['--version']).status !== 0)('are the same in Python, found in a set', async () => {
    const { text } = (await loadTarget('python'))!.write(request);
    writeFileSync(join(scratch.path, 'canonical_urls.py'), text);
    const code = `import sys
from canonical_urls import RULES, canonize
assert isinstance(RULES[0].limits.hosts, frozenset) and len(RULES[0].limits.hosts) == 5000 and not RULES[0].limits.only
for line in sys.stdin: print(canonize(line.rstrip("\\n")))`;
    expect(outputOf('python3', ['-c', code], `${urls.join('\n')}\n`)).toEqual(forms);
  });

  it.skipIf(spawnSync('javac', ['-version']).status !== 0)('are the same in Java', async () => {
    const { text } = (await loadTarget('java'))!.write(request);
    writeFileSync(join(scratch.path, 'CanonicalUrls.java'), text);
    expect(outputOf('java', ['CanonicalUrls.java'], `${urls.join('\n')}\n`)).toEqual(forms);
  });

  it('are the same in JavaScript', async () => {
    const { text } = (await loadTarget('esm'))!.write(request);
    writeFileSync(join(scratch.path, 'canonize.mjs'), text);
    const module = (await import(join(scratch.path, 'canonize.mjs'))) as { canonize: (url: string) => string };
    expect(urls.map((url) => module.canonize(url))).toEqual(forms);
  });
});
