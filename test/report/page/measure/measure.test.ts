// What duplicates cost and what the first k rules save: a log worked out by hand, and the same numbers by naive maps on
// random logs.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../../../src/base/bytes.js';
import { createCanonizer } from '../../../../src/canonize/canonizer.js';
import { ladderOf } from '../../../../src/report/page/measure/ladder.js';
import { measureReport } from '../../../../src/report/page/measure/measure.js';
import type { LogFacts } from '../../../../src/report/page/model.js';
import type { Anchor, Rule, RulesFile } from '../../../../src/rule/rule.js';
import { accepts } from '../../../../src/rule/standing.js';
import type { ExpressedBy } from '../../../../src/report/page/measure/fixes.js';
import { createSiteOf } from '../../../../src/url/public-suffix.js';
import { isFew } from '../../../amount.js';
import { sampleFile, sampleParameter, sampleRule } from '../../../rule/sample.js';
import { BOT, type Hit, lineOf, PERSON, reportOf } from '../visited.js';

describe('a log worked out by hand', () => {
  // Rule 1 makes story?id= to story_, rule 2 takes sid out, rule 3 is refuted.
  const rules = [
    sampleRule('story?id=', 'story_', { site: 'a.test', status: 'valid' }),
    sampleParameter('sid', { rank: 2, status: 'likely' }),
    sampleRule('/new', '/', { rank: 3, site: 'a.test', status: 'invalid' }),
  ];
  const file = sampleFile(rules);
  /** The same, of which the log alone is sure. */
  const sureFile = { ...file, rules: rules.map((rule) => ({ ...rule, confidence: 0.97 })) };
  const hits: readonly Hit[] = [
    { url: 'http://a.test/story_1', size: 100 },
    { url: 'http://a.test/story_1', size: 100, agent: BOT },
    { url: 'http://a.test/story_1', status: 304 },
    { url: 'http://a.test/story?id=1', size: 100, agent: BOT },
    { url: 'http://a.test/story?id=1', size: 101, agent: BOT },
    { url: 'http://a.test/story?id=2', size: 50, agent: '-' },
    { url: 'http://a.test/new', size: 7 },
    { url: 'http://a.test/gone', status: 404, size: 900, agent: BOT },
    { url: 'http://b.test/?sid=7', size: 10 },
    { url: 'http://b.test/?sid=8', size: 20 },
    { url: 'http://b.test/?sid=8', size: 20, agent: BOT },
  ];
  const log = hits.map(lineOf).join('');

  it('adds up how long the server took, to the microsecond, in all, by fix, bot and day; only where the log says it', async () => {
    const took = ['0.100', '0.200', '0.300', '0.004', '0.005', '0.006', '-', '9.000', '1.000', '0.001', '0.002'];
    const timed = hits.map((hit, at) => lineOf({ ...hit, took: took[at]!, time: '2026-11-23T12:00:00Z' })).join('');
    const { time, fixes, bots, periods } = (await reportOf(timed, sureFile)).log!;
    // The line that is dropped, of 9 s, is no record; story?id=1 took 9 ms, ?sid=7 a second.
    expect(time).toEqual({ ms: 1618, duplicateMs: 1009 });
    expect(fixes.map(({ hits: saved, ms }) => [saved, ms])).toEqual([
      [2, 9],
      [1, 1000],
    ]);
    expect(bots.map(({ hits: all, time: spent }) => [all, spent])).toEqual([[4, { ms: 211, duplicateMs: 9 }]]);
    expect(periods.map(({ time: spent }) => spent)).toEqual([time]);
    const untimed = (await reportOf(log, file)).log!;
    expect(untimed).not.toHaveProperty('time');
    for (const fix of untimed.fixes) expect(fix).not.toHaveProperty('ms');
    for (const row of [...untimed.bots, ...untimed.periods]) expect(row).not.toHaveProperty('time');
  });

  it('counts hits, bytes and bots overall, by site and by group, and those on duplicates', async () => {
    const { log: facts, inputs } = await reportOf(log, file);
    expect(inputs[0]).toMatchObject({ lines: 11, records: 10, dropped: { 'client-error': 1 } });
    expect(facts!.all).toEqual({
      site: '',
      urlsBefore: 6,
      urlsAfter: 4,
      hits: 10,
      duplicateHits: 3, // story?id=1 twice, ?sid=7 once
      bytes: 508,
      duplicateBytes: 211,
      botHits: 4,
      duplicateBotHits: 2,
    });
    expect(facts!.sites.map(({ site, urlsBefore, urlsAfter, hits: all, duplicateHits }) => [
      site, urlsBefore, urlsAfter, all, duplicateHits,
    ])).toEqual([
      ['a.test', 4, 3, 7, 2],
      ['b.test', 2, 1, 3, 1],
    ]); // prettier-ignore
    expect(facts!.groups).toEqual([
      {
        site: 'a.test',
        canonical: 'http://a.test/story_1',
        urls: 2,
        hits: 5,
        duplicateHits: 2,
        duplicateBytes: 201,
        duplicateBotHits: 2,
        members: [
          { url: 'http://a.test/story_1', hits: 3 },
          { url: 'http://a.test/story?id=1', hits: 2 },
        ],
      },
      {
        site: 'b.test',
        canonical: 'http://b.test/',
        urls: 2,
        hits: 3,
        duplicateHits: 1,
        duplicateBytes: 10,
        duplicateBotHits: 0,
        members: [
          { url: 'http://b.test/?sid=8', hits: 2 },
          { url: 'http://b.test/?sid=7', hits: 1 },
        ],
      },
    ]);
    expect(facts).toMatchObject({ hasSizes: true, hasAgents: true, unsettled: 0 });
  });

  it('says for each rule what it touches and saves by itself, and whether it is applied', async () => {
    const shown = (all: Awaited<ReturnType<typeof reportOf>>) =>
      all.rules.map(({ rule, standing, isApplied, touched, saved }) => [
        rule.rank,
        standing,
        isApplied,
        touched,
        saved,
      ]);
    expect(shown(await reportOf(log, file))).toEqual([
      [1, 'valid', true, 2, 1],
      [2, 'likely', true, 2, 1],
      [3, 'invalid', false, 1, 0],
    ]);
    const valid = await reportOf(log, file, { accept: 'valid' });
    expect(valid.rules.map(({ isApplied }) => isApplied)).toEqual([true, false, false]);
    expect(valid.log).toMatchObject({ all: { urlsAfter: 5, duplicateHits: 2 }, reduction: [{ k: 1, urlsAfter: 5 }] });
    expect((await reportOf(log, file)).log!.reduction).toEqual([
      { k: 1, urlsAfter: 5 },
      { k: 2, urlsAfter: 4 },
    ]);
  });

  it('says what each fix retires, with lines to copy, and what only pages can prove', async () => {
    const { log: facts } = await reportOf(log, file);
    const [story] = facts!.fixes;
    expect(facts!.fixes).toHaveLength(1);
    expect(story).toMatchObject({
      title: '`story?id=` becomes `story_` wherever it stands',
      site: 'a.test',
      rules: [1],
      isProven: true,
      urls: 1,
      hits: 2,
      bytes: 201,
      botHits: 2,
      lines: [{ target: 'test', text: '1 rules' }],
    });
    const title = 'The parameter `sid` is dropped on every page';
    const { fixes, unproven } = (await reportOf(log, sureFile)).log!;
    const unsure = { ...file, rules: rules.map((rule) => ({ ...rule, confidence: 0.9 })) };
    expect((await reportOf(log, unsure)).log!.unproven).toEqual([
      { title, site: '*', rules: [2], touched: 2, saved: 1, confidence: 0.9 },
    ]);
    expect(fixes[1]).toMatchObject({ title, rules: [2], isProven: false, hits: 1, bytes: 10 });
    expect(unproven).toEqual([]);
  });

  it('takes campaign parameters together, and a substring in several places', async () => {
    const of = (name: string, rank: number) => sampleParameter(name, { rank, status: 'valid', site: 'a.test' });
    const drop = (from: string, to: string, rank: number) =>
      sampleRule(from, to, { rank, status: 'valid', site: 'a.test' });
    const some = [of('utm_source', 1), drop('/new/', '/', 2), of('gclid', 3), drop('/new/a', '/a', 4)];
    const urls = ['/', '/?utm_source=1', '/?gclid=2', '/?gclid=2&utm_source=3', '/new/b', '/new/a', '/b', '/a'];
    const text = urls.map((path) => lineOf({ url: `http://a.test${path}` })).join('');
    const { log: facts } = await reportOf(text, sampleFile(some));
    expect(facts!.fixes.map(({ dropsCampaigns }) => dropsCampaigns)).toEqual([true, undefined]);
    expect(facts!.fixes.map(({ title, rules: ranks, hits: saved }) => [title, ranks, saved])).toEqual([
      ['The campaign parameters `utm_source` and `gclid` are dropped', [1, 3], 3],
      // Rule 4 says nothing that rule 2 does not.
      ['`/new/` becomes `/` wherever it stands', [2], 2],
    ]);
  });

  it('counts what the lines do, where a server expresses less than all rules', async () => {
    const rules = ['sid', 'tid'].map((name, at) =>
      sampleParameter(name, { rank: at + 1, status: 'valid', site: 'a.test' }),
    );
    const paths = ['/x', '/x', '/x?sid=1', '/x?sid=2', '/x?sid=&&a', '/y?tid=1', '/y'];
    const text = paths.map((path) => lineOf({ url: `http://a.test${path}` })).join('');
    // As a server would, these lines leave addresses with an empty field alone.
    const formOf = (url: Uint8Array) =>
      Buffer.from(
        Buffer.from(url)
          .toString()
          .replace(/\?sid=\w+$/, ''),
      );
    const expressedBy: ExpressedBy = (some) => {
      const known = some.filter((rule) => rule.kind === 'parameter' && rule.name === 'sid');
      return known.length === 0 ? undefined : { rules: known, formOf };
    };
    const { fixes, fixed } = (await reportOf(text, sampleFile(rules), { expressedBy })).log!;
    expect(fixes.map(({ rules: ranks, hits: saved, redirected }) => [ranks, saved, redirected.hits])).toEqual([
      [[1], 2, 2],
      [[2], 1, 1],
    ]);
    expect(fixed).toMatchObject({ hits: 3, redirected: { hits: 3 } });
  });

  it('joins fixes of which one leads to what the other changes, and leaves those apart that only meet', async () => {
    const of = (name: string, rank: number) => sampleParameter(name, { rank, status: 'valid', site: 'a.test' });
    const move = (from: string, to: string, rank: number) =>
      sampleRule(from, to, {
        rank,
        status: 'valid',
        site: 'a.test',
        examples: [[`http://a.test${from}x`, `http://a.test${to}x`]],
      });
    const some = [move('/old/', '/new/', 1), of('s', 2), move('/new/', '/now/', 3), of('t', 4)];
    const paths = ['/now/x', '/now/x', '/old/x', '/new/x', '/y', '/y?s=1', '/y?t=1', '/y?s=1&t=1'];
    const text = paths.map((path) => lineOf({ url: `http://a.test${path}` })).join('');
    const { log: facts } = await reportOf(text, sampleFile(some));
    expect(facts!.fixes.map(({ rules: ranks, parts }) => [ranks, parts])).toEqual([
      [[1, 3], ['`/new/` becomes `/now/` wherever it stands']],
      [[2], []],
      [[4], []],
    ]);
    // The example of rule 1 leads to /now/x, where canonize leads.
    expect(facts!.fixes[0]!.examples).toEqual([
      ['http://a.test/old/x', 'http://a.test/now/x'],
      ['http://a.test/new/x', 'http://a.test/now/x'],
    ]);
    // The others have none: the URL of the log with the most hits, and of equal ones the first.
    expect(facts!.fixes.slice(1).map((fix) => fix.examples)).toEqual([
      [['http://a.test/y?s=1', 'http://a.test/y']],
      [['http://a.test/y?s=1&t=1', 'http://a.test/y']],
    ]);
    // A URL with both parameters counts for either: each redirect changes it.
    expect(facts!.fixes.map(({ hits: saved, redirected }) => [saved, redirected.hits])).toEqual([
      [2, 2],
      [2, 2],
      [2, 2],
    ]);
    expect(facts!.fixed).toMatchObject({ hits: 5, redirected: { hits: 5, urls: 5 } });
  });

  it('does not propose a likely rule that changes far more URLs than it makes one', async () => {
    const examples = [['http://a.test/?p=1;a=x&sid=1', 'http://a.test/?p=1;a=x']] as const;
    const rules = [
      sampleParameter('sid', { rank: 1, status: 'likely', site: 'a.test', confidence: 0.97, examples }),
      sampleRule(';a=', '&a=', { rank: 2, status: 'likely', site: 'a.test', confidence: 0.97 }),
    ];
    const usual = Array.from({ length: 30 }, (_, k) => `/?p=${k};a=x`);
    const text = [...usual, '/?p=1;a=x&sid=1', '/?p=1&a=x', '/?p=2&a=x'].map((path) =>
      lineOf({ url: `http://a.test${path}` }),
    );
    const { fixes, fixed, unproposed } = (await reportOf(text.join(''), sampleFile(rules))).log!;
    expect(fixes.map(({ rules: ranks, hits: saved, redirected }) => [ranks, saved, redirected.hits])).toEqual([
      [[1], 1, 1],
    ]);
    // By the rules that are proposed.
    expect(fixes[0]!.examples).toEqual(examples);
    expect(fixed).toMatchObject({ hits: 1, redirected: { hits: 1 } });
    expect(unproposed).toEqual([
      { title: '`;a=` becomes `&a=` wherever it stands', site: 'a.test', rules: [2], touched: 31, saved: 2 },
    ]);
    const proven = rules.map((rule) => ({ ...rule, status: 'valid' }) as const);
    const { log: facts } = await reportOf(text.join(''), sampleFile(proven));
    expect([facts!.fixes.length, facts!.unproposed]).toEqual([2, []]);
  });

  it('joins what keeps another fix from a canonical form: a parameter that is none any more', async () => {
    const some = [
      sampleParameter('s', { rank: 1, status: 'valid', site: 'a.test' }),
      sampleRule('/doku.php?id=', '/', { rank: 2, status: 'valid', site: 'a.test' }),
    ];
    const paths = ['/x', '/x', '/doku.php?id=x', '/doku.php?id=x&s=1'];
    const text = paths.map((path) => lineOf({ url: `http://a.test${path}` })).join('');
    const { log: facts } = await reportOf(text, sampleFile(some));
    expect(facts!.fixes.map(({ rules: ranks }) => ranks)).toEqual([[1, 2]]);
  });

  it('has fixes of documents before those of pictures and styles', async () => {
    const rule = (rank: number, from: string, example: string) =>
      sampleRule(from, '', { rank, status: 'valid', site: 'a.test', examples: [[`${from}${example}`, example]] });
    const some = [rule(1, 'old/', 'x.png'), rule(2, 'new/', 'x.html')];
    const paths = ['x.png', 'old/x.png', 'old/x.png', 'x.html', 'new/x.html', 'x.html'];
    const text = paths.map((path) => lineOf({ url: `http://a.test/${path}` })).join('');
    const { log: facts } = await reportOf(text, sampleFile(some));
    expect(facts!.fixes.map(({ rules: ranks, isOfDocuments }) => [ranks, isOfDocuments])).toEqual([
      [[2], true],
      [[1], false],
    ]);
  });

  it('counts hits and duplicates by bot, and by day, or by month of many days', async () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
    const hit = (url: string, n: number, agent = PERSON) => ({ url: `http://a.test/${url}`, agent, time: day(n) });
    const gpt = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
    const few = [hit('story_1', 1), hit('story_1', 2), hit('story?id=1', 2, gpt), hit('new', 3, 'curl/8.0')];
    const { log: facts } = await reportOf(few.map(lineOf).join(''), file);
    expect(facts!.bots).toEqual([
      { name: 'GPTBot', hits: 1, duplicateHits: 1 },
      { name: 'curl', hits: 1, duplicateHits: 0 },
    ]);
    expect(facts!.periods).toEqual([
      { from: '2026-01-01', hits: 1, duplicateHits: 0, duplicateBotHits: 0 },
      { from: '2026-01-02', hits: 2, duplicateHits: 1, duplicateBotHits: 1 },
      { from: '2026-01-03', hits: 1, duplicateHits: 0, duplicateBotHits: 0 },
    ]);
    const many = Array.from({ length: 100 }, (_, n) => hit(n % 2 === 0 ? 'story_1' : 'story?id=1', n + 1));
    const { log: months } = await reportOf(many.map(lineOf).join(''), file);
    expect(months!.periods.map(({ from, hits: of }) => [from, of])).toEqual([
      ['2026-01', 31],
      ['2026-02', 28],
      ['2026-03', 31],
      ['2026-04', 10],
    ]);
    expect(months!.periods.reduce((sum, { duplicateHits }) => sum + duplicateHits, 0)).toBe(50);
  });

  it('does not try candidates by themselves, unless they are pinned', async () => {
    const candidates = rules.map((rule) => ({ ...rule, status: 'likely' as const, confidence: 0.4 }));
    const pinned = { ...candidates[1]!, pin: true } as const;
    const { rules: rows } = await reportOf(log, sampleFile([candidates[0]!, pinned, candidates[2]!]));
    expect(rows.map(({ touched, saved }) => [touched, saved])).toEqual([
      [undefined, undefined],
      [2, 1],
      [undefined, undefined],
    ]);
  });

  it('lists the costliest, and adds up the others', async () => {
    const { log: facts } = await reportOf(log, file, { top: 1 });
    expect(facts!.sites.map(({ site }) => site)).toEqual(['a.test']);
    expect(facts!.otherSites).toMatchObject({ count: 1, site: '', urlsBefore: 2, hits: 3, duplicateBytes: 10 });
    expect(facts!.groups.map(({ canonical }) => canonical)).toEqual(['http://a.test/story_1']);
    expect(facts!.otherGroups).toEqual({ count: 1, duplicateHits: 1, duplicateBytes: 10, duplicateBotHits: 0 });
    expect((await reportOf(log, file)).log).not.toHaveProperty('otherGroups');
  });

  it('shows the five members of a group with the most hits, ties in byte order', async () => {
    const toNine = Array.from('123456', (from, at) => sampleRule(from, '9', { rank: at + 1, site: 'a.test' }));
    const urls = Array.from('9654321', (name) => ({ url: `http://a.test/${name}`, size: 1 }));
    const { log: facts } = await reportOf(urls.map(lineOf).join(''), sampleFile(toNine));
    expect(facts!.groups).toMatchObject([{ canonical: 'http://a.test/9', urls: 7, hits: 7, duplicateHits: 6 }]);
    expect(facts!.groups[0]!.members.map(({ url }) => url.at(-1))).toEqual(['1', '2', '3', '4', '5']);
  });

  it('has no bytes and no bots if the log has none', async () => {
    const { log: facts } = await reportOf('http://a.test/story_1\nhttp://a.test/story?id=1\n', file);
    expect(facts).toMatchObject({ hasSizes: false, hasAgents: false, all: { hits: 2, duplicateHits: 1, bytes: 0 } });
  });

  it('has precision at each k of a ladder once pages were fetched, and without a log what the file says', () => {
    const options = {
      name: 'r',
      generator: 'g',
      accept: 'valid',
      maxIterations: 10,
      top: 9,
      linesOf: () => [],
      threads: 1,
    } as const;
    const inputs = [{ name: 'l', format: 'x', lines: 1, records: 1, dropped: {}, rejected: {}, truncated: false }];
    const filters = { since: '2026-01-01T00:00:00.000Z' };
    const mined = { ...file, inputs, options: { ...file.options, filters } };
    const bare = measureReport(mined, undefined, { ...options, memoryBytes: 1, tmpdir: '/nowhere' });
    expect(bare).toMatchObject({ inputs, filters, rulesFile: { name: 'r', urls: 100, accept: 'valid' } });
    expect(bare).not.toHaveProperty('log');
    expect(bare).not.toHaveProperty('created');
    expect(bare.precision).toEqual([
      { k: 1, right: 1, wrong: 0, unjudged: 0 },
      { k: 2, right: 1, wrong: 0, unjudged: 1 },
      { k: 3, right: 1, wrong: 1, unjudged: 1 },
    ]);
    const likely = sampleFile([{ ...rules[0]!, status: 'likely' }]);
    expect(measureReport(likely, undefined, { ...options, memoryBytes: 1, tmpdir: '/nowhere' }).precision).toEqual([]);
  });
});

it('the ladder has steps below the number of rules, and that number', () => {
  expect([0, 1, 2, 7, 10, 60].map(ladderOf)).toEqual([
    [],
    [1],
    [1, 2],
    [1, 2, 5, 7],
    [1, 2, 5, 10],
    [1, 2, 5, 10, 20, 50, 60],
  ]);
  expect(ladderOf(100_000).length).toBe(16);
});

describe('random logs', () => {
  const parts = ['a', 'b', '_', '/', '%7E', '-b'];
  const path = fc.array(fc.constantFrom(...parts), { maxLength: 2 }).map((list) => list.join(''));
  const origin = fc.constantFrom('http://a.test/', 'http://a.test/', 'http://www.a.test/', 'http://b.test/');
  const query = fc.constantFrom('', '', '?p=1', '?p=2', '?p=1&q', '?q=&p=2');
  const hit = fc.record<Hit>({
    url: fc.tuple(origin, path, query).map((all) => all.join('')),
    status: fc.constantFrom(200, 200, 200, 304, 404),
    size: fc.constantFrom(0, 1, 10, 3_000_000_000),
    agent: fc.constantFrom(BOT, PERSON, '-'),
  });
  // One may lead to another site, some undo each other, and `-` can be applied for ever; all on the site's word.
  const sides = [
    ...Array.from(['a b', 'b a', 'www. ', '_ /', '- -a', '- -a'], (text) => [...text.split(' '), 'none']),
    ['/', '', 'end'],
    ['http://a.test/', 'http://b.test/', 'start'],
  ] as [from: string, to: string, anchor: Anchor][];
  const site = fc.constantFrom('a.test', 'b.test', '*', '*');
  const substring = fc
    .tuple(fc.constantFrom(...sides), site)
    .map(([[from, to, anchor], of]) =>
      sampleRule(from, to, { anchor, site: of, status: 'likely', confidence: 0.97, word: 'redirect' }),
    );
  const parameter = fc
    .tuple(fc.constantFrom('p', 'q'), site)
    .map(([name, of]) => sampleParameter(name, { site: of, status: 'valid' }));
  const file = fc
    .array<Rule>(fc.oneof(substring, parameter), { minLength: 2, maxLength: 7, size: 'max' })
    .map((rules) => sampleFile(rules.map((rule, at) => ({ ...rule, rank: at + 1 }))));

  const some = fc.constantFrom(3000, 3000, 1 << 24);

  it.skipIf(isFew)(
    'give the groups, sites and curve of naive maps, with much memory or hardly any, in any order of lines',
    async () => {
      const seen = { fixes: 0, joined: 0, duplicates: 0, otherSite: 0, between: 0, unsettled: 0 };
      await fc.assert(
        fc.asyncProperty(
          fc.array(hit, { minLength: 15, maxLength: 30 }),
          file,
          some,
          async (hits, someFile, memoryBytes) => {
            const lines = hits.map(lineOf);
            const { log } = await reportOf(lines.join(''), someFile);
            const kept = hits.filter(({ status }) => status !== 404);
            const expected = naive(kept, someFile);
            expect({ all: log!.all, sites: log!.sites, groups: log!.groups, reduction: log!.reduction }).toEqual(
              expected,
            );
            const { duplicateBotHits, botHits } = log!.all;
            const bots = botHits === 0 ? [] : [{ name: 'Googlebot', hits: botHits, duplicateHits: duplicateBotHits }];
            expect(log!.bots).toEqual(bots);
            const byRules = (ranks: readonly number[]) =>
              doneBy(kept, { ...someFile, rules: someFile.rules.filter(({ rank }) => ranks.includes(rank)) });
            for (const fix of log!.fixes) expect(fix).toMatchObject(byRules(fix.rules));
            if (log!.fixed !== undefined) {
              expect(log!.fixed).toMatchObject(byRules(log!.fixes.flatMap(({ rules }) => rules)));
            }
            if (log!.fixes.length > 1 && log!.fixes.length < 5) seen.fixes++;
            if (log!.fixes.some(({ parts }) => parts.length > 0)) seen.joined++;
            expect((await reportOf(lines.toReversed().join(''), someFile, { memoryBytes })).log).toEqual(log);
            if (log!.all.duplicateHits > 0) seen.duplicates++;
            if (log!.sites.length === 2 && log!.all.urlsAfter < log!.sites[0]!.urlsAfter + log!.sites[1]!.urlsAfter) {
              seen.otherSite++;
            }
            const after = log!.reduction.map(({ urlsAfter }) => urlsAfter);
            if (after.length > 2 && new Set(after).size > 2) seen.between++;
            if (log!.unsettled! > 0) seen.unsettled++;
          },
        ),
        { numRuns: 40 },
      );
      expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
    },
  );
});

type Expected = Pick<LogFacts, 'all' | 'sites' | 'groups' | 'reduction'>;

const siteOf = createSiteOf('domain');
const siteOfText = (url: string) => siteOf(encodeText(url), 0, encodeText(url).length);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

interface Url {
  readonly url: string;
  readonly form: string;
  hits: number;
  bytes: number;
  botHits: number;
}

/** What the rules of a file do to the log if there are no others. */
function doneBy(hits: readonly Hit[], file: RulesFile) {
  const { all } = naive(hits, file);
  const how = { normalize: file.normalization, accept: 'likely', maxIterations: 10, urlForm: file.urlForm } as const;
  const read = createCanonizer([], { ...how, sitePolicy: 'domain' });
  const canonizer = createCanonizer(file.rules, { ...how, sitePolicy: 'domain' });
  const urls = hits.map(({ url }) => decodeText(read.canonize(encodeText(url))));
  const changed = urls.filter((url) => decodeText(canonizer.canonize(encodeText(url))) !== url);
  return {
    urls: all.urlsBefore - all.urlsAfter,
    hits: all.duplicateHits,
    redirected: { urls: new Set(changed).size, hits: changed.length },
  };
}

function naive(hits: readonly Hit[], file: RulesFile): Expected {
  const how = { normalize: file.normalization, accept: 'likely', maxIterations: 10, urlForm: file.urlForm } as const;
  const applied = file.rules.filter((rule) => accepts(rule, 'likely'));
  const first = (k: number) => {
    const canonizer = createCanonizer(applied.slice(0, k), { ...how, sitePolicy: 'domain' });
    return (url: string) => decodeText(canonizer.canonize(encodeText(url)));
  };
  const prepare = first(0);
  const canonize = first(applied.length);
  const urls = new Map<string, Url>();
  for (const { url: raw, size, status, agent } of hits) {
    const url = prepare(raw);
    const known = urls.get(url) ?? { url, form: canonize(url), hits: 0, bytes: 0, botHits: 0 };
    urls.set(url, known);
    known.hits++;
    if (status === 200) known.bytes += size!;
    if (agent === BOT) known.botHits++;
  }
  const groups = groupsOf([...urls.values()]);
  const sites = [...new Set([...urls.keys()].map(siteOfText))].map((site) =>
    rowOf(site, groupsOf([...urls.values()].filter(({ url }) => siteOfText(url) === site))),
  );
  return {
    all: rowOf('', groups),
    sites: sites.sort((a, b) => b.duplicateHits - a.duplicateHits || b.hits - a.hits || compare(a.site, b.site)),
    groups: groups
      .filter((group) => group.length > 1)
      .map((group) => {
        const { urlsBefore, urlsAfter: _after, botHits: _bots, bytes: _bytes, ...counts } = rowOf('', [group]);
        const members = group.slice(0, 5).map(({ url, hits: of }) => ({ url, hits: of }));
        return { ...counts, site: siteOfText(group[0]!.url), canonical: group[0]!.form, urls: urlsBefore, members };
      })
      .sort((a, b) => b.duplicateHits - a.duplicateHits || compare(a.canonical, b.canonical)),
    reduction: ladderOf(applied.length).map((k) => ({ k, urlsAfter: new Set([...urls.keys()].map(first(k))).size })),
  };
}

/** By form, the URL with the most hits first. */
function groupsOf(urls: readonly Url[]): Url[][] {
  const groups = new Map<string, Url[]>();
  for (const url of urls) groups.set(url.form, [...(groups.get(url.form) ?? []), url]);
  return [...groups.values()].map((group) => group.sort((a, b) => b.hits - a.hits || compare(a.url, b.url)));
}

function rowOf(site: string, groups: readonly Url[][]): LogFacts['all'] {
  const sum = (of: 'hits' | 'bytes' | 'botHits', from: number) =>
    groups.flatMap((group) => group.slice(from)).reduce((total, url) => total + url[of], 0);
  return {
    site,
    urlsBefore: groups.flat().length,
    urlsAfter: groups.length,
    hits: sum('hits', 0),
    duplicateHits: sum('hits', 1),
    bytes: sum('bytes', 0),
    duplicateBytes: sum('bytes', 1),
    botHits: sum('botHits', 0),
    duplicateBotHits: sum('botHits', 1),
  };
}
