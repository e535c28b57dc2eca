// `dustbuster validate`: its help and flags. What it runs is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { DEFAULT_RULES_FILE, type Outcome } from '../context.js';
import { addNightOption, type NightFlags } from '../flags/history.js';
import { addLocalOptions, type LocalFlags } from '../flags/local.js';
import { defaultMemory, numberOption } from '../flags/parse.js';
import { addFormatOptions, type FormatFlags } from '../run/input/reading.js';
import type { TerminalFlags } from '../flags/terminal.js';
import { addValidationOptions, type ValidationFlags } from '../flags/validation.js';

export interface ValidateFlags extends ValidationFlags, FormatFlags, LocalFlags, NightFlags, TerminalFlags {
  readonly test?: readonly string[];
  readonly base?: string;
  readonly again?: boolean;
  /** Of the URLs of the audit. */
  readonly maxDead?: number;
  readonly output?: string;
  readonly memory: string;
  readonly tmpdir: string;
  readonly threads: number;
  readonly top: number;
  readonly json?: boolean;
}

export function registerValidate(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('validate')
    .summary('prove or refute rules by fetching a small sample of pages')
    .description(
      'Fetches samples of the URLs that each likely rule changes, and what it makes of them, and compares the pages.\n\n' +
        'RULES is a rules file; it is written again with a verdict in every rule. Rules that have one already are kept, so a ' +
        'validation that was cut short goes on where it was. With --audit N no rule is asked about: only u and what the rules in ' +
        'use make of it, for N URLs of the list. Fetches obey robots.txt, one at a time for each host.',
    )
    .argument('[RULES]', 'the rules file', DEFAULT_RULES_FILE)
    .optionsGroup('Validating:')
    .option('--test <file...>', 'URLs to draw samples from: any input of mine (default: the logs that were mined)')
    .option('--base <url>', 'scheme and host of a log that has none, as in https://www.example.com')
    .option('--again', 'forget the verdicts that the rules have')
    .optionsGroup('Result:')
    .option('-o, --output <file>', 'where the rules go (default: back into RULES)');
  addValidationOptions(command);
  addFormatOptions(command);
  addLocalOptions(command);
  addNightOption(command);
  command
    .optionsGroup('Result:')
    .option('--top <n>', 'rules shown at the end', numberOption('--top', { min: 0 }), 10)
    .option(
      '--max-dead <share>',
      "exit with 1 if the audit's share of dead or redirecting forms is above",
      numberOption('--max-dead', { min: 0, max: 1, integer: false }),
    )
    .option('--json', 'print the counts as one JSON document instead of the table; with --dry-run, the URLs')
    .optionsGroup('Memory, disk and threads:')
    .option('--memory <size>', 'memory for tables and buffers; the rest goes to disk', defaultMemory(effects))
    .option('--threads <n>', 'threads for reading', numberOption('--threads', { min: 1, max: 256 }), effects.cores)
    .option('--tmpdir <folder>', 'where sorted runs go', effects.env['TMPDIR'] || effects.tmpdir);
  command.action(async (rules: string, given: ValidateFlags) => {
    const flags = { ...given, auditAlone: command.getOptionValueSource('audit') === 'cli' && given.audit > 0 };
    const { validate } = await import('../run/validate/validate.js');
    outcome.exitCode = await validate(rules, flags, effects);
  });
}
