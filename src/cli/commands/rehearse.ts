// `dustbuster rehearse`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { DEFAULT_RULES_FILE, type Outcome } from '../context.js';
import { addOptions } from '../flags/option.js';
import { REHEARSE_OPTIONS, type RehearseFlags } from '../flags/rehearse.js';

export function registerRehearse(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('rehearse')
    .summary('try an export in the real server, against the live site')
    .description('Replays URLs through a real server with the export, and writes what survives the live site.')
    .argument('[RULES]', 'the rules file', DEFAULT_RULES_FILE);
  addOptions(command, REHEARSE_OPTIONS, effects);
  command.action(async (rules: string, flags: RehearseFlags) => {
    const { rehearseRules } = await import('../run/rehearse/rehearse.js');
    outcome.exitCode = await rehearseRules(rules, flags, effects);
  });
}
