// `dustbuster diff`: its help and flags. What it runs is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { THRESHOLD } from '../../rule/diff.js';
import type { Outcome } from '../context.js';
import { numberOption } from '../flags/parse.js';
import type { TerminalFlags } from '../flags/terminal.js';

export interface DiffFlags extends TerminalFlags {
  readonly threshold: number;
  readonly json?: boolean;
  readonly failOnChange?: boolean;
  readonly top: number;
  readonly output: string;
}

export function registerDiff(program: Command, effects: Effects, outcome: Outcome): void {
  program
    .command('diff')
    .summary('tell what changed between the rules of two nights')
    .description(
      'Compares two rules files by what the rules say, whatever their rank: new, gone, turned (direction, action, value), ' +
        'verdict, retired, exceptions, marked (pin, veto), weakened and strengthened.',
    )
    .argument('<OLD>', 'the rules file of before')
    .argument('<NEW>', 'the rules file of now')
    .optionsGroup('Result:')
    .option(
      '--threshold <share>',
      'how much support or confidence has to fall or rise to be told',
      numberOption('--threshold', { min: 0, max: 1, integer: false }),
      THRESHOLD,
    )
    .option('--fail-on-change', 'end with 1 if anything changed that is told, but what is only strengthened')
    .option('--json', 'print one JSON document')
    .option('--top <n>', 'changes shown; all are counted', numberOption('--top', { min: 0 }), 50)
    .option('-o, --output <file>', 'write to FILE, complete or not at all', '-')
    .action(async (old: string, now: string, flags: DiffFlags) => {
      const { diff } = await import('../run/diff.js');
      outcome.exitCode = await diff([old, now], flags, effects);
    });
}
