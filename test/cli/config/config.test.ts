// Options from files and variables: which take precedence, what is refused, and what another user's folder cannot do.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FIXTURES, run, scratchFolder, type Outcome } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
let env: Readonly<Record<string, string>>;

beforeEach(() => {
  folder = scratchFolder();
  mkdirSync(join(folder.path, 'xdg/dustbuster'), { recursive: true });
  env = { XDG_CONFIG_HOME: join(folder.path, 'xdg'), DUSTBUSTER_CONFIG: '' };
});
afterEach(() => folder.remove());

const put = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
const project = (text: string) => put('dustbuster.toml', text);
const user = (text: string) => put('xdg/dustbuster/config.toml', text);
const at = (args: readonly string[], own: Readonly<Record<string, string>> = {}) =>
  run(args, { cwd: folder.path, env: { ...env, ...own } });

/** Value and origin of an option in the output of `config show`. */
async function shown(option: string, args: readonly string[] = [], own = {}): Promise<[unknown, string]> {
  const [command, key] = option.split('.') as [string, string];
  const { stdout, stderr } = await at([...args, 'config', 'show', command, '--json'], own);
  expect(stderr).toBe('');
  const { options } = JSON.parse(stdout.toString()) as {
    readonly options: readonly { option: string; value: unknown; origin: Readonly<Record<string, unknown>> }[];
  };
  const { value, origin } = options.find((row) => row.option === key)!;
  return [value, String(origin['variable'] ?? origin['file'] ?? origin['kind'])];
}

const NOWHERE = { code: 2, stdout: Buffer.from('') };

function refused(outcome: Outcome): string {
  expect(outcome).toMatchObject(NOWHERE);
  expect(outcome.stderr).toMatch(/^dustbuster: .*\n$/);
  return outcome.stderr.slice('dustbuster: '.length, -1);
}

describe('options that are not flags', { timeout: 60_000 }, () => {
  it('come from variables, the working folder and the user, in this order', async () => {
    expect(await shown('mine.top')).toEqual([null, 'default']);
    user('top = 5\n');
    expect(await shown('mine.top')).toEqual([5, join(folder.path, 'xdg/dustbuster/config.toml')]);
    project('top = 4\n');
    expect(await shown('mine.top')).toEqual([4, 'dustbuster.toml']);
    expect(await shown('mine.top', [], { DUSTBUSTER_TOP: '3' })).toEqual([3, 'DUSTBUSTER_TOP']);
    expect(await shown('mine.top', [], { DUSTBUSTER_TOP: '3', DUSTBUSTER_MINE_TOP: '2' })).toEqual([
      2,
      'DUSTBUSTER_MINE_TOP',
    ]);
    expect(await shown('diff.top', [], { DUSTBUSTER_TOP: '3', DUSTBUSTER_MINE_TOP: '2' })).toEqual([
      3,
      'DUSTBUSTER_TOP',
    ]);
  });

  it('give way to flags', async () => {
    project('top = 1\n');
    const { code, stdout } = await at(['mine', join(FIXTURES, 'access.log'), '--top', '2']);
    expect(code).toBe(0);
    expect(stdout.toString()).toMatch(/^… and \d+ more lines, of \d+ rules; --top \d+ shows all$/m);
    expect(stdout.toString().match(/^ +\d+ {2}/gm)).toHaveLength(2);
  });

  it('have a table for one command, which takes precedence over the top of the same file', async () => {
    project('top = 7\n[mine]\ntop = 8\n');
    expect(await shown('mine.top')).toEqual([8, 'dustbuster.toml']);
    expect(await shown('diff.top')).toEqual([7, 'dustbuster.toml']);
    user('[mine]\ntop = 9\n');
    expect(await shown('mine.top')).toEqual([8, 'dustbuster.toml']);
  });

  it('come from a named file instead of all others, or from none', async () => {
    user('top = 5\n');
    put('named.toml', 'memory = "64m"\n');
    expect(await shown('mine.top', ['--config', 'named.toml'])).toEqual([null, 'default']);
    expect(await shown('mine.memory', ['--config', 'named.toml'])).toEqual(['64m', 'named.toml']);
    expect(await shown('mine.memory', [], { DUSTBUSTER_CONFIG: 'named.toml' })).toEqual(['64m', 'named.toml']);
    expect(await shown('mine.top', ['--no-config'])).toEqual([null, 'default']);
  });

  it('may be switches, negated ones, numbers, texts, days and lists', async () => {
    const toml = `fetch = true\nparameters = false\nMRD = 0.1\nbase = "http://a.example"\nsince = 2026-11-01\nexclude = ["/a/", "*.php"]\nlocal = false\n[canonize]\ninput = "a.txt"\n`;
    put('all.toml', toml);
    const of = async (option: string) => (await shown(option, ['--config', 'all.toml']))[0];
    const options = ['fetch', 'parameters', 'MRD', 'base', 'since', 'exclude', 'local'];
    const values = await Promise.all(options.map((option) => of(`mine.${option}`)));
    expect(values).toEqual([true, false, 0.1, 'http://a.example', '2026-11-01', ['/a/', '*.php'], false]);
    expect(await of('canonize.input')).toEqual(['a.txt']);
  });

  it.each([
    ['DUSTBUSTER_PARAMETERS', 'no', 'mine.parameters', false],
    ['DUSTBUSTER_FETCH', '1', 'mine.fetch', true],
    ['DUSTBUSTER_FETCH', 'off', 'mine.fetch', false],
    ['DUSTBUSTER_EXCLUDE', '/a b/\n*.php', 'mine.exclude', ['/a b/', '*.php']],
    ['DUSTBUSTER_LOCAL', 'no', 'mine.local', false],
    ['DUSTBUSTER_LOCAL', './no', 'mine.local', './no'],
    ['DUSTBUSTER_T_LOW', '4', 'mine.T_low', 4],
    ['DUSTBUSTER_MAX_AGE', '1h', 'validate.max-age', 3600],
  ])('may be %s=%j', async (name, text, option, value) => {
    expect(await shown(option, [], { [name]: text })).toEqual([value, name]);
  });

  it('are replaced by a repeatable flag, not extended', async () => {
    put('all.toml', 'exclude = ["/file/"]\n');
    const excluded = async (args: readonly string[], own = {}) => {
      const { code } = await at(['mine', join(FIXTURES, 'access.log'), '-q', '-o', 'out.json', ...args], own);
      expect(code).toBe(0);
      const { options } = JSON.parse(readFileSync(join(folder.path, 'out.json'), 'utf8')) as {
        readonly options: { readonly filters: { readonly exclude: readonly string[] } };
      };
      return options.filters.exclude;
    };
    const flags = ['--exclude', '/flag/', '--exclude', '/other/'];
    expect(await excluded(['--config', 'all.toml'])).toEqual(['/file/']);
    expect(await excluded(['--config', 'all.toml', ...flags])).toEqual(['/flag/', '/other/']);
    expect(await excluded(flags, { DUSTBUSTER_EXCLUDE: '/variable/' })).toEqual(['/flag/', '/other/']);
  });

  it('satisfy a command that requires one', async () => {
    expect((await at(['eval'])).stderr).toMatch(/required option '--urls/);
    const { stderr } = await at(['eval'], { DUSTBUSTER_URLS: 'list.txt' });
    expect(stderr).toMatch(/dustbuster-rules\.json/);
  });
});

describe('what no option accepts', { timeout: 60_000 }, () => {
  it('is refused with the place', async () => {
    const refusals: readonly (readonly [toml: string, message: string | RegExp])[] = [
      [
        'memroy = "1g"',
        'named.toml:1: got the key memroy, expected an option of a command without its dashes. Did you mean memory?',
      ],
      [
        '\n[mine]\nno-fetsch = true',
        'named.toml:3: got the key mine.no-fetsch, expected an option of mine without its dashes. Did you mean fetch?',
      ],
      ['[mien]\ntop = 1', 'named.toml:1: got the table [mien], expected the name of a command. Did you mean mine?'],
      ['top = "many"', 'named.toml:1: --top: got "many", expected a whole number of at least 0'],
      ['fetch = "yes"', 'named.toml:1: fetch: got "yes", expected true or false'],
      ['top = true', 'named.toml:1: top: got true, expected a text or a number'],
      ['rank = ["support"]', 'named.toml:1: rank: got a list, expected "likeliness", "confidence", "support"'],
      [
        'include = [["a"]]',
        'named.toml:1: include: got a list of more than texts and numbers, expected a text or a number, or a list of them',
      ],
      ['__proto__ = 1', /^named\.toml:1:\d+: .*expected TOML$/],
      ['secret word', /^named\.toml:1:\d+: (?!.*secret).*expected TOML$/],
      ['memory = "lots"', '--memory: got "lots", expected a size such as 512m or 2g (--memory is set by named.toml:1)'],
    ];
    await Promise.all(
      refusals.map(async ([toml, message], number) => {
        put(`${number}.toml`, `${toml}\n`);
        put('a.log', '');
        const said = refused(await at(['mine', 'a.log', '--config', `${number}.toml`])).replaceAll(
          `${number}.toml`,
          'named.toml',
        );
        if (typeof message === 'string') expect(said, toml).toBe(message);
        else expect(said, toml).toMatch(message);
      }),
    );
  });

  it('is reported with the place if a command detects it, unless it came from a flag', async () => {
    put('named.toml', 'memory = "lots"\ntest = ["x"]\n');
    put('a.log', '');
    const said = async (...args: string[]) => refused(await at(['mine', 'a.log', '--config', 'named.toml', ...args]));
    expect(await said('--memory', 'much')).toMatch(/^--test: .*\(--test is set by named\.toml:2\)$/);
    expect(await said('--memory', 'much', '--by-sketch')).toBe(
      '--memory: got "much", expected a size such as 512m or 2g',
    );
  });

  it('is refused in a variable, which is named', async () => {
    expect(refused(await at(['mine', 'a.log'], { DUSTBUSTER_MS: 'x' }))).toMatch(
      /^DUSTBUSTER_MS: --MS: got "x", expected/,
    );
    expect(refused(await at(['mine', 'a.log'], { DUSTBUSTER_FETCH: 'maybe' }))).toBe(
      'DUSTBUSTER_FETCH: fetch: got "maybe", expected true or false',
    );
  });

  it('is ignored if another command takes it', async () => {
    put('named.toml', 'urls = ["x"]\nfetch = true\n[eval]\ntruth = "t"\n');
    put('dustbuster-rules.json', '');
    const { stderr } = await at(['diff', 'a', 'b', '--config', 'named.toml']);
    expect(stderr).toMatch(/cannot read a: there is no such file/);
  });

  it('is a named file that does not exist', async () => {
    expect(refused(await at(['mine', 'a.log', '--config', 'none.toml']))).toMatch(
      /^cannot read none\.toml: there is no such file/,
    );
  });

  it('is shown by config show if it is a variable without an option', async () => {
    const { stdout } = await at(['config', 'show'], { DUSTBUSTER_MEMROY: '1g' });
    expect(stdout.toString()).toContain(
      'DUSTBUSTER_MEMROY: no option has this variable; did you mean DUSTBUSTER_MEMORY?',
    );
  });

  it('does not prevent help, completion and the manual', async () => {
    put('broken.toml', 'x');
    for (const args of [['help'], ['mine', '-h'], ['man'], ['completion', 'bash']]) {
      expect(await at(args, { DUSTBUSTER_CONFIG: 'broken.toml' })).toMatchObject({ code: 0, stderr: '' });
    }
  });
});

describe('a file found in the working folder', { timeout: 60_000 }, () => {
  it('may not set what is fetched, read, written, trusted, or used of the machine', async () => {
    const forbidden = [
      'fetch = true',
      'base = "http://a.example"',
      '[mine]\nallow-private = true',
      'output = "/tmp/x"',
      'rejects = "x"',
      'state = "s"',
      'history = "h"',
      'local = "l"',
      'tmpdir = "/"',
      'memory = "1t"',
      'threads = 256',
      'site = "all"',
      'resolve = ["a=127.0.0.1"]',
      'fetch-cache = "c"',
      'test = ["/etc/passwd"]',
      'pages = ["x"]',
      'user-agent = "x"',
    ];
    await Promise.all(
      forbidden.map(async (toml) => {
        const cwd = mkdtempSync(join(folder.path, 'own-'));
        writeFileSync(join(cwd, 'dustbuster.toml'), `${toml}\n`);
        const said = refused(await run(['mine', 'a.log'], { cwd, env }));
        expect(said, toml).toMatch(
          /^dustbuster\.toml:\d: got the key [\w-]+, which a file found in the working folder may not set; expected one of format, /,
        );
        expect(said).toMatch(/Say --config dustbuster\.toml if you trust it, or --no-config\.$/);
      }),
    );
  });

  it('may set what its page says, and no more', async () => {
    project('output = "x"\n');
    const [, keys] = /expected one of (.*?)\. Say/.exec(refused(await at(['mine', 'a.log'])))!;
    const page = readFileSync(new URL('../../../src/docs/config.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
    const [, told] = /what is mined from them: (.*?)\. It may not/.exec(page)!;
    expect(told!.replaceAll('`', '')).toBe(keys);
  });

  it.each([
    ['S = 500', 'S: got 500, expected at most 140'],
    ['T_low = 30\nT_high = 40', 'T_low: got 30, expected at most 24'],
    ['T_high = 1000', 'T_high: got 1000, expected at most 44'],
    ['MS = 1', 'MS: got 1, expected at least 2'],
    ['[mine]\nMW = 1000000', 'MW: got 1000000, expected at most 11000'],
  ])('may not make a run cost much more: %j', async (toml, told) => {
    project(`${toml}\n`);
    put('a.log', '');
    expect(refused(await at(['mine', 'a.log']))).toContain(told);
    expect((await at(['mine', 'a.log', '--config', 'dustbuster.toml'])).stderr).not.toContain('expected');
  });

  it('may set it if it is named', async () => {
    project('memory = "64m"\n');
    expect(await shown('mine.memory', ['--config', 'dustbuster.toml'])).toEqual(['64m', 'dustbuster.toml']);
  });

  it('may not set what only another command would do', async () => {
    project('accept = "likely"\n');
    refused(await at(['mine', 'a.log']));
    project('[canonize]\naccept = "likely"\n');
    expect(refused(await at(['canonize', '/a']))).toContain('accept');
  });

  it('is ignored if everybody may write to it, or if it is not a regular file, and this is reported', async () => {
    project('top = 1\n');
    chmodSync(join(folder.path, 'dustbuster.toml'), 0o666);
    expect((await at(['diff', 'a', 'b'])).stderr).toMatch(
      /^dustbuster: dustbuster\.toml in this folder is ignored: everybody may write/,
    );
    const { stdout } = await at(['config', 'show']);
    expect(stdout.toString()).toContain('dustbuster.toml: ignored: everybody may write to it');
    expect(stdout.toString()).not.toContain('--top');
  });

  it('is not read through a link, nor waited for if it is a pipe', async () => {
    put('elsewhere', 'top = 1\n');
    symlinkSync('elsewhere', join(folder.path, 'dustbuster.toml'));
    expect((await at(['diff', 'a', 'b'])).stderr).toMatch(/^dustbuster: dustbuster\.toml .* it is not a regular file/);
    spawnSync('rm', [join(folder.path, 'dustbuster.toml')]);
    if (spawnSync('mkfifo', [join(folder.path, 'dustbuster.toml')]).status !== 0) return;
    expect((await at(['diff', 'a', 'b'])).stderr).toMatch(/^dustbuster: dustbuster\.toml .* it is not a regular file/);
  });

  it.runIf(process.getuid?.() === 0)('is ignored if it belongs to another user', async () => {
    project('top = 1\n');
    spawnSync('chown', ['12345', join(folder.path, 'dustbuster.toml')]);
    expect((await at(['diff', 'a', 'b'])).stderr).toMatch(
      /^dustbuster: dustbuster\.toml .* it belongs to another user/,
    );
  });
});

describe('dustbuster config show', { timeout: 60_000 }, () => {
  it('shows files, options and origins in columns', async () => {
    project('[mine]\nT_low = 5\n');
    const { stdout, code } = await at(['config', 'show'], { DUSTBUSTER_MEMORY: '64m' });
    expect(code).toBe(0);
    expect(stdout.toString()).toMatch(/^dustbuster\.toml: read$/m);
    expect(stdout.toString()).toMatch(/^mine --T_low +5 +dustbuster\.toml:2$/m);
    expect(stdout.toString()).toMatch(/^eval --memory +64m +DUSTBUSTER_MEMORY$/m);
  });

  it('rejects an unknown command', async () => {
    expect(refused(await at(['config', 'show', 'mien']))).toMatch(/^config show: got "mien", .*Did you mean mine\?$/);
  });
});
