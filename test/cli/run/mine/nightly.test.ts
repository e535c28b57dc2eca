// Nights in a row, as processes against a real server whose pages change: budget, retirement, recovery, history, marks.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRules, writeRules } from '../../../../src/rule/file.js';
import { nightAfter } from '../../../../src/rule/night.js';
import type { Rule, RulesFile } from '../../../../src/rule/rule.js';
import { standingOf } from '../../../../src/rule/standing.js';
import { sampleFile } from '../../../rule/sample.js';
import { startTurningSite, type TurningSite } from '../../../turning-site.js';
import { run, scratchFolder } from '../../process.js';

const SECTIONS = ['qa', 'qb', 'qc', 'qd'];
let folder: ReturnType<typeof scratchFolder>;
let site: TurningSite;
const at = (name: string) => join(folder.path, name);
const rulesIn = (name: string): RulesFile => readRules(readFileSync(at(name)), name);
const write = (name: string, rules: readonly Rule[]) =>
  writeFileSync(at(name), [...writeRules(sampleFile(rules.map((rule, k) => ({ ...rule, rank: k + 1 }))))].join(''));
const standings = (name: string) =>
  Object.fromEntries(rulesIn(name).rules.map((rule) => [rule.kind === 'substring' ? rule.from : '', standingOf(rule)]));
const of = (name: string, from: string) =>
  rulesIn(name).rules.find((rule) => rule.kind === 'substring' && rule.from === from)!;

async function validate(name: string, ...flags: string[]): Promise<{ requests: number; stderr: string }> {
  const before = site.requests.length;
  const { code, stderr } = await run(['validate', at(name), '--test', at('list.urls'), ...site.place, ...flags]);
  expect(code, stderr).toBe(0);
  return { requests: site.requests.length - before, stderr };
}

beforeAll(async () => {
  folder = scratchFolder();
  site = await startTurningSite(SECTIONS);
  writeFileSync(at('list.urls'), `${site.urls.join('\n')}\n`);
  write(
    'first.json',
    SECTIONS.map((section) => site.ruleOf(section)),
  );
  await validate('first.json', '--budget', '10000', '--now', '2026-01-01');
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

test('what validate writes into the rules of a state is kept the next night', { timeout: 60_000 }, async () => {
  const mine = async (now: string, expected = 0) => {
    const state = ['--state', at('state'), '-o', at('night.json'), '--min-site-urls', '2', '--no-similarity'];
    const { code, stderr } = await run(['mine', at('list.urls'), ...state, '--now', now]);
    expect(code, stderr).toBe(expected);
  };
  const decided = () => rulesIn('night.json').rules.filter(({ status }) => status !== 'likely');
  await mine('2026-01-01');
  expect(decided()).toEqual([]);
  await validate('night.json', '--now', '2026-01-01');
  const before = decided();
  expect(before.length).toBeGreaterThan(0);
  await mine('2026-01-02', 3); // without a new line
  const said = (rules: readonly Rule[]) => rules.map(({ status, verdict }) => [status, verdict]);
  expect(said(decided())).toEqual(said(before));
  // Without a state the same input gives the same rules, whatever the old file said.
  const { code } = await run([
    'mine',
    at('list.urls'),
    '-o',
    at('night.json'),
    '--min-site-urls',
    '2',
    '--no-similarity',
  ]);
  expect([code, decided(), rulesIn('night.json').night]).toEqual([0, [], undefined]);
});

describe('validate --budget', { timeout: 60_000 }, () => {
  test('begins a history, and decides on rules that have no verdict', () => {
    const file = rulesIn('first.json');
    expect(file.night).toBe('2026-01-01');
    for (const rule of file.rules) {
      expect(rule.status).toBe('valid');
      expect(rule.history).toMatchObject({ firstSeen: '2026-01-01', lastValidated: '2026-01-01', visits: 0 });
    }
  });

  test('spends no more, visits every rule in turn, and does not change those it does not reach', async () => {
    writeFileSync(at('turns.json'), readFileSync(at('first.json')));
    const seen = new Set<string>();
    for (let night = 1; night <= 4; night++) {
      const today = nightAfter('2026-01-01', night);
      const before = rulesIn('turns.json');
      const { requests } = await validate('turns.json', '--budget', '40', '--now', today);
      expect(requests).toBeLessThanOrEqual(40);
      const after = rulesIn('turns.json');
      expect(after.rules.every(({ status }) => status === 'valid')).toBe(true);
      const visited = after.rules.filter(({ history }) => history!.lastValidated === today);
      expect(visited.length).toBeGreaterThan(0);
      expect(visited.length).toBeLessThan(SECTIONS.length);
      for (const [k, rule] of after.rules.entries()) if (!visited.includes(rule)) expect(rule).toEqual(before.rules[k]);
      for (const rule of visited) seen.add((rule as { from: string }).from);
    }
    expect(seen.size).toBe(SECTIONS.length);
  });

  test('gives the same bytes for the same night and seed, and samples other pages on another night', async () => {
    const asked: string[][] = [];
    for (const [name, night] of [
      ['one.json', '2026-01-05'],
      ['two.json', '2026-01-05'],
      ['three.json', '2026-01-06'],
    ] as const) {
      writeFileSync(at(name), readFileSync(at('first.json')));
      const before = site.requests.length;
      await validate(name, '--budget', '90', '--now', night);
      asked.push(site.requests.slice(before).sort());
    }
    expect(readFileSync(at('two.json'), 'utf8')).toBe(readFileSync(at('one.json'), 'utf8'));
    expect(asked[1]).toEqual(asked[0]);
    expect(asked[2]).not.toEqual(asked[0]);
  });

  test('does not visit a rule twice in one night, and asks nothing again that was answered', async () => {
    const cached = ['--budget', '1000', '--now', '2026-01-01', '--fetch-cache', at('twice-cache')];
    writeFileSync(at('twice.json'), readFileSync(at('first.json')));
    expect((await validate('twice.json', ...cached)).requests).toBeGreaterThan(0);
    const once = readFileSync(at('twice.json'), 'utf8');
    expect((await validate('twice.json', ...cached)).requests).toBe(0);
    expect(readFileSync(at('twice.json'), 'utf8')).toBe(once);
    const visits = rulesIn('twice.json').rules.map(({ history }) => [history!.visits, history!.lastValidated]);
    expect(visits).toEqual(visits.map(() => [0, '2026-01-01']));
  });

  test('keeps the verdicts of a site that is down, and records that it tried', async () => {
    writeFileSync(at('down.json'), readFileSync(at('first.json')));
    for (const section of SECTIONS) site.down.add(section);
    const night = ['--test', at('list.urls'), ...site.place, '--budget', '2000', '--now', '2026-01-03'];
    const { code, stderr } = await run(['validate', at('down.json'), ...night]);
    site.down.clear();
    expect([code, stderr]).toEqual([3, expect.stringContaining('not one page of the site could be compared')]);
    const tried = rulesIn('down.json').rules.filter(({ history }) => history!.lastTried === '2026-01-03');
    expect(tried.length).toBeGreaterThan(0);
    for (const rule of rulesIn('down.json').rules) {
      expect(rule).toMatchObject({ status: 'valid', history: { lastValidated: '2026-01-01', visits: 0 } });
      expect(rule.verdict!.positive).toBeGreaterThan(20);
    }
  });

  test('a site that is not reached is said with code 3, again and again, and its rules stay due', async () => {
    const gone = await startTurningSite(SECTIONS);
    await gone.close();
    writeFileSync(at('gone.urls'), `${gone.urls.join('\n')}\n`);
    writeFileSync(at('gone.json'), readFileSync(at('first.json')));
    const before = rulesIn('gone.json').rules;
    const budget = ['--test', at('gone.urls'), ...gone.place, '-q', '--budget', '2000', '--now', '2026-01-03'];
    for (let time = 1; time <= 2; time++) {
      const { code, stderr } = await run(['validate', at('gone.json'), ...budget]);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/^dustbuster: not one page of the site .*network/)]);
      expect(rulesIn('gone.json').rules).toEqual(before);
    }
    const { requests } = await validate('gone.json', '--budget', '2000', '--now', '2026-01-03');
    expect(requests).toBeGreaterThan(100);
  });

  test('a base of another site is said, as nothing would be asked', async () => {
    writeFileSync(at('other.json'), readFileSync(at('first.json')));
    const base = ['--test', at('list.urls'), '-q', '--budget', '90', '--base', 'http://www.example.org'];
    const { code, stderr } = await run(['validate', at('other.json'), ...base, '--now', '2026-01-03']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--base http://www.example.org, but of night.test')]);
  });

  test('reports a clock that was set back, and continues', async () => {
    writeFileSync(at('clock.json'), readFileSync(at('first.json')));
    const { stderr } = await validate('clock.json', '--budget', '90', '--now', '2020-01-01');
    const line =
      1 +
      readFileSync(at('clock.json'), 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('"night"'));
    expect(line).toBeGreaterThan(5);
    expect(stderr).toContain(
      `${at('clock.json')}, line ${line}: today is 2020-01-01, but the rules are already of 2026-01-01`,
    );
    expect(rulesIn('clock.json').night).toBe('2026-01-01');
  });

  test('lists only the first fetches with --dry-run', async () => {
    writeFileSync(at('dry.json'), readFileSync(at('first.json')));
    const args = [
      'validate',
      at('dry.json'),
      '--test',
      at('list.urls'),
      ...site.place,
      '--now',
      '2026-01-05',
      '--dry-run',
    ];
    const { stdout } = await run([...args, '--budget', '30', '--json']);
    const { urls } = JSON.parse(stdout.toString()) as { urls: string[] };
    const sections = new Set(urls.flatMap((url) => /\.(q\w)$/.exec(url)?.[1] ?? []));
    expect(sections.size).toBeGreaterThan(0);
    expect(sections.size).toBeLessThan(SECTIONS.length);
  });

  test.each([
    [['--budget', '0'], '--budget: got "0"'],
    [['--budget', '5', '--by-sketch'], 'cost no fetch'],
    [['--budget', '5', '--stop', 'fixed'], 'expected one of the two'],
    [['--now', 'today'], '--now: got "today", expected a day as in 2026-11-21'],
    [['--now', '2026-02-30'], '--now: got "2026-02-30"'],
  ])('%j is refused', async (flags, message) => {
    const { code, stderr } = await run(['validate', at('first.json'), '--test', at('list.urls'), ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('a rule whose pages change', { timeout: 60_000 }, () => {
  test('is retired with its evidence, not tried every night, and recovers when they change back', async () => {
    writeFileSync(at('life.json'), readFileSync(at('first.json')));
    site.turned.add('qc');
    let night = '2026-01-01';
    let nights = 0;
    while (standings('life.json')['.qc'] === 'valid' && nights < 6) {
      night = nightAfter('2026-01-01', ++nights);
      await validate('life.json', '--budget', '90', '--now', night);
    }
    expect(standings('life.json')).toEqual({ '.qa': 'valid', '.qb': 'valid', '.qc': 'retired', '.qd': 'valid' });
    const { retired, changes } = of('life.json', '.qc').history!;
    expect(changes).toBe(1);
    expect(retired).toMatchObject({ night, failures: 1, retryFrom: nightAfter(night, 7) });
    expect(retired!.pair![0]).toMatch(/\/qc\/\d+\.qc$/);
    expect(retired!.pair![2]).toBe('different');
    const url = `http://${site.host}/qc/107.qc`;
    expect((await run(['canonize', '-r', at('life.json'), url])).stdout.toString()).toBe(`${url}\n`);

    const told = await run(['diff', at('first.json'), at('life.json'), '--fail-on-change']);
    expect(told.code).toBe(1);
    expect(told.stdout.toString()).toMatch(
      /retired +\w{8} +night\.test +valid ⇒ invalid +`\.qc` at the end is dropped on addresses without a query\.\n +\(http.*different\)/,
    );
    expect(told.stdout.toString()).toMatch(/\b1 retired\b/);

    site.turned.delete('qc');
    await validate('life.json', '--budget', '10000', '--now', nightAfter(night, 6));
    expect(of('life.json', '.qc').history!.lastValidated, 'too early').toBe(night);
    await validate('life.json', '--budget', '10000', '--now', nightAfter(night, 7));
    expect(standings('life.json')['.qc']).toBe('valid');
    expect(of('life.json', '.qc').history).toMatchObject({ visits: 2, changes: 2 });
    expect((await run(['canonize', '-r', at('life.json'), url])).stdout.toString()).toBe(
      `http://${site.host}/qc/107\n`,
    );
  });

  test('is still applied if a user has pinned it, and explain says that it was refuted; a vetoed one is never fetched for', async () => {
    write('marked.json', [
      site.ruleOf('qa', { pin: true }),
      site.ruleOf('qb', { veto: true, note: 'do not' }),
      site.ruleOf('qc', {}),
    ]);
    site.turned.add('qa');
    const before = site.requests.length;
    await validate('marked.json');
    site.turned.delete('qa');
    // Other requests may be for the folder, a page, or its image, but not for both of the last two.
    const asked = new Set(site.requests.slice(before));
    expect([...asked].filter((path) => /^\/qb\/.*\.qb$/.test(path) && asked.has(path.slice(0, -3)))).toEqual([]);
    expect(standings('marked.json')).toEqual({ '.qa': 'pinned, refuted', '.qb': 'vetoed', '.qc': 'valid' });
    expect(of('marked.json', '.qb')).toMatchObject({ status: 'likely', note: 'do not' });
    expect(of('marked.json', '.qa').history, 'nobody asked for a history').toBeUndefined();
    const told = await run(['explain', '-r', at('marked.json'), `http://${site.host}/qa/107.qa`]);
    expect(told.stdout.toString()).toContain('pinned, refuted, support 60');
    expect(told.stdout.toString()).toContain(`= http://${site.host}/qa/107\n`);
    const vetoed = await run([
      'explain',
      '--accept',
      'likely',
      '-r',
      at('marked.json'),
      `http://${site.host}/qb/107.qb`,
    ]);
    expect(vetoed.stdout.toString()).toMatch(/rule \d+ \(\w{8}\) is vetoed \(do not\): `\.qb` at the end is dropped/);
    expect(vetoed.stdout.toString()).toContain(`= http://${site.host}/qb/107.qb\n`);
  });
});

describe('mine --history', { timeout: 60_000 }, () => {
  const mine = (input: string, ...flags: string[]) =>
    run(['mine', at(input), '-o', at('tonight.json'), '--no-local', ...flags], { cwd: folder.path });

  test('keeps what was proved on earlier nights, without a fetch', async () => {
    const first = await mine('list.urls', '--history', at('missing.json'), '--now', '2026-01-01');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain('does not exist yet: this is the first night');
    await validate('tonight.json', '--now', '2026-01-01');
    const decided = rulesIn('tonight.json').rules.filter(({ status }) => status !== 'likely');
    const valid = decided.filter(({ status }) => status === 'valid');
    expect(valid.length).toBeGreaterThan(0);
    writeFileSync(at('yesterday.json'), readFileSync(at('tonight.json')));
    const asked = site.requests.length;
    const next = await mine('list.urls', '--history', at('yesterday.json'), '--now', '2026-01-02');
    expect(next.code, next.stderr).toBe(0);
    expect(site.requests.length).toBe(asked);
    const after = rulesIn('tonight.json').rules;
    expect(after.filter(({ status }) => status === 'valid').map(({ verdict }) => verdict)).toEqual(
      valid.map(({ verdict }) => verdict),
    );
    for (const { history } of after) expect(history!.lastSupported).toBe('2026-01-02');
    const whole = readFileSync(at('tonight.json'), 'utf8');
    await mine('list.urls', '--history', at('tonight.json'), '--now', '2026-01-02');
    expect(readFileSync(at('tonight.json'), 'utf8'), 'the same night once more').toBe(whole);

    // A night whose log has no instances: what was proved stays, for a while.
    writeFileSync(at('other.urls'), Array.from({ length: 30 }, (_, k) => `http://${site.host}/z/${k}\n`).join(''));
    await mine('other.urls', '--history', at('tonight.json'), '--now', '2026-01-03');
    expect(rulesIn('tonight.json').rules.map(({ verdict }) => verdict)).toEqual(decided.map(({ verdict }) => verdict));
    expect(rulesIn('tonight.json').rules[0]!.history!.lastSupported).toBe('2026-01-02');
    await mine('other.urls', '--history', at('tonight.json'), '--now', '2026-01-30', '--forget', '20d');
    expect(rulesIn('tonight.json').rules).toEqual([]);
  });

  test('validates only rules without a verdict, or with a budget those that most likely changed', async () => {
    await mine('list.urls', '--history', at('none.json'), '--now', '2026-01-01', '--fetch', ...site.place);
    const first = rulesIn('tonight.json').rules;
    expect(first.some(({ status }) => status === 'valid')).toBe(true);
    writeFileSync(at('before.json'), readFileSync(at('tonight.json')));
    const asked = site.requests.length;
    const again = await mine(
      'list.urls',
      '--history',
      at('before.json'),
      '--now',
      '2026-01-02',
      '--fetch',
      ...site.place,
    );
    expect(again.code, again.stderr).toBe(0);
    expect(rulesIn('tonight.json').rules.filter(({ status }) => status === 'valid')).toHaveLength(
      first.filter(({ status }) => status === 'valid').length,
    );
    const unspent = site.requests.length - asked;
    expect(unspent).toBeLessThan(40);
    for (const section of SECTIONS) site.turned.add(section);
    const spent = await mine(
      'list.urls',
      '--history',
      at('before.json'),
      '--now',
      '2026-01-03',
      '--fetch',
      '--budget',
      '400',
      ...site.place,
    );
    site.turned.clear();
    expect(spent.code, spent.stderr).toBe(0);
    expect(rulesIn('tonight.json').rules.some((rule) => standingOf(rule) === 'retired')).toBe(true);
  });
});
