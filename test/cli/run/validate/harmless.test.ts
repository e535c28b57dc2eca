// What does a site see of a run over a stranger's log?
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRules } from '../../../../src/rule/file.js';
import { isAction, startStrangers, type Strangers } from '../../../strangers.js';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
let site: Strangers;
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = scratchFolder();
  site = await startStrangers(40);
  writeFileSync(at('access.log'), site.lines.join('\n'));
});

afterAll(() => {
  site.close();
  folder.remove();
});

const fetching = (...more: string[]) => [
  'mine',
  at('access.log'),
  '--base',
  site.base,
  '--fetch',
  '--allow-private',
  '--rate',
  '1000',
  '--fetch-cache',
  at('cache'),
  '-o',
  at('rules.json'),
  ...more,
];

describe('mine --state --fetch on a night with one new line', () => {
  it('asks for what the lines of earlier nights allow', async () => {
    const [first, ...rest] = site.lines;
    const [before, tonight] = [at('access.log.1'), at('access.log.0')];
    writeFileSync(before, rest.map((line) => `${line}\n`).join(''));
    const state = ['--base', site.base, '--state', at('state'), '-o', at('nightly.json')];
    const mined = await run(['mine', before, ...state]);
    expect(mined.code, mined.stderr).toBe(0);
    writeFileSync(tonight, `${first}\n`);
    const fetch = ['--fetch', '--allow-private', '--rate', '1000', '--fetch-cache', 'none'];
    const { code, stderr } = await run(['mine', tonight, before, ...state, ...fetch]);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('so nobody knows which URLs are read commonly');
    expect(stderr).toMatch(/Not asked for: \d+ of \d+ URLs \(.*are of kinds that few read/);
    expect(site.asked.length).toBeGreaterThan(100);
    expect(site.asked.filter(isAction)).toEqual([]);
  });
});

describe('mine --fetch over a log of strangers', () => {
  it('proves its rules', async () => {
    const { code, stderr } = await run(fetching());
    expect(code, stderr).toBe(0);
    const valid = readRules(readFileSync(at('rules.json')), '').rules.filter(({ status }) => status === 'valid');
    expect(valid.some((rule) => rule.kind === 'parameter' && rule.name === 'PHPSESSID')).toBe(true);
    expect(valid.some((rule) => rule.kind === 'substring')).toBe(true);
    expect(stderr).toMatch(/Not asked for: \d+ of \d+ URLs \(\d+ (look like actions|are of kinds that few read)/);
  });

  it('asks for no action, whatever its words are', () => {
    expect(site.asked.length).toBeGreaterThan(100);
    expect(site.asked.filter(isAction)).toEqual([]);
  });

  it('sends no visitor’s session, and tries the rule with made-up ones', () => {
    const sessions = site.asked.flatMap((target) => /PHPSESSID=(\w+)/.exec(target)?.[1] ?? []);
    expect(sessions.length).toBeGreaterThan(3);
    expect(sessions.filter((session) => site.sessions.has(session))).toEqual([]);
    const kept = readdirSync(at('cache'))
      .map((name) => readFileSync(join(at('cache'), name), 'utf8'))
      .join('');
    expect([...site.sessions].filter((session) => kept.includes(session))).toEqual([]);
  });

  it('asks no other port and no other host', () => {
    expect(site.elsewhere).toEqual([]);
  });

  it('--dry-run says what it would ask for, by kind, and what not', async () => {
    const before = site.asked.length;
    const { code, stdout, stderr } = await run(fetching('--dry-run'));
    expect(code, stderr).toBe(0);
    const kinds = stdout.toString().trimEnd().split('\n');
    expect(kinds.some((line) => /^ *\d+ {2}127\.0\.0\.1:\d+\/article\?id$/.test(line))).toBe(true);
    expect(kinds.filter((line) => /delete|admin|9200|frobnicate/.test(line))).toEqual([]);
    expect(site.asked.length).toBe(before);
  });
});
