// What does `report` read: rules or a log? It also reads the log of a report.
import { access, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import type { BotRanges } from '../../../log/agents/addresses.js';
import type { Input } from '../../../log/bytes.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport, type ReadReport } from '../../../log/read.js';
import { createLogReader, type LogRead } from '../../../report/page/measure/measure.js';
import { countsReport } from '../../../report/render.js';
import type { RulesFile } from '../../../rule/rule.js';
import { DEFAULT_RULES_FILE } from '../../context.js';
import type { ReportFlags } from '../../flags/report.js';
import { computed } from '../../terminal/signals.js';
import { filterOptions, recordedFilters } from '../input/filters.js';
import { formatOptions, progressOf, refuseNothing } from '../input/reading.js';
import { misfits } from '../input/warnings.js';
import { readEchoes } from './echoes.js';
import type { LogSource } from './robots.js';

/** Memory for tables and sorts. */
export interface Memory {
  readonly memoryBytes: number;
  readonly tmpdir: string;
}

/** What the visits to a log are read with. */
export interface ReadWith extends Memory {
  readonly botRanges: readonly BotRanges[];
}

type Filtering = ReturnType<typeof filterOptions>;

/** Reads the log with the options that the rules were mined with. Throws a UserError if it is empty. */
export async function readLog(
  inputs: readonly Input[],
  file: RulesFile,
  flags: ReportFlags,
  { botRanges, ...memory }: ReadWith,
  effects: Effects,
): Promise<{ readonly log: LogRead; readonly from: LogSource }> {
  const filters = filterOptions(flags, effects);
  const reading = {
    base: flags.base ?? file.options.base,
    scheme: file.options.scheme,
    normalize: file.normalization,
    maxUrlLength: file.options.maxUrlLength,
    ...formatOptions(flags),
    ...visitReading(inputs, filters, botRanges, effects),
  };
  const report = createReadReport();
  const log = createLogReader(file, { ...memory, top: flags.top, progress: effects.progress });
  for await (const batch of readRecordsParallel(inputs, reading, report, flags.threads)) log.add(batch);
  refuseEmpty(report, effects);
  const read = {
    ...(await computed(() => log.finish(), effects)),
    echoes: await readEchoes(inputs, reading),
    ...readingOf(report, filters),
  };
  return { log: read, from: { inputs, reading } };
}

/** Reading options that do not depend on the rules. */
export function visitReading(
  inputs: readonly Input[],
  filters: Filtering,
  botRanges: readonly BotRanges[],
  effects: Effects,
) {
  const asked = { visitors: true, clients: true, answers: true, ...(botRanges.length > 0 && { botRanges }) };
  return { ...filters, ...progressOf(inputs, effects), ...asked };
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

export function readingOf({ inputs }: ReadReport, { filters }: Filtering): Pick<LogRead, 'inputs' | 'filters'> {
  return { inputs, ...recordedFilters(filters) };
}

// A rules file is recognized by its first lines.

/** What the report is about. `stdin` replaces standard input if a part of that had to be read. */
export type Source = {
  readonly stdin?: Readable;
} & (
  | { readonly kind: 'rules'; readonly name: string; readonly log: readonly string[] | undefined }
  /** Logs that rules have to be mined from. */
  | { readonly kind: 'log'; readonly log: readonly string[] }
);

/** Throws a UserError for arguments that contradict each other. */
export async function sourceOf(
  names: readonly string[],
  log: readonly string[] | undefined,
  effects: Pick<Effects, 'cwd' | 'stdin'>,
): Promise<Source> {
  const [name = DEFAULT_RULES_FILE, ...others] = names;
  if (log !== undefined && others.length > 0) {
    throw new UserError(`got --log and ${names.length} arguments; expected one with it, the rules file`);
  }
  if (log !== undefined) return { kind: 'rules', name, log };
  if (names.length === 0) return (await hasDefault(effects)) ? { kind: 'rules', name, log } : sourceOfStdin(effects);
  if (others.length === 0 && name === '-') return sourceOfStdin(effects);
  const rules = [];
  for (const one of names) if (await saysRules(one, effects)) rules.push(one);
  if (rules.length === 0) return { kind: 'log', log: names };
  if (others.length === 0) return { kind: 'rules', name, log };
  throw new UserError(
    `${rules[0]!} is a rules file; expected the logs behind --log: dustbuster report RULES --log LOG`,
  );
}

/** True if the default rules file exists. Then standard input is not read: under cron it may stay open and empty. */
function hasDefault({ cwd }: Pick<Effects, 'cwd'>): Promise<boolean> {
  return access(resolve(cwd, DEFAULT_RULES_FILE)).then(
    () => true,
    () => false,
  );
}

const NO_INPUT = `cannot read ${DEFAULT_RULES_FILE}: there is no such file. Name a log, or pipe it:
  dustbuster report access.log
  zcat access.log.*.gz | dustbuster report
see dustbuster help report`;

const FIRST_BYTES = 4096;
const IS_RULES = /^\s*\{\s*"format":\s*"dustbuster-rules"/;

async function sourceOfStdin({ stdin }: Pick<Effects, 'stdin'>): Promise<Source> {
  if (stdin.isTTY === true) throw new UserError(NO_INPUT);
  const { first, again } = await peek(stdin);
  if (first.length === 0) throw new UserError(NO_INPUT);
  const isRules = IS_RULES.test(first.toString('latin1'));
  return isRules
    ? { kind: 'rules', name: '-', log: undefined, stdin: again }
    : { kind: 'log', log: ['-'], stdin: again };
}

/** The first bytes of a stream, and a stream with all of it. */
async function peek(stream: Readable): Promise<{ readonly first: Buffer; readonly again: Readable }> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  let isMore = true;
  while (isMore && first.length < FIRST_BYTES) {
    const { value, done } = await chunks.next();
    if (done === true) isMore = false;
    else first = Buffer.concat([first, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield first;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  return { first, again: Readable.from(all(), { objectMode: false }) };
}

/**
 * True if the file is a rules file. Standard input among several names is a log. For a missing file, its name decides.
 */
async function saysRules(name: string, { cwd }: Pick<Effects, 'cwd'>): Promise<boolean> {
  if (name === '-') return false;
  try {
    const file = await open(systemName(resolve(cwd, name)), 'r');
    try {
      if (!(await file.stat()).isFile()) return false;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
      return IS_RULES.test(buffer.toString('latin1', 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return name.endsWith('.json');
  }
}
