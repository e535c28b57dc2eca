// `dustbuster explain`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { EXPLAIN_OPTIONS, type ExplainFlags } from '../flags/explain.js';
import { addOptions } from '../flags/option.js';

export function registerExplain(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('explain')
    .description('Show which rules touch a URL, in which order, with their evidence.')
    .argument('[url...]', 'URLs; without any, all rules of the file are listed');
  addOptions(command, EXPLAIN_OPTIONS, effects);
  command.action(async (urls: string[], flags: ExplainFlags) => {
    const { explain } = await import('../run/explain.js');
    outcome.exitCode = await explain(urls, flags, effects);
  });
}
