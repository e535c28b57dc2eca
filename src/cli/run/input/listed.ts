// The distinct URLs of logs and lists, in the form that the rules of a file expect.
import { parseMemory } from '../../../base/amounts.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { findInputs } from '../../../log/inputs.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport, type ReadReport } from '../../../log/read.js';
import type { RecordBatch } from '../../../log/record.js';
import { eachListed } from '../../../report/measure-labels.js';
import { countsReport } from '../../../report/render.js';
import { UrlListBuilder } from '../../../table/url-list.js';
import type { FormatFlags } from '../../flags/format.js';
import type { Readership } from './readership.js';
import { type Composing, formatOptions, progressOf, refuseNothing, refuseOverwriting } from './reading.js';

interface ListFlags extends FormatFlags {
  readonly memory: string;
  readonly tmpdir: string;
  readonly threads: number;
  readonly output: string;
}

interface Listed {
  /** In collation order. Can be read only once. */
  readonly urls: Iterable<Uint8Array>;
  readonly report: ReadReport;
}

/** Throws a UserError if there is no URL. `readership`, if given, sees all records. */
export async function readListed(
  names: readonly string[],
  composing: Composing,
  flags: ListFlags,
  effects: Effects,
  readership?: Pick<Readership, 'watch'>,
): Promise<Listed> {
  const inputs = await findInputs(names, effects);
  refuseOverwriting(inputs, [flags.output], effects);
  const report = createReadReport();
  const limits = { memoryBytes: parseMemory(flags.memory, '--memory'), tmpdir: flags.tmpdir };
  const list = new UrlListBuilder(() => '', limits, { runs: 0, bytes: 0 });
  const watching = readership === undefined ? {} : { visitors: true, clients: true };
  const reading = { ...composing, ...formatOptions(flags), ...progressOf(inputs, effects), ...watching };
  const add = (batch: RecordBatch) => list.add(batch);
  const take = readership === undefined ? add : readership.watch(add);
  let records = 0;
  for await (const batch of readRecordsParallel(inputs, reading, report, flags.threads)) {
    take(batch);
    records += batch.rows;
  }
  refuseNothing(report);
  if (records === 0) {
    effects.stderr.write(countsReport(report.inputs));
    throw new UserError(
      'there is no URL in the list; expected at least one. Name the format with --format; dustbuster formats FILE shows how lines are read',
    );
  }
  return { urls: bytesOf(list), report };
}

function* bytesOf(list: UrlListBuilder): Generator<Uint8Array> {
  for (const { url } of eachListed(list.finish())) yield url;
}
