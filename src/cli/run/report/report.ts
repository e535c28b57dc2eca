// What `dustbuster report` runs: a rules file, and a log if there is one -> the model of the report -> HTML or JSON.
import { escapeControls, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { createSink, pour, writeFileWhole } from '../../../base/output.js';
import { parseSize } from '../../../base/size.js';
import { findInputs } from '../../../log/inputs.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport } from '../../../log/read.js';
import { createVisits, measureReport, type LogRead } from '../../../report/page/measure/measure.js';
import type { ReportModel } from '../../../report/page/model.js';
import { countsReport } from '../../../report/render.js';
import type { RulesFile } from '../../../rule/rule.js';
import { accepts, isPending } from '../../../rule/standing.js';
import { filterOptions, recordedFilters } from '../input/filters.js';
import { reportLeftOut } from '../rules/left-out.js';
import { loadMarkedRules } from '../rules/marked.js';
import { refuseTwice } from '../../files.js';
import { formatOptions, judgeReading, progressOf, refuseNothing, refuseOverwriting } from '../input/reading.js';
import { DEFAULT_REPORT_FILE, isDefaultName, refuseOddDefault } from '../../context.js';
import type { ReportFlags } from '../../flags/report.js';
import { computed, guardingOutput } from '../../terminal/signals.js';
import { packageVersion } from '../../version.js';

/** Returns the exit code. Throws a UserError if there is no rules file, or nothing in the log. */
export async function report(
  rules: string,
  flags: ReportFlags,
  effects: Effects,
  isTyped: (flag: string) => boolean,
): Promise<number> {
  refuseTwice(['the rules', [rules]], ['--log', flags.log ?? []]);
  const file = await loadMarkedRules(rules, flags, effects);
  reportLeftOut(file.rules, flags, effects);
  const inputs = await findInputs(flags.log ?? [], effects);
  const output = flags.output ?? (flags.json === true ? '-' : DEFAULT_REPORT_FILE);
  refuseOddDefault(output, effects);
  refuseOverwriting([...inputs, ...(await findInputs([rules], effects))], [output], effects);
  refuseIdleFlags(flags, isTyped);

  const memory = { memoryBytes: parseSize(flags.memory, '--memory'), tmpdir: flags.tmpdir };
  const log = flags.log === undefined ? undefined : await readLog(inputs, file, flags, memory, effects);
  const { progress } = effects;
  if (log !== undefined) progress?.begin({ name: 'measuring', unit: 'URLs' });
  const options = {
    name: rules,
    generator: `dustbuster ${packageVersion()}`,
    ...(flags.stamp === true && { created: effects.now().toISOString() }),
    accept: flags.accept,
    maxIterations: flags.maxIterations,
    top: flags.top,
    ...memory,
    progress,
  };
  const model = await computed(() => measureReport(file, log, options), effects);
  const isDefault = isDefaultName(output);
  await guardingOutput(async () => writeFileWhole(output, await render(model, flags), effects, { isDefault }));

  if (flags.quiet !== true) effects.stderr.write(notes(model, file, flags, log));
  if (flags.quiet !== true && output !== '-') {
    await pour([`Written to ${printable(output)}\n`], createSink(effects.stdout));
  }
  return log === undefined ? 0 : judgeReading(log, effects);
}

/** As commander names them. */
const ABOUT_LOGS = 'format logFormat columns base since until host include exclude onlyDocuments bots'.split(' ');

function flagOf(attribute: string): string {
  return attribute.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A flag about logs without a log is a mistake if it was typed; a file or a variable sets it for all commands. */
function refuseIdleFlags(flags: ReportFlags, isTyped: (flag: string) => boolean): void {
  if (flags.log !== undefined) return;
  const idle = ABOUT_LOGS.find(isTyped);
  if (idle !== undefined) {
    throw new UserError(`got --${flagOf(idle)} and no log; expected the log that it is about, with --log FILE`);
  }
}

async function readLog(
  inputs: Awaited<ReturnType<typeof findInputs>>,
  file: RulesFile,
  flags: ReportFlags,
  memory: { readonly memoryBytes: number; readonly tmpdir: string },
  effects: Effects,
): Promise<LogRead> {
  const filters = filterOptions(flags, effects);
  const reading = {
    base: flags.base ?? file.options.base,
    scheme: file.options.scheme,
    normalize: file.normalization,
    maxUrlLength: file.options.maxUrlLength,
    ...formatOptions(flags),
    ...filters,
    ...progressOf(inputs, effects),
    visitors: true,
  };
  const read = createReadReport();
  const visits = createVisits(memory);
  for await (const batch of readRecordsParallel(inputs, reading, read, flags.threads)) visits.add(batch);
  refuseNothing(read);
  if (read.inputs.every(({ records }) => records === 0)) {
    effects.stderr.write(countsReport(read.inputs));
    throw new UserError('found no URL in the log; expected at least one. Name the format with --format.');
  }
  return { visits, inputs: read.inputs, ...recordedFilters(filters.filters) };
}

async function render(model: ReportModel, flags: ReportFlags): Promise<Iterable<string>> {
  if (flags.json === true) return [escapeControls(`${JSON.stringify(model, null, 2)}\n`)];
  const { renderPage } = await import('../../../report/page/render/render.js');
  return [renderPage(model)];
}

/** What was read, and what other flags would show. */
function notes({ log }: ReportModel, { rules }: RulesFile, { accept }: ReportFlags, read: LogRead | undefined): string {
  const counts = read === undefined ? '' : countsReport(read.inputs);
  const likely = rules.filter(isPending).length;
  if (log === undefined || likely === 0 || rules.some((rule) => accepts(rule, accept))) return counts;
  return (
    `${counts}dustbuster: no rule was validated, so none is applied to the log; to see what the ${likely} likely ones ` +
    'would make of it, say --accept likely\n'
  );
}
