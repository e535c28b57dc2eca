// The table of options: one row is enough for an option to be everywhere.
import { Command } from 'commander';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { realEffects } from '../../../src/base/effects.js';
import { bashScript, fishScript, vocabularyOf, zshScript } from '../../../src/cli/completion/completion.js';
import { put, settingsFor } from '../../../src/cli/config/apply.js';
import { OPTIONS_OF } from '../../../src/cli/flags/commands.js';
import { MINE_OPTIONS, type MineFlags } from '../../../src/cli/flags/mine.js';
import { addOptions, type FlagsOf, group, keyOf } from '../../../src/cli/flags/option.js';
import { helpText } from '../../../src/cli/help/help.js';
import { manPage } from '../../../src/cli/help/man.js';
import { wholeProgram } from '../../../src/cli/program.js';
import { flagsOf } from '../../../src/library/settings.js';
import { writeRules } from '../../../src/rule/file.js';
import { RECORDED } from '../../../src/rule/mine-options.js';
import { sampleFile } from '../../rule/sample.js';

const effects = realEffects();

describe('a new row in the table of mine', () => {
  const PROBE = group('Mining:', {
    probe: { kind: 'repeated', flags: '--probe <file>', text: 'files that nobody has' },
    probeSize: { kind: 'number', flags: '--probe-size <n>', text: 'how many', min: 2, max: 9, standard: 5 },
    probing: { kind: 'unless', flags: '--no-probing', text: 'leave them alone' },
  });
  const program = new Command('dustbuster');
  const command = program.command('mine').summary('learn');
  addOptions(command, { ...MINE_OPTIONS, ...PROBE }, effects);

  it('has a type among the flags, and a value', () => {
    type Flags = FlagsOf<typeof PROBE>;
    expectTypeOf<Flags['probe']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<Flags['probeSize']>().toEqualTypeOf<number>();
    expectTypeOf<Flags['probing']>().toEqualTypeOf<boolean>();
    expectTypeOf<MineFlags['rank']>().toEqualTypeOf<'likeliness' | 'confidence' | 'support'>();
    const parsed = new Command();
    addOptions(parsed, PROBE, effects);
    expect(parsed.opts()).toEqual({ probeSize: 5, probing: true });
    parsed.parse(['--probe', 'a', '--probe', 'b', '--probe-size', '9', '--no-probing'], { from: 'user' });
    expect(parsed.opts()).toEqual({ probe: ['a', 'b'], probeSize: 9, probing: false });
    expect(() => parsed.parse(['--probe-size', '1'], { from: 'user' })).toThrow(
      '--probe-size: got "1", expected a whole number from 2 to 9',
    );
  });

  it('appears in help and in the manual, under its heading', () => {
    const help = helpText({ form: 'full', topic: 'mine' }, program, 100);
    const [, mining = ''] = /\nMining:\n([^]*?)\n\n/.exec(help)!;
    expect(mining).toMatch(/--probe <file> +files that nobody has; may be repeated\n/);
    expect(mining).toMatch(/--probe-size <n> +how many \(default: 5\)\n/);
    expect(mining).toContain('--no-probing');
    expect(manPage('mine', program)!.roff).toContain('files that nobody has; may be repeated');
  });

  it('is completed by all shells, with files, and repeatedly', () => {
    const vocabulary = vocabularyOf(program);
    expect(bashScript(vocabulary)).toMatch(/mine:--probe\b.*\) _dustbuster_files -f/);
    expect(zshScript(vocabulary)).toContain("'*--probe=[files that nobody has; may be repeated]:file:_files'");
    expect(fishScript(vocabulary)).toContain("-l probe -r -F -d 'files that nobody has; may be repeated'");
  });

  it('is set by variables, and by files', () => {
    const env = { DUSTBUSTER_MINE_PROBE: 'a\nb', DUSTBUSTER_PROBING: 'no' };
    const settings = settingsFor(command, [], { ...effects, env });
    for (const setting of settings.values()) put(command, setting);
    expect(command.opts()).toMatchObject({ probe: ['a', 'b'], probing: false });
  });
});

describe('the tables', () => {
  it('have all options of the commands, except those of every command', async () => {
    const program = await wholeProgram(effects);
    const everywhere = new Set(['--quiet', '--verbose', '--color', '--progress', '--no-progress']);
    for (const [name, table] of Object.entries(OPTIONS_OF)) {
      const command = program.commands.find((one) => one.name() === name)!;
      const taken = command.options.filter(({ long }) => !everywhere.has(long!));
      const told = Object.values(table).flatMap((row) => ('no' in row && row.no !== undefined ? [row, row] : [row]));
      expect(taken.map((option) => option.name().replace(/^no-/, ''))).toEqual(told.map(keyOf));
      expect(new Set(taken.map((option) => option.attributeName()))).toEqual(new Set(Object.keys(table)));
    }
    const names = Object.keys(OPTIONS_OF);
    expect(names).toEqual(program.commands.slice(0, names.length).map((command) => command.name()));
  });

  it('agree on what a file in the working folder may set: a key at its top is for all commands', () => {
    const rows = Object.values(OPTIONS_OF).flatMap((table) => Object.values(table));
    const harmless = new Set(rows.filter(({ isHarmless }) => isHarmless).map(keyOf));
    expect(rows.filter((row) => harmless.has(keyOf(row)) && !row.isHarmless)).toEqual([]);
    expect(harmless.size).toBeGreaterThan(20);
  });
});

describe('options that decide what is mined', () => {
  it('are in a rules file, in one order, whatever the order of the options', () => {
    const file = sampleFile([]);
    const backwards = Object.fromEntries(Object.entries(file.options).reverse()) as unknown as typeof file.options;
    const text = [...writeRules({ ...file, options: backwards })].join('');
    const written = Object.keys((JSON.parse(text) as { options: object }).options);
    expect(written.filter((name) => name !== 'filters')).toEqual(
      Object.keys(RECORDED).filter((name) => name in file.options),
    );
    expect(written.length).toBeGreaterThan(13);
  });

  it('can be set by programs, like all that the table allows', () => {
    const names = Object.entries(MINE_OPTIONS).flatMap(([name, row]) => ('inLibrary' in row ? [name] : []));
    expect(Object.keys(RECORDED).filter((name) => !names.includes(name))).toEqual([]);
    const settings = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(() => flagsOf(settings, effects)).not.toThrow();
    const others = Object.keys(MINE_OPTIONS).filter((name) => !names.includes(name) && name !== 'columns');
    for (const name of others) {
      expect(() => flagsOf({ [name]: 'x' }, effects)).toThrow(`mine: got the unknown option "${name}"`);
    }
    expect(others).toContain('fetch');
  });
});
