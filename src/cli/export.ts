// `dustbuster export`: its help and flags. What it runs is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../base/effects.js';
import { addApplyOptions, type RuleOptions } from './canonize.js';
import { DEFAULT_RULES_FILE, type Outcome } from './context.js';

export interface ExportOptions extends Omit<RuleOptions, 'rules'> {
  readonly to?: string;
  readonly list?: boolean;
  readonly output: string;
  readonly json?: boolean;
}

export function registerExport(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('export')
    .description('Write rules for other software: a server, a cache, a crawler.')
    .argument('[rules]', 'the rules file', DEFAULT_RULES_FILE)
    .option('--to <target>', 'the software; --list names them all')
    .option('-o, --output <file>', 'write to FILE, complete or not at all', '-')
    .option('--json', 'print on standard output which rules are carried and which are left out; needs -o FILE')
    .option('--list', 'list the targets');
  addApplyOptions(command);
  command.addHelpText('after', help);
  command.action(async (rules: string, options: ExportOptions) => {
    const { exportRules } = await import('./export-run.js');
    outcome.exitCode = await exportRules(rules, options, effects);
  });
}

const help = `
Examples:
  dustbuster export --list
  dustbuster export rules.json --to nginx -o /etc/nginx/dustbuster.conf
  dustbuster export rules.json --to apache --accept likely

A target carries a rule only if the software then gives URLs the form that dustbuster canonize gives them with the rules
carried. What is left out is counted on stderr, with the reason, and listed in the comment of the file if it can have one.`;
