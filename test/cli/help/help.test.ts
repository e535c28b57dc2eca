// Help: short and full, examples first, wherever it is requested.
import { beforeAll, describe, expect, it } from 'vitest';
import { closest } from '../../../src/cli/flags/parse.js';
import { parsePage, sectionOf } from '../../../src/cli/help/markdown.js';
import { writeText } from '../../../src/cli/help/text.js';
import { helpAsked } from '../../../src/cli/help/asked.js';
import { run } from '../process.js';

let commands: string[];
const full = new Map<string, string>();
const short = new Map<string, string>();

beforeAll(async () => {
  const help = await textOf(['help']);
  commands = Array.from(/\nCommands:\n([^]*?)\n\n/.exec(help)![1]!.matchAll(/^ {2}(\S+)/gm), ([, name]) => name!);
  await Promise.all(
    commands.map(async (name) => {
      full.set(name, await textOf([name, '--help']));
      short.set(name, await textOf([name, '-h']));
    }),
  );
}, 60_000);

async function textOf(args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await run(args);
  expect({ args, stderr, code }).toEqual({ args, stderr: '', code: 0 });
  return stdout.toString();
}

describe('help', { timeout: 60_000 }, () => {
  it('has examples before anything else, for every command', () => {
    expect(commands.length).toBeGreaterThan(8);
    for (const name of commands) {
      expect(full.get(name), name).toMatch(new RegExp(`^Usage: dustbuster ${name}\\b.*\\n\\nExamples:\\n`));
      expect(short.get(name), name).toMatch(
        new RegExp(`^Usage: dustbuster ${name}\\b.*\\n.*(\\n.*)?\\n\\nExamples:\\n`),
      );
    }
  });

  it('is short enough for a screen with -h, and says everything with --help', () => {
    for (const name of commands) {
      expect(short.get(name)!.split('\n').length, name).toBeLessThanOrEqual(45);
      for (const heading of ['Description:', 'Exit codes:', 'More:'])
        expect(full.get(name), name).toContain(`\n${heading}\n`);
    }
    expect(full.get('mine')!.split('\n').length).toBeGreaterThan(120);
  });

  it('fits into 80 columns, except for text to be copied', () => {
    for (const text of [...full.values(), ...short.values()]) {
      const wide = text.split('\n').filter((line) => line.length > 80 && !line.startsWith('    '));
      expect(wide.filter((line) => line.includes(' ', 3))).toEqual([]);
    }
  });

  it('puts options under headings, and shows defaults and choices', () => {
    const mine = full.get('mine')!;
    for (const heading of [
      'Reading',
      'Which lines count',
      'Mining',
      'Night after night',
      'Result',
      'Memory, disk and threads',
      'Validating',
    ]) {
      expect(mine).toContain(`\n${heading}:\n`);
    }
    expect(mine).not.toContain('\nOptions:\n');
    expect(mine).toMatch(/--T_low <n> +largest bucket that counts for support \(default: 6\)/);
    expect(mine.replace(/\s+/g, ' ')).toMatch(
      /--rank <by> order of the rules \(likeliness, confidence, support\) \(default: likeliness\)/,
    );
  });

  it.each([
    [
      ['mine', 'access.log', '--top', 'x', '--help'],
      ['mine', '--help'],
    ],
    [
      ['--help', 'mine'],
      ['mine', '--help'],
    ],
    [
      ['help', 'mine'],
      ['mine', '--help'],
    ],
    [
      ['mine', '--nonsense', '-h'],
      ['mine', '-h'],
    ],
    [['--help'], ['help']],
  ])('can be requested anywhere: %j is %j', async (args, same) => {
    expect(await textOf(args)).toBe(await textOf(same));
  });

  it('is an operand after --', async () => {
    const { stderr } = await run(['explain', '-r', '/nowhere/rules.json', '--', '--help']);
    expect(stderr).toMatch(/cannot read \/nowhere\/rules\.json/);
  });

  it('shows pages as text', async () => {
    const text = await textOf(['help', 'cron']);
    expect(text).toContain('\nWith systemd:\n');
    expect(text).not.toMatch(/^```|`dust/m);
  });

  it.each(['nosuch', 'mnie', 'constructor', '__proto__'])('of %s lists the choices', async (name) => {
    const { code, stdout, stderr } = await run(['help', name]);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^dustbuster: no help for ".*"; expected one of dustbuster, mine, /);
    expect(stderr.endsWith('Did you mean mine?\n')).toBe(name === 'mnie');
    expect((await run([name, '--help'])).stderr).toBe(stderr);
  });

  it('is printed to stderr for the name alone', async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(await textOf(['-h']));
  });

  it.runIf(process.platform === 'linux')('ends with 2 if it cannot be written', async () => {
    const { spawnSync } = await import('node:child_process');
    const { openSync } = await import('node:fs');
    const { BIN } = await import('../process.js');
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'help', 'mine'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    expect({ status, stderr: stderr.toString() }).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/standard output/) as string,
    });
  });
});

describe('what a command line asks for', () => {
  const asked = (...args: string[]) => helpAsked(args, (word) => ['mine', 'help'].includes(word));

  it.each([
    [['mine', 'log'], undefined],
    [[], undefined],
    [['help'], { form: 'full' }],
    [['help', 'x', '-h'], { form: 'full', topic: 'x' }],
    [['help', '-h'], { form: 'short', topic: 'help' }],
    [['-h'], { form: 'short' }],
    [['-h', '--help'], { form: 'full' }],
    [['--config', 'x', 'mine', '-h'], { form: 'short', topic: 'mine' }],
    [['log', '--help'], { form: 'full', topic: 'log' }],
    [['mine', '--', '-h'], undefined],
  ])('%j', (args, expected) => {
    expect(asked(...args)).toEqual(expected);
  });
});

describe('the intended word', () => {
  it.each([
    ['mnie', 'mine'],
    ['canonise', 'canonize'],
    ['MINE', 'mine'],
    ['expln', 'explain'],
    ['zzz', undefined],
    ['', undefined],
  ])('by %j is %j', (word, meant) => {
    expect(closest(word, ['mine', 'canonize', 'explain', 'eval'])).toBe(meant);
  });
});

describe('a page', () => {
  it('is blocks, and sections of them', () => {
    const blocks = parsePage(
      '# a(1)\n\nb\nc\n\n## D\n\n- e\n  f\n- g\n\n### h\n\ni\n\n## J\n\n| k | l |\n| - | - |\n| m \\| n | o |\n',
    );
    expect(blocks[1]).toEqual({ kind: 'text', text: 'b c' });
    expect(sectionOf(blocks, 'D').map(({ kind }) => kind)).toEqual(['items', 'heading', 'text']);
    expect(sectionOf(blocks, 'J')).toEqual([{ kind: 'terms', rows: [{ term: 'm | n', text: 'o' }] }]);
    expect(sectionOf(blocks, 'K')).toEqual([]);
  });

  it('has tables of figures as they are if they are narrow, else each figure with its heading', () => {
    const table = (head: string) =>
      `| site | URLs | \`${head}\` | of |\n| - | -: | - | - |\n| a | 1 | 20 % | |\n| b | 30 | _x_ | y |\n`;
    expect(parsePage(table('gone'))).toEqual([
      { kind: 'code', language: '', lines: ['site  URLs  gone  of', 'a        1  20 %', 'b       30  x     y'] },
    ]);
    const wide = 'w'.repeat(70);
    expect(parsePage(table(wide))).toEqual([
      {
        kind: 'terms',
        rows: [
          { term: 'a', text: `URLs: 1; \`${wide}\`: 20 %` },
          { term: 'b', text: `URLs: 30; \`${wide}\`: _x_; of: y` },
        ],
      },
    ]);
  });

  it('as text has its code verbatim, and lines filled to the width', () => {
    const text = writeText(
      parsePage('one `two` _three_ [four](x) <five> a\\_b\n\n```sh\n  six   seven\n```\n\n- eight nine ten\n'),
      20,
    );
    expect(text).toBe('  one two three four\n  <five> a_b\n      six   seven\n\n  - eight nine ten\n');
  });

  it('as text has numbered items below each other', () => {
    const text = writeText(parsePage('1. **one** two\n   three four\n2. five\n'), 16);
    expect(text).toBe('  1. one two\n     three four\n  2. five\n');
  });

  it('with an open fence is an error', () => {
    expect(() => parsePage('```sh\nx\n')).toThrow(/a fence is open at line 1/);
  });
});
