// `dustbuster forget`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { FORGET_OPTIONS, type ForgetFlags } from '../flags/forget.js';
import { addOptions } from '../flags/option.js';

export function registerForget(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('forget')
    .summary('erase an address or a visitor from a state')
    .description(
      'Removes all URLs from a state that hold a text, such as a mail address, a session or a URL, and rules that name it.\n\n' +
        'The text is looked for as it is, escaped or not, and as the made-up value that the state has for it.',
    )
    .argument('<text...>', 'what to forget, byte for byte; - reads texts from standard input, one a line');
  addOptions(command, FORGET_OPTIONS, effects);
  command.action(async (texts: string[], flags: ForgetFlags) => {
    const { forgetTexts } = await import('../run/forget.js');
    outcome.exitCode = await forgetTexts(texts, flags, effects);
  });
}
