// `dustbuster explain`: its help and flags. What it runs is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { addRuleOptions, type RuleOptions } from './canonize.js';
import type { Outcome } from '../context.js';

export interface ExplainOptions extends RuleOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

export function registerExplain(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('explain')
    .description('Show which rules touch a URL, in which order, with their evidence.')
    .argument('<url...>', 'URLs')
    .optionsGroup('Result:')
    .option('--json', 'print one JSON document')
    .option('--jsonl', 'print one JSON object a URL, each on a line');
  addRuleOptions(command);
  command.action(async (urls: string[], options: ExplainOptions) => {
    const { explain } = await import('../run/explain.js');
    outcome.exitCode = await explain(urls, options, effects);
  });
}
