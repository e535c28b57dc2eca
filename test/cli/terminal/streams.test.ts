// Streams, arguments and exit codes as a shell sees them: results on one stream and messages on the other, whatever
// they lead to; options in any order and spelling; no waiting for input at a terminal.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRules } from '../../../src/rule/file.js';
import { sampleFile, sampleRule } from '../../rule/sample.js';
import { BIN, FIXTURES, run, scratchFolder } from '../process.js';
import { HAS_TERMINALS, onTerminal } from './pty.js';
import { rows } from '../../amount.js';

/** Enough of the log for some rules. */
const log = 'short.log';
let folder: ReturnType<typeof scratchFolder>;

beforeAll(() => {
  folder = scratchFolder();
  const lines = readFileSync(join(FIXTURES, 'access.log'), 'latin1').split('\n');
  writeFileSync(join(folder.path, log), `${lines.slice(0, 400).join('\n')}\n`, 'latin1');
  const rule = sampleRule('http://www.', 'http://', { anchor: 'start', status: 'likely' });
  writeFileSync(join(folder.path, 'rules.json'), [...writeRules(sampleFile([rule]))].join(''));
  writeFileSync(join(folder.path, 'urls.txt'), 'http://www.example.test/\n'.repeat(50_000));
});
afterAll(() => folder.remove());

/** Through a shell, where `dustbuster` is the program. */
function shell(command: string) {
  const line = `set -o pipefail; dustbuster() { '${process.execPath}' '${BIN}' "$@"; }; ${command}`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], { cwd: folder.path });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

const likely = '--accept likely -r rules.json';
const writing = [
  `mine '${log}' -o - -q`,
  `mine '${log}' -o x.json --json`,
  `mine '${log}' -o x.json`,
  `mine '${log}' --stage pairs`,
  `canonize ${likely} -i urls.txt`,
  `canonize ${likely} -i urls.txt -o f.txt --json`,
  `explain ${likely} http://www.example.test/`,
  `eval ${likely} --urls '${log}'`,
  'diff rules.json rules.json',
  '--help',
  '--version',
  '--version -v',
  'help mine',
];

describe.skipIf(!existsSync('/dev/full'))('a full disk', { timeout: 30_000 }, () => {
  it.each(rows(writing, 5))('at standard output of %s: 2, and why', (command) => {
    const { status, stderr } = shell(`dustbuster ${command} > /dev/full`);
    expect(stderr).toContain('dustbuster: cannot write standard output: no space is left on the device');
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });

  it.each([
    `mine '${log}' -q`,
    `canonize ${likely} -i urls.txt`,
    'diff rules.json rules.json',
    `eval ${likely} --urls '${log}'`,
  ])('at -o of %s: 2, and why', (command) => {
    expect(shell(`dustbuster ${command} -o /dev/full`)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('dustbuster: cannot write /dev/full: no space is left') as string,
    });
  });

  it.each([
    [`mine '${log}' -o x.json`, 0],
    [`mine '${log}' -o x.json -v`, 0],
    ['nosuch', 2],
    ['diff rules.json missing.json', 2],
    ['', 2],
  ])('at standard error of %s: the work is done, with %d', (command, status) => {
    expect(shell(`dustbuster ${command} 2> /dev/full`).status).toBe(status);
  });
});

describe('a reader that has closed the pipe', { timeout: 30_000 }, () => {
  it.each(rows(writing, 5))('ends %s quietly', (command) => {
    expect(shell(`dustbuster ${command} | true`)).toMatchObject({ status: 0 });
  });

  it('of standard error changes nothing', () => {
    expect(shell(`{ dustbuster mine '${log}' -o gone.json -v 2>&1 >&3 | true; } 3> table.txt`).status).toBe(0);
    expect(readFileSync(join(folder.path, 'gone.json'), 'utf8')).toMatch(/\}\n$/);
  });
});

describe('a word that is not a command, option or choice', { timeout: 30_000 }, () => {
  it.each([
    ['minee', /^error: unknown command 'minee'\n\(Did you mean mine\?\)/],
    ['mine --memry 1g', /^error: unknown option '--memry'\n\(Did you mean --memory\?\)/],
    ['diff a b --colour never', /^error: unknown option '--colour'\n\(Did you mean --color\?\)/],
    ['mine x --rank likelyness', /expected likeliness, confidence, support; did you mean likeliness\?\n/],
    ['mine x --format Combind', /did you mean combined\?\n/],
    ['mine x --format clf', /sitebulb\n/],
    ['mine x --scheme htpt', /expected http, https; did you mean http\?\n/],
    ['canonize --accept vaild', /expected valid, confident, likely; did you mean valid\?\n/],
    ['explain --color yes /a', /--color: got "yes", expected auto, always, never\n/],
    ['canon', /^error: unknown command 'canon'/],
    ['val rules.json', /^error: unknown command 'val'/],
  ])('%s', async (words, said) => {
    const { code, stdout, stderr } = await run(words.split(' '));
    expect(stderr).toMatch(said);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' });
  });
});

describe('arguments', { timeout: 30_000 }, () => {
  it('come in any order and either spelling', async () => {
    const forms = [
      ['mine', log, '-o', '-', '-q', '--memory', '64m', '--threads', '2'],
      ['mine', '--threads=2', '-q', '--memory=64M', '-o-', log],
      ['mine', '-qo', '-', log, '--memory', '65536k'],
      ['mine', '-q', '--output=-', '--', log],
    ];
    const [first, ...others] = await Promise.all(forms.map((args) => run(args, { cwd: folder.path })));
    expect(first!.stdout.length).toBeGreaterThan(1000);
    for (const other of others) expect(other.stdout).toEqual(first!.stdout);
  });

  it('after -- are not options', () => {
    expect(shell(`dustbuster canonize ${likely} -- --weird -v`).stdout).toBe('--weird\n-v\n');
  });

  it.each([
    ['diff - rules.json < rules.json', 'No rule has changed.\n'],
    ['diff rules.json - < rules.json', 'No rule has changed.\n'],
    ['canonize --accept likely -r - http://www.example.test/ < rules.json', 'http://example.test/\n'],
    [`canonize ${likely} -i - -o - <<< http://www.example.test/`, 'http://example.test/\n'],
  ])('that are - are the standard streams: %s', (command, stdout) => {
    expect(shell(`dustbuster ${command}`)).toMatchObject({ status: 0, stdout });
  });

  it.each([
    ['diff - - < rules.json', 'OLD and NEW'],
    ['canonize --accept likely -r - < rules.json', '-r and the list of URLs'],
    ['eval -r - --urls - < rules.json', '-r and --urls'],
    ['eval -r rules.json --urls - --truth - < rules.json', '--urls and --truth'],
    ['validate - --test - < rules.json', 'RULES and --test'],
  ])('ask for standard input once: %s', (command, both) => {
    const { status, stderr } = shell(`dustbuster ${command}`);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `dustbuster: ${both} are both standard input; expected a file for one of them\n`,
    });
  });

  it('ask for standard output once', () => {
    expect(shell(`dustbuster mine '${log}' --rejects - -o -`)).toMatchObject({ status: 2, stdout: '' });
  });

  it('none at all: the list of commands, on standard error, and 2', async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: dustbuster COMMAND/);
    expect(stderr).toMatch(/^ {2}canonize +[Gg]ive each URL/m);
  });
});

describe.skipIf(!HAS_TERMINALS)('somebody who types nothing', { timeout: 30_000 }, () => {
  it.each(['mine', 'canonize -r rules.json', ''])('is not waited for by dustbuster %s', async (words) => {
    const { code, screen } = await onTerminal(`dustbuster ${words}`, { cwd: folder.path });
    expect(code).toBe(2);
    expect(screen).toMatch(/dustbuster mine access\.log|dustbuster canonize < urls\.txt|Usage: dustbuster COMMAND/);
  });

  it('is not waited for if a file was named', async () => {
    const { code, screen } = await onTerminal(`dustbuster canonize ${likely} -i urls.txt | tail -1`, {
      cwd: folder.path,
    });
    expect({ code, screen }).toEqual({ code: 0, screen: 'http://example.test/\r\n' });
  });
});
