// Completion in real shells: they offer what the help says.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasShell, SHELLS } from './shells.js';
import { run, scratchFolder } from '../process.js';

const folder = scratchFolder();
let commands: string[];
let pages: string[];
const helps = new Map<string, string>();

beforeAll(async () => {
  mkdirSync(join(folder.path, 'www'));
  for (const name of ['access.log', 'rules.json', 'www.txt', 'a b.log']) writeFileSync(join(folder.path, name), '');
  for (const shell of Object.keys(SHELLS)) {
    const { stdout, code } = await run(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(join(folder.path, `script.${shell}`), stdout);
  }
  const top = (await run(['help'])).stdout.toString();
  commands = termsOf(top, 'Commands');
  pages = termsOf(top, 'Pages (dustbuster help PAGE)');
  for (const name of commands) helps.set(name, (await run(['help', name])).stdout.toString());
}, 60_000);
afterAll(() => folder.remove());

/** `name` of the lines `  name  text` under a heading. */
function termsOf(help: string, heading: string): string[] {
  const [, section = ''] = help.split(`\n${heading}:\n`);
  return Array.from(section.split('\n\n')[0]!.matchAll(/^ {2}(\S+)/gm), ([, name]) => name!);
}

/** All options in a help text, `-o` and `--output`. */
function optionsOf(help: string): string[] {
  return Array.from(help.matchAll(/^ {2}(-\w, )?(--[\w-]+)/gm), ([, short, long]) => [
    ...(short ? [short.slice(0, 2)] : []),
    long!,
  ]).flat();
}

const LINES: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ['dustbuster min', ['mine']],
  ['dustbuster mine --forg', ['--forget']],
  ['dustbuster canonize --accept ', ['confident', 'likely', 'valid']],
  ['dustbuster canonize --accept=li', ['likely']],
  ['dustbuster canonize --accept=', ['confident', 'likely', 'valid']],
  ['dustbuster canonize --pairs --accept li', ['likely']],
  ['dustbuster mine --bots ', ['all', 'none', 'only']],
  ['dustbuster mine acc', ['access.log']],
  ['dustbuster mine --rank support acc', ['access.log']],
  ['dustbuster mine -o ru', ['rules.json']],
  ['dustbuster mine --output=ru', ['rules.json']],
  ['dustbuster mine --state w', ['www']],
  ['dustbuster mine --memory ', []],
  ['dustbuster canonize ww', []],
  ['dustbuster diff rules.json ru', ['rules.json']],
  ['dustbuster completion ', ['bash', 'fish', 'zsh']],
  ['dustbuster config show va', ['validate']],
  ['dustbuster --config rules.json mi', ['mine', 'mirrors']],
  ['dustbuster --config ru', ['rules.json']],
  ['dustbuster man cro', ['cron']],
  ['dustbuster validate -- -', []],
];

describe.each(Object.entries(SHELLS))('%s', { timeout: 60_000 }, (shell, ask) => {
  const script = join(folder.path, `script.${shell}`);

  it.runIf(hasShell(shell))('offers what can stand there', () => {
    const offered = ask(
      script,
      LINES.map(([line]) => line),
      folder.path,
    );
    for (const [at, [line, offers]] of LINES.entries()) {
      // zsh removes a `--` before it says which words are left.
      if (shell === 'zsh' && line.includes(' -- ')) continue;
      expect(offered[at], line).toEqual(offers);
    }
  });

  it.runIf(hasShell(shell))(
    'offers all commands, all pages, and of each command the options that its help tells',
    () => {
      const [top, help, ...options] = ask(
        script,
        ['dustbuster ', 'dustbuster help ', ...commands.map((name) => `dustbuster ${name} --`)],
        folder.path,
      );
      expect(top).toEqual([...commands].sort());
      expect(help).toEqual(['dustbuster', ...commands, ...pages].sort());
      const long = commands.map((name) =>
        optionsOf(helps.get(name)!)
          .filter((option) => option.startsWith('--'))
          .sort(),
      );
      expect(options).toEqual(long);
      expect(long[0]!.length).toBeGreaterThan(50);
    },
  );
});

describe('dustbuster completion', () => {
  it.runIf(hasShell('bash'))('offers a file name with spaces as one word, and runs nothing in the line', () => {
    const [spaced, harmless] = SHELLS['bash']!(
      join(folder.path, 'script.bash'),
      ['dustbuster mine a', 'dustbuster mine $(touch${IFS}ran) --forg'],
      folder.path,
    );
    expect(spaced).toEqual(['a b.log', 'access.log']);
    expect(harmless).toEqual(['--forget']);
    expect(SHELLS['bash']!(join(folder.path, 'script.bash'), ['dustbuster mine ra'], folder.path)).toEqual([[]]);
  });

  it('lists the shells', async () => {
    expect(await run(['completion', 'powershell'])).toMatchObject({
      code: 2,
      stderr: 'dustbuster: completion: got "powershell", expected bash, zsh, fish\n',
    });
  });
});
