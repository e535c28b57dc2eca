// Are the recipes of CONTRIBUTING as short as they say, and does the compiler name their places? The first line of each
// is written into a copy of the sources, and the compiler has to complain of the other files, and of no more.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAll } from './amount.js';
import { scratchFolder } from './cli/process.js';

const root = new URL('../', import.meta.url).pathname;
const TSC = join(root, 'node_modules/typescript/bin/tsc');

/** What is written first, and where the compiler asks for more. */
interface Recipe {
  readonly file: string;
  readonly after: string;
  readonly line: string;
  readonly named: readonly string[];
}

const RECIPES: Readonly<Record<string, readonly Recipe[]>> = {
  'a log format': [
    {
      file: 'src/log/format/format.ts',
      after: 'export const FORMAT_NAMES = [\n',
      line: "  'piped',\n",
      named: ['src/log/format/detect.ts', 'src/cli/run/formats.ts'],
    },
  ],
  'an option that selects records': [
    {
      file: 'src/cli/flags/filter.ts',
      after: "group('Which lines count:', {\n",
      line: "  method: { kind: 'repeated', flags: '--method <name>', text: 'only this method' },\n",
      named: ['src/cli/run/input/filters.ts'],
    },
    {
      file: 'src/log/filters.ts',
      after: 'export interface Filters {\n',
      line: '  readonly methods?: readonly string[];\n',
      named: ['src/cli/run/mine/state.ts', 'test/rule/schema.test.ts'],
    },
  ],
  'a step': [
    {
      file: 'src/rule/rule.ts',
      after: 'export type StepName =\n',
      line: "  | 'upper-case'\n",
      named: [
        'src/canonize/pack-rules.ts',
        'src/rule/step.ts',
        'src/rule/words/sentence.ts',
        'src/validate/ask/probe/of-step.ts',
      ],
    },
  ],
};

/** Files that the compiler complains of once the lines are there. */
function complaints(recipes: readonly Recipe[]): readonly string[] {
  const folder = scratchFolder();
  for (const name of ['src', 'test', 'tsconfig.json', 'package.json']) {
    cpSync(join(root, name), join(folder.path, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  for (const { file, after, line } of recipes) {
    const path = join(folder.path, file);
    const text = readFileSync(path, 'utf8');
    expect(text, file).toContain(after);
    writeFileSync(
      path,
      text.replace(after, () => after + line),
    );
  }
  const { stdout } = spawnSync(
    process.execPath,
    [TSC, '-p', '.', '--noEmit', '--incremental', 'false', '--pretty', 'false'],
    {
      cwd: folder.path,
      encoding: 'utf8',
    },
  );
  folder.remove();
  return [...new Set(Array.from(stdout.matchAll(/^([^\s(]+)\(\d/gm), ([, file]) => file!))].sort();
}

test.skipIf(!isAll)('the compiler names the places of each recipe, and no others', () => {
  const recipes = Object.values(RECIPES).flat();
  expect(complaints(recipes)).toEqual(recipes.flatMap(({ named }) => named).sort());
});

test('CONTRIBUTING has each recipe, with the files that it takes', () => {
  const text = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');
  for (const [name, recipes] of Object.entries(RECIPES)) {
    const heading = `### ${name[0]!.toUpperCase()}${name.slice(1)}\n`;
    expect(text).toContain(heading);
    const [section] = text.slice(text.indexOf(heading) + heading.length).split(/^##/m);
    for (const file of recipes.flatMap((recipe) => [recipe.file, ...recipe.named])) expect(section).toContain(file);
  }
});
