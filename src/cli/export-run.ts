// What `dustbuster export` does: the rules in use, in the words of other software.
import { basename } from 'node:path';
import { escapeControls, printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { createSink, pour, writeFileWhole } from '../base/output.js';
import type { Exported, ExportRequest, LeftOut, Target } from '../export/target.js';
import { loadTarget, targetNames } from '../export/targets.js';
import { describeRule } from '../rule/file.js';
import { loadRulesInUse } from './canonize-rules.js';
import type { ExportOptions } from './export.js';
import { guardingOutput } from './signals.js';
import { packageVersion } from './version.js';

/** Runs the command; gives the exit code. */
export async function exportRules(name: string, options: ExportOptions, effects: Effects): Promise<number> {
  if (options.list === true) return listTargets(effects);
  const target = await findTarget(options.to);
  if (options.json === true && options.output === '-') {
    throw new UserError('--json: standard output has the rules themselves. Name a file for them with -o.');
  }
  const request = await readRequest(name, options, effects);
  const exported = target.write(request);
  await guardingOutput(() => writeFileWhole(options.output, [exported.text], effects));
  effects.stderr.write(describe(target, request, exported, options.output));
  if (options.json === true) {
    await pour([summary(target, request, exported)], createSink(effects.stdout));
  }
  return 0;
}

async function listTargets(effects: Effects): Promise<number> {
  const targets = await Promise.all(targetNames.map((name) => loadTarget(name)!));
  const width = Math.max(...targetNames.map((name) => name.length));
  const lines = targets.map(({ name, summary: words }) => `${name.padEnd(width)}  ${words}\n`);
  await pour(lines, createSink(effects.stdout));
  return 0;
}

async function findTarget(name: string | undefined): Promise<Target> {
  const expected = `expected one of ${targetNames.join(', ')} (dustbuster export --list says more)`;
  if (name === undefined) throw new UserError(`--to is missing: ${expected}.`);
  const target = await loadTarget(name);
  if (target !== undefined) return target;
  const near = closest(name.toLowerCase(), targetNames);
  throw new UserError(
    `--to: got "${printable(name)}", ${expected}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}

async function readRequest(name: string, options: ExportOptions, effects: Effects): Promise<ExportRequest> {
  const { rules, options: how } = await loadRulesInUse({ ...options, rules: name }, effects);
  return {
    rules: rules.toSorted((a, b) => a.rank - b.rank),
    normalization: how.normalize,
    urlForm: how.urlForm,
    sitePolicy: how.sitePolicy,
    maxIterations: how.maxIterations,
    source: name === '-' ? 'standard input' : basename(name),
    generator: `dustbuster ${packageVersion()}`,
  };
}

function describe({ name }: Target, { rules }: ExportRequest, { carried, left }: Exported, output: string): string {
  const reasons = new Map<string, number>();
  for (const { reason } of left) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const counts = Array.from(reasons).sort(([, a], [, b]) => b - a);
  const lines = counts.map(([reason, count]) => `  ${count} left out: ${printable(reason)}`);
  const where = output === '-' ? '' : `; written to ${printable(output)}`;
  return `${[`${name}: ${carried.length} of ${rules.length} rules${where}`, ...lines].join('\n')}\n`;
}

function summary({ name }: Target, { rules, source }: ExportRequest, { carried, left }: Exported): string {
  const describeLeft = ({ rule, reason }: LeftOut) => ({ reason, rule: describeRule(rule) });
  const counts = { rules: rules.length, carried: carried.length, left: left.length };
  const told = { target: name, source, counts, carried: carried.map(describeRule), left: left.map(describeLeft) };
  return `${escapeControls(JSON.stringify(told))}\n`;
}

/** The name with the fewest letters to change, if that is at most half of them. */
function closest(word: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, edits: editDistance(word, name) })).sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && 2 * best.edits <= best.name.length ? best.name : undefined;
}

/** Letters to put in, take out or change (Levenshtein), row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, row[j]! + 1, next[j - 1]! + 1);
    }
    row = next;
  }
  return row[b.length]!;
}
