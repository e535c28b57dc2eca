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

test('the figures of live sites are those of the page about validate', () => {
  const page = readFileSync(new URL('../../../src/docs/validate.md', import.meta.url), 'utf8');
  const figuresIn = (text: string) =>
    Array.from(
      text.matchAll(/^\| (WordPress|MediaWiki|DokuWiki|gitweb)[^|]*\|(( *[^|]+\|){6})$/gm),
      ([, site, rest]) => [site, ...rest!.split('|').map((cell) => cell.trim())],
    );
  expect(figuresIn(readme)).toHaveLength(4);
  expect(figuresIn(page)).toEqual(figuresIn(readme));
});
