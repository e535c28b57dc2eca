// `dustbuster report`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import type { Outcome } from '../context.js';
import { addOptions } from '../flags/option.js';
import { REPORT_OPTIONS, type ReportFlags } from '../flags/report.js';

export function registerReport(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('report')
    .summary('write what dust costs, and what to do, as one HTML page')
    .description(
      'Writes one self-contained HTML page: what was read, the rules with their evidence and verdicts, and ' +
        'their precision.\n\n' +
        'Of a log it shows what duplicates cost in hits, bytes and bot hits; the fixes that save most, with lines to ' +
        'copy; URLs before and after, for each site; and what each parameter does to a page.\n\n' +
        'INPUT is a rules file (default: dustbuster-rules.json), whose log is named with --log; or a log, like any ' +
        'input of mine: then its rules are mined first, without fetching a page. - is standard input, and so is no ' +
        'INPUT where there is no dustbuster-rules.json.',
    )
    .argument('[INPUT...]', 'a rules file, or logs to mine; - is standard input');
  addOptions(command, REPORT_OPTIONS, effects);
  command.action(async (names: string[], flags: ReportFlags) => {
    const { report } = await import('../run/report/report.js');
    const isTyped = (flag: string) => command.getOptionValueSource(flag) === 'cli';
    outcome.exitCode = await report(names, flags, effects, isTyped);
  });
}
