import { describe, expect, it } from 'vitest';
import { checkText, findingsOf, limitsOf, robotsJson, robotsText, summaryOf } from '../../src/report/robots.js';
import { disallowLines, proposedLines, withLines } from '../../src/report/robots-proposal.js';
import type { LogOfRehearsal } from '../../src/robots/rehearsal.js';
import type { LineResult } from '../../src/robots/line-meter.js';
import type { TrialResult } from '../../src/robots/trial.js';

const none: LineResult = {
  line: 2,
  text: 'Disallow: /a',
  allows: false,
  pattern: '/a',
  hits: 0,
  hitsOf: {},
  urls: 0,
  pages: 0,
  duplicates: 0,
  redirected: 0,
  people: 0,
  lostPages: 0,
  lostVisits: 0,
  examples: [],
  elsewhere: 0,
};
const log: LogOfRehearsal = {
  requests: 9,
  urls: 4,
  unlisted: 0,
  hosts: 1,
  hasAgents: true,
  hasTimes: true,
  hasReferrers: true,
  from: Date.UTC(2026, 10, 20),
  to: Date.UTC(2026, 10, 27),
};
const resultOf = (lines: readonly LineResult[], more: Partial<TrialResult> = {}) => ({
  name: 'robots.txt',
  faults: [],
  result: {
    lines,
    bots: [],
    requests: 6105,
    forbidden: 1381,
    stretches: [{ from: 0, to: Infinity }],
    lost: { pages: 500, visits: 4112 },
    ...more,
  },
});

it('the file is summed up in a sentence', () => {
  const lines: LineResult[] = [
    { ...none, lostPages: 500, lostVisits: 4112 },
    { ...none, idle: 'no-match' },
    { ...none, idle: 'never-decides' },
    { ...none, idle: 'no-agent' },
  ];
  expect(summaryOf(resultOf(lines), log)).toBe(
    'With robots.txt bots would have left out 1381 of their 6105 requests; 2 lines do nothing; 1 line shuts 500 pages ' +
      'with 4112 visits from search. Tried on 9 requests for 4 URLs from 2026-11-20 to 2026-11-27.',
  );
});

describe('findings', () => {
  it('are all that is wrong, by line, and nothing that is right', () => {
    const lines: LineResult[] = [
      { ...none, line: 9, lostPages: 1, lostVisits: 2, duplicates: 3, examples: ['/x\u001b[31m'] },
      { ...none, line: 8, elsewhere: 4, pattern: '/*?sort=' },
      { ...none, line: 7, idle: 'never-decides' },
      { ...none, line: 6, idle: 'no-match' },
      { ...none, line: 5, idle: 'no-agent' },
      { ...none, line: 4, idle: 'no-change', allows: true },
      { ...none, line: 3, redirected: 1, people: 5, pages: 1, hits: 1, hitsOf: { seo: 1 } },
    ];
    const faults = [
      { line: 1, kind: 'error', says: 'it is odd' },
      { line: 2, kind: 'note', says: 'it depends' },
    ] as const;
    const rehearsed = { ...resultOf(lines), faults };
    expect(checkText('a\nb', findingsOf(rehearsed)).split('\n')).toEqual([
      expect.stringMatching(/^a\S+b:1: it is odd$/),
      expect.stringContaining(':7: never decides'),
      expect.stringContaining(':8: misses 4 URLs where the parameter is not the first: add Disallow: /*&sort='),
      expect.stringContaining(':9: hides 1 page with 2 visits from search, such as /x'),
      expect.stringContaining(':9: hides 3 URLs that the rules give another form'),
      '',
    ]);
    const text = robotsText(rehearsed, log, { width: 100 });
    for (const says of [
      'SEO tools 1',
      'people came there 5 times',
      '1 URL of these is redirected',
      'line 2: it depends',
    ])
      expect(text).toContain(says);
    expect(text).not.toContain('\u001b');
  });
});

it.each([
  [{ hasAgents: false }, {}, 'no user agents'],
  [{ hasReferrers: false }, {}, 'no referrers'],
  [{ hosts: 3 }, { stretches: [] }, '3 hosts'],
  [{ unlisted: 7 }, {}, '7 requests came for further URLs'],
  [{ hasTimes: false, from: Infinity, to: -Infinity }, { stretches: [] }, 'no times'],
  [{}, { stretches: [] }, 'No answer to /robots.txt has the size of this file'],
])('what the log lacks is said: %j', (facts, result, says) => {
  const of = { ...log, ...facts };
  const rehearsed = resultOf([], result);
  expect(limitsOf(rehearsed.result, of)).toEqual([expect.stringContaining(says)]);
  expect(robotsText(rehearsed, of, { width: 80 })).toContain('No bot came.');
  expect(JSON.parse(JSON.stringify(robotsJson(rehearsed, of)))).toMatchObject({
    format: 'dustbuster-robots',
    forbidden: 1381,
  });
});

describe('a proposal', () => {
  const parameter = (name: string, more: object = {}) => ({
    site: '',
    name,
    urls: 1,
    hits: 1,
    values: ['edit', 'a b'],
    isByValue: false,
    different: 0,
    changed: 'nowhere' as const,
    ...more,
  });

  it('has two lines for each parameter, none for what rules redirect, and none that would need an escape', () => {
    expect(disallowLines([parameter('sort'), parameter('sid', { changed: 'everywhere' }), parameter('a*b')])).toEqual([
      'Disallow: /*?sort=',
      'Disallow: /*&sort=',
    ]);
    expect(disallowLines([parameter('do', { isByValue: true })])).toEqual([
      'Disallow: /*?do=edit',
      'Disallow: /*&do=edit',
    ]);
  });

  it('is for kinds of URLs that crawlers should leave alone', () => {
    const crawlSpace = ['facets', 'irrelevant', 'actions'].map((kind) => ({ kind, parameters: [parameter(kind)] }));
    expect(proposedLines({ format: 'dustbuster-report', log: { crawlSpace } })).toEqual(
      ['facets', 'actions'].flatMap((name) => [`Disallow: /*?${name}=`, `Disallow: /*&${name}=`]),
    );
  });

  it.each([
    null,
    7,
    {},
    { format: 'dustbuster-report' },
    { format: 'dustbuster-report', log: null },
    { format: 'dustbuster-report', log: { crawlSpace: [{ kind: 'facets', parameters: [{ name: 1 }] }] } },
  ])('is not made from other JSON: %j', (report) => {
    expect(() => proposedLines(report)).toThrow('expected that of report --json LOG');
  });

  it('is a group at the end of the file', () => {
    const body = Buffer.from('User-agent: a\nDisallow: /');
    expect(Buffer.from(withLines(body, ['Disallow: /x'])).toString()).toBe(
      'User-agent: a\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n',
    );
    expect(withLines(body, [])).toBe(body);
  });
});
