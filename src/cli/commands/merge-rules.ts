// `dustbuster merge-rules`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { MERGE_RULES_OPTIONS, type MergeRulesFlags } from '../flags/merge-rules.js';
import { addOptions } from '../flags/option.js';

export function registerMergeRules(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('merge-rules')
    .summary('make one rules file of those of all parts of the sites')
    .description(
      'Merges the rules files that mine --part-of-sites wrote, one for each part, whatever their order. The result has ' +
        'the bytes that one run over all sites would have written.',
    )
    .argument('<part...>', 'the rules files of all parts');
  addOptions(command, MERGE_RULES_OPTIONS, effects);
  command.action(async (parts: string[], flags: MergeRulesFlags) => {
    const { mergeRules } = await import('../run/merge-rules.js');
    outcome.exitCode = await mergeRules(parts, flags, effects);
  });
}
