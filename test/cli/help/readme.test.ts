// The worked example of the README is what the program prints, to the last figure.
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isFew } from '../../amount.js';
import { BIN, FIXTURES, scratchFolder } from '../process.js';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const [, example] = /^## A worked example\n(.*?)^## /ms.exec(readme)!;
/** Each block is a command behind `$ ` and what it prints, once or several times. */
const shown = [...example!.matchAll(/^```\n(.*?)^```/gms)].flatMap(([, block]) =>
  [...block!.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command, output]) => ({ command, output })),
);

const folder = scratchFolder();
symlinkSync(FIXTURES, join(folder.path, 'fixtures'));
afterAll(() => folder.remove());

test.skipIf(isFew)('the worked example has all that it says', () => {
  expect(shown.map(({ command }) => /dustbuster (\w+)/.exec(command!)![1])).toEqual([
    'mine',
    'canonize',
    'canonize',
    'explain',
  ]);
  for (const { command, output } of shown) {
    const own = command!.replaceAll('npx dustbuster', `'${process.execPath}' '${BIN}'`);
    const { stdout } = spawnSync('bash', ['-c', `{ ${own}; } 2>&1`], { cwd: folder.path, encoding: 'utf8' });
    expect(stdout, command).toBe(output);
  }
  const [, rank, from, to] = /rule (\d+) of this\s+list, `(\S+)` at the end becomes `(\S+)`,\s+is\s+wrong/.exec(
    example!,
  )!;
  const { rules } = JSON.parse(readFileSync(join(folder.path, 'dustbuster-rules.json'), 'utf8')) as {
    rules: { from: string; to: string }[];
  };
  expect(rules[Number(rank) - 1]).toMatchObject({ from, to, anchor: 'end' });
});

test('the first result fits on a screen, behind the line that installs it', () => {
  const lines = readme.split('\n');
  const [install, next] = [/^\$ npm install && npx dustbuster mine /, /^## A worked example/].map((wanted) =>
    lines.findIndex((line) => wanted.test(line)),
  );
  expect(install).toBeGreaterThan(0);
  expect(install).toBeLessThan(24);
  expect(next).toBeGreaterThan(install!);
});

test('every command is in its table', () => {
  const [, table] = /^## The commands\n(.*?)^## /ms.exec(readme)!;
  const { stdout } = spawnSync(process.execPath, [BIN, 'help'], { encoding: 'utf8' });
  const [, commands] = /^Commands:\n(.*?)\n\n/ms.exec(stdout)!;
  const names = [...commands!.matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(15);
  const plumbing = new Set(['help', 'man', 'completion', 'config', 'merge-rules']);
  expect(names.filter((name) => !plumbing.has(name) && !new RegExp('`[^`|]*\\b' + name + '\\b').test(table!))).toEqual(
    [],
  );
});
