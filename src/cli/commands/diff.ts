// `dustbuster diff`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { DIFF_OPTIONS, type DiffFlags } from '../flags/diff.js';
import { addOptions } from '../flags/option.js';

export function registerDiff(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('diff')
    .summary('report what changed between the rules of two nights')
    .description(
      'Compares two rules files by what the rules say, whatever their rank: new, gone, turned (direction, action, value), ' +
        'verdict, retired, exceptions, marked (pin, veto), weakened and strengthened.',
    )
    .argument('<OLD>', 'the earlier rules file')
    .argument('<NEW>', 'the newer rules file');
  addOptions(command, DIFF_OPTIONS, effects);
  command.action(async (old: string, now: string, flags: DiffFlags) => {
    const { diff } = await import('../run/diff.js');
    outcome.exitCode = await diff([old, now], flags, effects);
  });
}
