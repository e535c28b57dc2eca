// `dustbuster mirrors`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { MIRRORS_OPTIONS, type MirrorsFlags } from '../flags/mirrors.js';
import { addOptions } from '../flags/option.js';

export function registerMirrors(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('mirrors')
    .summary('find replicated collections: manuals, mirrors, aliases of hosts and folders')
    .description(
      'Finds collections of linked pages that are there several times, on one host or on many, by chunks of their text ' +
        'and the links between them.',
    )
    .argument('<input...>', 'lists by sketch --links --chunks 4; - is standard input');
  addOptions(command, MIRRORS_OPTIONS, effects);
  command.action(async (inputs: string[], flags: MirrorsFlags) => {
    const { mirrors } = await import('../run/mirrors/mirrors.js');
    outcome.exitCode = await mirrors(inputs, flags, effects);
  });
}
