// Lines in, canonical lines out, in order. Line endings (`\n`, `\r\n`, or nothing at the end) stay as they are. A line
// that is not a URL passes through unchanged, but is left out with `changed`.
//
// Blocks of lines are mapped independently, so that several threads can work. Only `unique` has state. It is a later
// step, for which each output line is marked with the position of its canonical form.
import { NEWLINE, TAB } from '../base/ascii.js';
import { ByteBuffer } from '../base/buffer.js';
import { sameBytes } from '../base/bytes.js';
import type { Turns } from '../base/turns.js';
import { BlockCutter, blockBytes, type Block } from './blocks.js';
import {
  createBlockCanonizer,
  type CanonicalForm,
  type Canonizer,
  type CanonizerOptions,
  type LineCanonizer,
} from './canonizer.js';
import { createEachLine, createSomeLines, type Walk } from './walk.js';

export interface LineOptions {
  /** Output `url`, tab, canonical form; a line that is not a URL is its own form, and one that is too long has none. */
  readonly pairs?: boolean;
  /**
   * Rows for a table (canonize/parquet). Every line gets a tab, and ends in `\n`; a line that is not a URL has nothing
   * after the tab. The last tab of a row separates its columns, as a form contains no tab. A line that is too long is
   * an empty row.
   */
  readonly rows?: boolean;
  /** Only the first URL of each canonical form. */
  readonly unique?: boolean;
  /** Only URLs that are not their own canonical form. */
  readonly changed?: boolean;
  /** With `unique`, to count what it saves: how URLs are normalized. */
  readonly savings?: CanonizerOptions;
}

/** Numbers of a line in `marks`. */
export const MARKS = 5;

/** Output lines, valid until more are requested. */
export interface MappedLines {
  readonly bytes: Uint8Array;
  /**
   * With `unique`: [end of the line, start and end of its canonical form, end of the URL as listed, end of its normal
   * form] …, start -1 if it is not a URL. With `savings` the last two texts follow the line if they differ from the
   * form, and are not written; otherwise they are empty.
   */
  readonly marks?: Int32Array;
}

/** Counts: lines in whole blocks, how many of them are URLs, and how many of these are not canonical. */
export interface MappedCounts {
  lines: number;
  urls: number;
  changed: number;
}

export type MapBlock = (block: Block) => Iterable<MappedLines>;

/** Yielded when it is time to give other work a turn: no lines. */
const noLines: MappedLines = { bytes: new Uint8Array(0) };

/**
 * Maps blocks with one canonizer, and adds to `counts`. The output of a block comes in pieces, as rules can make a
 * short line long. With `turns`, an empty piece is yielded whenever other work is due.
 */
export function createBlockMapper(
  canonizer: LineCanonizer,
  options: LineOptions = {},
  counts: MappedCounts = { lines: 0, urls: 0, changed: 0 },
  turns?: Turns,
): MapBlock {
  const { pairs = false, rows = false, unique = false, changed = false } = options;
  const mapLines =
    pairs || rows || unique || changed
      ? createLineByLine(canonizer, options, counts, turns)
      : createRunByRun(canonizer, counts, turns);
  return function* (block) {
    if (block.kind === 'lines') yield* mapLines(block.bytes);
    else if (!changed) {
      const bytes = rows ? endOf(block.bytes) : pairs ? withTab(block.bytes) : block.bytes;
      yield unique ? { bytes, marks: noMarks } : { bytes };
    }
  };
}

const noMarks = new Int32Array(0);

/** The line ending of a part, if it has one. */
function endOf(part: Uint8Array): Uint8Array {
  return part.subarray(part.at(-1) === NEWLINE ? part.length - 1 : part.length);
}

/** The part, with a tab before its line ending. */
function withTab(part: Uint8Array): Uint8Array {
  const end = endOf(part);
  return end.length === 0 ? part : Buffer.concat([part.subarray(0, -end.length), Uint8Array.of(TAB), end]);
}

type MapLines = (lines: Uint8Array) => Iterable<MappedLines>;

/** Copies each run of unchanged lines in one piece, with the line endings of changed lines in between. */
function createRunByRun(canonizer: LineCanonizer, counts: MappedCounts, turns: Turns | undefined): MapLines {
  const { canonical } = canonizer;
  const walkOf = createSomeLines(canonizer);
  const out = new ByteBuffer(2 * blockBytes);
  return function* (block) {
    const walk = walkOf(block);
    const lines = walk.begin(block);
    let runStart = walk.start;
    out.used = 0;
    while (count(walk.go(), canonical, counts)) {
      if (turns?.isDue() === true) yield noLines;
      if (!canonical.isChanged) continue;
      out.add(lines, runStart, walk.start);
      out.add(canonical.bytes, canonical.start, canonical.end);
      runStart = walk.end;
      if (out.used < blockBytes) continue;
      yield { bytes: out.bytes.subarray(0, out.used) };
      out.used = 0;
    }
    countPassed(walk, counts);
    out.add(lines, runStart, walk.end);
    if (out.used > 0) yield { bytes: out.bytes.subarray(0, out.used) };
  };
}

function createLineByLine(
  canonizer: LineCanonizer,
  options: LineOptions,
  counts: MappedCounts,
  turns: Turns | undefined,
): MapLines {
  const { pairs = false, rows = false, unique = false, changed = false } = options;
  const { canonical } = canonizer;
  const normal = options.savings && createBlockCanonizer([], options.savings);
  const each = createEachLine(canonizer);
  const walkOf = changed ? createSomeLines(canonizer) : () => each;
  const out = new ByteBuffer(2 * blockBytes);
  let marks: number[] = [];

  function put(lines: Uint8Array, { start, end, behind }: Walk): void {
    let formStart = -1;
    if (rows || pairs) {
      out.add(lines, start, end);
      out.push(TAB);
    }
    if (canonical.isUrl) {
      formStart = out.used;
      out.add(canonical.bytes, canonical.start, canonical.end);
    } else if (!rows) out.add(lines, start, end);
    const formEnd = out.used;
    if (rows) out.push(NEWLINE);
    else out.add(lines, end, behind);
    if (!unique) return;
    marks.push(out.used, formStart, formEnd);
    if (normal !== undefined && canonical.isChanged) putOrigins(normal, lines, start, end);
    else marks.push(out.used, out.used);
  }

  /** The URL as listed, and its normal form unless the rules have left that alone. */
  function putOrigins(by: Canonizer, lines: Uint8Array, start: number, end: number): void {
    out.add(lines, start, end);
    marks.push(out.used);
    by.canonizeLine(lines, start, end);
    const { bytes, start: from, end: to } = by.canonical;
    if (!sameBytes(bytes.subarray(from, to), canonical.bytes.subarray(canonical.start, canonical.end)))
      out.add(bytes, from, to);
    marks.push(out.used);
  }

  function take(): MappedLines {
    const bytes = out.bytes.subarray(0, out.used);
    out.used = 0;
    if (!unique) return { bytes };
    const taken = Int32Array.from(marks);
    marks = [];
    return { bytes, marks: taken };
  }

  return function* (block) {
    const walk = walkOf(block);
    const lines = walk.begin(block);
    while (count(walk.go(), canonical, counts)) {
      if (turns?.isDue() === true) yield noLines;
      if (changed && !canonical.isChanged) continue;
      put(lines, walk);
      if (out.used >= blockBytes) yield take();
    }
    countPassed(walk, counts);
    if (out.used > 0) yield take();
  };
}

/** Counts the line at the walk's position, if there is one; returns true if so. */
function count(isLine: boolean, { isUrl, isChanged }: CanonicalForm, counts: MappedCounts): boolean {
  if (!isLine) return false;
  counts.lines++;
  if (isUrl) counts.urls++;
  if (isChanged) counts.changed++;
  return true;
}

function countPassed({ passed }: Walk, counts: MappedCounts): void {
  counts.lines += passed;
  counts.urls += passed;
}

export interface LineMapper {
  /** Yields the output for the lines that `chunk` completes. Use or copy each piece before requesting the next one. */
  push(chunk: Uint8Array): Iterable<Uint8Array>;
  /** Yields the last line if it has no newline. */
  end(): Iterable<Uint8Array>;
  /** Totals so far; lines that are too long to be a URL count as lines too. */
  readonly counts: Readonly<LineCounts>;
}

export interface LineCounts extends MappedCounts {
  /** Lines that were dropped from the output. */
  dropped: number;
}

/** Counts over all lines, from the counts of their blocks. */
export function countsOf(
  { lines, urls, changed }: MappedCounts,
  { longLines }: Pick<BlockCutter, 'longLines'>,
  { dropped }: Pick<Keeping, 'dropped'>,
  options: LineOptions,
): LineCounts {
  const all = lines + longLines;
  return { lines: all, urls, changed, dropped: dropped + (options.changed === true ? all - changed : 0) };
}

/** Which of the mapped lines are written: all, or those that `unique` selects (canonize/unique). */
export interface Keeping {
  /** Returns those lines that can be written now. */
  keep(lines: MappedLines): Uint8Array;
  /** Yields the lines that had to wait for the end. */
  end(): Iterable<Uint8Array>;
  readonly dropped: number;
}

export const keepAll: Keeping = { keep: ({ bytes }) => bytes, end: () => [], dropped: 0 };

/** Maps everything in this thread. With `turns`, an empty piece means that other work is due. */
export function createLineMapper(
  canonizer: LineCanonizer,
  options: LineOptions = {},
  keeping: Keeping = keepAll,
  turns?: Turns,
): LineMapper {
  const cutter = new BlockCutter();
  const counts: MappedCounts = { lines: 0, urls: 0, changed: 0 };
  const mapBlock = createBlockMapper(canonizer, options, counts, turns);
  function* mapAll(blocks: Iterable<Block>): Iterable<Uint8Array> {
    for (const block of blocks) {
      for (const lines of mapBlock(block)) yield lines === noLines ? lines.bytes : keeping.keep(lines);
    }
  }
  function* end(): Iterable<Uint8Array> {
    yield* mapAll(cutter.end());
    yield* keeping.end();
  }
  return {
    push: (chunk) => mapAll(cutter.push(chunk)),
    end,
    get counts() {
      return countsOf(counts, cutter, keeping, options);
    },
  };
}
