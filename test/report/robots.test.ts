import { describe, expect, it } from 'vitest';
import { checkText, findingsOf, limitsOf, robotsJson, robotsText, summaryOf } from '../../src/report/robots.js';
import { candidatesOf, foundIn, proposalText } from '../../src/report/robots-proposal.js';
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
  moved: 0,
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
  largestHosts: [],
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
  expect(limitsOf(rehearsed, of)).toEqual([expect.stringContaining(says)]);
  expect(robotsText(rehearsed, of, { width: 80 })).toContain('No bot came.');
  expect(JSON.parse(JSON.stringify(robotsJson(rehearsed, of)))).toMatchObject({
    format: 'dustbuster-robots',
    forbidden: 1381,
  });
});

it('of several hosts the largest are listed, and nothing is said of who obeyed or never asked', () => {
  const largestHosts = [
    { host: 'www.h.test', requests: 7 },
    { host: 'h.test', requests: 1 },
  ];
  const bot = { name: 'b', group: 'seo', as: '*', requests: 2, forbidden: 2, reads: 0, disobeyed: null } as const;
  const one = resultOf([], { bots: [bot], stretches: [] });
  const text = robotsText(one, { ...log, hosts: 3, largestHosts }, { width: 80 });
  expect(text).toContain('choose with --host. They are www.h.test (7 requests), h.test (1 request) and 1 more.');
  expect(text).not.toContain('Never asked for');
  expect(robotsText(one, log, { width: 80 })).toContain('Never asked for robots.txt, but for what it forbids: b (2)');
});

it('rules that nothing proves are said to count only where the server redirects', () => {
  expect(limitsOf({ ...resultOf([]), guesses: 1 }, log)).toEqual([
    '1 rule in use is not proven: URLs that it changes count as hidden only where the server redirects them.',
  ]);
});

describe('candidates', () => {
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
  const ofParameters = (kind: string, ...parameters: object[]) =>
    candidatesOf(foundIn({ format: 'dustbuster-report', log: { crawlSpace: [{ kind, parameters }] } }));

  it('are two for each parameter, none for what rules redirect, and none that would need an escape', () => {
    const sorts = [parameter('sort'), parameter('sid', { changed: 'everywhere' }), parameter('a*b')];
    expect([...ofParameters('facets', ...sorts)]).toEqual([
      [
        '',
        [
          ['/*?sort=', '/*?sort=*&'],
          ['/*&sort=', '/*&sort=*&'],
        ],
      ],
    ]);
    expect(
      ofParameters('actions', parameter('do', { isByValue: true }))
        .get('')
        ?.map(([first]) => first),
    ).toEqual(['/*?do=edit', '/*&do=edit']);
    expect([...ofParameters('irrelevant', parameter('sort'))]).toEqual([]);
  });

  it('are those of lists, too, and not what the report refused as its rules redirect it', () => {
    const refused = [
      { ...none, pattern: '/*?sort=', duplicates: 1 },
      { ...none, pattern: '/*&sort=', lostPages: 1 },
    ];
    const found = foundIn({
      format: 'dustbuster-report',
      log: {
        crawlSpace: [{ kind: 'facets', parameters: [parameter('sort')] }],
        lists: {
          inside: [{ site: '', place: { slot: 'parameter', name: 'tags', separator: ',' }, spellings: ['%2C'] }],
          across: [{ site: 'a.test', names: ['color', 'size'] }],
        },
        robots: { hasReferrers: true, proposals: [{ site: '', lines: [], refused, spared: 0 }] },
      },
    });
    expect([...candidatesOf(found)]).toEqual([
      ['', [['/*?sort=*&'], ['/*&sort=', '/*&sort=*&'], ['/*?tags=*%2C'], ['/*&tags=*%2C']]],
      ['a.test', [['/*?*color=*&size='], ['/*?*size=*&color=']]],
    ]);
  });

  it.each([
    null,
    7,
    {},
    { format: 'dustbuster-report' },
    { format: 'dustbuster-report', log: null },
    { format: 'dustbuster-report', log: { crawlSpace: [{ kind: 'facets', parameters: [{ name: 1 }] }] } },
    { format: 'dustbuster-report', log: { crawlSpace: [], lists: 7 } },
    { format: 'dustbuster-report', log: { crawlSpace: [], lists: { inside: [{ place: null }] } } },
    { format: 'dustbuster-report', log: { crawlSpace: [], lists: { across: [null] } } },
    { format: 'dustbuster-report', log: { crawlSpace: [], robots: { proposals: [{ refused: [null] }] } } },
  ])('are not made from other JSON: %j', (report) => {
    expect(() => foundIn(report)).toThrow('expected that of report --json LOG');
  });
});

it('a proposal has lines to copy, and what would do harm as comments, by the text of the lines', () => {
  const line = { ...none, text: 'Disallow: /*?page=', hits: 9 };
  const wide = { ...none, pattern: '/*?sort=', text: 'Disallow: /*?sort=', hits: 7, lostPages: 2, lostVisits: 3 };
  const narrow = { ...wide, pattern: '/*?sort=*&', text: 'Disallow: /*?sort=*&' };
  const hidden = {
    ...none,
    pattern: '/*?x=',
    text: 'Disallow: /*?x=',
    hits: 1,
    duplicates: 1,
    moved: 2,
    examples: ['/a'],
  };
  const proposal = { lines: [line], refused: [wide, narrow, hidden], spared: 9 };
  expect(proposalText(proposal).split('\n')).toEqual([
    'User-agent: *',
    'Disallow: /*?page=',
    '# not proposed, as it hides 2 pages with 3 visits from search; it would spare 7 requests of bots:',
    '# Disallow: /*?sort=',
    '# not proposed, as it hides 1 URL that has another form and hides the redirect of 2 URLs, such as /a; it would spare 1 request of bots:',
    '# Disallow: /*?x=',
  ]);
  const text = robotsText({ ...resultOf([]), proposal }, log, { width: 80 });
  expect(text).toContain(
    'With this line at its end bots would have left out 1390 of their 6105 requests, instead of 1381.',
  );
  expect(text).not.toContain(':2:');
});
