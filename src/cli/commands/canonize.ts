// `dustbuster canonize`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { CANONIZE_OPTIONS, type CanonizeFlags } from '../flags/canonize.js';
import { addOptions } from '../flags/option.js';
import { refuseIdleSpark } from '../flags/spark.js';

export function registerCanonize(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('canonize')
    .description('Give each URL its canonical form: line in, line out, in order.')
    .argument('[url...]', 'URLs; without any, and without -i, lines of standard input');
  addOptions(command, CANONIZE_OPTIONS, effects);
  command.action(async (urls: string[], flags: CanonizeFlags) => {
    refuseIdleSpark(command);
    if (urls.length === 0 && flags.input.length === 0 && effects.stdin.isTTY === true) {
      effects.stderr.write(`Usage: ${command.createHelp().commandUsage(command)}\n${nothingGiven}\n`);
      outcome.exitCode = 2;
      return;
    }
    const { canonize } = await import('../run/canonize/canonize.js');
    outcome.exitCode = await canonize(urls, flags, effects);
  });
}

const nothingGiven = `Got no URL, expected URLs as arguments, in files (-i FILE) or on standard input:
  dustbuster canonize < urls.txt`;
