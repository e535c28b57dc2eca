// `dustbuster help` among the commands, for lists of them: `program` answers it before a command line is parsed.
import type { Command } from 'commander';

export function registerHelp(program: Command): void {
  program
    .command('help')
    .summary('say everything of a command, or show a page')
    .description('Prints all there is to say of a command, as its --help does, or a page of the manual as text.')
    .argument('[PAGE]', 'a command or a page');
}
