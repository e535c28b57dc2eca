// `canonize --engine spark`: each executor of Spark canonizes a part of the inputs. The output is a folder of files;
// one after another, they have the lines of a local run.
//
//   inputs   a.txt             b.gz    c.parquet
//   parts    |      |      |   |       |           |       cut by the driver, at lines and row groups
//   output   part-000000.txt, …, _SUCCESS
//
// Parts are written into a folder beside the output, which is renamed when all of them are there.
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import type { LineCounts, LineOptions } from '../../../canonize/lines.js';
import type { Input } from '../../../log/bytes.js';
import { addressesOf } from '../../../log/address.js';
import { findInputs } from '../../../log/inputs.js';
import { openParquet } from '../../../log/parquet/footer.js';
import { isParquetFile } from '../../../log/parquet/open.js';
import { plainFile } from '../../../log/parts.js';
import type { CanonizeFlags } from '../../flags/canonize.js';
import { loadRulesInUse } from '../rules/in-use.js';
import { ranLine, submit, useOf } from '../spark/submit.js';
import { writeSummary } from '../summary.js';
import { urlColumn } from './column.js';
import { sayBytes, sayDamages, sayNoUrl, sayUnsettled } from './read.js';
import {
  type CanonizeInput,
  type CanonizeResult,
  type CanonizeSettings,
  partName,
  type PartReport,
} from './spark-job.js';

/** Returns the exit code. Throws a UserError if Spark is not there, or the job fails. */
export async function canonizeOnSpark(
  urls: readonly string[],
  flags: CanonizeFlags,
  effects: Effects,
): Promise<number> {
  refuseOthers(urls, flags);
  const { folder: output, format } = outputOf(flags);
  const inUse = await loadRulesInUse(flags, effects);
  const column = columnOf(flags);
  const read =
    flags.sparkRead === undefined
      ? undefined
      : { format: flags.sparkRead, paths: flags.input, ...(column !== undefined && { column }) };
  const addresses = read === undefined ? addressesOf(flags.input) : [];
  const found = read === undefined && addresses.length === 0 ? await findInputs(flags.input, effects) : [];
  const inputs = await Promise.all(found.map(cutting));
  const place = resolve(effects.cwd, output);
  const draft = openDraft(place, output);
  const remove = () => rmSync(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  const { pairs = false, changed = false } = flags;
  const lines: LineOptions = { pairs, changed };
  const { rules, options } = inUse;
  const settings = { rules, options, lines, format, folder: draft };
  const submitting = { flags, effects, lost: `${printable(output)} was not written`, undo: remove };
  const done = await submit(
    { kind: 'canonize', settings, inputs, addresses, ...(read && { read }) },
    submitting,
    (read) => {
      const result = read('done.json') as CanonizeResult;
      if (format === 'parquet') makeAlike(draft, result.reports);
      commit(draft, place, result.reports.length, format);
      return result;
    },
  );
  const { reports } = done;
  const damages = reports.flatMap((report) => report.damages);
  const way = { counts: sumOf(reports), unsettled: reports.reduce((sum, { unsettled }) => sum + unsettled, 0) };
  sayDamages(damages, effects);
  if (flags.json === true) {
    const { canonizeSummary } = await import('../../../report/summary.js');
    await writeSummary(canonizeSummary(way, output, damages), effects);
  } else if (flags.quiet !== true) {
    if (way.unsettled > 0) sayUnsettled(way.unsettled, flags.maxIterations, effects);
    if (reports.some(({ parquet }) => parquet?.isBytes)) sayBytes(output, effects);
    effects.stderr.write(`${ranLine(done, [many(reports.length, 'part')])}Node took ${useOf(reports)}\n`);
  }
  const isMisread = way.counts.lines > 0 && way.counts.urls === 0;
  if (isMisread) sayNoUrl(way.counts, undefined, effects);
  return damages.length > 0 || isMisread ? 3 : 0;
}

function refuseOthers(urls: readonly string[], { input, unique, as, lineBuffered, debug }: CanonizeFlags): void {
  if (urls.length > 0 || input.length === 0 || input.includes('-')) {
    const got = urls.length > 0 ? 'URLs' : 'standard input';
    throw new UserError(`--engine spark: got ${got}, expected files (-i) that executors can read by the same path`);
  }
  if (unique === true) {
    throw new UserError(
      '--engine spark: got --unique with it, which compares the forms of all lines, while each process has a part of ' +
        'them; expected it without: a local canonize --unique reads the folder, or Spark drops duplicates of its columns',
    );
  }
  const given = { '--as': as !== undefined, '--line-buffered': lineBuffered, '--debug': debug };
  const other = Object.entries(given).find(([, isGiven]) => isGiven === true)?.[0];
  if (other !== undefined) throw new UserError(`--engine spark: got ${other} with it, expected it without`);
}

/** The column with the URLs, if it is named. */
function columnOf({ columns, sparkRead }: CanonizeFlags): string | undefined {
  if (columns === undefined) return undefined;
  if (sparkRead === undefined || sparkRead === 'text') {
    throw new UserError(
      '--columns: got --engine spark without a table that Spark reads; expected --spark-read csv (json, parquet, orc) with it',
    );
  }
  return urlColumn(columns);
}

function outputOf({ output, outParquet }: CanonizeFlags): Pick<CanonizeSettings, 'folder' | 'format'> {
  if (outParquet !== undefined && output !== '-')
    throw new UserError(`--out-parquet: got -o ${printable(output)} too; expected one of the two`);
  const folder = outParquet ?? output;
  if (folder !== '-') return { folder, format: outParquet === undefined ? 'text' : 'parquet' };
  throw new UserError('--engine spark: got standard output for the result; expected a folder, by -o or --out-parquet');
}

/** Creates a folder for the parts, beside the output and writable for this user only. */
function openDraft(place: string, output: string): string {
  if (existsSync(place)) throw new UserError(`${printable(output)} exists already; expected the name of a new folder`);
  const draft = join(dirname(place), `.${basename(place)}.${process.pid}-${Date.now().toString(36)}`);
  try {
    mkdirSync(draft);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new UserError(`cannot write ${printable(output)} (${code}); expected a folder that it can be made in`);
  }
  return draft;
}

/** Where the driver may cut an input. An unreadable input is not cut: the process that reads it reports the error. */
async function cutting({ name, path }: Input): Promise<CanonizeInput> {
  const bytes = statSync(path!, { throwIfNoEntry: false })?.size ?? 0;
  const whole = { name, path: path!, bytes };
  if (isParquetFile(path)) {
    const file = await openParquet(path).catch(() => undefined);
    return file === undefined ? whole : { ...whole, rowGroups: file.groups.length };
  }
  const plain = plainFile(path!, 0);
  return plain === null ? whole : { ...whole, textStart: plain.start };
}

/** If one part has columns of bytes, all parts get footers for columns of bytes. Only the footer of a part tells. */
function makeAlike(draft: string, reports: readonly PartReport[]): void {
  if (!reports.some(({ parquet }) => parquet?.isBytes)) return;
  for (const [part, { parquet }] of reports.entries()) {
    if (parquet === undefined || parquet.isBytes) continue;
    const fd = openSync(join(draft, partName(part, 'parquet')), 'r+');
    try {
      const end = Buffer.from(parquet.bytesEnd, 'base64');
      for (let at = 0; at < end.length;) at += writeSync(fd, end, at, end.length - at, parquet.endAt + at);
      ftruncateSync(fd, parquet.endAt + end.length);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}

/** Removes files of tasks whose results were not needed, then gives the folder its name. */
function commit(draft: string, place: string, parts: number, format: CanonizeSettings['format']): void {
  const names = new Set(Array.from({ length: parts }, (_, part) => partName(part, format)));
  for (const name of readdirSync(draft)) if (!names.delete(name)) rmSync(join(draft, name));
  if (names.size > 0) throw new Error(`the job has ended, and ${names.size} of its parts are missing`);
  writeFileSync(join(draft, '_SUCCESS'), '');
  renameSync(draft, place);
}

function sumOf(reports: readonly PartReport[]): LineCounts {
  const sum: LineCounts = { lines: 0, urls: 0, changed: 0, dropped: 0 };
  for (const { counts } of reports) {
    for (const name of ['lines', 'urls', 'changed', 'dropped'] as const) sum[name] += counts[name];
  }
  return sum;
}
