// `dustbuster validate`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { DEFAULT_RULES_FILE, type Outcome } from '../context.js';
import { addOptions } from '../flags/option.js';
import { VALIDATE_OPTIONS, type ValidateFlags } from '../flags/validate.js';

export function registerValidate(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('validate')
    .summary('prove or refute rules by fetching a small sample of pages')
    .description(
      'Fetches samples of the URLs that each likely rule changes, and their images, and compares the pages.\n\n' +
        'RULES is a rules file; it is rewritten with a verdict in every rule. Rules that already have one are kept, so a ' +
        'validation that was cut short continues where it stopped. With --audit N no rule is tried: only u and what the rules in ' +
        'use make of it, for N URLs of the list. Fetches obey robots.txt, one at a time for each host.',
    )
    .argument('[RULES]', 'the rules file', DEFAULT_RULES_FILE);
  addOptions(command, VALIDATE_OPTIONS, effects);
  command.action(async (rules: string, given: ValidateFlags) => {
    const flags = { ...given, auditAlone: command.getOptionValueSource('audit') === 'cli' && given.audit > 0 };
    const { validate } = await import('../run/validate/validate.js');
    outcome.exitCode = await validate(rules, flags, effects);
  });
}
