// What `dustbuster export` does: writes the rules in use for other software.
import { readFile } from 'node:fs/promises';
import { many } from '../../base/amounts.js';
import { escapeControls, printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { systemCode, UserError } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';
import { addTo } from '../../base/group-by.js';
import { createSink, pour, writeFileWhole } from '../../base/output.js';
import { createCanonizer } from '../../canonize/canonizer.js';
import { HitMeter, type Hits } from '../../export/cache/hits.js';
import { differingWords, reachWords } from '../../export/heading.js';
import { countDiffering, targetForms } from '../../export/target-form.js';
import type { Exported, ExportRequest, LeftOut, Target } from '../../export/target.js';
import { loadTarget, targetNames } from '../../export/targets.js';
import { findInputs } from '../../log/inputs.js';
import { readRecordsParallel } from '../../log/parallel.js';
import { createReadReport } from '../../log/read.js';
import { namedRules } from '../../report/named-rule.js';
import { countsReport } from '../../report/render.js';
import { describeRule } from '../../rule/file.js';
import { idOf } from '../../rule/id.js';
import type { Rule } from '../../rule/rule.js';
import { calledOf } from '../../rule/standing.js';
import { ruleMention } from '../../rule/words/sentence.js';
import { refuseReplacing, refuseTwice } from '../files.js';
import type { ExportFlags } from '../flags/export.js';
import { computed, guardingOutput } from '../terminal/signals.js';
import { readListed } from './input/listed.js';
import { filterOptions } from './input/filters.js';
import { formatOptions, progressOf, refuseNothing } from './input/reading.js';
import { judgeReading } from './input/warnings.js';
import { exportRequest, refuseForServers } from './rules/export-request.js';
import { type LoadedRules, loadRulesInUse } from './rules/in-use.js';

/** Runs the command and returns the exit code. */
export async function exportRules(name: string, options: ExportFlags, effects: Effects): Promise<number> {
  if (options.list === true) return listTargets(effects);
  const target = await findTarget(options.to);
  if (options.json === true && options.output === '-') {
    throw new UserError('--json: standard output has the rules themselves. Name a file for them with -o.');
  }
  if (target.isBinary === true && options.output === '-' && effects.stdout.isTTY === true)
    throw new UserError(`--to ${target.name}: got a terminal; expected a file with -o, or a pipe`);
  refuseForServers(target, options);
  if (options.check !== undefined) return checkExport(name, target, options.check, options, effects);
  refuseReplacing(name, options.output, effects);
  refuseTwice(['RULES', [name]], ['--urls', options.urls ?? []], ['--log', options.log ?? []]);
  const loaded = await loadNamed(rulesFor(target, name, options), effects);
  const plain = exportRequest(name, loaded, options, target);
  const { request, exitCode } = await countedRequest(target, plain, loaded, options, effects);
  const exported = target.write(request);
  const hits =
    options.log === undefined ? undefined : await measureHits(request, exported, loaded.composing, options, effects);
  await guardingOutput(() => writeFileWhole(options.output, [exported.bytes ?? exported.text], effects));
  if (exported.carried.length === 0) effects.stderr.write(`dustbuster: ${noRule(name, request, options)}\n`);
  if (options.quiet !== true) {
    effects.stderr.write(describe(target, request, exported, options.output));
    if (hits !== undefined) effects.stderr.write(describeHits(hits));
  }
  if (options.json === true) {
    await pour([summary(target, request, exported, hits)], createSink(effects.stdout));
  }
  return exitCode;
}

/** The rules for a target. Software that writes no URLs also gets keys. */
function rulesFor({ isKey }: Target, rules: string, options: ExportFlags) {
  return { ...options, rules, unique: isKey === true };
}

/** The rules in use; with `--rule`, those that it names. Throws a UserError for a name that fits none of them. */
async function loadNamed(options: ReturnType<typeof rulesFor>, effects: Effects): Promise<LoadedRules> {
  const loaded = await loadRulesInUse(options, effects);
  const { rule: names, accept } = options;
  if (names === undefined) return loaded;
  const { rules, keyed, held, examples } = loaded;
  const inUse = new Set((keyed ?? rules).map(idOf));
  const named = names.flatMap((name) => {
    const meant = namedRules(examples, name).rules;
    const used = meant.filter((rule) => inUse.has(idOf(rule)));
    if (used.length > 0) return used.map(idOf);
    const [first] = meant as [Rule];
    throw new UserError(
      `--rule ${printable(name)}: ${ruleMention(first)} is ${calledOf(first)}, and --accept ${accept} does not use it; ` +
        'expected a rule in use (dustbuster rules --accept confident lists those that the log is nearly sure of)',
    );
  });
  const wanted = new Set(named);
  const isNamed = (rule: Rule) => wanted.has(idOf(rule));
  return { ...loaded, rules: rules.filter(isNamed), keyed: keyed?.filter(isNamed), held: held.filter(isNamed) };
}

/** Returns 1 if the file and the rules differ. */
async function checkExport(
  name: string,
  target: Target,
  file: string,
  options: ExportFlags,
  effects: Effects,
): Promise<number> {
  if (target.check === undefined) {
    throw new UserError(
      `--check: got --to ${target.name}; expected one that lists parameters without effect: no-vary-search, ` +
        'varnish-key, cloudfront-key or cloudflare-key',
    );
  }
  const text = await readWhole(file);
  const loaded = await loadNamed(rulesFor(target, name, options), effects);
  const request = exportRequest(name, loaded, options, target);
  const changes = target.check(request, text);
  await pour(
    changes.map((line) => `${printable(line)}\n`),
    createSink(effects.stdout),
  );
  return changes.length === 0 ? 0 : 1;
}

async function readWhole(file: string): Promise<string> {
  try {
    return await readFile(systemName(file), 'utf8');
  } catch (error) {
    throw new UserError(`--check: cannot read ${printable(file)} (${systemCode(error) ?? 'unknown'})`, {
      cause: error,
    });
  }
}

/** Reads the log as `report` does, and counts cache hits with the exported rules. */
async function measureHits(
  request: ExportRequest,
  { carried }: Exported,
  composing: LoadedRules['composing'],
  options: ExportFlags,
  effects: Effects,
): Promise<Hits> {
  const inputs = await findInputs(options.log ?? [], effects);
  const meter = new HitMeter(request, carried);
  const read = createReadReport();
  const filters = filterOptions({ onlyDocuments: options.onlyDocuments === true }, effects);
  const reading = {
    ...composing,
    ...formatOptions(options),
    ...progressOf(inputs, effects),
    ...filters,
    statuses: true,
  };
  for await (const batch of readRecordsParallel(inputs, reading, read, options.threads)) meter.add(batch);
  refuseNothing(read);
  return meter.hits;
}

function describeHits({ requests, before, after }: Hits): string {
  const share = (hits: number) => `${((100 * hits) / Math.max(1, requests)).toFixed(1)} %`;
  const byUrl = `${share(before)} of ${requests} requests by their URLs`;
  return `a cache would have had ${byUrl}, and ${share(after)} by these rules\n`;
}

async function listTargets(effects: Effects): Promise<number> {
  const targets = await Promise.all(targetNames.map((name) => loadTarget(name)!));
  const width = Math.max(...targetNames.map((name) => name.length));
  const lines = targets.map(({ name, summary: words }) => `${name.padEnd(width)}  ${words}\n`);
  await pour(lines, createSink(effects.stdout));
  return 0;
}

function findTarget(name: string | undefined): Promise<Target> {
  const target = loadTarget(name ?? '');
  if (target !== undefined) return target;
  throw new UserError(
    `--to is missing: expected one of ${targetNames.join(', ')} (dustbuster export --list describes them)`,
  );
}

/** If there is a list and a rule cannot be exported: adds how many listed URLs have another form without that rule. */
async function countedRequest(
  target: Target,
  request: ExportRequest,
  { options, composing }: LoadedRules,
  flags: ExportFlags,
  effects: Effects,
): Promise<{ readonly request: ExportRequest; readonly exitCode: number }> {
  if (flags.urls === undefined) return { request, exitCode: 0 };
  const { urls, report } = await readListed(flags.urls, composing, flags, effects);
  const here = targetForms(target, request, options);
  const canonizer = createCanonizer(request.rules, options);
  const differing = await computed(() => countDiffering(urls, here, (url) => canonizer.canonize(url)), effects);
  if (flags.quiet !== true) effects.stderr.write(countsReport(report.inputs));
  return { request: { ...request, differing }, exitCode: judgeReading(report, effects, flags) };
}

function describe(
  { name }: Target,
  { rules, differing, takenOut = [] }: ExportRequest,
  { carried, left }: Exported,
  output: string,
): string {
  const reasons = new Map<string, LeftOut[]>();
  for (const one of [...left, ...takenOut]) addTo(reasons, one.reason, one);
  const byCount = Array.from(reasons).sort(([, a], [, b]) => b.length - a.length);
  const lines = byCount.map(([reason, all]) => `  ${all.length} left out: ${printable(reason)}${reachWords(all)}`);
  const where = output === '-' ? '' : `; written to ${printable(output)}`;
  const count = differing === undefined ? [] : [`  ${differingWords(differing)}`];
  return `${[`${name}: ${carried.length} of ${many(rules.length + takenOut.length, 'rule')}${where}`, ...lines, ...count].join('\n')}\n`;
}

/**
 * A warning about an export without rules. It is printed even with -q, but the exit code stays 0: the file is complete,
 * and a server that includes it must still start.
 */
function noRule(name: string, { rules }: ExportRequest, { to, accept }: ExportFlags): string {
  const nothing = 'there is no rule in the export, so it changes nothing';
  if (rules.length === 0) {
    const more = accept === 'confident' ? ', --accept likely takes all that the log suggests' : '';
    return `${nothing}: --accept ${accept} accepts none of ${printable(name)}; dustbuster validate asks the site${more}`;
  }
  return `${nothing}: ${rules.length === 1 ? 'the only rule cannot' : `none of the ${rules.length} rules can`} be written for ${to!}`;
}

function summary(
  { name }: Target,
  { rules, source, differing, takenOut = [] }: ExportRequest,
  { carried, left: unwritten }: Exported,
  hits: Hits | undefined,
): string {
  const left = [...unwritten, ...takenOut];
  const describeLeft = ({ rule, reason }: LeftOut) => ({ reason, rule: describeRule(rule) });
  const counts = { rules: rules.length + takenOut.length, carried: carried.length, left: left.length };
  const described = {
    target: name,
    source,
    counts,
    ...(hits !== undefined && { hits }),
    carried: carried.map(describeRule),
    left: left.map(describeLeft),
    differing,
  };
  return `${escapeControls(JSON.stringify(described))}\n`;
}
