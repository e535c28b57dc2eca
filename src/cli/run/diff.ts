// What `dustbuster diff` runs: two rules files -> what changed -> a table or JSON, and exit code 1 if asked for.
import { many } from '../../base/amounts.js';
import { escapeControls } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { writeFileWhole } from '../../base/output.js';
import { findInputs } from '../../log/inputs.js';
import { diffJson, diffTable } from '../../report/render-diff.js';
import { changesInUse, diffRules } from '../../rule/diff.js';
import { refuseTwice } from '../files.js';
import type { DiffFlags } from '../flags/rules-files.js';
import { guardingOutput } from '../terminal/signals.js';
import { paintOf, widthFor } from '../terminal/stream.js';
import { refuseOverwriting } from './input/reading.js';
import { loadRules } from './rules/load.js';

/** Returns the exit code: 1 with `--fail-on-change` if a rule does something else or got worse. */
export async function diff(names: readonly [string, string], flags: DiffFlags, effects: Effects): Promise<number> {
  refuseTwice(['OLD', [names[0]]], ['NEW', [names[1]]]);
  const before = await loadRules(names[0], effects);
  const after = await loadRules(names[1], effects);
  refuseOverwriting(await findInputs(names, effects), [flags.output], effects);
  const all = diffRules(before, after, flags.threshold);
  const changes = flags.all === true ? all : changesInUse(all, before, after);
  const text =
    flags.json === true
      ? escapeControls([...diffJson(names, all)].join(''))
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
