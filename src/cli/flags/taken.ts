// An option that takes several values takes all names up to the next option: `mine --pages crawl.warc.gz access.log`
// has two archives, and no log. That cannot be told from a wish, so it is said where the run then fails.
import type { Command } from 'commander';
import { printable } from '../../base/bytes.js';

/** What such an option took, if the command was given no argument; undefined if there was nothing else to take. */
export function takenWords(command: Command): string | undefined {
  const [argument] = command.registeredArguments;
  if (argument === undefined || command.args.length > 0) return undefined;
  for (const option of command.options) {
    const name = option.attributeName();
    if (!option.variadic || command.getOptionValueSource(name) !== 'cli') continue;
    const values = command.getOptionValue(name) as readonly string[];
    if (values.length < 2) continue;
    const last = printable(values.at(-1) ?? '');
    return `${option.long} takes all names up to the next option, here ${values.length}; if the last, "${last}", is ${argument.name()}, name it before ${option.long}`;
  }
  return undefined;
}
