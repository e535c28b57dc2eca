// The measures of SPEC 12: a case worked out by hand, and the same numbers by naive maps on random lists and rules.
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { BatchBuilder } from '../../src/log/batch.js';
import type { RecordBatch } from '../../src/log/record.js';
import { Fates } from '../../src/report/measure-fates.js';
import { eachListed, type JoinedUrl, type LabelledUrl, Labels } from '../../src/report/measure-labels.js';
import { type ListMeasures, measure, type Measures, precisionAt } from '../../src/report/measure.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import type { Rule, RulesFile, RuleStatus } from '../../src/rule/rule.js';
import { accepts } from '../../src/rule/standing.js';
import { pathStart } from '../../src/url/form.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { amount } from '../amount.js';
import { rowsOf } from '../log/reading.js';
import { sampleFile, sampleParameter, sampleRule } from '../rule/sample.js';
import { siteReaderOf } from '../url-list.js';

const siteOf = createSiteOf('domain');

function listed(labels: Readonly<Record<string, string | undefined>>): LabelledUrl[] {
  return Object.entries(labels).map(([text, label]) => {
    const url = encodeText(text);
    return { site: siteOf(url, 0, url.length), url, label: label === undefined ? undefined : encodeText(label) };
  });
}

function measured(
  urls: readonly (LabelledUrl | JoinedUrl)[],
  file: RulesFile,
  memoryBytes = 1 << 20,
  statuses: Told = [],
): Measures {
  const room = { memoryBytes, tmpdir: tmpdir() };
  const fates = new Fates(file.normalization, { ...room, stats: { runs: 0, bytes: 0 } });
  fates.take(batchOf(statuses));
  return measure(urls, file, { accept: 'likely', maxIterations: 10, ...room, fates });
}

/** Lines of a log: URL and status. */
type Told = readonly (readonly [string, number])[];

function batchOf(statuses: Told): RecordBatch {
  const builder = new BatchBuilder({ statuses: true });
  for (const [text, status] of statuses) {
    const start = builder.used;
    const url = encodeText(text);
    builder.reserve(url.length);
    builder.bytes.set(url, start);
    builder.used += url.length;
    builder.status![builder.rows] = status;
    builder.add(start, 7, null);
  }
  return builder.take();
}

describe('measures worked out by hand', () => {
  // Ten URLs of two sites. Rule 1 makes story?id= to story_, rule 2 cuts index.html, rule 3 takes sid out.
  //
  //   URL                          label   form
  //   http://a.test/story?id=1     s1      http://a.test/story_1
  //   http://a.test/story_1        s1      http://a.test/story_1
  //   http://a.test/story?id=2     s2      http://a.test/story_2      falsely merged with the next one
  //   http://a.test/story_2        other   http://a.test/story_2
  //   http://a.test/index.html     home    http://a.test/
  //   http://a.test/               home    http://a.test/
  //   http://a.test/home           home    http://a.test/home         dust that no rule knows
  //   http://a.test/new            ?       http://a.test/new
  //   http://b.test/?sid=7         home    http://b.test/             a content of both sites
  //   http://b.test/?sid=8         home    http://b.test/
  const urls = listed({
    'http://a.test/story?id=1': 's1',
    'http://a.test/story_1': 's1',
    'http://a.test/story?id=2': 's2',
    'http://a.test/story_2': 'other',
    'http://a.test/index.html': 'home',
    'http://a.test/': 'home',
    'http://a.test/home': 'home',
    'http://a.test/new': undefined,
    'http://b.test/?sid=7': 'home',
    'http://b.test/?sid=8': 'home',
  });
  const file = sampleFile([
    sampleRule('story?id=', 'story_', { status: 'likely' }),
    sampleRule('/index.html', '/', { rank: 2, anchor: 'end', status: 'likely' }),
    sampleParameter('sid', { rank: 3, status: 'likely' }),
  ]);
  const result = measured(urls, file);

  it('gives redundancy, coverage and false merges overall', () => {
    expect(result.all).toEqual({
      urls: 10,
      forms: 6, // story_1, story_2, a/, home, new, b/
      redundancy: 0.4,
      labelled: 9,
      contents: 4, // s1, s2, other, home
      dustBefore: 5, // 9 - 4
      dustAfter: 2, // story_1 s1, story_2 s2, story_2 other, a/ home, home home, b/ home: 6 - 4
      coverage: 3 / 5,
      paperCoverage: 4 / 5, // (9 - story_1, story_2, a/, home, b/) / 5: the false merge counts for it
      falseMerges: 1, // story?id=2 or story_2, of which one is the majority
      falseMergeShare: 1 / 9,
      inMixedForms: 2, // story?id=2 and story_2
      lostPages: 1, // s2 or other: each has one URL of the form, and only one can stay
      longer: 0,
      unsettled: 0,
      answering: 9, // those with a label
      deadForms: 0,
      redirectingForms: 0,
      unknownForms: 2, // b/, of two
    });
  });

  it('gives them for each site, as if it were alone', () => {
    expect(result.sites.map(({ site, ...measures }) => [site, measures])).toEqual([
      [
        'a.test',
        {
          urls: 8,
          forms: 5,
          redundancy: 3 / 8,
          labelled: 7,
          contents: 4,
          dustBefore: 3, // 7 - 4
          dustAfter: 1, // home is still at a/ and at home
          coverage: 2 / 3,
          paperCoverage: 3 / 3,
          falseMerges: 1,
          falseMergeShare: 1 / 7,
          inMixedForms: 2,
          lostPages: 1,
          longer: 0,
          unsettled: 0,
          answering: 7,
          deadForms: 0,
          redirectingForms: 0,
          unknownForms: 0,
        },
      ],
      [
        'b.test',
        {
          urls: 2,
          forms: 1,
          redundancy: 0.5,
          labelled: 2,
          contents: 1,
          dustBefore: 1,
          dustAfter: 0,
          coverage: 1,
          paperCoverage: 1,
          falseMerges: 0,
          falseMergeShare: 0,
          inMixedForms: 0,
          lostPages: 0,
          longer: 0,
          unsettled: 0,
          answering: 2,
          deadForms: null, // nothing is known about b/
          redirectingForms: null,
          unknownForms: 2,
        },
      ],
    ]);
  });

  it('gives each rule by itself', () => {
    expect(result.rules.map(({ rule, ...measures }) => [rule.rank, measures])).toEqual([
      [
        1,
        {
          touched: 2,
          saved: 2,
          right: 1,
          wrong: 1,
          isRight: false,
          wrongExamples: [['http://a.test/story?id=2', 'http://a.test/story_2']],
        },
      ],
      [2, { touched: 1, saved: 1, right: 1, wrong: 0, isRight: true, wrongExamples: [] }],
      // http://b.test/ is not in the list: two become one, and nothing can be compared.
      [3, { touched: 2, saved: 1, right: 0, wrong: 0, isRight: null, wrongExamples: [] }],
    ]);
  });

  it('gives precision by labels, as no rule was validated', () => {
    expect(result.precisionByVerdict).toBeNull();
    expect(result.precisionByLabels).toEqual([
      { k: 1, right: 0, wrong: 1, unjudged: 0, precision: 0 },
      { k: 2, right: 1, wrong: 1, unjudged: 0, precision: 0.5 },
      { k: 'all', right: 1, wrong: 1, unjudged: 1, precision: 0.5 },
    ]);
  });

  it('by default, counts only valid rules for canonical forms, and each rule by itself', () => {
    const validated = sampleFile([
      sampleRule('story?id=', 'story_', { status: 'invalid' }),
      sampleRule('/index.html', '/', { rank: 2, anchor: 'end', status: 'valid' }),
      sampleParameter('sid', { rank: 3, status: 'likely' }),
    ]);
    const room = { maxIterations: 10, memoryBytes: 1 << 20, tmpdir: tmpdir() };
    const valid = measure(urls, validated, { accept: 'valid', ...room });
    expect(valid).toMatchObject({ rulesUsed: 1, all: { forms: 9, falseMerges: 0, lostPages: 0 } });
    expect(valid.rules).toEqual(result.rules.map((of, at) => ({ ...of, rule: validated.rules[at] })));
    expect(valid.precisionByVerdict).toEqual([
      { k: 1, right: 0, wrong: 1, unjudged: 0, precision: 0 },
      { k: 2, right: 1, wrong: 1, unjudged: 0, precision: 0.5 },
      { k: 'all', right: 1, wrong: 1, unjudged: 1, precision: 0.5 },
    ]);
  });

  it('omits figures that have no data', () => {
    expect(measured([], file).all).toMatchObject({ urls: 0, redundancy: null, coverage: null, falseMergeShare: null });
    const bare = measured(listed({ 'http://a.test/1': undefined }), file);
    expect(bare).toMatchObject({ all: { redundancy: 0, coverage: null, labelled: 0 }, precisionByLabels: null });
    const noDust = measured(listed({ 'http://a.test/1': '1', 'http://a.test/2': '2' }), file);
    expect(noDust.all).toMatchObject({ dustBefore: 0, coverage: null, falseMergeShare: 0 });
  });
});

describe('keys', () => {
  const urls = listed({
    'http://a.test/old/1': 'one',
    'http://a.test/new/1': 'one',
    'http://a.test/old/2?sid=7': 'two',
    'http://a.test/new/2': 'other',
    'http://a.test/3': 'three',
  });
  const session = sampleParameter('sid', { status: 'likely' });
  const folder = sampleRule('/old/', '/new/', { rank: 2, status: 'likely', use: 'key' });

  it('are measured beside what is written', () => {
    const { all, withKeys } = measured(urls, sampleFile([session, folder]));
    expect(all).toMatchObject({ forms: 5, coverage: 0, falseMerges: 0 });
    expect(withKeys).toMatchObject({ urls: 5, forms: 3, coverage: 1, falseMerges: 1, lostPages: 1 });
  });

  it('that are not in use are not measured', () => {
    expect(measured(urls, sampleFile([session])).withKeys).toBeUndefined();
    expect(measured(urls, sampleFile([session, { ...folder, status: 'invalid' }])).withKeys).toBeUndefined();
  });
});

describe('forms that somebody else made', () => {
  const file = sampleFile([sampleRule('a', 'b')]);
  const given = (form: string | undefined) => (form === undefined ? undefined : encodeText(form));

  it('are measured instead of those of rules; a URL without one is its own', () => {
    const urls = listed({
      'http://a.test/1': 'x',
      'http://a.test/2': 'x',
      'http://a.test/3': 'y',
      'http://a.test/4': 'y',
    });
    const forms = ['HTTP://A.test/2', undefined, 'page 3', 'page 3'].map(given);
    const mapped = urls.map((url, at) => ({ ...url, given: forms[at] }));
    expect(measured(mapped, file).all).toMatchObject({ urls: 4, forms: 2, coverage: 1, falseMerges: 0, lostPages: 0 });
  });

  it('are joined with the list by URL, whatever its labels', async () => {
    const room = { memoryBytes: 1 << 20, tmpdir: tmpdir() };
    const map = new Labels(room);
    const text = 'url\tform\nhttp://a.test/~1\tkey\nhttp://a.test/unlisted\tkey\n';
    const input = { name: 'map.tsv', open: () => [encodeText(text)] };
    await map.read(input, { base: null, scheme: 'http', normalize: 'safe', maxUrlLength: 2048 });
    const joined = [...map.join(listed({ 'http://a.test/%7e1': 'one', 'http://a.test/2': undefined }))];
    expect(
      joined.map(({ url, label, given: form }) => [url, label, form].map((one) => one && decodeText(one))),
    ).toEqual([
      ['http://a.test/2', undefined, undefined],
      ['http://a.test/%7e1', 'one', 'key'],
    ]);
    expect(map.report).toMatchObject({ lines: 2, labels: 2, unlisted: 1 });
  });
});

describe('forms and their fates', () => {
  const file = sampleFile([sampleRule('.html', '', { anchor: 'end' }), sampleRule('x', 'yy', { rank: 2 })]);
  const urls = listed({
    'http://a.test/1.html': undefined,
    'http://a.test/2.html': undefined,
    'http://a.test/3.html': undefined,
    'http://a.test/4.html': undefined,
    'http://a.test/5.html': undefined,
    'http://a.test/x': undefined,
    'HTTP://A.test/5': undefined,
  });
  const told: Told = [
    ['http://a.test/1.html', 200],
    ['http://a.test/1', 404],
    ['http://a.test/1', 404],
    ['http://a.test/2.html', 304],
    ['http://A.test/2', 302],
    ['http://a.test/2', 500],
    ['http://a.test/3.html', 200],
    ['http://a.test/3', 503],
    ['http://a.test/3', 200],
    ['http://a.test/4.html', 404],
    ['http://a.test/4', 404],
    ['http://a.test/5.html', 200],
    ['http://a.test/x', 200],
  ];

  it('are counted for URLs that answer: dead, redirecting, and unknown', () => {
    const { all, sites } = measured(urls, file, 1 << 20, told);
    expect(all).toMatchObject({ answering: 5, deadForms: 1, redirectingForms: 1, unknownForms: 2 });
    expect(sites.find(({ site }) => site === 'a.test')).toMatchObject({ answering: 5, deadForms: 1 });
  });

  it('are unknown without a status or a label', () => {
    expect(measured(urls, file).all).toMatchObject({ answering: 0, deadForms: null, redirectingForms: null });
  });

  it('come from labels if there is no status', () => {
    const labelled = listed({ 'http://a.test/1.html': 'one', 'http://a.test/1': 'one', 'http://a.test/2.html': 'two' });
    const counts = (statuses: Told) => measured(labelled, file, 1 << 20, statuses).all;
    expect(counts([])).toMatchObject({ answering: 3, deadForms: 0, redirectingForms: 0, unknownForms: 1 });
    expect(counts([['http://a.test/1', 302]])).toMatchObject({ answering: 2, redirectingForms: 1, unknownForms: 1 });
    expect(counts([['http://a.test/1', 404]])).toMatchObject({ answering: 3, deadForms: 0 });
    expect(counts([['http://a.test/2', 404]])).toMatchObject({ answering: 3, deadForms: 1, unknownForms: 0 });
  });

  it('that are longer than the listed URL are counted, and URLs without any', () => {
    expect(measured(urls, file).all).toMatchObject({ longer: 1, unsettled: 0 });
    const endless = sampleFile([sampleRule('b', 'b/a'), sampleRule('a', 'bc', { rank: 2 })]);
    const grown = measured(listed({ 'http://a.test/a': '1', 'http://c.test/q': '2' }), sampleFile(endless.rules));
    expect(grown.all.unsettled + grown.all.longer).toBeGreaterThan(0);
    expect(grown.unsettled).toBe(grown.all.unsettled);
  });

  it('are read from rows that are not records, which do not get into the list', () => {
    const fates = new Fates('safe', { memoryBytes: 1 << 20, tmpdir: tmpdir(), stats: { runs: 0, bytes: 0 } });
    const statuses = [200, 302, 404, -1, 301, 503].map((status, at) => [`/${at}`, status] as const);
    expect(rowsOf(fates.take(batchOf(statuses))).map(({ url, size }) => [url, size])).toEqual([
      ['/0', 7],
      ['/3', 7],
      ['/4', 7],
    ]);
  });
});

it('counts each listed spelling of a URL, and what rules do to them once', () => {
  const labels = { 'http://a.test/~1.html': 'one', 'HTTP://A.TEST/%7e1.html': 'one', 'http://a.test/~1': 'one' };
  const file = sampleFile([sampleRule('.html', '', { anchor: 'end' })]);
  const result = measured(listed(labels), file);
  expect(result.all).toMatchObject({ urls: 3, forms: 1, labelled: 3, contents: 1, dustBefore: 2, coverage: 1 });
  expect(result.rules[0]).toMatchObject({ touched: 1, saved: 1, right: 1, wrong: 0 });
  const other = measured(listed({ ...labels, 'HTTP://A.TEST/%7e1.html': 'other' }), file);
  expect(other.all).toMatchObject({ falseMerges: 1, inMixedForms: 3, lostPages: 1 });
  expect(other.rules[0]).toMatchObject({ touched: 1, right: 0, wrong: 0, isRight: null });
});

it('counts a rule as right from 95 % on', () => {
  const labels = (wrong: number) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        [`/a_${n}`, `p${n}`],
        [`/b_${n}`, n < wrong ? 'other' : `p${n}`],
      ]).flat(),
    ) as Record<string, string>;
  const file = sampleFile([sampleRule('a_', 'b_')], { urlForm: 'path' });
  expect([0, 1, 2].map((wrong) => measured(listed(labels(wrong)), file).rules[0]!.isRight)).toEqual([
    true,
    true,
    false,
  ]);
  expect(measured(listed(labels(20)), file).rules[0]!.wrongExamples.length).toBe(3);
});

it('truncates precision for very many rules, and counts unjudged rules for neither side', () => {
  const judged = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? null : at % 3 === 1));
  expect(precisionAt(judged).map(({ k, precision }) => [k, precision])).toEqual([
    [1, null],
    [2, 1],
    [5, 2 / 3],
    [10, 0.5],
    [20, 7 / 13],
    [50, 17 / 33],
    ['all', 0.5],
  ]);
  expect(precisionAt([])).toEqual([{ k: 'all', right: 0, wrong: 0, unjudged: 0, precision: null }]);
});

describe('labels', () => {
  const options = { base: null, scheme: 'http', normalize: 'safe', maxUrlLength: 2048 } as const;
  const from = async (text: string | Buffer, memoryBytes = 1 << 20): Promise<Labels> => {
    const labels = new Labels({ memoryBytes, tmpdir: tmpdir() });
    await labels.read({ name: 'labels', open: () => [Buffer.from(text)] }, options);
    return labels;
  };
  const shown = ({ site, url, label }: LabelledUrl) => [site, decodeText(url), label && decodeText(label)];
  const given = listed({ 'http://a.test/~1': 'own', 'http://a.test/2': 'own', '/3': undefined });

  it('of a file replace all those of the list, for URLs as the reader normalizes them', async () => {
    const labels = await from('HTTP://A.test/%7e1#top\tone\n/3\tthree\r\n/4\tfour\nhttp://longer.test/than/all\tx\n');
    expect(new Set([...labels.label(given)].map(shown))).toEqual(
      new Set([
        ['', '/3', 'three'],
        ['a.test', 'http://a.test/2', undefined],
        ['a.test', 'http://a.test/~1', 'one'],
      ]),
    );
    expect(labels.report).toMatchObject({ lines: 4, labels: 4, unlisted: 2, contradicted: 0 });
  });

  it('count each line of the file once; a header is not a line', async () => {
    const text =
      'url\tlabel\n/3\texact\tthree\tand more\n/2\n/1\t\n\tx\nmailto:a\tb\n\n/3\tother\n/3\tthree\n/5\t5\n/5\t5';
    for (const bytes of [Buffer.from(text), gzipSync(text)]) {
      const labels = await from(bytes, 100);
      expect([...labels.label(given)].map(shown)).toContainEqual(['', '/3', 'three']);
      const { lines, labels: good, withoutLabel, withoutUrl, ...rest } = labels.report;
      expect([lines, good, withoutLabel, withoutUrl]).toEqual([10, 5, 2, 3]);
      expect(rest).toEqual({ contradicted: 2, unlisted: 1, firstWithout: '/2', reason: null });
    }
  });

  it('of near duplicates count instead of those of bytes, if a line has both', async () => {
    const labels = await from('/3\texact\tnear\nhttp://a.test/2\tbytes\t\nhttp://a.test/~1\t\tnear only\n');
    expect(new Map([...labels.label(given)].map(shown).map(([, url, label]) => [url, label]))).toEqual(
      new Map([
        ['/3', 'near'],
        ['http://a.test/2', 'bytes'],
        ['http://a.test/~1', 'near only'],
      ]),
    );
    expect(labels.report).toMatchObject({ labels: 3, withoutLabel: 0 });
  });

  it('of a spelling are for it alone, and for others that have none', async () => {
    const labels = await from('http://a.test/%7e1\tother\nhttp://a.test/~1\tone\n');
    const spellings = listed({ 'http://a.test/~1': '', 'http://a.test/%7E1': '', 'http://a.test/%7e1': '' });
    expect(new Map([...labels.label(spellings)].map(shown).map(([, url, label]) => [url, label]))).toEqual(
      new Map([
        ['http://a.test/~1', 'one'],
        ['http://a.test/%7e1', 'other'],
        ['http://a.test/%7E1', 'one'],
      ]),
    );
    expect(labels.report).toMatchObject({ labels: 2, contradicted: 0, unlisted: 0 });
  });

  it('of a damaged file are kept', async () => {
    const text = Array.from({ length: 5000 }, (_, n) => `/${n}\t${(n * 7919) % 1000}\n`).join('');
    const labels = await from(gzipSync(text).subarray(0, 6000));
    expect(labels.report.labels).toBeGreaterThan(100);
    expect(labels.report.reason).toMatch(/ends too early/);
  });

  it('may be any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 8 }), async (bytes) => {
        const label = Buffer.from(bytes)
          .toString('latin1')
          .replace(/[\t\n\r]/g, '.');
        const labels = await from(Buffer.from(`/3\t${label}\n`, 'latin1'));
        const found = [...labels.label(given)].find(({ url }) => url.length === 2);
        expect(Buffer.from(found!.label!).toString('latin1')).toBe(label);
      }),
    );
  });

  it('of a list are its sketches, byte for byte', () => {
    const records = [
      { url: 'http://a.test/1', sketch: 'sha1:X' },
      { url: 'http://a.test/2' },
      { url: '/3', sketch: '\u0000\u00ff' },
    ];
    const bySite = (url: string) => (url.startsWith('/') ? '' : 'a.test');
    expect([...eachListed(siteReaderOf(records, 1 << 20, bySite))].map(shown)).toEqual([
      ['', '/3', '\u0000\udcff'],
      ['a.test', 'http://a.test/1', 'sha1:X'],
      ['a.test', 'http://a.test/2', undefined],
    ]);
  });
});

describe('measures by naive maps', () => {
  const parts = ['a', 'b', '_', '/', '%7E', '~', '\udcff'];
  const queries = ['', '', '?p=1', '?p=2', '?p=1&q', '?q=&p=2', '?&p=', '?='];
  const path = fc.array(fc.constantFrom(...parts), { maxLength: 1 }).map((list) => list.join(''));
  const origins = ['http://a.test/', 'http://a.test/', 'http://www.a.test/', 'http://b.test/', '/'];
  const url = fc
    .tuple(fc.constantFrom(...origins), path, fc.constantFrom(...queries))
    .map(([origin, rest, query]) => origin + rest + query);
  const labelOf = (pool: string) =>
    fc.option(fc.constantFrom(...Array.from(pool), '1\u0000'), { nil: undefined, freq: 5 });
  const site = fc.constantFrom('a.test', 'a.test', 'b.test', '', '*', '*');
  const status = fc.constantFrom<RuleStatus>('likely', 'valid', 'valid', 'invalid');
  const sides = [
    ['a', 'b', 'none'],
    ['b', 'a', 'none'],
    ['www.', '', 'none'],
    ['/', '', 'end'],
    ['_', '/', 'none'],
    ['?', '', 'none'],
    ['/', '//', 'none'],
    ['http://a.test/', 'http://b.test/', 'start'],
    ['~', '', 'none'],
  ] as const;
  const substring = fc
    .tuple(fc.constantFrom(...sides), site, status)
    .map(([[from, to, anchor], of, state]) => sampleRule(from, to, { anchor, site: of, status: state }));
  const parameter = fc
    .tuple(fc.constantFrom('p', 'q'), fc.constantFrom('remove', 'set' as const), site, status)
    .map(([name, action, of, state]) => sampleParameter(name, { action, value: '1', site: of, status: state }));
  const rules = fc.array<Rule>(fc.oneof(substring, parameter), { minLength: 1, maxLength: 6 });
  const file = fc.tuple(rules, fc.constantFrom('mixed', 'path' as const)).map(([list, urlForm]) =>
    sampleFile(
      list.map((rule, at) => ({ ...rule, rank: at + 1 })),
      { urlForm },
    ),
  );
  // Few labels make dust, many make lost pages.
  const list = fc
    .constantFrom('12', '1234', '123456789abcdefghijklmnopqrstuvwxyz')
    .chain((pool) =>
      fc.dictionary(url, labelOf(pool), { minKeys: 10, maxKeys: 30, size: 'max', noNullPrototype: true }),
    );

  const statuses = fc.array(fc.tuple(url, fc.constantFrom(-1, 200, 304, 302, 404, 404, 404, 503)), {
    minLength: 10,
    maxLength: 60,
    size: 'max',
  });

  it('equal those of external sorts, with much memory or hardly any', () => {
    const seen = {
      falseMerge: 0,
      lost: 0,
      saved: 0,
      wrong: 0,
      coverage: 0,
      spelling: 0,
      longer: 0,
      dead: 0,
      redirect: 0,
    };
    fc.assert(
      fc.property(list, file, statuses, (labels, someFile, told) => {
        const urls = listed(labels);
        const expected = naive(urls, someFile, told);
        for (const memoryBytes of [1 << 20, 600]) {
          const { all, sites, rules: single } = measured(urls, someFile, memoryBytes, told);
          expect({ all, sites }).toEqual({ all: expected.all, sites: expected.sites });
          expect(single.map(({ touched, saved, right, wrong }) => [touched, saved, right, wrong])).toEqual(
            expected.rules,
          );
        }
        if (expected.all.falseMerges > 0) seen.falseMerge++;
        if (expected.all.lostPages > 0) seen.lost++;
        if (expected.rules.some(([, saved]) => saved! > 0)) seen.saved++;
        if (expected.rules.some(([, , , wrong]) => wrong! > 0)) seen.wrong++;
        if ((expected.all.coverage ?? 0) > 0) seen.coverage++;
        if (prepared(labels, someFile).length < urls.length) seen.spelling++;
        if (expected.all.longer > 0) seen.longer++;
        if ((expected.all.deadForms ?? 0) > 0) seen.dead++;
        if ((expected.all.redirectingForms ?? 0) > 0) seen.redirect++;
      }),
      { numRuns: amount(150, 2.5), seed: 3 },
    );
    for (const [what, count] of Object.entries(seen)) expect([what, count > amount(10, 20)]).toEqual([what, true]);
  });

  it('are within their bounds', () => {
    fc.assert(
      fc.property(list, file, (labels, someFile) => {
        const { all } = measured(listed(labels), someFile);
        for (const share of [all.redundancy, all.coverage, all.falseMergeShare]) {
          expect(share === null || (share >= 0 && share <= 1)).toBe(true);
        }
        expect(all.lostPages).toBeLessThanOrEqual(all.falseMerges);
        expect(all.lostPages === 0 || all.falseMerges > 0).toBe(true);
        expect(all.falseMerges === 0 || all.falseMerges < all.inMixedForms).toBe(true);
        expect((all.paperCoverage ?? 0) >= (all.coverage ?? 0)).toBe(true);
      }),
      { numRuns: amount(100), seed: 4 },
    );
  });

  it('do not depend on the order of the list', () => {
    fc.assert(
      fc.property(list, file, (labels, someFile) => {
        const urls = listed(labels);
        const { rules: one, ...rest } = measured(urls, someFile);
        const { rules: other, ...others } = measured(urls.toReversed(), someFile);
        expect(others).toEqual(rest);
        const numbers = (all: Measures['rules']) =>
          all.map(({ touched, saved, right, wrong }) => [touched, saved, right, wrong]);
        expect(numbers(other)).toEqual(numbers(one));
      }),
      { numRuns: amount(100), seed: 5 },
    );
  });
});

/** The list as the reader gives it: normalized, distinct. */
function prepared(labels: Readonly<Record<string, string | undefined>>, file: RulesFile): LabelledUrl[] {
  const bare = createCanonizer([], { ...howOf(file), accept: 'likely' });
  const entries = Object.entries(labels).map(([url, label]) => [decodeText(bare.canonize(encodeText(url))), label]);
  return listed(Object.fromEntries(entries) as Record<string, string | undefined>);
}

function howOf(file: RulesFile) {
  const { normalization: normalize, urlForm } = file;
  return { normalize, urlForm, maxIterations: 10, sitePolicy: file.options.site };
}

function naive(urls: readonly LabelledUrl[], file: RulesFile, told: Told) {
  const canonizer = createCanonizer(
    file.rules.filter((rule) => accepts(rule, 'likely')),
    { ...howOf(file), accept: 'likely' },
  );
  const bare = createCanonizer([], { ...howOf(file), accept: 'likely' });
  const rows = urls.map(({ site, url, label }): Row => {
    const isUnsettled = canonizer.explain(url).ending === 'unsettled';
    return {
      site,
      url: decodeText(url),
      prepared: decodeText(bare.canonize(url)),
      form: decodeText(canonizer.canonize(url)),
      isUnsettled,
      label: label && decodeText(label),
    };
  });
  const sites = [...new Set(rows.map(({ site }) => site))].sort();
  const answers = told.map(([url, status]) => [decodeText(bare.canonize(encodeText(url))), naiveFate(status)] as const);
  /** 4 answers, 3 redirects, 2 has a label, 1 dead, 0 unknown. */
  const fateOf = (url: string): number =>
    Math.max(
      0,
      ...answers.filter(([of]) => of === url).map(([, fate]) => fate),
      ...rows.filter(({ prepared: of, label }) => of === url && label !== undefined).map(() => 2),
    );
  return {
    all: naiveList(rows, fateOf),
    sites: sites.map((site) => ({
      site,
      ...naiveList(
        rows.filter((row) => row.site === site),
        fateOf,
      ),
    })),
    rules: file.rules.map((rule) => naiveRule(rule, rows, file)),
  };
}

function naiveFate(status: number): number {
  if (status === 200 || status === 304) return 4;
  if (status === 301 || status === 302) return 3;
  return status === -1 ? 0 : 1;
}

interface Row {
  readonly site: string;
  readonly url: string;
  readonly prepared: string;
  readonly isUnsettled: boolean;
  readonly form: string;
  readonly label: string | undefined;
}

function naiveList(rows: readonly Row[], fateOf: (url: string) => number): ListMeasures {
  const labelled = rows.filter(({ label }) => label !== undefined);
  const contents = new Set(labelled.map(({ label }) => label!));
  const forms = new Set(rows.map(({ form }) => form)).size;
  const pairs = new Set(labelled.map(({ form, label }) => `${form} ${label}`)).size;
  const isFalse = (row: Row) => labelled.some((other) => other.form === row.form && other.label !== row.label);
  const kept = new Set([...new Set(labelled.map(({ form }) => form))].map((form) => commonest(form, labelled)));
  const most = (form: string) =>
    labelled.filter((row) => row.form === form && row.label === commonest(form, labelled)).length;
  const labelledForms = new Set(labelled.map(({ form }) => form));
  const falseMerges = labelled.length - [...labelledForms].reduce((sum, form) => sum + most(form), 0);
  const answering = rows.filter(({ prepared: url }) => fateOf(url) === 4 || fateOf(url) === 2);
  const fates = answering.map(({ form, isUnsettled, prepared: url }) => fateOf(isUnsettled ? url : form));
  const unknownForms = fates.filter((fate) => fate === 0).length;
  const isKnown = unknownForms < answering.length;
  const dustBefore = labelled.length - contents.size;
  const dustAfter = pairs - contents.size;
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  return {
    urls: rows.length,
    forms,
    redundancy: share(rows.length - forms, rows.length),
    labelled: labelled.length,
    contents: contents.size,
    dustBefore,
    dustAfter,
    longer: rows.filter(({ url, form }) => encodeText(form).length > encodeText(url).length).length,
    unsettled: rows.filter(({ isUnsettled }) => isUnsettled).length,
    coverage: share(dustBefore - dustAfter, dustBefore),
    paperCoverage: share(labelled.length - labelledForms.size, dustBefore),
    falseMerges,
    falseMergeShare: share(falseMerges, labelled.length),
    inMixedForms: labelled.filter(isFalse).length,
    answering: answering.length,
    deadForms: isKnown ? fates.filter((fate) => fate === 1).length : null,
    redirectingForms: isKnown ? fates.filter((fate) => fate === 3).length : null,
    unknownForms,
    lostPages: [...contents].filter((content) => !kept.has(content)).length,
  };
}

/** Ties to the first in byte order. */
function commonest(form: string, labelled: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const row of labelled) if (row.form === form) counts.set(row.label!, (counts.get(row.label!) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]![0];
}

/** touched, saved, right, wrong, of the distinct URLs as the rules see them */
function naiveRule(rule: Rule, rows: readonly Row[], file: RulesFile): number[] {
  const how = howOf(file);
  const bare = createCanonizer([], { ...how, accept: 'likely' });
  const compiled = compileRule(rule);
  const isPath = file.urlForm === 'path';
  const image = (url: string, site: string): string => {
    const group = isPath ? '' : site;
    if (rule.site !== '*' && rule.site !== group) return url;
    const bytes = encodeText(url);
    return decodeText(bare.canonize(imageOf(compiled, bytes, isPath ? pathStart(bytes) : 0)));
  };
  const labelOf = (url: string) => {
    const labels = new Set(rows.filter((row) => row.prepared === url).flatMap(({ label }) => label ?? []));
    return labels.size === 1 ? [...labels][0] : undefined;
  };
  const siteByUrl = new Map(rows.map(({ prepared: url, site }) => [url, site]));
  const images = [...siteByUrl].map(([url, site]) => [url, image(url, site)] as const);
  const touched = images.filter(([url, to]) => to !== url);
  const judged = touched.filter(([url, to]) => labelOf(url) !== undefined && labelOf(to) !== undefined);
  const right = judged.filter(([url, to]) => labelOf(url) === labelOf(to)).length;
  const saved = images.length - new Set(images.map(([, to]) => to)).size;
  return [touched.length, saved, right, judged.length - right];
}
