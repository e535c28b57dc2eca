// The summary of a validation.
import { combinedAudit } from '../../src/validate/ask/audit.js';
import { describe, expect, test } from 'vitest';
import { auditReport, deadShare, validationCounts, validationReport } from '../../src/report/validation.js';
import { sampleAudit, sampleRule } from '../rule/sample.js';
import type { Settlement } from '../../src/validate/settlement.js';

const NOW = new Date('2026-11-27T12:00:00Z');

/** As `--verbose` tells it. */
const told = (some: readonly Settlement[], source: Parameters<typeof validationReport>[1]) =>
  validationReport(some, source, undefined, { now: NOW, isVerbose: true });

const settled = (site: string, requests: number): Settlement => {
  const rule = sampleRule('.html', '', { site, status: 'valid' });
  return { before: rule, after: [rule], outcome: 'valid', requests };
};

test('names the median cost of a rule', () => {
  const costs = [70, 2, 4].map((requests) => settled('a.test', requests));
  expect(told(costs, { name: 'live', requests: 76 })).toBe(
    'validated by live: 3 of 3 valid, 0 invalid, 0 still likely, 0 needless\n' +
      'made 76 requests to the site; half of the rules took at most 4\n',
  );
});

test('says why rules are needless', () => {
  const valid = settled('a.test', 2);
  const needless: Settlement = { before: valid.before, after: [], outcome: 'needless', requests: 0 };
  const report = (...all: readonly Settlement[]) => told(all, { name: 'log', requests: 0 });
  expect(report(valid, needless)).toContain('1 needless (no URL of the list needs them beside the valid ones)\n');
  expect(report(needless)).toContain('1 needless (they save no URL of the list)\n');
});

test('tells keys by hits from keys whose images nobody has seen', () => {
  const rule = sampleRule('%3A', ':', { use: 'key' });
  const key = (hits?: { kept: number; given: number }): Settlement => {
    const after = hits === undefined ? rule : { ...rule, hits };
    return { before: rule, after: [after], outcome: 'key', requests: 0 };
  };
  const hits = { kept: 1, given: 9 };
  const kept: Settlement = { ...key(hits), outcome: 'kept' };
  expect(told([key(hits), key(hits), key(), kept], { name: 'log', requests: 0 })).toContain(
    'still likely, 1 only a key (not shown that the images answer), ' +
      '2 only keys (hits or controls of the site speak against redirects, see explain), 0 needless',
  );
});

test('names none if sites were validated in parallel, as each counted the requests of all', () => {
  const costs = [settled('a.test', 70), settled('b.test', 140)];
  expect(told(costs, { name: 'live', requests: 140 })).toBe(
    'validated by live: 2 of 2 valid, 0 invalid, 0 still likely, 0 needless\nmade 140 requests to the site\n',
  );
});

test('says why samples of rules that stayed likely had no verdict', () => {
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
  expect(told([likely, likely], { name: 'live', requests: 2 })).toBe(
    'validated by live: 0 of 2 valid, 0 invalid, 2 still likely, 0 needless\n' +
      'still likely, few-samples 2: their pages could not be had, as counted below\n' +
      'not compared, network 60: no connection; check the name and the port of the host, or give its address with --resolve\n' +
      'not compared, robots 4: robots.txt forbids it; allow dustbuster there, or the name in --user-agent, if the site is yours\n' +
      'made 2 requests to the site\n',
  );
});

test('advises a longer log only for rules whose pages came', () => {
  const rule = sampleRule('.html', '', { status: 'likely' });
  const unsure = (unjudged: Record<string, number>): Settlement => {
    const verdict = { source: 'live', positive: 1, negative: 0, unjudged, undecided: 'few-samples' } as const;
    const after = [{ ...rule, verdict: { ...verdict, positives: [], negatives: [] } }];
    return { before: rule, after, outcome: 'likely', requests: 1 };
  };
  const missing = { 'v: not-archived': 2 };
  const some = [unsure({ 'u: private-address': 5 }), unsure({}), unsure({ 'u: soft-error': 5 }), unsure(missing)];
  expect(told(some, { name: 'live', requests: 2 }).split('\n').slice(1, 4)).toEqual([
    'still likely, few-samples 1: their pages could not be had, as counted below',
    'still likely, few-samples 1: one of the two forms is not among the pages, so they cannot prove it; ask the site ' +
      'itself (without --pages and --by-sketch), or name a crawl that fetched both',
    'still likely, few-samples 2: too few of their URLs could be compared; a longer log has more of them',
  ]);
});

test('does not ask for more requests if no page came at all', () => {
  const rule = sampleRule('.html', '', { status: 'likely' });
  const unsure = (undecided: 'few-samples' | 'budget', positive: number): Settlement => {
    const unjudged = undecided === 'budget' ? {} : { 'u: network': 9 };
    const verdict = {
      source: 'live',
      positive,
      negative: 0,
      unjudged,
      undecided,
      positives: [],
      negatives: [],
    } as const;
    return { before: rule, after: [{ ...rule, verdict }], outcome: 'likely', requests: 1 };
  };
  const report = (positive: number) =>
    told([unsure('few-samples', positive), unsure('budget', 0)], { name: 'live', requests: 1 });
  expect(report(0)).toContain('\nmade 1 request to the site\n');
  expect(report(0)).toContain('still likely, budget 1: given up, as no page came\n');
  expect(report(1)).toContain(
    'still likely, budget 1: the requests that a run may spend on questions were used up, the rest',
  );
});

test('says how rules that were settled before are asked again', () => {
  const kept = { ...settled('a.test', 0), outcome: 'kept' } as const;
  expect(told([kept], { name: 'live', requests: 0 })).toBe(
    'validated by live: 0 valid, 0 invalid, 0 still likely, 0 needless, 1 settled before (validate --again asks anew)\n' +
      'made 0 requests to the site\n',
  );
});

describe('without --verbose each question has one line', () => {
  const rule = sampleRule('.html', '', { status: 'likely' });
  const unsure = (unjudged: Record<string, number>, undecided: 'few-samples' | 'budget'): Settlement => {
    const verdict = { source: 'live', positive: 1, negative: 0, unjudged, undecided } as const;
    const after = [{ ...rule, verdict: { ...verdict, positives: [], negatives: [] } }];
    return { before: rule, after, outcome: 'likely', requests: 1 };
  };
  const unasked: Settlement = { before: rule, after: [rule], outcome: 'unasked', requests: 0 };
  const some = [
    unsure({ 'u: soft-error': 9, 'v: time-out': 1 }, 'few-samples'),
    unsure({ 'u: soft-error': 1 }, 'few-samples'),
    unsure({}, 'budget'),
    unasked,
  ];
  const source = { name: 'live', requests: 1 };
  const short = (more: object = {}, audit = sampleAudit({ unjudged: { 'u: action-url': 2 } })) =>
    validationReport(some, { ...source, ...more }, audit, { now: NOW }).split('\n');

  test('why rules are likely, what was not compared, and what was asked', () => {
    expect(short()).toEqual([
      'validated by live: 0 of 4 valid, 0 invalid, 3 still likely, 0 needless, 1 not asked about (each would save too few URLs for its requests)',
      'still likely, 1: their pages could not be had, as counted below. 1: too few of their URLs could be compared; a longer log ' +
        'has more of them. 1: the requests that a run may spend on questions were used up, the rest is for the audit; validate again to go on',
      'not compared, time-out 1: no answer in time; try again with a lower --rate; also soft-error 10, action-url 2 ' +
        '(--verbose explains all)',
      'made 1 request to the site',
      '',
    ]);
  });

  test('answers of the cache are counted apart from requests', () => {
    const oldest = NOW.getTime() - 3 * 3600_000;
    const answered = { site: 1, cache: 1234, oldest };
    expect(short({ answered })[3]).toBe(
      'made 1 request to the site; 1,234 answers came from the cache, the oldest of 3 h ago',
    );
  });

  test('an audit alone asks about no rule', () => {
    const [first] = validationReport(some, source, undefined, { now: NOW, isAuditAlone: true }).split('\n');
    expect(first).toMatch(/1 not asked about \(only the audit was wanted\)$/);
  });
});

describe('of an audit', () => {
  test('the report gives sample, failures and bound, and what became of the list', () => {
    expect(auditReport(sampleAudit({ unjudged: {}, probes: 30 }))).toBe(
      'audit: 300 URLs (30 that the list lacks) and their canonical forms asked for, 1 failed (1 dead): at most 1.6 % with 95 % confidence; ' +
        '7,414 URLs have 4,102 forms, 0 longer, 2 unsettled\n',
    );
  });

  test('it says that no requests were left for all that was wanted', () => {
    expect(auditReport(sampleAudit({ unjudged: {}, sample: 40, wanted: 300 }))).toContain(
      'audit: 40 URLs and their canonical forms asked for, as no requests were left for 300, 1 failed',
    );
    const none = sampleAudit({ unjudged: {}, sample: 0, wanted: 300 });
    expect(auditReport(none)).toContain('no URL could be judged with its canonical form, as no requests were left');
    expect(combinedAudit([none, sampleAudit({})])).toMatchObject({ sample: 300, wanted: 600 });
    expect(combinedAudit([sampleAudit({}), sampleAudit({})])).not.toHaveProperty('wanted');
  });

  test('it gives every kind of failure, examples, samples without a verdict, and removed rules', () => {
    const audit = sampleAudit({
      different: 2,
      redirecting: 1200,
      failures: [['/a\u001b', '/b', 'v: status 404']],
      narrowed: 1,
      retired: 2,
      longer: 1,
    });
    expect(auditReport(audit).split('\n')).toEqual([
      expect.stringContaining('1,203 failed (2 another page, 1 dead, 1,200 redirecting)'),
      'failed: /a\\x1b → /b (v: status 404)',
      '',
    ]);
    expect(auditReport(audit)).toContain('1 longer, 2 unsettled; 1 rule narrowed, 2 rules retired by it\n');
  });

  test('without failures the bound is still given, rounded up', () => {
    const clean = sampleAudit({ dead: 0, bound: 0.009937 });
    expect(auditReport(clean)).toContain('0 failed: at most 1.0 % with');
    expect(auditReport({ ...clean, bound: 0.0101 })).toContain('at most 1.1 % with');
    expect(auditReport({ ...clean, bound: 0.02 })).toContain('at most 2.0 % with');
  });

  test('a sample that could not be judged is not reported as one without failures', () => {
    const none = sampleAudit({
      sample: 0,
      dead: 0,
      bound: 1,
      urls: 1,
      forms: 1,
      longer: 0,
      unsettled: 0,
      unjudged: {},
    });
    expect(auditReport(none)).toBe(
      'audit: no URL could be judged with its canonical form; 1 URL has 1 form, 0 longer, 0 unsettled\n',
    );
    expect(deadShare(none)).toBe(0);
  });

  test('missing and redirecting forms are one share, which excludes other pages', () => {
    expect(deadShare(sampleAudit({ sample: 200, different: 50, dead: 1, redirecting: 3 }))).toBe(0.02);
  });

  test('the counts have it unchanged, and nothing if there was none', () => {
    const source = { name: 'live', requests: 0 };
    const audit = sampleAudit();
    expect(validationCounts([], source, audit).audit).toEqual(audit);
    expect(validationCounts([], source)).not.toHaveProperty('audit');
  });
});
