// The commands that only read rules files: `dustbuster diff` reports what changed between two files, and `dustbuster
// merge-rules` makes one file of the files of all parts of the sites.
import { many } from '../../base/amounts.js';
import { escapeControls, printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { writeFileWhole } from '../../base/output.js';
import { isDefaultName } from '../context.js';
import { refuseTwice } from '../files.js';
import type { DiffFlags, MergeRulesFlags } from '../flags/rules-files.js';
import { refuseOverwriting } from './input/reading.js';
import { loadRules } from './rules/load.js';
import { guardingOutput } from '../terminal/signals.js';
import { paintOf, widthFor } from '../terminal/stream.js';
import { findInputs } from '../../log/inputs.js';
import { MOST_RULES } from '../../mine/most-rules.js';
import { type NamedRules, mergeParts } from '../../mine/part.js';
import { diffJson, diffTable, unusedLine } from '../../report/render-diff.js';
import { unmergedLine } from '../../report/render.js';
import { heldLine } from '../../report/rule-words.js';
import { changesInUse, diffRules, isAnyInUse } from '../../rule/diff.js';
import { writeRules } from '../../rule/file.js';

/** `dustbuster diff`. Returns the exit code: 1 with `--fail-on-change` if a rule does something else or got worse. */
export async function diff(names: readonly [string, string], flags: DiffFlags, effects: Effects): Promise<number> {
  refuseTwice(['OLD', [names[0]]], ['NEW', [names[1]]]);
  const before = await loadRules(names[0], effects, { takesParts: true });
  const after = await loadRules(names[1], effects, { takesParts: true });
  refuseOverwriting(await findInputs(names, effects), [flags.output], effects);
  const all = diffRules(before, after, flags.threshold);
  const changes = flags.all === true ? all : changesInUse(all, before, after);
  const isMail = flags.failOnChange === true && flags.all !== true && all.length > 0 && !isAnyInUse(before, after);
  const text =
    flags.json === true
      ? escapeControls([...diffJson(names, all)].join(''))
      : isMail
        ? unusedLine(changes)
        : diffTable(changes, {
            limit: flags.top,
            paint: paintOf(flags.output, effects),
            width: widthFor(flags.output, effects),
          }) + leftLine(all.length - changes.length);
  await guardingOutput(() => writeFileWhole(flags.output, [text], effects, { isSafe: true }));
  return flags.failOnChange === true && changes.some(({ kind }) => kind !== 'strengthened') ? 1 : 0;
}

function leftLine(left: number): string {
  if (left === 0) return '';
  return `${many(left, 'change')} of rules that no URL is canonized by: --all shows them\n`;
}

/**
 * `dustbuster merge-rules`. Returns the exit code. Throws a UserError if a part is missing, or files are not parts of one
 * run.
 */
export async function mergeRules(
  names: readonly string[],
  flags: MergeRulesFlags,
  effects: Effects,
  most = MOST_RULES,
): Promise<number> {
  const inputs = await findInputs(names, effects);
  refuseOverwriting(inputs, [flags.output], effects);
  const files: NamedRules[] = [];
  for (const { name } of inputs) files.push({ name: printable(name), file: await loadRules(name, effects) });
  const { output } = flags;
  const { file: merged, unlisted } = mergeParts(files, most);
  await guardingOutput(() => writeFileWhole(output, writeRules(merged), effects, { isDefault: isDefaultName(output) }));
  if (flags.quiet !== true) effects.stderr.write(unmergedLine(unlisted, most) + heldLine(merged.rules));
  return 0;
}
