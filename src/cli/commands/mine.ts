// `dustbuster mine`: its help and flags. Its code is loaded when it runs, so that other commands start without it.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { FORMAT_NAMES } from '../../log/format/format.js';
import type { Outcome } from '../context.js';
import { MINE_OPTIONS, refuseIdleMine, type MineFlags } from '../flags/mine.js';
import { addOptions } from '../flags/option.js';
import { refuseIdleSpark } from '../flags/spark.js';

export function registerMine(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('mine')
    .summary('learn rewrite rules from logs, without fetching a page')
    .description(
      'Reads logs and writes the likely DUST rules of each site, ranked.\n\n' +
        'INPUT is a file, a folder, a glob or - (standard input, also if none is named).\n' +
        `Formats: ${FORMAT_NAMES.join(', ')}; detected unless --format names one. gzip, bzip2, xz and zstd are recognised by content.`,
    )
    .argument('[INPUT...]', 'logs, URL lists, folders, globs, or -');
  addOptions(command, MINE_OPTIONS, effects);
  command.action(async (names: string[], flags: MineFlags) => {
    refuseIdleSpark(command);
    refuseIdleMine(command, flags);
    const { mine } = await import('../run/mine/mine.js');
    outcome.exitCode = await mine(names, flags, effects);
  });
}
