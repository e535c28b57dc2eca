// `dustbuster dups`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { DUPS_OPTIONS, type DupsFlags } from '../flags/dups.js';
import { addOptions } from '../flags/option.js';

export function registerDups(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('dups')
    .summary('find near-duplicate pages by their sketches: pairs and clusters')
    .description(
      'Finds all pairs of pages whose sketches resemble each other, and their clusters.\n\n' +
        'Clusters are written as lines of URL, class (the same sketch or digest) and cluster, separated by tabs: labels ' +
        'for eval --truth.',
    )
    .argument('<input...>', 'lists of URLs with sketches, as sketch writes them; - is standard input');
  addOptions(command, DUPS_OPTIONS, effects);
  command.action(async (inputs: string[], flags: DupsFlags) => {
    const { dups } = await import('../run/dups.js');
    outcome.exitCode = await dups(inputs, flags, effects);
  });
}
