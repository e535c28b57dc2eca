// Messages name only options that their command has: whoever follows one must not be told that it is unknown.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realEffects } from '../../src/base/effects.js';
import { wholeProgram } from '../../src/cli/program.js';
import { writeRules } from '../../src/rule/file.js';
import { sampleFile, sampleRule } from '../rule/sample.js';
import { run, scratchFolder } from './process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
  const put = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const rules = (status: 'valid' | 'likely') =>
    [...writeRules(sampleFile([sampleRule('a', 'b', { status })]))].join('');
  put('valid.json', rules('valid'));
  put('likely.json', rules('likely'));
  put('empty.json', '');
  put('log', 'nothing that could be read\n'.repeat(9));
  put('lines.json', '{"url":"http://h/a"}\n{"url":"http://h/b"}\n');
  put('urls', 'http://h/a\n');
  put('many', Array.from({ length: 99 }, (_, k) => `http://h/a/${k}?sid=${k}\n`).join(''));
  put('odd', '!\n');
  put('mixed', 'http://h/a\nnothing here\nnor here\nnor there\n');
});
afterAll(() => folder.remove());

const RULES = ['none.json', 'empty.json', 'log', 'lines.json', 'likely.json'];
const OF_RULES: readonly ((rules: string) => string)[] = [
  (rules) => `canonize -r ${rules} /a`,
  (rules) => `explain -r ${rules} /a`,
  (rules) => `eval -r ${rules} --urls urls`,
  (rules) => `export ${rules} --to nginx`,
  (rules) => `report ${rules} -o report.html`,
  (rules) => `rehearse ${rules} --to nginx --base http://h -o out`,
  (rules) => `validate ${rules} --dry-run`,
  (rules) => `pin ${rules} abcdefgh`,
  (rules) => `diff ${rules} valid.json`,
  (rules) => `merge-rules ${rules} -o merged.json`,
];
const OF_LISTS = [
  'mine log -o mined.json',
  'eval -r valid.json --urls log',
  'export valid.json --to nginx --urls log',
  'mine odd -o mined.json',
  'report log -o report.html',
  'report urls -o report.html',
  'report many -o report.html',
  'report odd -o report.html',
  ...['mine', 'eval -r valid.json --urls', 'export valid.json --to nginx --urls', 'report -o report.html', 'dups'].map(
    (line) => `${line} mixed`,
  ),
  'validate valid.json --dry-run --test mixed',
  'rehearse valid.json --to nginx --base http://h -o out --urls mixed',
  'mirrors --by-urls mixed',
  'validate valid.json --test log --dry-run',
  'rehearse valid.json --to nginx --base http://h --urls log -o out',
  'dups log',
  'mirrors log',
  'mirrors --by-urls log',
  'sketch log',
];

const QUOTED = /(?<!: )\b(?:mine|validate|canonize|sketch|export)(?: --?[a-z][^ ;,.)]*)+/g;

describe('what is said on standard error names options of its command', () => {
  it.each([...OF_RULES.flatMap((lineOf) => RULES.map(lineOf)), ...OF_LISTS])('%s', async (line) => {
    const args = line.split(' ');
    const command = (await wholeProgram(realEffects())).commands.find((one) => one.name() === args[0])!;
    const own = new Set(command.options.flatMap(({ short, long }) => [short, long]));
    const { stderr } = await run(args, { cwd: folder.path });
    // Of what is quoted as a command, options are its own.
    const said = stderr.replace(/`[^`]*`/g, '').replace(QUOTED, '');
    const named = Array.from(said.matchAll(/(?<![\w-])--?[a-z][a-z-]*/g), ([name]) => name);
    expect(named.filter((name) => !own.has(name))).toEqual([]);
  });
});
