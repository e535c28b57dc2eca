// `dustbuster sketch`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { addOptions } from '../flags/option.js';
import { SKETCH_OPTIONS, type SketchFlags } from '../flags/sketch.js';

export function registerSketch(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('sketch')
    .summary('make a list of the pages of a crawl, with a sketch of each')
    .description(
      'Reads the pages of a crawl, and writes a line of JSON for each answer: its URL, status, type, size, digest, ' +
        'sketch, canonical URL and redirect.\n\n' +
        'The list is a log with sketches, for mine, eval and dups, and the pages of validate --pages.',
    )
    .argument('[archive...]', 'WARC files, plain or compressed; folders and globs of them, or -');
  addOptions(command, SKETCH_OPTIONS, effects);
  command.action(async (archives: string[], flags: SketchFlags) => {
    const { sketch } = await import('../run/sketch.js');
    outcome.exitCode = await sketch(archives, flags, effects);
  });
}
