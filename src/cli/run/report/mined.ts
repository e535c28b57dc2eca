// `report LOG`: mines the rules of a log in memory, and counts the visits to its URLs in the same pass.
import { Command } from 'commander';
import type { Effects } from '../../../base/effects.js';
import type { Input } from '../../../log/bytes.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport } from '../../../log/read.js';
import { bytesFor } from '../../../memory-plan.js';
import { createMineCrew } from '../../../mine/crew.js';
import { Miner } from '../../../mine/mine.js';
import { createVisits, type LogRead } from '../../../report/page/measure/measure.js';
import type { ToProve } from '../../../report/page/model.js';
import type { RulesFile } from '../../../rule/rule.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { MINE_OPTIONS, type MineFlags } from '../../flags/mine.js';
import { addOptions } from '../../flags/option.js';
import type { ReportFlags } from '../../flags/report.js';
import { computed } from '../../terminal/signals.js';
import { filterOptions } from '../input/filters.js';
import { mineOptions, readOptions } from '../mine/read.js';
import { fileOf, rankedRules } from '../mine/rules.js';
import { timeToAsk } from '../validate/time.js';
import { readEchoes } from './echoes.js';
import type { LogSource } from './robots.js';
import { readingOf, type ReadWith, refuseEmpty, visitReading } from './read.js';

interface MinedLog {
  readonly file: RulesFile;
  readonly log: LogRead;
  readonly from: LogSource;
  readonly toProve: ToProve;
}

/** Mines as `mine` does by default. Throws a UserError if the log is empty. */
export async function mineLog(
  inputs: readonly Input[],
  given: ReportFlags,
  { botRanges, ...memory }: ReadWith,
  effects: Effects,
): Promise<MinedLog> {
  const flags = mineFlags(given, effects);
  const filters = filterOptions(given, effects);
  const options = mineOptions(flags, filters.filters);
  const reading = { ...visitReading(inputs, filters, botRanges, effects), ...readOptions(flags, options) };
  const { progress } = effects;
  const crew = createMineCrew(flags.threads, progress);
  try {
    const limits = { ...memory, memoryBytes: bytesFor('report/mine', memory.memoryBytes), crew, progress };
    const miner = new Miner({ ...options, untested: false, listed: given.top }, createSiteOf(options.site), limits);
    const visits = createVisits(memory);
    const report = createReadReport();
    for await (const batch of readRecordsParallel(inputs, reading, report, flags.threads)) {
      visits.add(batch);
      miner.add(batch);
    }
    refuseEmpty(report, effects);
    const rules = await computed(() => rankedRules(miner), effects);
    const file = fileOf(rules, { miner, options, report, flags, effects });
    return {
      file,
      log: { visits, listing: miner.listing, echoes: await readEchoes(inputs, reading), ...readingOf(report, filters) },
      from: { inputs, reading },
      toProve: toProveOf(miner.summary, inputs, flags, file),
    };
  } finally {
    crew?.stop();
  }
}

function toProveOf(
  summary: Miner['summary'],
  inputs: readonly Input[],
  flags: MineFlags,
  { urlForm }: Pick<RulesFile, 'urlForm'>,
): ToProve {
  const base = flags.base ?? (urlForm === 'path' ? 'https://www.example.com' : undefined);
  return {
    rules: summary.promising,
    urls: Math.max(0, summary.likelyUrls - summary.sureUrls),
    time: timeToAsk(summary, flags),
    logs: inputs.map(({ name }) => name),
    ...(base !== undefined && { base }),
  };
}

/** The default flags of `mine`, overridden by the flags of the report. */
function mineFlags(given: ReportFlags, effects: Effects): MineFlags {
  const command = new Command();
  addOptions(command, MINE_OPTIONS, effects);
  return { ...command.opts<MineFlags>(), ...given } as MineFlags;
}
