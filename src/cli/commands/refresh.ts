// `dustbuster refresh`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { addOptions } from '../flags/option.js';
import { REFRESH_OPTIONS, type RefreshFlags } from '../flags/refresh.js';

export function registerRefresh(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('refresh')
    .summary('list the pages to fetch tonight, by how often they have changed')
    .description(
      'Lists the pages of a state that a crawler should fetch tonight, most urgent first, a URL per line.\n\n' +
        'How often a page changes is estimated from the sizes or digests that the logs of earlier nights have.',
    )
    .argument('<state>', 'the folder of a state, as mine --state keeps it');
  addOptions(command, REFRESH_OPTIONS, effects);
  command.action(async (state: string, flags: RefreshFlags) => {
    const { refresh } = await import('../run/refresh.js');
    outcome.exitCode = await refresh(state, flags, effects);
  });
}
