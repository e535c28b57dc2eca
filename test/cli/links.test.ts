// A working folder or a state may contain traps: a link to a file of the user, a pipe that nobody writes to. Names
// chosen by the program are not followed; an explicit name may be a link of the user.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, FIXTURES, run, scratchFolder, type Outcome } from './process.js';

const LOG = join(FIXTURES, 'access.log');
const SECRET = 'alias ls="ls -l"\n';
const isRoot = process.getuid?.() === 0;

let scratch: ReturnType<typeof scratchFolder>;
let rules: Buffer;
beforeAll(async () => {
  scratch = scratchFolder();
  const made = await run(['mine', LOG, '-q', '-o', 'rules.json'], { cwd: scratch.path });
  expect(made.code).toBe(0);
  rules = readFileSync(join(scratch.path, 'rules.json'));
}, 60_000);
afterAll(() => scratch.remove());

interface Folder {
  readonly cwd: string;
  /** Outside of the working folder, as `~/.bashrc` is. */
  readonly victim: string;
}

function newFolder(): Folder {
  const path = mkdtempSync(join(scratch.path, 'links-'));
  const cwd = join(path, 'work');
  mkdirSync(cwd);
  const victim = join(path, 'bashrc');
  writeFileSync(victim, SECRET);
  return { cwd, victim };
}

/** Like `run`, for commands that could wait for a pipe for ever. */
function runBriefly(args: readonly string[], cwd: string, input: Buffer | string = ''): Outcome {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    input,
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  return { code: status, signal, stdout, stderr: stderr.toString() };
}

const shell = (cwd: string, command: string) => {
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd, env: { ...process.env, BIN } });
  return { code: status, stderr: stderr.toString() };
};

describe('the default name of the rules', { timeout: 60_000 }, () => {
  const DEFAULT = 'dustbuster-rules.json';

  test.each([
    ['mine', ['mine', LOG, '-q']],
    ['mine --state', ['mine', '--state', 'S', LOG, '-q']],
    ['mine --check', ['mine', LOG, '-q', '--check']],
  ])('is not a link that `%s` follows', async (_, args) => {
    const { cwd, victim } = newFolder();
    symlinkSync(victim, join(cwd, DEFAULT));
    const { code, stderr } = await run(args, { cwd });
    expect([code, stderr]).toEqual([
      2,
      'dustbuster: dustbuster-rules.json is a symbolic link; expected a plain file, as you did not name it. ' +
        'Remove it, or name what is meant: ./dustbuster-rules.json\n',
    ]);
    expect(readFileSync(victim, 'utf8')).toBe(SECRET);
    expect(readdirSync(cwd).filter((name) => name !== 'S')).toEqual([DEFAULT]);
    expect(lstatSync(join(cwd, DEFAULT)).isSymbolicLink()).toBe(true);
  });

  test('is not a link that `validate` follows', async () => {
    const { cwd, victim } = newFolder();
    writeFileSync(victim, rules);
    symlinkSync(victim, join(cwd, DEFAULT));
    const { code, stderr } = await run(['validate', '--by-sketch', '--test', LOG], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('is a symbolic link')]);
    expect(readFileSync(victim).equals(rules)).toBe(true);
  });

  test.each([
    ['mine', ['mine', LOG, '-q']],
    ['canonize', ['canonize', '--accept', 'likely']],
    ['export', ['export', '--to', 'csv']],
  ])('is not a pipe that `%s` waits for', (_, args) => {
    const { cwd } = newFolder();
    execFileSync('mkfifo', [join(cwd, DEFAULT)]);
    const { code, stderr } = runBriefly(args, cwd);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is a named pipe; expected a plain file')]);
  });

  test('is used if it is given with its folder, even if it is a link', async () => {
    const { cwd, victim } = newFolder();
    symlinkSync(victim, join(cwd, DEFAULT));
    expect((await run(['mine', LOG, '-q', '-o', `./${DEFAULT}`], { cwd })).code).toBe(0);
    expect(readFileSync(victim).equals(rules)).toBe(true);
  });
});

test.runIf(isRoot)('an explicit name is not followed if it is a link of another user', async () => {
  const { cwd, victim } = newFolder();
  symlinkSync(victim, join(cwd, 'out.json'));
  lchownSync(join(cwd, 'out.json'), 65534, 65534);
  const { code, stderr } = await run(['mine', LOG, '-q', '-o', 'out.json'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('is a symbolic link of another user')]);
  expect(readFileSync(victim, 'utf8')).toBe(SECRET);
});

describe('a state', { timeout: 60_000 }, () => {
  const log = 'http://www.example.test/a?b=1\nhttp://www.example.test/c\n';
  let made: Folder;
  beforeAll(async () => {
    made = newFolder();
    expect((await run(['mine', '--state', 'S', '-', '-q'], { cwd: made.cwd, input: log })).code).toBe(0);
  });
  function newState(): Folder {
    const folder = newFolder();
    cpSync(made.cwd, folder.cwd, { recursive: true });
    return folder;
  }
  const mine = (cwd: string) =>
    runBriefly(['mine', '--state', 'S', '-', '-q'], cwd, log.replaceAll('www.example', 'other.example'));

  test('that is new is not created through a link', () => {
    const { cwd, victim } = newFolder();
    mkdirSync(join(cwd, 'S'));
    symlinkSync(victim, join(cwd, 'S/state.json.part'));
    expect(mine(cwd)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(victim, 'utf8')).toBe(SECRET);
    expect(readdirSync(join(cwd, 'S')).sort()).toEqual(['rules.json', 'runs', 'state.json', 'values.json']);
  });

  test.each(['state.json', 'rules.json', 'values.json', 'runs/1.run'])('is not read through a link at %s', (name) => {
    const { cwd, victim } = newState();
    const path = join(cwd, 'S', name);
    renameSync(path, victim);
    symlinkSync(victim, path);
    expect(mine(cwd)).toMatchObject({ code: 2, stderr: expect.stringContaining('is a symbolic link') });
  });

  test.each(['state.json', 'rules.json', 'values.json', 'runs/1.run', 'lock.1.aa'])(
    'does not wait for a pipe at %s',
    (name) => {
      const { cwd, victim } = newState();
      const path = join(cwd, 'S', name);
      if (name !== 'lock.1.aa') renameSync(path, victim);
      execFileSync('mkfifo', [path]);
      expect(mine(cwd)).toMatchObject({ code: 2, stderr: expect.stringContaining('is a named pipe') });
    },
  );

  test.runIf(existsSync('/proc/self'))('that cannot be made says so', () => {
    const { cwd } = newFolder();
    const args = ['mine', LOG, '--state', '/proc/none', '-q', '-o', 'rules.json'];
    expect(runBriefly(args, cwd)).toMatchObject({ code: 2, stderr: expect.stringContaining('/proc/none') });
  });

  test('has a folder of runs of its own', () => {
    const { cwd } = newState();
    renameSync(join(cwd, 'S/runs'), join(cwd, 'elsewhere'));
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'S/runs'));
    copyFileSync(join(cwd, 'elsewhere/1.run'), join(cwd, 'elsewhere/7.run'));
    const refused = { code: 2, stderr: expect.stringContaining('is a symbolic link') };
    expect(mine(cwd)).toMatchObject(refused);
    expect(runBriefly(['refresh', 'S', '-o', 'due.txt'], cwd)).toMatchObject(refused);
    expect(readdirSync(join(cwd, 'elsewhere'))).toEqual(['1.run', '7.run']);
  });
});

describe('an input', { timeout: 60_000 }, () => {
  test.each([
    ['mine', 'mine - -o X -q'],
    ['mine --rejects', 'mine - -o Y -q --rejects X'],
    ['validate', 'validate - --by-sketch --test X -o X'],
    ['eval', 'eval --urls - --accept likely -o X'],
    ['report', 'report --log - -o X'],
    ['export', 'export - --to csv -o X'],
  ])('that is standard input is not replaced by `%s`', (_, words) => {
    const { cwd } = newFolder();
    const content = /^(mine|eval|report)/.test(words) ? readFileSync(LOG) : rules;
    writeFileSync(join(cwd, 'X'), content);
    writeFileSync(join(cwd, 'dustbuster-rules.json'), rules);
    const { code, stderr } = shell(cwd, `"${process.execPath}" "$BIN" ${words} < X`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/X is .*; expected another file for the result/)]);
    expect(readFileSync(join(cwd, 'X')).equals(content)).toBe(true);
  });

  test.each([
    'export R --to csv --accept likely --log a.log -o a.log',
    'canonize -r R --accept likely -i u --local L -o L',
    'export R --to csv --accept likely --local L -o ./L',
    'report R --local L -o L',
    'mine a.log -q --history R -o new --rejects R',
    'mine a.log -q -o new --rejects new',
    'mine a.log -q --from-clusters u -o u',
    'sketch --mirror M --signature spotsigs --antecedents u -o u',
    'sketch --mirror M -o M/host/page.html',
    'refresh S -r R -o R',
  ])('is not replaced by a result, nor one result by another: %s', (words) => {
    const { cwd } = newFolder();
    mkdirSync(join(cwd, 'M/host'), { recursive: true });
    const files = { R: rules, u: 'http://a/', L: '{"format":"dustbuster-local","version":1,"rules":[]}' };
    const all = { ...files, 'M/host/page.html': '<p>page', 'a.log': readFileSync(LOG) };
    for (const [name, text] of Object.entries(all)) writeFileSync(join(cwd, name), text);
    const { code, stderr } = runBriefly(words.split(' '), cwd);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/expected another (file|place) for the result/)]);
    for (const [name, text] of Object.entries(all)) {
      expect(readFileSync(join(cwd, name)).equals(Buffer.from(text))).toBe(true);
    }
    expect(existsSync(join(cwd, 'new'))).toBe(false);
  });

  test('may be the rules of earlier nights that the new ones replace', () => {
    const { cwd } = newFolder();
    writeFileSync(join(cwd, 'R'), rules);
    expect(runBriefly(['mine', LOG, '-q', '--history', 'R', '-o', 'R'], cwd)).toMatchObject({ code: 0 });
  });

  test.each([
    ['by its name', 'canonize --accept likely -r R -i x.gz -o x.gz'],
    ['on standard input', 'canonize --accept likely -r R -o x.gz < x.gz'],
  ])('that is truncated is not replaced by what could be read of it: %s', (_, words) => {
    const { cwd } = newFolder();
    const urls = Array.from({ length: 20_000 }, (__, k) => `http://www.example.test/a${(k * 7919) % 20_011}\n`).join(
      '',
    );
    const cut = gzipSync(urls).subarray(0, 30_000);
    writeFileSync(join(cwd, 'x.gz'), cut);
    writeFileSync(join(cwd, 'R'), rules);
    const { code, stderr } = shell(cwd, `"${process.execPath}" "$BIN" ${words}`);
    expect(readFileSync(join(cwd, 'x.gz')).equals(cut)).toBe(true);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/x\.gz .*expected another file for the result/)]);
    expect(readdirSync(cwd).sort()).toEqual(['R', 'x.gz']);
  });

  test.each(['mine -', 'mine -o rules.json', 'canonize -r rules.json', 'report -'])(
    '%s says that it got a folder',
    (words) => {
      const { cwd } = newFolder();
      writeFileSync(join(cwd, 'rules.json'), rules);
      const { code, stderr } = shell(cwd, `"${process.execPath}" "$BIN" ${words} < .`);
      expect([code, stderr]).toEqual([2, expect.stringContaining('standard input is a folder')]);
      expect(readdirSync(cwd)).toEqual(['rules.json']);
      expect(readFileSync(join(cwd, 'rules.json')).equals(rules)).toBe(true);
    },
  );

  test('that is complete may be replaced by its canonical forms', () => {
    const { cwd } = newFolder();
    writeFileSync(join(cwd, 'x'), 'HTTP://example.test/a#b\n');
    writeFileSync(join(cwd, 'R'), rules);
    expect(shell(cwd, `"${process.execPath}" "$BIN" canonize --accept likely -r R -i x -o x`).code).toBe(0);
    expect(readFileSync(join(cwd, 'x'), 'utf8')).toBe('http://example.test/a\n');
  });
});
