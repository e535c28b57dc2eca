// `dustbuster eval`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { EVAL_OPTIONS, refuseIdleEval, type EvalFlags } from '../flags/eval.js';
import { addOptions } from '../flags/option.js';

export function registerEval(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('eval')
    .summary('measure rules on a list of URLs: redundancy, coverage, precision@k, false merges')
    .description(
      'Measures what rules make of a list of URLs, for each site and for each rule.\n\n' +
        'Whether two URLs are one page is decided by their labels: the sketches or digests of the list, or the file ' +
        'given with --truth. Without labels only the discovered redundancy is known.',
    );
  addOptions(command, EVAL_OPTIONS, effects);
  command.action(async (flags: EvalFlags) => {
    refuseIdleEval(command, flags);
    const { evaluate } = await import('../run/eval.js');
    outcome.exitCode = await evaluate(flags, effects);
  });
}
