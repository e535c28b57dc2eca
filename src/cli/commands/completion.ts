// `dustbuster completion`: a script for a shell, made from the commander tree.
//
// The scripts contain everything they offer, so TAB starts no program. Asking the program at every TAB, as @bomb.sh/tab
// does, costs a start of Node and all commands each time; its current version (0.0.22) also never offers files, and its
// bash script evals the words of the line, so that TAB after `$(…)` runs what is in it.
import { Argument, type Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { createSink, pour } from '../../base/output.js';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { zshScript } from '../completion/zsh.js';
import { vocabularyOf } from '../completion/vocabulary.js';
import { wordOption } from '../flags/parse.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const SHELLS = ['bash', 'zsh', 'fish'] as const;

export function registerCompletion(program: Command, effects: Effects): void {
  const shell = new Argument('<shell>', 'whose completion').argParser(wordOption('completion', SHELLS));
  shell.argChoices = [...SHELLS];
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script with which a shell completes commands, options, their values and file names.')
    .addArgument(shell)
    .action(async (name: keyof typeof SCRIPTS) => {
      await pour([SCRIPTS[name](vocabularyOf(program))], createSink(effects.stdout));
    });
}
