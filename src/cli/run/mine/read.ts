// Reads the inputs of `mine`. Reader threads start at once, and have their first batches ready while the caller still
// loads the mining code.
import { decodeText, encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { writeFileWhole } from '../../../base/output.js';
import type { Input } from '../../../log/bytes.js';
import type { Filters } from '../../../log/filter.js';
import { readRecordsParallel, textBytes } from '../../../log/parallel.js';
import { createReadReport, type ReadOptions, type ReadReport } from '../../../log/read.js';
import type { RecordBatch } from '../../../log/record.js';
import { recordedOptions } from '../../../rule/mine-options.js';
import type { MineOptions } from '../../../rule/rule.js';
import { maskedLine } from '../../../url/secret.js';
import { DEFAULT_RULES_FILE } from '../../context.js';
import type { MineFlags } from '../../flags/mine.js';
import { preferenceOf, writeOf } from '../../flags/wishes.js';
import { guardingOutput } from '../../terminal/signals.js';
import { recordedFilters } from '../input/filters.js';
import { formatOptions, progressOf } from '../input/reading.js';
import { debugLines } from './debug.js';

/** Receives a batch and the number of its input. */
type TakeBatch = (batch: RecordBatch, input: number) => void;

/** Inputs that are being read. */
export interface Reading {
  /** Reads all inputs to their end. */
  readAll(take: TakeBatch): Promise<ReadReport>;
  /** Ends the reading, even if `readAll` was never called. */
  close(): void;
}

/** Starts to read. `readAll` writes rejected lines to their file, and says what `--debug` wants to know. */
export function beginReading(
  inputs: readonly Input[],
  { rejects, threads, debug }: Pick<MineFlags, 'rejects' | 'threads' | 'debug'>,
  options: ReadOptions,
  effects: Effects,
): Reading {
  const report = createReadReport();
  const waiting: Uint8Array[] = [];
  const onReject = (input: string, lineNumber: number, cause: string, line: Uint8Array) => {
    waiting.push(encodeText(`${input}:${lineNumber}\t${cause}\t${maskedLine(decodeText(line))}\n`));
  };
  const debugged = debug === true ? debugLines() : undefined;
  const listeners = { ...(rejects !== undefined && { onReject }), ...(debugged && { onWays: debugged.onWays }) };
  const reading = { ...options, ...listeners, ...progressOf(inputs, effects) };
  const batches = readRecordsParallel(inputs, reading, report, threads);
  // Not from a pipe: it may send nothing for a long time, and could not be closed while a read waits for it.
  const first = threads > 1 && inputs.every((input) => textBytes(input) > 0) ? batches.next() : undefined;
  // `readAll` throws the error to the caller.
  first?.catch(() => undefined);
  async function* rejectedLines(take: TakeBatch): AsyncGenerator<Uint8Array> {
    for (let next = await (first ?? batches.next()); next.done !== true; next = await batches.next()) {
      take(next.value, report.inputs.length);
      yield* waiting.splice(0);
    }
    yield* waiting.splice(0);
  }
  return {
    async readAll(take) {
      if (rejects !== undefined) await guardingOutput(() => writeFileWhole(rejects, rejectedLines(take), effects));
      else for await (const _ of rejectedLines(take));
      if (debugged !== undefined) effects.stderr.write(debugged.text());
      return report;
    },
    close: () => void batches.return(undefined).catch(() => undefined),
  };
}

export function mineOptions(flags: MineFlags, filters: Filters | undefined): MineOptions {
  const { T_low, T_high } = flags;
  if (T_low > T_high)
    throw new UserError(`--T_low ${T_low} is larger than --T_high ${T_high}; expected at most as large`);
  const prefer = preferenceOf(flags);
  const write = writeOf(flags);
  return {
    ...recordedOptions({ ...flags, base: flags.base ?? null }),
    ...recordedFilters(filters),
    ...(prefer !== undefined && { prefer }),
    ...(write !== undefined && { write }),
  };
}

export function readOptions(flags: MineFlags, { base, scheme, maxUrlLength }: MineOptions): ReadOptions {
  return { base, scheme, normalize: flags.normalize, maxUrlLength, ...formatOptions(flags), facts: true };
}

/** What asks the pages about the rules: `validate`, if they are in a file then. */
export function proofCommand(flags: MineFlags): string {
  const output = outputOf(flags);
  if (output === '-' || flags.check === true || flags.parts !== undefined) return 'mine --fetch';
  return `dustbuster validate${output === DEFAULT_RULES_FILE ? '' : ` ${printable(output)}`}`;
}

export function outputOf({ output, stage }: MineFlags): string {
  return output ?? (stage === undefined ? DEFAULT_RULES_FILE : '-');
}
