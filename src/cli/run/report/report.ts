// What does `dustbuster report` do? It makes a model of the report from rules and a log, or from one of them, and
// writes HTML or JSON.
import { parseMemory } from '../../../base/amounts.js';
import { escapeControls, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { createSink, pour, writeFileWhole } from '../../../base/output.js';
import type { CanonizerOptions } from '../../../canonize/canonizer.js';
import type { Target } from '../../../export/target.js';
import { targetForms } from '../../../export/target-form.js';
import { loadTarget } from '../../../export/targets.js';
import { findInputs } from '../../../log/inputs.js';
import { adviceReport } from '../../../report/advice.js';
import type { ExpressedBy, LinesOf } from '../../../report/page/measure/fixes.js';
import { type LogRead, measureReport } from '../../../report/page/measure/measure.js';
import type { ReportModel, ToProve } from '../../../report/page/model.js';
import { countsReport } from '../../../report/render.js';
import { openWords } from '../../../report/rule-words.js';
import { holdingBack } from '../../../rule/held-back.js';
import { idOf } from '../../../rule/id.js';
import type { Rule, RulesFile } from '../../../rule/rule.js';
import { type Accept, accepts, isPending } from '../../../rule/standing.js';
import { DEFAULT_REPORT_FILE, DEFAULT_RULES_FILE, isDefaultName, refuseOddDefault } from '../../context.js';
import { refuseTwice } from '../../files.js';
import { FILTER_OPTIONS } from '../../flags/filter.js';
import { flagOf } from '../../flags/parse.js';
import type { ReportFlags } from '../../flags/report.js';
import { computed, guardingOutput } from '../../terminal/signals.js';
import { packageVersion } from '../../version.js';
import { refuseOverwriting } from '../input/reading.js';
import { judgeReading } from '../input/warnings.js';
import { exportRequest } from '../rules/export-request.js';
import { reportLeftOut } from '../rules/in-use.js';
import { loadMarkedRules } from '../rules/load.js';
import { findLocalRules, markRules } from '../rules/local.js';
import { judgeBefore, readBefores } from './before.js';
import { readBotAddresses } from './bot-addresses.js';
import { type LogSource, withRobots } from './robots.js';
import { readLog, type ReadWith, type Source, sourceOf } from './read.js';

/** Returns the exit code. Throws a UserError if there are no rules, or if the log is empty. */
export async function report(
  names: readonly string[],
  flags: ReportFlags,
  given: Effects,
  isTyped: (flag: string) => boolean,
): Promise<number> {
  const source = await sourceOf(names, flags.log, given);
  const effects = source.stdin === undefined ? given : withStdin(given, source.stdin);
  refuseIdleFlags(source, isTyped);
  const output = flags.output ?? (flags.json === true || flags.summary === true ? '-' : DEFAULT_REPORT_FILE);
  refuseResults(source, flags, output);
  refuseOddDefault(output, effects);
  const before = await readBefores(flags, source.log !== undefined, effects);
  const botRanges = await readBotAddresses(flags.botAddresses ?? [], effects);
  refuseOverwriting(await findInputs(flags.before ?? [], effects), [output], effects);
  const memory = { memoryBytes: parseMemory(flags.memory, '--memory'), tmpdir: flags.tmpdir };
  const { file, log, from, name, toProve } = await readSource(source, output, flags, { ...memory, botRanges }, effects);
  const { progress } = effects;
  if (log !== undefined) progress?.begin({ name: 'measuring', unit: 'URLs' });
  const accept = source.kind === 'log' && !isTyped('accept') ? 'confident' : flags.accept;
  const how = {
    normalize: file.normalization,
    accept,
    maxIterations: flags.maxIterations,
    urlForm: file.urlForm,
    sitePolicy: file.options.site,
  };
  const options = {
    name,
    generator: `dustbuster ${packageVersion()}`,
    ...(flags.stamp === true && { created: effects.now().toISOString() }),
    accept,
    maxIterations: flags.maxIterations,
    top: flags.top,
    linesOf: await exportedLines(name, how),
    expressedBy: await expressedByServers(name, how),
    ...memory,
    threads: flags.threads,
    ...(before !== undefined && { before }),
    ...(botRanges.length > 0 && { botRanges }),
    progress,
  };
  const measured = await computed(() => measureReport(file, log, options), effects);
  const tried = from === undefined ? measured : await withRobots(measured, file, from, { ...memory, ...how });
  const model = toProve === undefined ? tried : { ...tried, toProve };
  const isDefault = isDefaultName(output);
  await guardingOutput(async () => writeFileWhole(output, await render(model, flags), effects, { isDefault }));
  if (flags.fixes !== undefined) await writeFixes(flags.fixes, model, effects);

  if (flags.quiet !== true) {
    effects.stderr.write(notes(model, file, accept, log));
    if (source.kind === 'log') effects.stderr.write(adviceOn(file, model));
  }
  if (flags.quiet !== true && output !== '-') {
    await pour([`Written to ${printable(output)}\n`], createSink(effects.stdout));
  }
  if (log === undefined) return 0;
  return judgeReading(log, effects, flags) || judgeBefore(model, flags, effects);
}

/** Throws a UserError for results that contradict each other, or that need a log. */
function refuseResults(source: Source, { json, summary, fixes }: ReportFlags, output: string): void {
  if (json === true && summary === true) {
    throw new UserError('got --json and --summary; expected one of them, as each is the whole result');
  }
  if (fixes === undefined) return;
  if (source.log === undefined) throw new UserError('got --fixes and no log; expected one, as fixes are counted on it');
  if (fixes === output) {
    throw new UserError(`--output and --fixes are both ${printable(output)}; expected a file for each`);
  }
}

async function writeFixes(name: string, { log, rules }: ReportModel, effects: Effects): Promise<void> {
  const { fixesCsv } = await import('../../../report/page/render/fixes-csv.js');
  await guardingOutput(() => writeFileWhole(name, [fixesCsv(log!, rules)], effects));
}

/** Not a spread: some effects are created when they are first used. */
function withStdin(effects: Effects, stdin: Effects['stdin']): Effects {
  return Object.create(effects, { stdin: { value: stdin } }) as Effects;
}

interface Read {
  /** The file that the rules come from. */
  readonly name: string;
  readonly file: RulesFile;
  readonly log: LogRead | undefined;
  readonly from?: LogSource;
  readonly toProve?: ToProve;
}

async function readSource(
  source: Source,
  output: string,
  flags: ReportFlags,
  given: ReadWith,
  effects: Effects,
): Promise<Read> {
  const inputs = await findInputs(source.log ?? [], effects);
  if (source.kind === 'log') {
    refuseOverwriting(inputs, [output, ...(flags.fixes === undefined ? [] : [flags.fixes])], effects);
    const { mineLog } = await import('./mined.js');
    const mined = await mineLog(inputs, flags, given, effects);
    const file = await decidedOn(mined.file, flags, effects);
    return { name: inputs.map(({ name }) => name).join(', '), ...mined, file };
  }
  const { name } = source;
  refuseTwice(['the rules', [name]], ['--log', source.log ?? []]);
  const file = await loadMarkedRules(name, flags, effects);
  reportLeftOut(file.rules, flags, effects);
  refuseOverwriting([...inputs, ...(await findInputs([name], effects))], [output], effects);
  if (source.log === undefined) return { name, file, log: undefined };
  return { name, file, ...(await readLog(inputs, file, flags, given, effects)) };
}

/** The rules of a log with the decisions that lie beside the rules file that `mine` would write. */
async function decidedOn(file: RulesFile, flags: ReportFlags, effects: Effects): Promise<RulesFile> {
  const local = await findLocalRules(DEFAULT_RULES_FILE, flags, effects);
  if (local.kind !== 'file') return file;
  return holdingBack(markRules(file, local, effects, flags.local === undefined));
}

/** By the names that commander gives them. */
const ABOUT_LOGS = ['format', 'logFormat', 'columns', 'base', ...Object.keys(FILTER_OPTIONS)];

/**
 * Throws a UserError for a flag about logs on the command line if there is no log. In a file or a variable it is
 * allowed, as these are for all commands.
 */
function refuseIdleFlags(source: Source, isTyped: (flag: string) => boolean): void {
  if (source.log !== undefined) return;
  const idle = ABOUT_LOGS.find(isTyped);
  if (idle !== undefined) {
    throw new UserError(`got ${flagOf(idle)} and no log; expected the log that it is about, with --log FILE`);
  }
}

async function render(model: ReportModel, flags: ReportFlags): Promise<Iterable<string>> {
  if (flags.json === true) return [escapeControls(`${JSON.stringify(model, null, 2)}\n`)];
  if (flags.summary === true) {
    const { summaryText } = await import('../../../report/page/render/summary.js');
    return [summaryText(model)];
  }
  const { renderPage } = await import('../../../report/page/render/render.js');
  return [renderPage(model)];
}

/** Advice if mining the log found little or nothing. */
function adviceOn({ urls, sites, rules, options }: RulesFile, { log }: ReportModel): string {
  const [likely, sure] = [rules.filter(isPending).length, rules.filter((rule) => accepts(rule, 'confident')).length];
  return adviceReport({ urls, sites, likely, sure, hasSizes: log!.hasSizes }, options);
}

/** What was read, and which flags would show more. */
function notes({ log }: ReportModel, { rules }: RulesFile, accept: Accept, read: LogRead | undefined): string {
  const counts = read === undefined ? '' : countsReport(read.inputs);
  const open = rules.filter(isPending);
  if (log === undefined || open.length === 0 || rules.some((rule) => accepts(rule, accept))) return counts;
  const why = accept === 'valid' ? 'no rule was validated' : 'no rule is validated or has a confidence of .95';
  return (
    `${counts}dustbuster: ${why}, so none is applied to the log; to see what the ${openWords(open)} ` +
    `would make of it, say --accept likely\n`
  );
}

/**
 * Targets of the lines to copy for a fix, which are what `export` writes for its rules alone. Redirects have status 302
 * at first, as browsers do not keep it.
 */
const TARGETS = ['nginx', 'apache', 'clean-param'] as const;

/**
 * Returns the exports for the rules of a fix. A server gets those that it can express; a target that is no server is
 * left out unless it can express all. `name` is the source of the rules, perhaps several logs.
 */
export async function exportedLines(name: string, options: CanonizerOptions): Promise<LinesOf> {
  const targets = await Promise.all(TARGETS.map((target): Promise<Target> => loadTarget(target)!));
  return (rules, fix) =>
    targets.flatMap((target) => {
      const { text, left } = target.write({
        ...exportRequest(name, { rules, options }, { status: '302', called: fix }),
        source: name === '-' ? 'standard input' : name,
      });
      if (left.length === 0) return [{ target: target.name, text }];
      return target.isServer === true && left.length < rules.length
        ? [{ target: target.name, text, left: left.length }]
        : [];
    });
}

/** What the servers among the targets make of a fix. They make the same edits. */
export async function expressedByServers(name: string, options: CanonizerOptions): Promise<ExpressedBy> {
  const targets = await Promise.all(TARGETS.map((target): Promise<Target> => loadTarget(target)!));
  const servers = targets.filter(({ isServer }) => isServer === true);
  return (rules) => {
    const requestOf = (some: readonly Rule[]) => exportRequest(name, { rules: some, options }, { status: '302' });
    const kept = servers.reduce((some, server) => {
      const carried = new Set(some.length === 0 ? [] : server.write(requestOf(some)).carried.map(idOf));
      return some.filter((rule) => carried.has(idOf(rule)));
    }, rules);
    if (kept.length === 0) return undefined;
    return { rules: kept, formOf: targetForms(servers[0]!, requestOf(kept), options) };
  };
}
