// Pins and vetoes as a user sees them: beside the rules file, found by every command, never lost by mining.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRules, writeRules } from '../../../../src/rule/file.js';
import type { Rule, RulesFile } from '../../../../src/rule/rule.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { FIXTURES, run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
const rulesIn = (name: string): RulesFile => readRules(readFileSync(at(name)), name);
const local = (...rules: object[]) => JSON.stringify({ format: 'dustbuster-local', version: 1, rules });
const html = (more: Partial<Rule> = {}) =>
  ({ ...sampleRule('.html', '', { site: 's.test', anchor: 'end' }), ...more }) as Rule;
const write = (name: string, ...rules: Rule[]) => writeFileSync(at(name), [...writeRules(sampleFile(rules))].join(''));
const isRoot = process.getuid?.() === 0;
const LOG = join(FIXTURES, 'access.log');
const URL_HTML = 'http://s.test/a.html';

beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder.remove());

describe('local rules beside a rules file', { timeout: 30_000 }, () => {
  test('are used by canonize, explain and eval by default', async () => {
    write('rules.json', html());
    writeFileSync(
      at('rules.local.json'),
      local({ veto: true, site: 's.test', from: '.html', note: 'why' }, { pin: true, name: 'u', action: 'remove' }),
    );
    const canonize = (...flags: string[]) => run(['canonize', '-r', at('rules.json'), ...flags, `${URL_HTML}?u=1`]);
    expect((await canonize()).stdout.toString()).toBe(`${URL_HTML}\n`);
    expect((await canonize('--no-local')).stdout.toString()).toBe(`${URL_HTML}?u=1\n`);
    writeFileSync(at('mine.json'), local({ pin: true, name: 'x', action: 'remove' }));
    expect((await canonize('--local', at('mine.json'))).stdout.toString()).toBe(`${URL_HTML}?u=1\n`);
    const told = await run(['explain', '-r', at('rules.json'), URL_HTML, `${URL_HTML}?u=1`]);
    expect(told.stdout.toString()).toContain('rule 2 (f70ryat3) is vetoed: `.html` at the end is dropped');
    expect(told.stdout.toString()).toContain('pinned, 0 groups of 0 URLs');
    const json = JSON.parse(
      (await run(['explain', '--jsonl', '-r', at('rules.json'), URL_HTML])).stdout.toString(),
    ) as object;
    expect(json).toMatchObject({ canonical: URL_HTML, steps: [], vetoed: [{ from: '.html' }] });
    writeFileSync(at('list.urls'), `${URL_HTML}\nhttp://s.test/a\n`);
    const forms = async (...flags: string[]) =>
      (
        JSON.parse(
          (
            await run(['eval', '-r', at('rules.json'), '--urls', at('list.urls'), '--json', ...flags])
          ).stdout.toString(),
        ) as { all: { forms: number } }
      ).all.forms;
    expect(await forms()).toBe(2);
    expect(await forms('--no-local')).toBe(1);
  });

  const untrusted: [reason: string, make: () => void][] = [
    ['everybody may write to it', () => chmodSync(at('rules.local.json'), 0o666)],
    [
      'it is not a regular file',
      () => {
        renameSync(at('rules.local.json'), at('elsewhere'));
        symlinkSync('elsewhere', at('rules.local.json'));
      },
    ],
  ];
  if (isRoot) untrusted.push(['it belongs to another user', () => chownSync(at('rules.local.json'), 65534, 65534)]);

  test.each(untrusted)('are not used if %s, unless they are named', async (reason, make) => {
    write('rules.json', html());
    writeFileSync(at('rules.local.json'), local({ pin: true, name: 'u', action: 'remove' }));
    make();
    const canonize = (...flags: string[]) => run(['canonize', '-r', at('rules.json'), ...flags, `${URL_HTML}?u=1`]);
    const { stdout, stderr } = await canonize();
    expect(stdout.toString()).toBe(`${URL_HTML}?u=1\n`);
    expect(stderr).toContain(`rules.local.json is ignored: ${reason}. --local `);
    expect((await canonize('--local', at('rules.local.json'))).stdout.toString()).toBe('http://s.test/a\n');
    expect(await canonize('--no-local')).toMatchObject({ stderr: '' });
  });

  test.each([
    ['//s.test/', '//evil.test/', 'http://evil.test/a.htm'],
    ['s.test/a', 'evil.test/a', 'http://evil.test/a.htm'],
    ['http://s.test', 'https://s.test.evil.test', 'https://s.test.evil.test/a.htm'],
  ])('move no URL to another site, unless they are named: %s → %s', async (from, to, moved) => {
    write('rules.json', html());
    writeFileSync(at('rules.local.json'), local({ pin: true, site: 's.test', from, to }));
    const canonize = (...flags: string[]) => run(['canonize', '-r', at('rules.json'), ...flags, 'http://s.test/a.htm']);
    const { stdout, stderr } = await canonize();
    expect(stdout.toString()).toBe('http://s.test/a.htm\n');
    expect(stderr.includes('leads to no other site; if it is to, name the file with --local')).toBe(to.includes('//'));
    expect(await canonize('--local', at('rules.local.json'))).toMatchObject({
      stdout: Buffer.from(`${moved}\n`),
      stderr: '',
    });
  });

  test('move URLs between hosts of a site', async () => {
    write('rules.json', html());
    writeFileSync(at('rules.local.json'), local({ pin: true, site: 's.test', from: '//www.', to: '//' }));
    const { stdout } = await run(['canonize', '-r', at('rules.json'), 'http://www.s.test/a.htm']);
    expect(stdout.toString()).toBe('http://s.test/a.htm\n');
  });

  test('that veto every valid rule leave nothing to do, which canonize says', async () => {
    write('rules.json', html());
    writeFileSync(at('rules.local.json'), local({ veto: true, site: 's.test' }));
    const { code, stderr } = await run(['canonize', '-r', at('rules.json'), URL_HTML]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('0 likely rules, 0 invalid, 1 vetoed')]);
  });

  test('that match no rule are reported on standard error', async () => {
    write('rules.json', html());
    writeFileSync(at('rules.local.json'), local({ veto: true, from: '.htm\u001b' }));
    const { code, stdout, stderr } = await run(['canonize', '-r', at('rules.json'), URL_HTML]);
    expect([code, stdout.toString()]).toEqual([0, 'http://s.test/a\n']);
    expect(stderr).toMatch(/rules\.local\.json: the veto \{"from":"\.htm.* matches no rule/);
    expect(stderr).not.toContain('\u001b');
  });

  test.each([
    [
      '{"format":"dustbuster-local","version":1,"rules":[{"veto":true,"form":"x"}]}',
      'at /rules/0: the field "form" is unknown',
    ],
    [
      '{"format":"dustbuster-local","version":1,\n "rules":[{"veto":true},]}',
      'rules.local.json:2:25: damaged JSON, got "]"',
    ],
    ['', 'is empty'],
  ])('that are damaged stop every command, with the place: %j', async (text, message) => {
    write('rules.json', html());
    writeFileSync(at('rules.local.json'), text);
    for (const args of [
      ['canonize', '-r', at('rules.json'), URL_HTML],
      ['explain', '-r', at('rules.json'), URL_HTML],
      ['validate', at('rules.json'), '--test', LOG],
      ['mine', LOG, '-o', at('rules.json')],
    ]) {
      const before = readFileSync(at('rules.json'), 'utf8');
      const { code, stderr } = await run(args);
      expect([args[0], code, stderr]).toEqual([args[0], 2, expect.stringContaining(message)]);
      expect(readFileSync(at('rules.json'), 'utf8')).toBe(before);
    }
  });

  test('are never overwritten, nor is a folder taken for them', async () => {
    writeFileSync(at('rules.local.json'), local());
    const over = await run(['mine', LOG, '-o', at('rules.local.json')]);
    expect([over.code, over.stderr]).toEqual([2, expect.stringContaining('is the file of local rules')]);
    const named = await run(['mine', LOG, '-o', at('rules.json'), '--local', at('nowhere.json')]);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('nowhere.json: there is no such file')]);
    mkdirSync(at('x'));
    mkdirSync(at('x/rules.local.json'));
    write('x/rules.json', html());
    const dir = await run(['canonize', '-r', at('x/rules.json'), URL_HTML]);
    expect([dir.code, dir.stderr]).toEqual([2, expect.stringContaining('it is a folder')]);
  });
});

describe('mine', { timeout: 30_000 }, () => {
  const mine = (...flags: string[]) => run(['mine', LOG, '-o', at('rules.json'), ...flags]);
  const ends = (rule: Rule) => rule.kind === 'substring' && rule.from === '.html' && rule.anchor === 'end';

  test('marks rules by local rules, and removes the marks when these are gone', async () => {
    await mine();
    const plain = readFileSync(at('rules.json'), 'utf8');
    writeFileSync(
      at('rules.local.json'),
      local({ veto: true, from: '.html', anchor: 'end' }, { pin: true, name: 'u', action: 'remove' }),
    );
    const { stdout } = await mine();
    expect(stdout.toString()).toMatch(/Not shown: .*, 1 vetoed; dustbuster explain -r .*rules\.json lists all rules\n/);
    expect(rulesIn('rules.json').rules[0]).toMatchObject({ name: 'u', pin: 'local', rank: 1 });
    expect(rulesIn('rules.json').rules.find(ends)).toMatchObject({ veto: 'local' });
    writeFileSync(at('rules.local.json'), local());
    await mine();
    expect(readFileSync(at('rules.json'), 'utf8')).toBe(plain);
  });

  test('keeps what people wrote into the file that it replaces, and refuses to lose it', async () => {
    await mine();
    const edited = rulesIn('rules.json').rules.map((rule) =>
      ends(rule) ? { ...rule, veto: true, note: 'our print view' } : rule,
    );
    const own = { ...html({ pin: true }), rank: 9999 } as Rule;
    write('rules.json', ...edited, own);
    expect((await mine()).code).toBe(0);
    expect(rulesIn('rules.json').rules.find(ends)).toMatchObject({ veto: true, note: 'our print view' });
    expect(rulesIn('rules.json').rules.at(-1)).toMatchObject({ site: 's.test', pin: true, status: 'likely' });
    const once = readFileSync(at('rules.json'), 'utf8');
    await mine();
    expect(readFileSync(at('rules.json'), 'utf8')).toBe(once);
    writeFileSync(at('rules.json'), once.slice(0, -20));
    const { code, stderr } = await mine();
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('pins, vetoes and notes would be lost: repair it, or remove it'),
    ]);
    expect(readFileSync(at('rules.json'), 'utf8')).toBe(once.slice(0, -20));
    writeFileSync(at('rules.json'), 'no rules at all\n');
    expect((await mine()).code, 'nothing to lose').toBe(0);
  });

  // The file is looked at by blocks of 1 MiB.
  test.each([-8, -6, -3, -1, 0])('marks in a long damaged file are seen where a block ends: %i', async (shift) => {
    const block = 1 << 20;
    writeFileSync(at('rules.json'), `{"pin":true}`.padStart(block + shift + '{"pin":true}'.length) + 'x'.repeat(block));
    const { code, stderr } = await run(['mine', LOG, '-q', '-o', at('rules.json')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('would be lost')]);
  });

  test('--check writes nothing and ends with 1 if the rules would change, --fail-on-change writes them', async () => {
    const absent = await mine('--check');
    expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining('would change: it is not there')]);
    expect(existsSync(at('rules.json'))).toBe(false);
    await mine();
    const whole = readFileSync(at('rules.json'), 'utf8');
    expect((await mine('--check')).code).toBe(0);
    expect((await mine('--fail-on-change')).code).toBe(0);
    const file = rulesIn('rules.json');
    write('rules.json', ...file.rules.slice(1).map((rule) => ({ ...rule, confidence: 0 })));
    const changed = readFileSync(at('rules.json'), 'utf8');
    const check = await mine('--check');
    expect([check.code, check.stderr, check.stdout.toString()]).toEqual([
      1,
      expect.stringContaining('would change: 1 new\n'),
      '',
    ]);
    expect(readFileSync(at('rules.json'), 'utf8')).toBe(changed);
    const fail = await mine('--fail-on-change');
    expect([fail.code, fail.stderr]).toEqual([1, expect.stringContaining('has changed: 1 new\n')]);
    expect(readFileSync(at('rules.json'), 'utf8')).toBe(whole);
  });

  test.each([
    [['--check', '--by-sketch'], '--check: got it with a validation'],
    [['--check', '-o', '-'], '--check: got standard output'],
    [['--fail-on-change', '-o', '-'], '--fail-on-change: got standard output'],
    [['--stage', 'pairs', '--check'], '--stage pairs writes no rules'],
    [['--forget', '3d'], '--forget: got no --history'],
    [['--forget', '3', '--history', 'x'], '--forget: got "3"'],
  ])('%j is refused', async (flags, message) => {
    const { code, stderr } = await mine(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('diff', { timeout: 30_000 }, () => {
  test('shows what changed between two files, as a table or JSON, and where', async () => {
    write('old.json', html(), { ...html({ anchor: 'none' } as Partial<Rule>), rank: 2 });
    write('new.json', html({ status: 'likely' }), { ...html({ site: 't.test' }), rank: 2 });
    const diff = (...flags: string[]) => run(['diff', at('old.json'), at('new.json'), ...flags]);
    const { code, stdout } = await diff();
    expect(code).toBe(0);
    expect(stdout.toString().split('\n')).toEqual([
      'change  id        site    what            rule',
      'likely  f70ryat3  s.test  valid ⇒ likely  `.html` at the end is dropped.',
      'new     y112wgzp  t.test  valid           `.html` at the end is dropped.',
      'gone    xhk11d6f  s.test  valid           `.html` is dropped wherever it stands.',
      '1 likely, 1 new, 1 gone',
      '',
    ]);
    expect((await diff('--fail-on-change')).code).toBe(1);
    expect(JSON.parse((await diff('--json')).stdout.toString())).toMatchObject({ counts: { new: 1 } });
    await diff('-o', at('told.txt'));
    expect(readFileSync(at('told.txt'), 'utf8')).toBe(stdout.toString());
    const same = await run(['diff', at('old.json'), at('old.json'), '--fail-on-change']);
    expect([same.code, same.stdout.toString()]).toEqual([0, 'No rule has changed.\n']);
    const over = await diff('-o', at('old.json'));
    expect([over.code, over.stderr]).toEqual([2, expect.stringContaining('is an input')]);
    const gone = await run(['diff', at('old.json'), at('none.json')]);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('there is no such file')]);
  });

  test('does not fail if only the figures of rules changed', async () => {
    write('old.json', html({ confidence: 0.5 }));
    write('new.json', html({ confidence: 0.9 }));
    const better = await run(['diff', at('old.json'), at('new.json'), '--fail-on-change']);
    expect([better.code, better.stdout.toString()]).toEqual([0, expect.stringContaining('1 strengthened')]);
    const worse = await run(['diff', at('new.json'), at('old.json'), '--fail-on-change']);
    expect([worse.code, worse.stdout.toString()]).toEqual([1, expect.stringContaining('confidence 0.9 ⇒ 0.5')]);
    expect((await run(['diff', at('new.json'), at('old.json'), '--fail-on-change', '--threshold', '0.5'])).code).toBe(
      0,
    );
  });
});
