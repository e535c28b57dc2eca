// `dustbuster export`: its help and flags. What it runs is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { addApplyOptions, type RuleOptions } from './canonize.js';
import { DEFAULT_RULES_FILE, type Outcome } from '../context.js';
import { choice } from '../flags/parse.js';
import { targetNames } from '../../export/targets.js';

export interface ExportOptions extends Omit<RuleOptions, 'rules'> {
  readonly to?: string;
  readonly list?: boolean;
  readonly output: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function registerExport(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('export')
    .summary('write rules for other software: a server, a cache, a crawler')
    .description('Writes rules for other software: a server, a cache, a crawler, or a program of your own.')
    .argument('[RULES]', 'the rules file', DEFAULT_RULES_FILE)
    .optionsGroup('Result:')
    .addOption(choice('--to <target>', 'the software; --list says more of each', targetNames))
    .option('--list', 'list the targets')
    .option('-o, --output <file>', 'write to FILE, complete or not at all', '-')
    .option('--json', 'print on standard output which rules are carried and which are left out; needs -o FILE');
  addApplyOptions(command);
  command.action(async (rules: string, options: ExportOptions) => {
    const { exportRules } = await import('../run/export.js');
    outcome.exitCode = await exportRules(rules, options, effects);
  });
}
