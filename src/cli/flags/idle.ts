// Options that have no effect without another. On the command line they are refused, as whoever types them expects one;
// files and variables may set them for the runs that use them.
import type { Command } from 'commander';
import { UserError } from '../../base/error.js';

/** Throws a UserError for the first of these options that was typed; `needed` are the options that it has an effect with. */
export function refuseIdle(command: Command, attributes: Iterable<string>, needed: string): void {
  const idle = new Set(attributes);
  for (const option of command.options) {
    const name = option.attributeName();
    if (!idle.has(name) || command.getOptionValueSource(name) !== 'cli') continue;
    throw new UserError(`${option.long}: got it without ${needed}, where it has no effect; add one, or leave it out`);
  }
}
