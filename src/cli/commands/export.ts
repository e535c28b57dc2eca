// `dustbuster export`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { DEFAULT_RULES_FILE, type Outcome } from '../context.js';
import { EXPORT_OPTIONS, type ExportFlags } from '../flags/export.js';
import { addOptions } from '../flags/option.js';

export function registerExport(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('export')
    .summary('write rules for other software: a server, a cache, a crawler')
    .description('Writes rules for other software: a server, a cache, a crawler, or a program of your own.')
    .argument('[RULES]', 'the rules file', DEFAULT_RULES_FILE);
  addOptions(command, EXPORT_OPTIONS, effects);
  command.action(async (rules: string, flags: ExportFlags) => {
    const { exportRules } = await import('../run/export.js');
    outcome.exitCode = await exportRules(rules, flags, effects);
  });
}
