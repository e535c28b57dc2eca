// What `dustbuster merge-rules` runs: the rules files of all parts of the sites -> one.
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { writeFileWhole } from '../../base/output.js';
import { findInputs } from '../../log/inputs.js';
import { MOST_RULES } from '../../mine/most-rules.js';
import { mergeParts, type NamedRules } from '../../mine/part.js';
import { heldLine } from '../../report/rule-words.js';
import { writeRules } from '../../rule/file.js';
import { isDefaultName } from '../context.js';
import type { MergeRulesFlags } from '../flags/rules-files.js';
import { guardingOutput } from '../terminal/signals.js';
import { refuseOverwriting } from './input/reading.js';
import { loadRules } from './rules/load.js';

/** Returns the exit code. Throws a UserError if a part is missing, or files are not parts of one run. */
export async function mergeRules(names: readonly string[], flags: MergeRulesFlags, effects: Effects): Promise<number> {
  const inputs = await findInputs(names, effects);
  refuseOverwriting(inputs, [flags.output], effects);
  const files: NamedRules[] = [];
  for (const { name } of inputs) files.push({ name: printable(name), file: await loadRules(name, effects) });
  const { output } = flags;
  const merged = mergeParts(files, MOST_RULES);
  await guardingOutput(() => writeFileWhole(output, writeRules(merged), effects, { isDefault: isDefaultName(output) }));
  if (flags.quiet !== true) effects.stderr.write(heldLine(merged.rules));
  return 0;
}
