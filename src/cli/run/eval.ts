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
import { isValidated, measure, type MeasuredFile, type Measures } from '../../report/measure.js';
import { evalJson, evalTable, rulesCsv, samplesCsv, sitesCsv } from '../../report/render-eval.js';
import { countsReport } from '../../report/render.js';
import type { RulesFile } from '../../rule/rule.js';
import { UrlListBuilder } from '../../table/url-list.js';
import { normalizeSafe } from '../../url/normalize.js';
import { createSiteOf, type SiteOf } from '../../url/public-suffix.js';
import { masked } from '../../url/secret.js';
import { MAX_URL_BYTES } from '../../url/token.js';
import { refuseTwice } from '../files.js';
import type { EvalFlags } from '../flags/eval.js';
import { computed, guardingOutput } from '../terminal/signals.js';
import { paintOf, widthFor } from '../terminal/stream.js';
import { filterOptions } from './input/filters.js';
import { formatOptions, partReport, progressOf, refuseNothing, refuseOverwriting } from './input/reading.js';
import { judgeReading } from './input/warnings.js';
import { reportCandidates, reportLeftOut } from './rules/in-use.js';
import { loadMarkedRules } from './rules/load.js';

/** Returns the exit code. Throws a UserError if there is nothing to measure, or no label where one is needed. */
export async function evaluate(flags: EvalFlags, effects: Effects): Promise<number> {
  if (flags.json === true && flags.csv === true)
    throw new UserError('eval: got --json and --csv; expected one of them');
  if (flags.per === 'samples' && flags.sweep === undefined)
    throw new UserError('eval: got --per samples without a sweep; expected --sweep samples with it');
  const source = flags.map ?? flags.rules;
  refuseTwice(
    [flags.map === undefined ? '-r' : '--map', [source]],
    ['--urls', flags.urls],
    ['--truth', flags.truth === undefined ? [] : [flags.truth]],
  );
  const ofRules = flags.map === undefined ? await rulesOf(flags, effects) : undefined;
  const file = ofRules ?? NO_RULES;
  const inputs = await findInputs(flags.urls, effects);
  const [truth] = flags.truth === undefined ? [] : await findInputs([flags.truth], effects);
  const sources = await findInputs([source], effects);
  refuseOverwriting([...inputs, ...sources, ...(truth === undefined ? [] : [truth])], [flags.output], effects);
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
  // A ninth of the memory for each part: two for the list, one each for labels, a table and statuses, four for measuring.
  const room = { memoryBytes: parseMemory(flags.memory, '--memory') / 9, tmpdir: flags.tmpdir };
  const labels = truth === undefined ? undefined : new Labels(room);
  if (labels !== undefined) {
    await labels.read(truth!, composing);
    if (labels.pairs.areAll) throw new UserError(`--truth: ${printable(truth!.name)} ${PAIRS_FOR_LABELS}`);
    refuseUnlabelled(labels.report, truth!.name, 'label');
  }
  const map = flags.map === undefined ? undefined : new Labels(room);
  if (map !== undefined) {
    await map.read(sources[0]!, composing);
    refuseUnlabelled(map.report, source, 'form');
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
    const labelled = labels?.label(listed) ?? eachByCluster(listed, room);
    return measure(map?.join(labelled) ?? labelled, file, limits);
  }, effects);
  refuseEmpty(measures, flags, effects, countsReport(report.inputs));
  const sweep = ofRules && (await sweeping?.sweepByList(ofRules, { list: inputs, truth }, flags, effects));
  const swept = { ...measures, ...(sweep !== undefined && { sweep }) };
  await guardingOutput(() => writeFileWhole(flags.output, [render(swept, flags, effects)], effects, { isSafe: true }));

  const said = countsReport(report.inputs) + partReport(flags.partOfContents, part) + spellingsLine(measures);
  if (flags.quiet !== true) effects.stderr.write(said);
  const tables = [
    ...(labels === undefined ? [] : [{ ...labels.report, name: truth!.name, what: 'label' as const }]),
    ...(map === undefined ? [] : [{ ...map.report, name: source, what: 'form' as const }]),
  ];
  if (flags.quiet !== true) effects.stderr.write(tables.map(labelLine).join(''));
  const readCode = Math.max(judgeReading(report, effects, flags), ...tables.map((one) => judgeLabels(one, effects)));
  if (measures.all.labelled === 0 && flags.quiet !== true) effects.stderr.write(`dustbuster: ${noLabels}\n`);
  return judgeMeasures(measures, flags, effects) || readCode;
}

/** For a table that somebody else's learner made. */
const NO_RULES = {
  rules: [],
  normalization: 'safe',
  urlForm: 'mixed',
  options: { base: null, scheme: 'http', site: 'domain', maxUrlLength: MAX_URL_BYTES },
} as const;

async function rulesOf(flags: EvalFlags, effects: Effects): Promise<RulesFile> {
  const file = await loadMarkedRules(flags.rules, flags, effects);
  reportLeftOut(file.rules, flags, effects);
  reportCandidates(file.rules, flags, effects);
  refuseUnvalidated(file, flags);
  return file;
}

/** The URLs of a part. The list's own labels decide, as in `mine`, even if other labels are used for measuring. */
function* partOf(listed: Iterable<LabelledUrl>, part: PartOfContents | undefined): Generator<LabelledUrl> {
  for (const one of listed) if (part === undefined || part.has(one.url, one.label)) yield one;
}

/** The site of a URL as the rules see it, however it is written in the list. */
function siteOfPrepared({ options, normalization }: MeasuredFile): SiteOf {
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

/** What the second column of a table has. */
type Second = 'label' | 'form';

function refuseUnlabelled(report: LabelReport, name: string, what: Second): void {
  if (report.labels > 0) return;
  const got =
    report.lines === 0
      ? 'has no line'
      : report.withoutLabel > 0
        ? `has no ${what}, as in "${printable(masked(report.firstWithout ?? '')).slice(0, 100)}"`
        : 'has no line that begins with a URL';
  const cause = report.reason === null ? '' : ` (${report.reason})`;
  throw new UserError(`${printable(name)} ${got}${cause}; expected lines of a URL, a tab, and a ${what}.`);
}

const noLabels =
  'no URL of the list has a label, so coverage and false merges are not known; give labels with --truth FILE, or a list ' +
  'with sketches or digests';

function refuseEmpty({ all }: Measures, flags: EvalFlags, effects: Effects, counts: string): void {
  if (all.urls === 0) {
    effects.stderr.write(counts);
    throw new UserError(
      'there is no URL in the list; expected at least one. Name the format with --format; dustbuster formats FILE shows how lines are read',
    );
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

interface ReadTable extends LabelReport {
  readonly name: string;
  readonly what: Second;
}

function labelLine({ name, what, ...report }: ReadTable): string {
  const { lines, labels, withoutLabel, withoutUrl, unlisted, contradicted } = report;
  const counts = `${many(lines, 'line')} = ${many(labels, what)} + ${withoutLabel} without ${what} + ${withoutUrl} without URL`;
  return `${printable(name)} (${what}s): ${counts}; ${unlisted} of URLs that are not in the list, ${contradicted} contradicted\n`;
}

/** 3 if a table was not read to its end, or most lines lack their second column. */
function judgeLabels({ name, reason, labels, lines }: ReadTable, effects: Effects): number {
  if (reason !== null) {
    effects.stderr.write(`dustbuster: ${printable(name)}: ${reason}; what could be read was kept\n`);
  }
  return reason !== null || 2 * labels < lines ? 3 : 0;
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
