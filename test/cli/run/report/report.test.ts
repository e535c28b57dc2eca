// `dustbuster report` as a process.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportedLines } from '../../../../src/cli/run/report/report.js';
import type { ReportModel } from '../../../../src/report/page/model.js';
import { writeRules } from '../../../../src/rule/file.js';
import type { Rule, RulesFile } from '../../../../src/rule/rule.js';
import { isFew } from '../../../amount.js';
import { logLines } from '../../../bench/input/log.js';
import { BOT, lineOf } from '../../../report/page/visited.js';
import { sampleFile, sampleParameter, sampleRule, sampleStep } from '../../../rule/sample.js';
import { type Outcome, run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder.path, name), content);
}

function read(name: string): string {
  return readFileSync(join(folder.path, name), 'utf8');
}

function writeFile(name: string, rules: readonly Rule[], more: Partial<RulesFile> = {}): void {
  write(name, [...writeRules(sampleFile(rules, more))].join(''));
}

function report(args: readonly string[], input?: string | Buffer): Promise<Outcome> {
  return run(['report', ...args], { cwd: folder.path, ...(input !== undefined && { input }) });
}

function modelOf({ stdout }: Outcome): ReportModel {
  return JSON.parse(stdout.toString()) as ReportModel;
}

const session = sampleParameter('sid', { site: 'a.test', status: 'valid' });
const index = sampleRule('/index.html', '/', { rank: 2, site: 'a.test', anchor: 'end', status: 'likely' });

/**
 * 100 pages of about 1,000 bytes: one request each, and as many requests of bots for duplicates as the page's number.
 */
function plantedLog(): string {
  const lines = Array.from({ length: 100 }, (_, page) => {
    const url = `http://a.test/topic?t=${page}`;
    const size = 1000 + page;
    const first = { url, size };
    const others = Array.from({ length: page }, (_, n) => ({ url: `${url}&sid=${n}`, size, agent: BOT }));
    return [first, ...others, { url: `${url}&sid=gone`, status: 404 }];
  });
  return lines.flat().map(lineOf).join('');
}

beforeAll(() => {
  folder = scratchFolder();
  writeFile('rules.json', [session, index]);
  writeFile('likely.json', [{ ...session, status: 'likely' }]);
  write('planted.log', plantedLog());
  write('empty.log', '\n');
  write('nothing.log', '');
  write('other.log', 'what is this?\n');
  write('one.log', lineOf({ url: 'http://a.test/', size: 1 }));
  write('same.log', lineOf({ url: 'http://a.test/', size: 1 }).repeat(1000));
  const asked = (page: number) => lineOf({ url: `http://a.test/${page}`, size: page, agent: BOT });
  write('bots.log', Array.from({ length: 30 }, (_, page) => asked(page)).join(''));
});
afterAll(() => folder.remove());

describe.concurrent('dustbuster report', { timeout: 30_000 }, () => {
  it.each([
    ['one.log', 1, 'no site has the 20 URLs'],
    ['same.log', 1000, 'no site has the 20 URLs'],
    ['bots.log', 30, 'no rule has enough witnesses'],
  ])('%s: all hits, no fix, and why', async (name, hits, why) => {
    const outcome = await report([name, '--json', '-o', '-']);
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toContain(why);
    expect(modelOf(outcome).log).toMatchObject({ all: { hits, duplicateHits: 0 }, fixes: [], groups: [] });
  });

  it('counts what planted duplicates cost, to the last hit, byte and bot', async () => {
    const outcome = await report(['rules.json', '--log', 'planted.log', '--json']);
    expect(outcome).toMatchObject({
      code: 0,
      stderr: 'planted.log (vhost): 5150 lines = 5050 records + dropped 100 (client-error 100) + rejected 0\n',
    });
    const { log, rules, rulesFile } = modelOf(outcome);
    const duplicates = (100 * 99) / 2;
    const sumOfSquares = (99 * 100 * 199) / 6;
    expect(log!.all).toMatchObject({
      urlsBefore: 100 + duplicates,
      urlsAfter: 100,
      hits: 100 + duplicates,
      // The name of each group is its first URL in byte order: all have one hit.
      duplicateHits: duplicates,
      duplicateBytes: 1000 * duplicates + sumOfSquares,
      botHits: duplicates,
      duplicateBotHits: duplicates,
    });
    expect(log!.groups.length).toBe(99);
    expect(log!.groups[0]).toMatchObject({ canonical: 'http://a.test/topic?t=99', urls: 100, duplicateHits: 99 });
    expect(log!.parameters.map(({ name, urls, class: kind }) => [name, urls, kind])).toEqual([
      ['t', 100 + duplicates, 'changes'],
      ['sid', duplicates, 'irrelevant'],
    ]);
    expect(rules.map(({ isApplied, touched, saved }) => [isApplied, touched, saved])).toEqual([
      [true, duplicates, duplicates],
      [false, 0, 0],
    ]);
    expect(rulesFile).toMatchObject({ name: 'rules.json', accept: 'valid' });
  });

  it.skipIf(isFew)('writes one self-contained page to the named file', async () => {
    const { code, stdout } = await report(['rules.json', '--log', 'planted.log', '-o', 'out.html', '-q']);
    expect([code, stdout.toString()]).toEqual([0, '']);
    const page = read('out.html');
    expect(page).toMatch(/^<!doctype html>/i);
    expect(page).toContain('topic?t=99');
    expect(page).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(?!data:)/);
    const told = await report(['rules.json']);
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout.toString()).toBe('Written to dustbuster-report.html\n');
    expect(read('dustbuster-report.html')).toContain('index.html');
  });

  it.skipIf(isFew)(
    'gives the same bytes with any number of threads and any memory, and has no time in it unless asked',
    async () => {
      // Less is read by one thread.
      const log = [...logLines(4000, 'vhost')].join('').repeat(10);
      expect(log.length).toBeGreaterThan(8 << 20);
      write('large.log', log);
      write('packed.log.gz', gzipSync(log.slice(0, log.length >> 4), { level: 1 }));
      const rules = [
        sampleParameter('sid', { site: 'example.com', status: 'valid' }),
        sampleRule('story?id=', 'story_', { rank: 2, site: 'example.com', status: 'valid' }),
      ];
      writeFile('site.json', rules);
      const args = ['site.json', '--json', '-q', '--top', '50', '--log', 'large.log', 'packed.log.gz'];
      const one = await report([...args, '--threads', '1']);
      expect(one.code).toBe(0);
      expect(modelOf(one).log!.all.duplicateHits).toBeGreaterThan(100);
      expect(modelOf(one)).not.toHaveProperty('created');
      for (const more of [
        ['--threads', '3'],
        ['--memory', '2m'],
      ]) {
        expect((await report([...args, ...more])).stdout.equals(one.stdout)).toBe(true);
      }
    },
  );

  it.skipIf(isFew)(
    'has the time, and the filters of the log instead of those of the rules, if they are given',
    async () => {
      const args = ['rules.json', '--json', '--stamp', '--log', 'planted.log', '--bots', 'none', '--include', '/topic'];
      const model = modelOf(await report(args));
      expect(Date.parse(model.created!)).toBeGreaterThan(Date.parse('2026-01-01'));
      expect(model).toMatchObject({
        filters: { bots: 'none', include: ['/topic'] },
        inputs: [{ dropped: { bot: 4950 } }],
      });
      expect(model.log!.all).toMatchObject({ hits: 100, botHits: 0 });
    },
  );

  it('writes one page of text and the fixes as CSV, and refuses contradictions', async () => {
    const args = ['rules.json', '--log', 'planted.log'];
    const outcome = await report([...args, '--summary', '--fixes', 'fixes.csv']);
    expect([outcome.code, outcome.stdout.toString()]).toEqual([0, expect.stringMatching(/^Dust report: a\.test/)]);
    expect(outcome.stdout.toString()).toContain('Its lines redirect 4,950 hits of this');
    expect(read('fixes.csv').split('\n')[1]).toMatch(/^1,The parameter `sid` is dropped on every page,,a\.test,valid,/);
    expect((await report([...args, '--summary', '--json'])).code).toBe(2);
    expect((await report(['rules.json', '--fixes', 'fixes.csv'])).stderr).toContain('got --fixes and no log');
  });

  it('without a log shows the rules file', async () => {
    const model = modelOf(await report(['rules.json', '--json']));
    expect(model).not.toHaveProperty('log');
    expect(model.rules.map(({ standing }) => standing)).toEqual(['valid', 'likely']);
    expect(model.precision).toEqual([
      { k: 1, right: 1, wrong: 0, unjudged: 0 },
      { k: 2, right: 1, wrong: 0, unjudged: 1 },
    ]);
  });

  it.skipIf(isFew)('applies unvalidated rules only on request, and says that there are some', async () => {
    const careful = await report(['likely.json', '--json', '--log', 'planted.log']);
    expect(careful.stderr).toMatch(/no rule was validated, so none is applied.*1 likely.*--accept likely/);
    expect(modelOf(careful).log).toMatchObject({ all: { duplicateHits: 0 }, reduction: [], groups: [] });
    const bold = await report(['likely.json', '--json', '--log', 'planted.log', '--accept', 'likely']);
    expect(bold.stderr).not.toContain('--accept');
    expect(modelOf(bold).log!.reduction).toEqual([{ k: 1, urlsAfter: 100 }]);
  });

  it('reads a log or rules from standard input, also without arguments where there are no rules', async () => {
    const log = plantedLog();
    const named = modelOf(await report(['planted.log', '--json', '-q'])).log!;
    const costs = { all: named.all, groups: named.groups, parameters: named.parameters };
    const piped = modelOf(await report(['-', '--json', '-q'], log));
    expect(piped.log).toMatchObject(costs);
    expect(piped.log!.fixes[0]!.lines[0]!.text).toContain('from standard input: 1 of 1 rule');
    const other = scratchFolder();
    try {
      const bare = await run(['report', '--json', '-q'], { cwd: other.path, input: log });
      expect(modelOf(bare).log).toMatchObject(costs);
      const page = await run(['report'], { cwd: other.path, input: log });
      expect(page).toMatchObject({ code: 0 });
      expect(readFileSync(join(other.path, 'dustbuster-report.html'), 'utf8')).toContain('standard input');
    } finally {
      other.remove();
    }
    expect(modelOf(await report(['-', '--json'], read('rules.json'))).rulesFile.name).toBe('-');
    const foreign = await report(['planted.log', '--json', '--log', 'planted.log']);
    expect(foreign).toMatchObject({ code: 2 });
    expect(foreign.stderr).toMatch(/; name another file\.\n$/);
    expect(await report(['-'], '')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Name a log, or pipe it') as string,
    });
  });

  it('warns of many lines that could not be read, though most could, with the first of them', async () => {
    const good = Array.from({ length: 100 }, (_, k) => lineOf({ url: `http://a.test/${k}` }));
    const wrapped = (count: number) => [
      ...good.slice(0, 3),
      ...Array<string>(count).fill('"Mozilla"\n'),
      ...good.slice(3),
    ];
    const warning = (count: number) =>
      report(['-', '--json'], wrapped(count).join('')).then(({ code, stderr }) => [code, stderr]);
    expect(await warning(12)).toEqual([
      0,
      expect.stringMatching(
        /: 12 of 112 lines \(10\.7 %\) could not be read as vhost \(not-in-format, first line 4\); the result is without them\n/,
      ),
    ]);
    expect((await report(['-', '--json', '-q'], wrapped(12).join(''))).stderr).toBe('');
    expect(await warning(9)).toEqual([0, expect.not.stringContaining('could not be read') as string]);
  });

  it('says how to describe lines of no known format, and where a format that was given does not fit', async () => {
    const table = 'a.test,80,-,200,"GET","/x"\n'.repeat(20);
    const bare = await report(['-', '--json'], table);
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain('--columns url=17,status=14,host=1         columns of a table without a header');
    const short = await report(['-', '--json', '--log-format', '%v,%p,%h,%>s,"%m","%U",%B'], table);
    expect(short.code).toBe(2);
    expect(short.stderr).toMatch(/do not fit --log-format: line 1, at column \d+/);
    expect(short.stderr).toContain('Correct --log-format as said above.');
    expect(await report(['-', '--json', '--columns', 'url=6,status=4,host=1'], table)).toMatchObject({ code: 0 });
  });

  it.skipIf(isFew)('mines the rules of a log that it gets without rules, as `mine` does', async () => {
    const outcome = await report(['planted.log', '--json', '--threads', '2']);
    expect(outcome).toMatchObject({ code: 0 });
    const model = modelOf(outcome);
    await run(['mine', 'planted.log', '-q', '-o', 'mined.json'], { cwd: folder.path });
    const { rules } = JSON.parse(read('mined.json')) as RulesFile;
    expect(model.rules.map(({ rule }) => [rule.rank, rule.kind])).toEqual(rules.map(({ rank, kind }) => [rank, kind]));
    expect(model.rulesFile).toMatchObject({ name: 'planted.log', accept: 'confident', urls: 5050 });
    expect(model.log!.all).toMatchObject({ urlsBefore: 5050, urlsAfter: 100, duplicateHits: 4950 });
    const tight = await report(['planted.log', '--json', '--threads', '1', '--memory', '2m']);
    expect(tight.stdout.equals(outcome.stdout)).toBe(true);
    const careful = modelOf(await report(['planted.log', '--json', '--accept', 'valid']));
    expect(careful.log!.all).toMatchObject({ urlsAfter: 5050 });
  });

  it.skipIf(isFew)('respects vetoes', async () => {
    write(
      'local.json',
      JSON.stringify({ format: 'dustbuster-local', version: 1, rules: [{ veto: true, name: 'sid' }] }),
    );
    const args = ['rules.json', '--json', '--log', 'planted.log', '--local', 'local.json'];
    const model = modelOf(await report(args));
    expect(model.rules[0]).toMatchObject({ standing: 'vetoed', isApplied: false });
    expect(model.log!.all.duplicateHits).toBe(0);
  });

  it.skipIf(isFew)('keeps to local rules where it mines the log itself, named or beside', async () => {
    // Other tests run at the same time, and must not find these.
    const cwd = join(folder.path, 'decided');
    mkdirSync(cwd);
    const local = JSON.stringify({ format: 'dustbuster-local', version: 1, rules: [{ veto: true, name: 'sid' }] });
    writeFileSync(join(cwd, 'mine.json'), local);
    const cut = async (...args: readonly string[]) =>
      modelOf(await run(['report', '../planted.log', '--json', '-q', ...args], { cwd }));
    const names = ({ rules }: ReportModel) => rules.filter(({ isApplied }) => isApplied).length;
    const [free, named] = [await cut(), await cut('--local', 'mine.json')];
    expect(names(free)).toBeGreaterThan(0);
    expect(names(named)).toBe(names(free) - 1);
    expect(named.log!.fixes.length).toBeLessThan(free.log!.fixes.length);
    writeFileSync(join(cwd, 'rules.local.json'), local);
    expect(await cut()).toEqual(named);
    expect(await cut('--no-local')).toEqual(free);
  });

  it.skipIf(isFew)('takes a log from standard input, with the given base', async () => {
    writeFile('path.json', [{ ...session, site: '' }], { urlForm: 'path' });
    const args = ['path.json', '--json', '-q', '--log', '-', '--format', 'urls', '--base', 'https://c.test'];
    const model = modelOf(await report(args, '/a?sid=1\n/a?sid=2\n/a<script>\n'));
    expect(model.log!.sites).toMatchObject([{ site: 'c.test', urlsBefore: 3, urlsAfter: 2 }]);
    expect(model.log!.parameters).toMatchObject([{ site: 'c.test', name: 'sid', class: 'irrelevant', rule: 1 }]);
  });

  it.skipIf(isFew)('ends with 3 if most of a log could not be read, and reports the rest', async () => {
    const outcome = await report(
      ['rules.json', '--json', '--log', '-', '--format', 'vhost'],
      `x\ny\n${plantedLog().split('\n')[0]}\n`,
    );
    expect(outcome).toMatchObject({ code: 3 });
    expect(outcome.stderr).toMatch(/2 of 3 lines could not be read as vhost/);
    expect(modelOf(outcome).log!.all.hits).toBe(1);
  });

  it.each([
    ['no rules file', ['none.json'], /cannot read none\.json: there is no such file/],
    ['no rules file by default', [], /cannot read dustbuster-rules\.json/],
    ['what is no rules file', ['planted.log', '--log', 'planted.log'], /planted\.log/],
    ['a rules file among logs', ['rules.json', 'planted.log'], /rules\.json is a rules file; expected .*--log/],
    ['logs with a log', ['planted.log', 'planted.log', '--log', 'x'], /got --log and 2 arguments/],
    ['the log as output, without rules', ['planted.log', '-o', 'planted.log'], /planted\.log is an input/],
    ['a log without a URL', ['empty.log'], /no URL in the log; expected at least one/],
    ['a log without a line', ['nothing.log'], /no URL in the log; expected at least one\. It is empty\./],
    [
      'a log of other lines',
      ['other.log'],
      /no URL in the log; expected at least one\. Its lines are in no known format/,
    ],
    ['a log of bots, without them', ['bots.log', '--bots', 'none'], /bot 30.*\n.*Every line was dropped, as counted/],
    ['no log', ['rules.json', '--log', 'none.log'], /no file matches "none.log"/],
    ['an empty log', ['rules.json', '--log', '-'], /no URL in the log; expected at least one/],
    ['a filter of no log', ['rules.json', '--since', '7d'], /got --since and no log; expected .*--log FILE/],
    ['bots of no log', ['rules.json', '--bots', 'none'], /got --bots and no log/],
    ['the log as output', ['rules.json', '--log', 'planted.log', '-o', 'planted.log'], /planted\.log is an input/],
    ['the rules as output', ['rules.json', '-o', 'rules.json'], /rules\.json is an input/],
    ['a wrong number', ['rules.json', '--top', 'x'], /--top: got "x", expected a whole number/],
  ])('refuses %s with 2, and says what was expected', async (_, args, message) => {
    const { code, stdout, stderr } = await report(args, '');
    expect([code, stdout.toString()]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});

// Which lines does a fix have where a target cannot express one of its rules?

it('a server gets the rules that it can express, and a robot all or none', async () => {
  const linesOf = await exportedLines('rules.json', {
    normalize: 'safe',
    accept: 'valid',
    maxIterations: 10,
    urlForm: 'absolute',
    sitePolicy: 'domain',
  });
  const sid = sampleParameter('sid', { rank: 1, site: 'a.test', status: 'valid' });
  const only = [
    { part: 'extension', is: '' },
    { part: 'depth', is: 2 },
  ] as const;
  const trim = { ...sampleStep('trim-end', '', { rank: 2, site: 'a.test', only }), status: 'valid' } as const;
  const shown = (rules: Parameters<typeof linesOf>[0]) =>
    linesOf(rules, 'fix1').map(({ target, left }) => [target, left]);
  expect(shown([sid])).toEqual([
    ['nginx', undefined],
    ['apache', undefined],
    ['clean-param', undefined],
  ]);
  expect(shown([sid, trim])).toEqual([
    ['nginx', 1],
    ['apache', 1],
  ]);
  expect(linesOf([sid, trim], 'fix1')[0]!.text).toContain('Left out:');
  expect(shown([trim])).toEqual([]);
});

describe('with an earlier report', () => {
  it('says what its fixes did, and fails below the wanted share', async () => {
    expect(await report(['rules.json', '--log', 'planted.log', '--json', '-o', 'old.json'])).toMatchObject({
      code: 0,
    });
    const fixed = plantedLog().replace(/^(.*)(&sid=\d+)( .*) 200 (.*)\n/gm, '$1$2$3 301 $4\n$1$3 200 $4\n');
    write('fixed.log', fixed);
    const now = ['rules.json', '--before', 'old.json', '--json', '--log'];
    const same = await report([...now, 'planted.log', '--fail-below', '.9']);
    expect(same).toMatchObject({ code: 1 });
    expect(same.stderr).toContain('the fixes did 0 % of what they promised, less than 90 % (--fail-below)');
    const better = await report([...now, 'fixed.log', '--fail-below', '.9']);
    expect(better).toMatchObject({ code: 0 });
    expect(modelOf(better).before).toMatchObject({ did: 1, fixes: [{ state: 'done', redirected: 4950, left: 0 }] });
    await report(['rules.json', '--before', 'old.json', '--log', 'fixed.log', '-o', 'fixed.html']);
    expect(read('fixed.html')).toMatch(/Of what the fixes promised, 100\S*\s?% has come about/);
  });

  it.each([
    [['planted.log', '--fail-below', '.5'], 'no earlier report'],
    [['rules.json', '--before', 'old.json'], 'no log'],
    [['planted.log', '--before', 'none.json'], 'none.json'],
    [['planted.log', '--before', 'rules.json'], 'is no report'],
    [['planted.log', '--before', 'planted.log'], 'Expected what `dustbuster report --json` wrote of a log'],
  ])('refuses %j', async (args, words) => {
    const refused = await report(args);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(words);
  });
});

describe('with published addresses of bots', () => {
  const PREFIXES = {
    creationTime: '2026-11-02',
    prefixes: [{ ipv4Prefix: '1.2.3.0/28' }, { ipv6Prefix: '2001:db8::/32' }],
  };

  it('tells forged bots from real ones', async () => {
    write('googlebot.json', JSON.stringify(PREFIXES));
    write('other.json', JSON.stringify({ prefixes: [{ ipv4Prefix: '9.9.9.0/24' }] }));
    const forged = plantedLog().split('\n').slice(0, 200).join('\n').replaceAll('1.2.3.4', '8.8.8.8');
    write('forged.log', `${plantedLog()}${forged}\n`);
    const shared = ['rules.json', '--json', '--log', 'forged.log', '--bot-addresses'];
    const { who } = modelOf(await report([...shared, 'googlebot.json', '--bot-addresses', 'bingbot=other.json'])).log!;
    const real = plantedLog().split(BOT).length - 1;
    const rows = Object.fromEntries(who!.map((row) => [row.name, row]));
    expect(rows['Googlebot']).toMatchObject({ requests: real, forged: forged.split(BOT).length - 1 });
    expect(rows['forged bots']).toMatchObject({ requests: rows['Googlebot']!.forged });
    expect(rows['Bingbot']).toMatchObject({ requests: 0, forged: 0 });
    const { who: others } = modelOf(await report([...shared, 'Googlebot=other.json'])).log!;
    expect(others!.find(({ name }) => name === 'Googlebot')).toMatchObject({ requests: 0 });
  });

  it.each([
    ['list.json', JSON.stringify(PREFIXES), 'expected NAME=FILE, such as Googlebot='],
    ['googlebot.json', '{"prefixes":[]}', 'has no prefixes'],
    ['googlebot.json', '{"prefixes":[{"ipv4Prefix":"1.2.3.4/99"}]}', 'at /prefixes/0'],
    ['googlebot.json', '<html>', 'not JSON'],
  ])('refuses %s with %s', async (name, text, words) => {
    write(name, text);
    const refused = await report(['planted.log', '--bot-addresses', name]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(words);
  });
});

describe('lines for robots.txt', () => {
  const lines = (asked: readonly string[]) => asked.map((url) => lineOf({ url, size: 900 + url.length, agent: BOT }));
  const pages = Array.from({ length: 40 }, (_, page) => `http://a.test/topic?t=${page}`);
  const carts = pages.map((page) => `${page}&add-to-cart=${page.length}`);
  const found = lineOf({ url: carts[0]! }).replace('"-"', '"https://www.google.com/"');

  it('are tried on the log, as `robots` does it', async () => {
    write('carts.log', lines([...pages, ...carts]).join(''));
    write('found.log', lines([...pages, ...carts]).join('') + found);
    const robots = async (name: string, ...more: string[]) =>
      modelOf(await report([name, '--json', '-q', ...more])).log!.robots?.proposals;
    expect(await robots('carts.log')).toMatchObject([
      { site: 'a.test', spared: 40, lines: [{ text: 'Disallow: /*&add-to-cart=' }], refused: [] },
    ]);
    const refused = [{ text: 'Disallow: /*&add-to-cart=', lostPages: 1, lostVisits: 1, hits: 40 }];
    for (const more of [[], ['--bots', 'only']])
      expect(await robots('found.log', ...more)).toMatchObject([{ spared: 0, lines: [], refused }]);
  });

  it('are none if the log cannot be read again', async () => {
    const outcome = await report(['--json', '-q'], lines([...pages, ...carts]).join(''));
    expect(modelOf(outcome).log).not.toHaveProperty('robots');
  });
});
