// What `dustbuster eval` runs: a rules file and a URL list with labels -> measures -> a table, CSV or JSON.
import { many, parseMemory } from '../../base/amounts.js';
import { escapeControls, printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { writeFileWhole } from '../../base/output.js';
import { counted, ticking } from '../../base/progress.js';
import { findInputs } from '../../log/inputs.js';
import { readRecordsParallel } from '../../log/parallel.js';
import { createReadReport } from '../../log/read.js';
import { PartOfContents } from '../../mine/part-of-contents.js';
import { PAIRS_FOR_LABELS } from '../../near/pair-line.js';
import { Fates } from '../../report/measure-fates.js';
import { eachListed, type LabelledUrl, type LabelReport, Labels } from '../../report/measure-labels.js';
import { eachByCluster } from '../../report/measure-near.js';
import { isValidated, measure, type Measures } from '../../report/measure.js';
import { evalJson, evalTable, rulesCsv, samplesCsv, sitesCsv } from '../../report/render-eval.js';
import { countsReport } from '../../report/render.js';
import type { RulesFile } from '../../rule/rule.js';
import { UrlListBuilder } from '../../table/url-list.js';
import { normalizeSafe } from '../../url/normalize.js';
import { createSiteOf, type SiteOf } from '../../url/public-suffix.js';
import { masked } from '../../url/secret.js';
import { refuseTwice } from '../files.js';
import type { EvalFlags } from '../flags/eval.js';
import { computed, guardingOutput } from '../terminal/signals.js';
import { paintOf, widthFor } from '../terminal/stream.js';
import { filterOptions } from './input/filters.js';
import {
  formatOptions,
  judgeReading,
  partReport,
  progressOf,
  refuseNothing,
  refuseOverwriting,
} from './input/reading.js';
import { reportCandidates, reportLeftOut } from './rules/in-use.js';
import { loadMarkedRules } from './rules/load.js';

/** Returns the exit code. Throws a UserError if there is nothing to measure, or no label where one is needed. */
export async function evaluate(flags: EvalFlags, effects: Effects): Promise<number> {
  if (flags.json === true && flags.csv === true)
    throw new UserError('eval: got --json and --csv; expected one of them');
  if (flags.per === 'samples' && flags.sweep === undefined)
    throw new UserError('eval: got --per samples without a sweep; expected --sweep samples with it');
  refuseTwice(
    ['-r', [flags.rules]],
    ['--urls', flags.urls],
    ['--truth', flags.truth === undefined ? [] : [flags.truth]],
  );
  const file = await loadMarkedRules(flags.rules, flags, effects);
  reportLeftOut(file.rules, flags, effects);
  reportCandidates(file.rules, flags, effects);
  refuseUnvalidated(file, flags);
  const inputs = await findInputs(flags.urls, effects);
  const [truth] = flags.truth === undefined ? [] : await findInputs([flags.truth], effects);
  const rulesInput = await findInputs([flags.rules], effects);
  refuseOverwriting([...inputs, ...rulesInput, ...(truth === undefined ? [] : [truth])], [flags.output], effects);
  // Loaded only for --sweep, as it pulls in the code of validation.
  const sweeping = flags.sweep === undefined ? undefined : await import('./validate/sweep.js');
  sweeping?.refusePipes({ list: inputs, truth });

  // URLs count as listed. They are normalized later, as a part of canonization.
  const composing = {
    base: flags.base ?? file.options.base,
    scheme: file.options.scheme,
    normalize: file.normalization,
    maxUrlLength: file.options.maxUrlLength,
  };
  const reading = { ...composing, normalize: 'none' } as const;
  // An eighth of the memory for each part: two for the list, one for labels, one for statuses, four for measuring.
  const room = { memoryBytes: parseMemory(flags.memory, '--memory') / 8, tmpdir: flags.tmpdir };
  const labels = truth === undefined ? undefined : new Labels(room);
  if (labels !== undefined) {
    await labels.read(truth!, composing);
    if (labels.pairs.areAll) throw new UserError(`--truth: ${printable(truth!.name)} ${PAIRS_FOR_LABELS}`);
    refuseUnlabelled(labels.report, truth!.name);
  }
  const report = createReadReport();
  const { progress } = effects;
  const listRoom = { ...room, memoryBytes: 2 * room.memoryBytes, progress: ticking(progress) };
  const stats = { runs: 0, bytes: 0 };
  const list = new UrlListBuilder(siteOfPrepared(file), listRoom, stats);
  const fates = new Fates(file.normalization, { ...room, stats });
  const chosen = {
    ...reading,
    ...formatOptions(flags),
    ...filterOptions(flags, effects),
    ...progressOf(inputs, effects),
    statuses: true,
  };
  const records = readRecordsParallel(inputs, chosen, report, flags.threads);
  for await (const batch of records) list.add(fates.take(batch));
  refuseNothing(report);

  const part = flags.partOfContents && new PartOfContents(flags.partOfContents);
  progress?.begin({ name: 'measuring', unit: 'URLs' });
  const { accept, maxIterations } = flags;
  const leftover = flags.leftover === true;
  const limits = { accept, maxIterations, fates, leftover, memoryBytes: 4 * room.memoryBytes, tmpdir: room.tmpdir };
  const measures = await computed(() => {
    const listed = partOf(counted(eachListed(list.finish()), progress), part);
    return measure(labels?.label(listed) ?? eachByCluster(listed, room), file, limits);
  }, effects);
  refuseEmpty(measures, flags, effects, countsReport(report.inputs));
  const sweep = await sweeping?.sweepByList(file, { list: inputs, truth }, flags, effects);
  const swept = { ...measures, ...(sweep !== undefined && { sweep }) };
  await guardingOutput(() => writeFileWhole(flags.output, [render(swept, flags, effects)], effects, { isSafe: true }));

  const said = countsReport(report.inputs) + partReport(flags.partOfContents, part) + spellingsLine(measures);
  if (flags.quiet !== true) effects.stderr.write(said);
  if (labels !== undefined && flags.quiet !== true) effects.stderr.write(labelLine(labels.report, truth!.name));
  const readCode = Math.max(judgeReading(report, effects, flags), judgeLabels(labels?.report, truth?.name, effects));
  if (measures.all.labelled === 0 && flags.quiet !== true) effects.stderr.write(`dustbuster: ${noLabels}\n`);
  return judgeMeasures(measures, flags, effects) || readCode;
}

/** The URLs of a part. The list's own labels decide, as in `mine`, even if other labels are used for measuring. */
function* partOf(listed: Iterable<LabelledUrl>, part: PartOfContents | undefined): Generator<LabelledUrl> {
  for (const one of listed) if (part === undefined || part.has(one.url, one.label)) yield one;
}

/** Finds the site of a URL as the rules see it, however the list spells the URL. */
function siteOfPrepared({ options, normalization }: RulesFile): SiteOf {
  const siteOf = createSiteOf(options.site);
  if (normalization === 'none') return siteOf;
  return (bytes, start, end) => {
    const url = normalizeSafe(bytes.subarray(start, end));
    return siteOf(url, 0, url.length);
  };
}

/**
 * Throws a UserError if the rules were not validated and --accept does not allow such rules, as `canonize` does. After
 * a validation, a file without rules is a valid result.
 */
function refuseUnvalidated(file: RulesFile, { rules, accept }: EvalFlags): void {
  if (accept !== 'valid' || isValidated(file) || file.rules.length === 0) return;
  throw new UserError(
    `no rule in ${printable(rules)} was validated: ${file.rules.length} likely. Expected rules that passed validation: ` +
      'run dustbuster validate; to measure likely ones, say --accept likely.',
  );
}

function refuseUnlabelled(report: LabelReport, name: string): void {
  if (report.labels > 0) return;
  const got =
    report.lines === 0
      ? 'has no line'
      : report.withoutLabel > 0
        ? `has no label, as in "${printable(masked(report.firstWithout ?? '')).slice(0, 100)}"`
        : 'has no line that begins with a URL';
  const cause = report.reason === null ? '' : ` (${report.reason})`;
  throw new UserError(`${printable(name)} ${got}${cause}; expected lines of a URL, a tab, and a label.`);
}

const noLabels =
  'no URL of the list has a label, so coverage and false merges are not known; give labels with --truth FILE, or a list ' +
  'with sketches or digests';

function refuseEmpty({ all }: Measures, flags: EvalFlags, effects: Effects, counts: string): void {
  if (all.urls === 0) {
    effects.stderr.write(counts);
    throw new UserError('there is no URL in the list; expected at least one. Name the format with --format.');
  }
  const isChecked = flags.maxFalseMerges !== undefined || flags.minCoverage !== undefined;
  if (isChecked && all.labelled === 0) throw new UserError(`nothing can be checked: ${noLabels}.`);
}

function render(measures: Measures, { json, csv, per, top, output }: EvalFlags, effects: Effects): string {
  if (json === true) return escapeControls(evalJson(measures));
  if (csv === true && per === 'samples') return samplesCsv(measures.sweep!);
  if (csv === true) return per === 'rule' ? rulesCsv(measures) : sitesCsv(measures);
  return evalTable(measures, { limit: top, paint: paintOf(output, effects), width: widthFor(output, effects) });
}

/** A line about spellings, as other commands count URLs in normal form. */
function spellingsLine({ all, curve }: Measures): string {
  if (all.urls === curve.formsWithout) return '';
  return `${many(all.urls, 'URL')} as listed, which are ${curve.formsWithout} in normal form, as mine counts them\n`;
}

function labelLine(report: LabelReport, name: string): string {
  const { lines, labels, withoutLabel, withoutUrl, unlisted, contradicted } = report;
  const counts = `${many(lines, 'line')} = ${many(labels, 'label')} + ${withoutLabel} without label + ${withoutUrl} without URL`;
  return `${printable(name)} (labels): ${counts}; ${unlisted} of URLs that are not in the list, ${contradicted} contradicted\n`;
}

/** 3 if the labels were not read to their end, or if most of their lines have none. */
function judgeLabels(report: LabelReport | undefined, name = '', effects: Effects): number {
  if (report === undefined) return 0;
  if (report.reason !== null) {
    effects.stderr.write(`dustbuster: ${printable(name)}: ${report.reason}; what could be read was kept\n`);
  }
  return report.reason !== null || 2 * report.labels < report.lines ? 3 : 0;
}

/** 1 if a share exceeds a limit of the flags. Without dust, neither share is judged. */
function judgeMeasures({ all }: Measures, { maxFalseMerges, minCoverage }: EvalFlags, effects: Effects): number {
  const { coverage, falseMergeShare, falseMerges } = all;
  let exitCode = 0;
  if (maxFalseMerges !== undefined && falseMergeShare !== null && falseMergeShare > maxFalseMerges) {
    const got = `${falseMergeShare.toFixed(6)} (${many(falseMerges, 'URL')})`;
    effects.stderr.write(`dustbuster: false merges ${got}, expected at most ${maxFalseMerges}\n`);
    exitCode = 1;
  }
  if (minCoverage !== undefined && coverage !== null && coverage < minCoverage) {
    effects.stderr.write(`dustbuster: coverage ${coverage.toFixed(6)}, expected at least ${minCoverage}\n`);
    exitCode = 1;
  }
  return exitCode;
}
