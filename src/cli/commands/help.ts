// `dustbuster help` as a command, so that lists of commands have it: `program` answers it before the command line is
// parsed.
import type { Command } from 'commander';

export function registerHelp(program: Command): void {
  program
    .command('help')
    .summary('show the full help of a command, or a page')
    .description('Prints the full help of a command, like its --help, or a page of the manual as text.')
    .argument('[PAGE]', 'a command or a page');
}
