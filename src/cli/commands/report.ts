// `dustbuster report`: its help and flags. Its code is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { DEFAULT_RULES_FILE, type Outcome } from '../context.js';
import { addOptions } from '../flags/option.js';
import { REPORT_OPTIONS, type ReportFlags } from '../flags/report.js';

export function registerReport(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('report')
    .summary('write what rules make of a log as one HTML page')
    .description(
      'Writes one self-contained HTML page: what was read, the rules with their evidence and verdicts, and ' +
        'their precision.\n\n' +
        'With --log it shows what the rules make of that log: URLs before and after, for each site; the reduction by the ' +
        'first k rules; what duplicates cost in hits, bytes and bot hits; and what each parameter does to a page.',
    )
    .argument('[RULES]', 'the rules file', DEFAULT_RULES_FILE);
  addOptions(command, REPORT_OPTIONS, effects);
  command.action(async (rules: string, flags: ReportFlags) => {
    const { report } = await import('../run/report/report.js');
    const isTyped = (flag: string) => command.getOptionValueSource(flag) === 'cli';
    outcome.exitCode = await report(rules, flags, effects, isTyped);
  });
}
