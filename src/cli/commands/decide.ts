// `dustbuster pin`, `veto` and `turn`: their help and flags. Their code is loaded when they run.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Decision } from '../../rule/decide.js';
import type { Outcome } from '../context.js';
import { DECIDE_OPTIONS, type DecideFlags } from '../flags/decide.js';
import { addOptions } from '../flags/option.js';

const ABOUT: Readonly<Record<Decision, readonly [summary: string, description: string]>> = {
  pin: ['apply rules whatever pages say', 'Pins rules of a rules file: they are applied, whatever log and pages say.'],
  veto: ['never apply rules', 'Vetoes rules of a rules file: they are never applied, and no page is fetched for them.'],
  turn: [
    'apply rules the other way round',
    'Turns rules of a rules file round, and pins them so: what was left of the arrow becomes the canonical form.',
  ],
};

export function registerDecision(decision: Decision) {
  return (program: Command, effects: Effects, outcome: Outcome): void => {
    const [summary, description] = ABOUT[decision];
    const command = program
      .command(decision)
      .summary(summary)
      .description(`${description} The decision is kept in rules.local.json beside the file.`)
      .argument('<RULES>', 'the rules file')
      .argument('[rule...]', 'ids of rules, or rules as tables write them');
    addOptions(command, DECIDE_OPTIONS, effects);
    command.action(async (rules: string, names: string[], flags: DecideFlags) => {
      if (flags.list === true) {
        const { listDecisions } = await import('../run/decisions.js');
        outcome.exitCode = await listDecisions(rules, names, flags, effects);
        return;
      }
      const { decide } = await import('../run/decide.js');
      outcome.exitCode = await decide(decision, rules, names, flags, effects);
    });
  };
}
