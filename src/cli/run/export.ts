// What `dustbuster export` does: writes the rules in use for other software.
import { basename } from 'node:path';
import { escapeControls, printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { createSink, pour, writeFileWhole } from '../../base/output.js';
import type { Exported, ExportRequest, LeftOut, Target } from '../../export/target.js';
import { loadTarget, targetNames } from '../../export/targets.js';
import { describeRule } from '../../rule/file.js';
import { loadRulesInUse } from './rules/in-use.js';
import type { ExportFlags } from '../flags/export.js';
import { refuseReplacing } from '../files.js';
import { guardingOutput } from '../terminal/signals.js';
import { packageVersion } from '../version.js';

/** Runs the command and returns the exit code. */
export async function exportRules(name: string, options: ExportFlags, effects: Effects): Promise<number> {
  if (options.list === true) return listTargets(effects);
  const target = await findTarget(options.to);
  if (options.json === true && options.output === '-') {
    throw new UserError('--json: standard output has the rules themselves. Name a file for them with -o.');
  }
  refuseForServers(target, options);
  refuseReplacing(name, options.output, effects);
  const request = await readRequest(name, options, effects);
  const exported = target.write(request);
  await guardingOutput(() => writeFileWhole(options.output, [exported.text], effects));
  if (options.quiet !== true) effects.stderr.write(describe(target, request, exported, options.output));
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

function findTarget(name: string | undefined): Promise<Target> {
  const target = loadTarget(name ?? '');
  if (target !== undefined) return target;
  throw new UserError(
    `--to is missing: expected one of ${targetNames.join(', ')} (dustbuster export --list describes them)`,
  );
}

function refuseForServers({ name, isServer }: Target, { status, simple }: ExportFlags): void {
  const got = status !== undefined ? `--status ${status}` : simple === true ? '--simple' : undefined;
  if (got === undefined || isServer === true) return;
  throw new UserError(`got ${got} for ${name}, which sends no redirects; expected it with nginx, apache or varnish`);
}

async function readRequest(name: string, options: ExportFlags, effects: Effects): Promise<ExportRequest> {
  const { rules, options: how } = await loadRulesInUse({ ...options, rules: name }, effects);
  return {
    rules: rules.toSorted((a, b) => a.rank - b.rank),
    normalization: how.normalize,
    urlForm: how.urlForm,
    sitePolicy: how.sitePolicy,
    maxIterations: how.maxIterations,
    source: name === '-' ? 'standard input' : basename(name),
    generator: `dustbuster ${packageVersion()}`,
    ...(options.status !== undefined && { status: options.status }),
    ...(options.simple === true && { isSimple: true }),
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
  const described = { target: name, source, counts, carried: carried.map(describeRule), left: left.map(describeLeft) };
  return `${escapeControls(JSON.stringify(described))}\n`;
}
