// `dustbuster config`: what files and variables set, and for whom.
import { Argument, type Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { configFlagOf } from '../config/find.js';
import { wordOption } from '../flags/parse.js';

export function registerConfig(program: Command, effects: Effects): void {
  const action = new Argument('<show>', 'show what is set, and where').argParser(wordOption('config', ['show']));
  action.argChoices = ['show'];
  program
    .command('config')
    .summary('show which options are set by files and variables')
    .description(
      'Shows the options that files and DUSTBUSTER_* variables set, and where each was set; with COMMAND all options of that command.',
    )
    .addArgument(action)
    .argument('[COMMAND]', 'show all of its options, including defaults')
    .option('--json', 'print one JSON document')
    .action(async (_: string, name: string | undefined, { json = false }: { readonly json?: boolean }) => {
      const { showConfig } = await import('../config/show.js');
      await showConfig({ program, name, isJson: json, flag: configFlagOf(program) }, effects);
    });
}
