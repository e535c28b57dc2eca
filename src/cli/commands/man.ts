// `dustbuster man`: the manual, for installations without man pages.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemCode } from '../../base/error.js';
import type { Effects } from '../../base/effects.js';
import { createSink, pour } from '../../base/output.js';
import { makeScratchFolder } from '../../base/scratch-folder.js';
import type { Outcome } from '../context.js';
import { unknownTopic, helpWidth } from '../help/help.js';
import { writeText } from '../help/text.js';
import { manPage, type ManPage } from '../help/man-page.js';

export function registerMan(program: Command, effects: Effects, outcome: Outcome): void {
  program
    .command('man')
    .summary('show the manual page of a command, a file or a topic')
    .description('Shows a page of the manual with man; as text if there is no man, or if the output is not a terminal.')
    .argument('[PAGE]', 'a command or a page', 'dustbuster')
    .option('--roff', 'print the source of the page, to install it where man finds it')
    .action(async (name: string, { roff }: { readonly roff?: true }) => {
      const page = manPage(name, program);
      if (page === undefined) throw unknownTopic(name, program);
      const isShown = roff !== true && effects.stdout.isTTY === true && showByMan(page, effects);
      if (isShown) return;
      const text = roff === true ? page.roff : writeText(page.blocks, helpWidth(effects));
      await pour([text], createSink(effects.stdout));
      outcome.exitCode = 0;
    });
}

/** Whether there is a man that shows files by their path, like those of Linux, the BSDs and macOS. */
function showByMan({ file, roff }: ManPage, effects: Effects): boolean {
  const folder = makeScratchFolder(effects.tmpdir, 'man');
  const leaveToPager = () => undefined; // Ctrl-C there ends a search, not the program
  process.on('SIGINT', leaveToPager);
  try {
    const path = join(folder, file);
    writeFileSync(path, roff);
    const { error, status } = spawnSync('man', [path], { stdio: 'inherit' });
    if (error !== undefined && systemCode(error) !== 'ENOENT') throw error;
    return error === undefined && status === 0;
  } finally {
    process.removeListener('SIGINT', leaveToPager);
    rmSync(folder, { recursive: true, force: true });
  }
}
