// Makes the rules of `mine` into a rules file, and into a table for people.
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { createSink, writeFileWhole } from '../../../base/output.js';
import type { ReadReport } from '../../../log/read.js';
import type { Miner } from '../../../mine/mine.js';
import { MOST_RULES } from '../../../mine/most-rules.js';
import { textOfPart } from '../../../mine/part-text.js';
import type { ClassRule } from '../../../mine/hosts/pool.js';
import { sitesTable } from '../../../report/render.js';
import { rulesTable } from '../../../report/rules-table.js';
import { writeRules } from '../../../rule/file.js';
import { heldList, heldRules } from '../../../rule/held-back.js';
import type { ListedFile, MineOptions, Rule, RuleList, RulesFile } from '../../../rule/rule.js';
import { DEFAULT_RULES_FILE, isDefaultName } from '../../context.js';
import type { MineFlags } from '../../flags/mine.js';
import { guardingOutput } from '../../terminal/signals.js';
import { widthOf } from '../../terminal/stream.js';
import { packageVersion } from '../../version.js';
import { refusalOf, withoutPreference } from '../rules/prefer.js';

/** The rules for the file: the ones of the highest rank, if there are too many. */
export function rankedRules(miner: Miner, onSite?: Parameters<Miner['eachRule']>[0]): Rule[] {
  const rules: Rule[] = [];
  for (const rule of miner.eachRule(onSite, MOST_RULES)) rules.push({ rank: rules.length + 1, ...rule });
  return [...withRanks(miner.classRules), ...rules.map((rule) => behind(rule, miner.classRules.length))];
}

/** The same rules as a list that keeps in memory only the rules in use. The caller has to close it. */
export function listedRules(miner: Miner): RuleList & { close(): void } {
  const list = miner.listRules(MOST_RULES);
  const first = withRanks(miner.classRules);
  if (first.length === 0) return list;
  return {
    length: first.length + list.length,
    *[Symbol.iterator]() {
      yield* first;
      for (const rule of list) yield behind(rule, first.length);
    },
    close: () => list.close(),
  };
}

/** Rules of classes of hosts come first: they are few, and hold on most hosts. */
function withRanks(rules: readonly ClassRule[]): Rule[] {
  return rules.map((rule, at) => ({ rank: at + 1, ...rule }));
}

/** The rule behind so many others. */
export function behind(rule: Rule, others: number): Rule {
  return others === 0 ? rule : { ...rule, rank: rule.rank + others };
}

/** A run that has read all inputs. */
export interface MinedRun {
  readonly miner: Miner;
  readonly options: MineOptions;
  readonly report: ReadReport;
  readonly flags: MineFlags;
  readonly effects: Effects;
}

/** A run that was mined in this process or on a cluster. */
type SummedRun = Omit<MinedRun, 'miner'> & { readonly miner: Pick<Miner, 'summary'> };

/** The file of the rules. Rules that may mean money or choice become keys. */
export function fileOf(rules: readonly Rule[], run: SummedRun): RulesFile {
  return { ...headOf(run), rules: heldRules(rules, run.options) };
}

/** The file of rules that need not fit into memory. */
export function listedFileOf(rules: RuleList, run: SummedRun): ListedFile {
  return { ...headOf(run), rules: heldList(rules, run.options) };
}

/** All of a file but its rules. */
export function headOf({ miner, options, report, flags, effects }: SummedRun): Omit<RulesFile, 'rules'> {
  return {
    format: 'dustbuster-rules',
    version: 1,
    generator: `dustbuster ${packageVersion()}`,
    ...(flags.stamp === true && { created: effects.now().toISOString() }),
    options,
    inputs: report.inputs,
    ...(flags.state !== undefined && { state: flags.state }),
    urls: miner.summary.urls,
    sites: miner.summary.sites,
    urlForm: report.urlForm,
    normalization: flags.normalize,
    ...(flags.partOfSites !== undefined && { part: textOfPart(flags.partOfSites) }),
    ...(flags.partOfContents !== undefined && { part: `contents ${textOfPart(flags.partOfContents)}` }),
  };
}

/**
 * Writes the rules file. Throws a UserError if the preferred host or scheme is in no rule; the file is written all the
 * same, without the preference, so that the mining is not lost.
 */
export async function writeRulesFile(file: ListedFile, flags: MineFlags, effects: Effects): Promise<void> {
  const output = flags.output ?? DEFAULT_RULES_FILE;
  const refusal = refusalOf(file);
  const rules = writeRules(refusal === undefined ? file : withoutPreference(file));
  await guardingOutput(() => writeFileWhole(output, rules, effects, { isDefault: isDefaultName(output) }));
  if (refusal !== undefined) throw refusal;
}

const SITES_SHOWN = 10;

export async function showRules(
  { rules }: Pick<ListedFile, 'rules'>,
  { miner, flags, effects }: SummedRun,
): Promise<void> {
  const path = flags.output ?? DEFAULT_RULES_FILE;
  if (path === '-' || flags.quiet === true || flags.json === true) return;
  const sink = createSink(effects.stdout, { isSafe: true });
  const { top } = flags;
  const { paint } = effects;
  const sites = sitesTable(rules, miner.summary, top ?? SITES_SHOWN, paint);
  const shape = { top, paint, width: widthOf(effects), file: path };
  const isNoneLeft = flags.fromClusters !== undefined && rules.length === 0;
  const table = isNoneLeft ? 'No rule held on the clusters.\n' : rulesTable(rules, shape);
  await sink.write(`${table}${sites === '' ? '' : `\n${sites}\n`}Written to ${printable(path)}\n`);
  await sink.end();
}
