// `dustbuster import`: makes a rules file of the rules of another learner.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { many } from '../../base/amounts.js';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';
import { writeFileWhole } from '../../base/output.js';
import { isDefaultName } from '../context.js';
import { isInput, unreadable } from '../files.js';
import { MINE_OPTIONS, type MineFlags } from '../flags/mine.js';
import { standardsOf } from '../flags/option.js';
import type { ImportFlags } from '../flags/rules-files.js';
import { guardingOutput } from '../terminal/signals.js';
import { packageVersion } from '../version.js';
import { MOST_RULES } from '../../mine/most-rules.js';
import { heldLine } from '../../report/rule-words.js';
import { writeRules } from '../../rule/file.js';
import { holdingBack } from '../../rule/held-back.js';
import { type Imported, importRules } from '../../rule/import/import.js';
import { recordedOptions } from '../../rule/mine-options.js';
import type { RulesFile } from '../../rule/rule.js';

/** Larger files are refused: they are read into memory. */
const MOST_BYTES = 64 << 20;

/** Returns the exit code. Throws a UserError with all faults of the file. */
export async function importFile(name: string, flags: ImportFlags, effects: Effects): Promise<number> {
  const { output } = flags;
  if (output !== '-' && isInput(name, resolve(effects.cwd, output), effects))
    throw new UserError(`${printable(output)} is FILE; expected another file for the result, or it would be lost`);
  const imported = importRules(await readBounded(name, effects), printable(name), MOST_RULES.rules);
  const file = holdingBack(fileOf(name, imported, effects));
  await guardingOutput(() => writeFileWhole(output, writeRules(file), effects, { isDefault: isDefaultName(output) }));
  if (flags.quiet !== true) effects.stderr.write(summaryOf(imported) + heldLine(file.rules));
  return 0;
}

/** The bytes of a file or of standard input, `-`. */
async function readBounded(name: string, effects: Effects): Promise<Buffer> {
  const path = resolve(effects.cwd, name);
  if (name === '-') effects.access?.noteOpen(0);
  else effects.access?.note(path);
  const stream: AsyncIterable<Uint8Array> = name === '-' ? effects.stdin : createReadStream(systemName(path));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      if ((bytes += chunk.length) > MOST_BYTES) break;
    }
  } catch (error) {
    throw unreadable(error, name, 'Name a file with the rules of another learner');
  }
  if (bytes > MOST_BYTES)
    throw new UserError(`${printable(name)} has more than 64 MiB, expected less: split it, and import each part`);
  return Buffer.concat(chunks);
}

function fileOf(name: string, { format, rows, rules }: Imported, effects: Effects): RulesFile {
  const standards = standardsOf(MINE_OPTIONS, effects) as unknown as MineFlags;
  return {
    format: 'dustbuster-rules',
    version: 1,
    generator: `dustbuster ${packageVersion()}`,
    options: recordedOptions({ ...standards, similarity: true, parameters: true, base: null }),
    inputs: [{ name, format, lines: rows, records: rows, dropped: {}, rejected: {}, truncated: false }],
    urls: 0,
    sites: { mined: 0, skipped: 0 },
    urlForm: rules.some(({ site }) => site === '') ? 'mixed' : 'absolute',
    normalization: 'safe',
    rules,
  };
}

function summaryOf({ rows, rules }: Imported): string {
  const again = rows === rules.length ? '' : ` of ${many(rows, 'row')}, as some say the same`;
  return `${many(rules.length, 'rule')}${again}\n`;
}
