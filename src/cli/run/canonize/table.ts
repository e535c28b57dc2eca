// `canonize --columns url=NAME`: tables of text in, one table out.
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { writeFileWhole } from '../../../base/output.js';
import { createCanonizer } from '../../../canonize/canonizer.js';
import { TableCanonizer } from '../../../canonize/table.js';
import type { Input } from '../../../log/bytes.js';
import type { Condition } from '../../../log/record.js';
import type { Damage } from '../../../report/summary.js';
import { isParquetFile } from '../../../log/parquet/open.js';
import type { CanonizeFlags } from '../../flags/canonize.js';
import type { LoadedRules } from '../rules/in-use.js';
import { writeSummary } from '../summary.js';
import { pathOf, readLinesOf, sayDamages, sayUnsettled } from './read.js';

interface Tables {
  readonly column: string;
  readonly output: string;
  readonly inputs: readonly Input[];
  readonly damages: Damage[];
  readonly inUse: LoadedRules;
  readonly options: CanonizeFlags;
  readonly effects: Effects;
  /** Throws instead of replacing an input that could not be read to its end. */
  readonly guarded: (rows: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

/** Returns the exit code. */
export async function canonizeTables({ column, output, inputs, damages, ...run }: Tables): Promise<number> {
  const { inUse, options, effects } = run;
  refuseOthers(options, inputs, effects);
  const canonizer = createCanonizer(inUse.rules, inUse.options);
  const table = new TableCanonizer(canonizer, { column, pairs: options.pairs, changed: options.changed });
  async function* rows(): AsyncGenerator<Uint8Array> {
    for (const input of inputs) {
      const condition: Condition = { reason: null };
      yield* table.map(input.name, readLinesOf(input, pathOf(input.name, effects), condition));
      if (condition.reason !== null) damages.push({ name: input.name, reason: condition.reason });
    }
  }
  await writeFileWhole(output, run.guarded(rows()), effects, { lineBuffered: options.lineBuffered === true });
  sayDamages(damages, effects);
  const { counts } = table;
  if (options.json === true) {
    const { canonizeSummary } = await import('../../../report/summary.js');
    await writeSummary(canonizeSummary({ counts, unsettled: canonizer.unsettled }, output, damages), effects);
  } else if (canonizer.unsettled > 0 && options.quiet !== true) {
    sayUnsettled(canonizer.unsettled, options.maxIterations, effects);
  }
  const isMisread = counts.lines > 0 && counts.urls === 0;
  if (isMisread) {
    const got = `no row has a URL in the column "${printable(column)}", so nothing was changed`;
    effects.stderr.write(`dustbuster: ${got}; expected another one, by --columns url=NAME\n`);
  }
  return damages.length > 0 || isMisread ? 3 : 0;
}

function refuseOthers(options: CanonizeFlags, inputs: readonly Input[], effects: Effects): void {
  const { unique, as, debug, outParquet } = options;
  const given = {
    '--unique': unique,
    '--as': as !== undefined,
    '--debug': debug,
    '--out-parquet': outParquet !== undefined,
  };
  const other = Object.entries(given).find(([, isGiven]) => isGiven === true)?.[0];
  if (other !== undefined) {
    throw new UserError(`--columns: got ${other} with a table of text; expected it without, or Parquet files`);
  }
  const mixed = inputs.find(({ name }) => isParquetFile(pathOf(name, effects)));
  if (mixed !== undefined) {
    throw new UserError(
      `--columns: got the Parquet file ${printable(mixed.name)} beside tables of text; expected inputs of one kind`,
    );
  }
}
