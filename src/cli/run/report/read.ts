// Reads the log of a report: the visits to its URLs.
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import type { Input } from '../../../log/bytes.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport, type ReadReport } from '../../../log/read.js';
import { createVisits, type LogRead } from '../../../report/page/measure/measure.js';
import { countsReport } from '../../../report/render.js';
import type { RulesFile } from '../../../rule/rule.js';
import type { ReportFlags } from '../../flags/report.js';
import { filterOptions, recordedFilters } from '../input/filters.js';
import { formatOptions, misfits, progressOf, refuseNothing } from '../input/reading.js';

/** What tables and sorts may take. */
export interface Memory {
  readonly memoryBytes: number;
  readonly tmpdir: string;
}

type Filtering = ReturnType<typeof filterOptions>;

/** Reads the log as the rules were mined. Throws a UserError if there is nothing in it. */
export async function readLog(
  inputs: readonly Input[],
  file: RulesFile,
  flags: ReportFlags,
  memory: Memory,
  effects: Effects,
): Promise<LogRead> {
  const filters = filterOptions(flags, effects);
  const reading = {
    base: flags.base ?? file.options.base,
    scheme: file.options.scheme,
    normalize: file.normalization,
    maxUrlLength: file.options.maxUrlLength,
    ...formatOptions(flags),
    ...visitReading(inputs, filters, effects),
  };
  const report = createReadReport();
  const visits = createVisits(memory);
  for await (const batch of readRecordsParallel(inputs, reading, report, flags.threads)) visits.add(batch);
  refuseEmpty(report, effects);
  return logRead(visits, report, filters);
}

/** The questions to each line, whatever its rules. */
export function visitReading(inputs: readonly Input[], filters: Filtering, effects: Effects) {
  return { ...filters, ...progressOf(inputs, effects), visitors: true };
}

export function refuseEmpty(report: ReadReport, effects: Effects): void {
  refuseNothing(report);
  if (!report.inputs.every(({ records }) => records === 0)) return;
  effects.stderr.write(countsReport(report.inputs));
  for (const line of misfits(report)) effects.stderr.write(`dustbuster: ${line}\n`);
  const found = 'found no URL in the log; expected at least one';
  throw new UserError(`${found}. ${wayOut(report.inputs)}`);
}

function wayOut(inputs: ReadReport['inputs']): string {
  if (inputs.every(({ lines }) => lines === 0)) return 'It is empty.';
  if (inputs.some(({ misfit }) => misfit !== undefined)) return 'Correct --log-format as said above.';
  if (inputs.every(({ rejected }) => rejected['unknown-format'] !== undefined)) return DESCRIBE_THE_FORMAT;
  const isRead = inputs.every(({ rejected }) => Object.keys(rejected).length === 0);
  return isRead ? 'Every line was dropped, as counted above: ask for others with the filters.' : NAME_THE_FORMAT;
}

const NAME_THE_FORMAT = 'Name the format with --format.';
const DESCRIBE_THE_FORMAT = `Its lines are in no known format: say what wrote them.
  --log-format '%h %l %u %t "%r" %>s %b'    the LogFormat of Apache or the log_format of nginx
  --columns url=17,status=14,host=1         columns of a table without a header, by number
  --format NAME                             a known format, if the first lines are something else`;

export function logRead(visits: LogRead['visits'], { inputs }: ReadReport, { filters }: Filtering): LogRead {
  return { visits, inputs, ...recordedFilters(filters) };
}
