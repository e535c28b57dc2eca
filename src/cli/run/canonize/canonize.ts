// What `dustbuster canonize` does: lines in, canonical lines out.
import { fstatSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { parseMemory } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { writeFileWhole } from '../../../base/output.js';
import type { SpillOptions } from '../../../base/spill.js';
import { Turns } from '../../../base/turns.js';
import type { KeyOf } from '../../../canonize/by-parts.js';
import { createBlockCanonizer, createCanonizer, type LineCanonizer } from '../../../canonize/canonizer.js';
import {
  createLineMapper,
  keepAll,
  type Keeping,
  type LineCounts,
  type LineMapper,
  type LineOptions,
} from '../../../canonize/lines.js';
import type { parquetOf } from '../../../canonize/parquet.js';
import type { Savings } from '../../../canonize/savings.js';
import { refuseAddress } from '../../../log/address.js';
import { type Input, measured } from '../../../log/bytes.js';
import { roomFor } from '../../../memory-plan.js';
import type { Damage } from '../../../report/summary.js';
import { isInput, refuseReplacing, refuseTwice, unreadable } from '../../files.js';
import type { CanonizeFlags } from '../../flags/canonize.js';
import { guardingOutput } from '../../terminal/signals.js';
import { type LoadedRules, loadRulesInUse } from '../rules/in-use.js';
import { isFolder } from '../rules/load.js';
import { refuseMixed, writeSummary } from '../summary.js';
import { urlColumn } from './column.js';
import { isParquetFile } from '../../../log/parquet/open.js';
import {
  Beginning,
  openInput,
  pathOf,
  readInputs,
  sayBytes,
  sayDamages,
  sayNoUrl,
  sayPaths,
  saySavings,
  sayUnsettled,
} from './read.js';
import type { DebuggedCanonizer } from './debug.js';
import type { openPartedRules } from './parts.js';
import type { CanonizingThreads } from './threads.js';

/** Runs the command and returns the exit code. */
export async function canonize(urls: readonly string[], options: CanonizeFlags, effects: Effects): Promise<number> {
  if (options.engine === 'spark') {
    const { canonizeOnSpark } = await import('./spark.js');
    return canonizeOnSpark(urls, options, effects);
  }
  return guardingOutput((unguard) => canonizeLines(urls, options, effects, unguard));
}

async function canonizeLines(
  urls: readonly string[],
  options: CanonizeFlags,
  effects: Effects,
  unguard: () => void,
): Promise<number> {
  const names = urls.length === 0 && options.input.length === 0 ? ['-'] : options.input;
  const column = columnOf(options, urls);
  const output = outputOf(options, effects);
  refuseMixed(options, output, 'the lines');
  refuseTwice(['-r', [options.rules]], ['the list of URLs', names]);
  refuseReplacing(options.rules, output, effects);
  const parted = takesParts(options, effects) ? await openParts(options, effects) : undefined;
  const inUse = parted?.common ?? (await loadRulesInUse(options, effects));
  let bytes = 0;
  for (const name of names) {
    bytes += await checkReadable(name, effects);
    if (name !== '-') effects.access?.note(resolve(effects.cwd, name));
  }
  const counting = beginProgress(names, bytes, effects);
  const inputs = names.map((name) => counting.input({ name, open: () => openInput(name, effects) }));
  const damages: Damage[] = [];
  const isParquetOut = options.outParquet !== undefined;
  const all = roomOf(options);
  const room = parted === undefined ? all : roomFor('canonize/others', all);
  const savings = await savingsBy(options, room);
  const lineOptions: LineOptions = {
    ...options,
    ...(isParquetOut && { rows: true }),
    ...(savings && { savings: inUse.options }),
  };
  const beginning = new Beginning();
  const isTable = column !== undefined && !names.every((name) => isParquetFile(pathOf(name, effects)));
  if (isTable) {
    const { canonizeTables } = await import('./table.js');
    const guarded = (rows: AsyncIterable<Uint8Array>) =>
      isInPlace(names, output, effects) ? unlessDamaged(rows, damages, output) : rows;
    return canonizeTables({ column, output, inputs, damages, inUse, options, effects, guarded });
  }
  const reading = { effects, endsLast: isParquetOut, column };
  const chunks = beginning.of(readInputs(urls, inputs, damages, reading));
  const keeping = parted === undefined ? await keepingBy(options, inUse, savings, room) : keepAll;
  const byTarget = await formsOf(inUse, options);
  const debugged = await debuggedBy(inUse, options, effects);
  const threads = byTarget === undefined && debugged === undefined ? threadsFor(bytes, options, effects.cores) : 1;
  const way =
    parted !== undefined
      ? parted.way(lineOptions, (keyOf) => keepingOfParts(keyOf, options, savings, room), all)
      : threads > 1
        ? await startThreads(threads, inUse, lineOptions, keeping)
        : new ThisThread(
            byTarget ?? debugged ?? createBlockCanonizer(inUse.rules, inUse.options),
            lineOptions,
            keeping,
            unguard,
          );
  const parquet = { isBytes: false };
  try {
    const lines = counting.output(way.map(chunks), way);
    const safe = isInPlace(names, output, effects) ? unlessDamaged(lines, damages, output) : lines;
    const pieces = isParquetOut ? await toParquet(safe, parquet) : safe;
    await writeFileWhole(output, pieces, effects, { lineBuffered: options.lineBuffered === true });
  } finally {
    await way.stop();
  }
  debugged?.end();
  sayDamages(damages, effects);
  const saved = savings?.end();
  if (saved !== undefined && options.quiet !== true) saySavings(way.counts, saved, effects);
  if (options.json === true) {
    const { canonizeSummary } = await import('../../../report/summary.js');
    await writeSummary(canonizeSummary(way, output, damages, saved), effects);
  } else if (way.unsettled > 0 && options.quiet !== true) {
    sayUnsettled(way.unsettled, options.maxIterations, effects);
  }
  if (parquet.isBytes && options.quiet !== true) sayBytes(output, effects);
  const isMisread = way.counts.urls === 0 && beginning.hasText;
  if (isMisread) sayNoUrl(way.counts, beginning.head, effects);
  const isOfPaths = !isMisread && sayPaths(urls.length > 0 ? urls : beginning.lines, inUse, effects);
  return damages.length > 0 || isMisread || isOfPaths ? 3 : 0;
}

/**
 * True for rules in a folder that are read one part after another. What looks at each line by itself needs all rules at
 * once, in memory.
 */
function takesParts({ rules, as, debug, columns, lineBuffered }: CanonizeFlags, { cwd }: Effects): boolean {
  const isWhole = as !== undefined || debug === true || columns !== undefined || lineBuffered === true;
  return !isWhole && rules !== '-' && isFolder(resolve(cwd, rules));
}

/** Loaded only for a folder. */
async function openParts(...args: Parameters<typeof openPartedRules>): ReturnType<typeof openPartedRules> {
  const { openPartedRules: open } = await import('./parts.js');
  return open(...args);
}

/** The column with the URLs. Throws a UserError if URLs are no table, or if another column is named. */
function columnOf({ columns }: CanonizeFlags, urls: readonly string[]): string | undefined {
  if (columns === undefined) return undefined;
  const url = urlColumn(columns);
  if (urls.length > 0) throw new UserError('--columns: got URLs beside it; expected tables, by -i or standard input');
  return url;
}

/** The name of the output; - is standard output. Throws a UserError for flags that contradict each other. */
function outputOf({ output, outParquet, lineBuffered }: CanonizeFlags, { stdout }: Effects): string {
  if (outParquet === undefined) return output;
  const got = output !== '-' ? `-o ${printable(output)}` : lineBuffered === true ? '--line-buffered' : undefined;
  if (got !== undefined) throw new UserError(`--out-parquet: got ${got} too; expected one of the two`);
  if (outParquet === '-' && stdout.isTTY === true)
    throw new UserError('--out-parquet: got a terminal; expected a file, or a pipe');
  return outParquet;
}

/** Loads the Parquet writer only when needed, as few runs write a table. */
async function toParquet(...args: Parameters<typeof parquetOf>): Promise<AsyncIterable<Uint8Array>> {
  const { parquetOf: write } = await import('../../../canonize/parquet.js');
  return write(...args);
}

function isInPlace(names: readonly string[], output: string, effects: Effects): boolean {
  return output !== '-' && names.some((name) => isInput(name, resolve(effects.cwd, output), effects));
}

/** Throws at the end of a damaged input, so that an incomplete result does not replace that input. */
async function* unlessDamaged(
  lines: AsyncIterable<Uint8Array>,
  damages: readonly Damage[],
  output: string,
): AsyncGenerator<Uint8Array> {
  yield* lines;
  const [damage] = damages;
  if (damage === undefined) return;
  throw new UserError(
    `${printable(damage.name)}: ${damage.reason}. ${printable(output)} stays as it is; expected another file for the result, ` +
      'or what could not be read would be lost',
  );
}

/** The canonizer of `--as`. The code of exports is loaded only for it. */
async function formsOf(inUse: LoadedRules, { as, rules }: CanonizeFlags): Promise<LineCanonizer | undefined> {
  if (as === undefined) return undefined;
  const { loadTarget } = await import('../../../export/targets.js');
  const { targetForms } = await import('../../../export/target-form.js');
  const { createLinesByForm } = await import('../../../canonize/by-form.js');
  const { exportRequest } = await import('../rules/export-request.js');
  const target = (await loadTarget(as))!;
  const request = exportRequest(rules, inUse, {});
  return createLinesByForm(targetForms(target, request, inUse.options));
}

/**
 * The code that remembers forms is loaded only if it is needed. Where rules are only keys, lines wait for the end, as
 * the whole list decides which form is the name of a page; with --line-buffered the first one is.
 */
async function keepingBy(
  flags: CanonizeFlags,
  { keyed, options }: Partial<LoadedRules>,
  savings: Savings | undefined,
  room: SpillOptions,
): Promise<Keeping> {
  const { unique, pairs, lineBuffered } = flags;
  const keys = keyed && options && createCanonizer(keyed, { ...options, use: 'key' });
  if (unique !== true || (pairs === true && keys === undefined)) return keepAll;
  if (keys === undefined || lineBuffered === true) {
    const { UniqueLines } = await import('../../../canonize/unique.js');
    const keyOf = keys && ((form: Uint8Array) => keys.canonize(form));
    return new UniqueLines(room, { ...(keyOf && { keyOf }), ...(savings && { savings }) });
  }
  const { keysBy } = await import('../../../canonize/named-groups.js');
  return keepingByKeys(keysBy(keys), flags, savings, room);
}

async function keepingByKeys(
  keyOf: KeyOf,
  { pairs }: CanonizeFlags,
  savings: Savings | undefined,
  room: SpillOptions,
): Promise<Keeping> {
  const { NamedGroups } = await import('../../../canonize/named-groups.js');
  return new NamedGroups(room, keyOf, pairs === true ? 'all' : 'names', savings);
}

/** `keyOf`: if some part has keys. */
async function keepingOfParts(keyOf: KeyOf | undefined, ...rest: OfKeeping): Promise<Keeping> {
  const [flags, savings, room] = rest;
  return keyOf === undefined ? keepingBy(flags, {}, savings, room) : keepingByKeys(keyOf, flags, savings, room);
}

type OfKeeping = readonly [flags: CanonizeFlags, savings: Savings | undefined, room: SpillOptions];

function roomOf({ memory, tmpdir }: CanonizeFlags): SpillOptions {
  return { memoryBytes: parseMemory(memory, '--memory'), tmpdir };
}

/** Counts what --unique saves, if somebody wants to know it, and the list is not only a part of what was read. */
async function savingsBy(flags: CanonizeFlags, room: SpillOptions): Promise<Savings | undefined> {
  const { unique, pairs, changed, quiet, json } = flags;
  const isAsked = unique === true && pairs !== true && changed !== true && (quiet !== true || json === true);
  if (!isAsked) return undefined;
  const { Savings: Counting } = await import('../../../canonize/savings.js');
  return new Counting(room);
}

/** Loaded only for `--debug`. */
async function debuggedBy(
  inUse: LoadedRules,
  { debug, as }: CanonizeFlags,
  effects: Effects,
): Promise<DebuggedCanonizer | undefined> {
  if (debug !== true) return undefined;
  if (as !== undefined)
    throw new UserError('--debug: got --as too; expected one of the two: an export makes edits, and applies no rules');
  const { debugCanonizer } = await import('./debug.js');
  return debugCanonizer(inUse, effects);
}

/**
 * Returns the callback that reports progress: bytes that were read, and lines that were written. An input that the user
 * types needs no progress.
 */
function beginProgress(names: readonly string[], bytes: number, { progress, stdin }: Effects) {
  const isTyped = names.includes('-') && stdin.isTTY === true;
  if (progress === undefined || isTyped || names.length === 0) return { input: asItIs, output: asItIs };
  progress.begin({ name: 'canonizing', unit: 'lines', ...(bytes > 0 && { total: bytes }) });
  async function* output(pieces: AsyncIterable<Uint8Array>, way: { readonly counts: LineCounts }) {
    let reported = 0;
    for await (const piece of pieces) {
      const { lines } = way.counts;
      progress!.add(lines - reported, 0);
      reported = lines;
      yield piece;
    }
  }
  return { input: (input: Input) => measured(input, (taken) => progress.add(0, taken)), output };
}

function asItIs<T>(value: T): T {
  return value;
}

/** A smaller input is finished before a thread has started. */
const MIN_BYTES = 8 << 20;
/** In the 0.2 s of CPU that a thread takes to start and compile its code, one thread canonizes this much. */
const BYTES_FOR_A_THREAD = 16 << 20;

function threadsFor(bytes: number, { threads, lineBuffered }: CanonizeFlags, cores: number): number {
  if (lineBuffered === true || bytes < MIN_BYTES) return 1;
  return threads ?? Math.min(cores, Math.floor(bytes / BYTES_FOR_A_THREAD));
}

/** Loads the code for threads only when needed, as most runs are short. */
async function startThreads(...args: ConstructorParameters<typeof CanonizingThreads>): Promise<CanonizingThreads> {
  const { CanonizingThreads: Threads } = await import('./threads.js');
  return new Threads(...args);
}

/** Hostile rules can make a line take this long; a signal would have to wait for it. */
const SLOW_LINE_MS = 250;

/** Before a wait, for the next chunk or for other work: with --line-buffered all lines up to here are written. */
const PAUSE = new Uint8Array(0);

class ThisThread {
  readonly #canonizer: LineCanonizer & { readonly unsettled?: number };
  readonly #mapper: LineMapper;
  readonly #turns = new Turns();
  readonly #unguard: () => void;

  /** `unguard` makes signals end the process at once; an unfinished output then stays until the next run. */
  constructor(
    canonizer: LineCanonizer & { readonly unsettled?: number },
    lines: LineOptions,
    keeping: Keeping,
    unguard: () => void,
  ) {
    this.#canonizer = canonizer;
    this.#mapper = createLineMapper(this.#canonizer, lines, keeping, this.#turns);
    this.#unguard = unguard;
  }

  get unsettled(): number {
    return this.#canonizer.unsettled ?? 0;
  }

  get counts(): LineCounts {
    return this.#mapper.counts;
  }

  async *map(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield* this.#takingTurns(this.#mapper.push(chunk));
      yield PAUSE;
    }
    yield* this.#takingTurns(this.#mapper.end());
  }

  async *#takingTurns(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#turns.begin();
    for (const piece of pieces) {
      if (piece.length > 0) {
        yield piece;
        continue;
      }
      yield PAUSE;
      await setImmediate();
      if (this.#turns.slowest > SLOW_LINE_MS) {
        // A signal that has already arrived is handled when the event loop polls next, after this turn. Removing the
        // handler before that would lose the signal.
        await setImmediate();
        this.#unguard();
      }
      this.#turns.begin();
    }
  }

  stop(): void {}
}

/**
 * The size of a file, or 0 for what may be a pipe. All inputs are checked before anything is written, so that a wrong
 * name does not cost half an output.
 */
async function checkReadable(name: string, effects: Effects): Promise<number> {
  if (name === '-') return sizeOfStream(effects.stdin);
  refuseAddress(name);
  const advice = 'Name a file with -i, or - for standard input';
  const found = await stat(systemName(resolve(effects.cwd, name))).catch((error: unknown) => {
    throw unreadable(error, name, advice);
  });
  if (found.isDirectory()) throw new UserError(`cannot read ${printable(name)}: it is a folder. ${advice}.`);
  await access(systemName(resolve(effects.cwd, name)), constants.R_OK).catch((error: unknown) => {
    throw unreadable(error, name, advice);
  });
  return found.isFile() ? found.size : 0;
}

/** The size if standard input is a file, otherwise 0. */
function sizeOfStream(stream: Readable): number {
  if (!('fd' in stream) || typeof stream.fd !== 'number') return 0;
  try {
    const found = fstatSync(stream.fd);
    return found.isFile() ? found.size : 0;
  } catch {
    return 0; // closed: reading will say so
  }
}
