// Canonizes by the rules of all parts of the sites, of which one part is in memory at a time. A site is in one part, so
// its lines need only that. Three passes, each by an external sort:
//
//     lines      in order                 → by part, with their place
//     parts      one after another        → what each line becomes, by its place
//     places     in order                 → output; --unique drops lines here
import { setImmediate } from 'node:timers/promises';
import { NEWLINE } from '../base/ascii.js';
import { eachRow, readBigEndian, readU32, type RowReader, RowWriter } from '../base/row.js';
import { SpillSorter, type SpillOptions } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { BlockCutter, type Block } from './blocks.js';
import { createBlockCanonizer, type CanonizerOptions, type LineCanonizer } from './canonizer.js';
import {
  countsOf,
  createBlockMapper,
  keepAll,
  MARKS,
  type Keeping,
  type LineCounts,
  type LineOptions,
  type MappedLines,
} from './lines.js';
import type { KeyOfForm } from './named-groups.js';
import { POSITION_BYTES, pushPosition } from './unique.js';

export interface Parts {
  readonly length: number;
  /** How URLs are normalized, the same in all parts. */
  readonly options: CanonizerOptions;
  /** The part of the site of a normalized URL, from 1. */
  readonly partOf: (url: Uint8Array, start: number, end: number) => number;
  /** What the rules of part k make of a line. */
  readonly rulesOf: (k: number) => Promise<RulesOfPart>;
}

export interface RulesOfPart {
  readonly canonizer: LineCanonizer & { readonly unsettled?: number };
  /** If some rules are only keys, and these are used. */
  readonly keyOf: KeyOf | undefined;
}

export type KeyOf = (form: Uint8Array) => KeyOfForm;

const PART_BYTES = 4;
/** Lines between two turns of the event loop, in which signals are handled: some 10 ms. */
const LINES_OF_TURN = 4096;
/** A piece of a line that is too long, which belongs to the line before it. */
const [LINE, PIECE] = [0, 1];
/** Whether a piece of output has marks. */
const [UNMARKED, NO_MARK, MARKED] = [0, 1, 2];

export class ByParts {
  readonly #parts: Parts;
  readonly #lines: LineOptions;
  readonly #keepingBy: (keyOf: KeyOf | undefined) => Promise<Keeping>;
  readonly #room: SpillOptions;
  readonly #cutter = new BlockCutter();
  readonly #mapped = { lines: 0, urls: 0, changed: 0 };
  /** How many URLs stayed as they were because no canonical form was found. */
  unsettled = 0;
  #steps = 0;
  #keeping: Keeping = keepAll;
  #hasKeys = false;
  /** The key of the line that is kept, if its part has keys. */
  #key: KeyOfForm | undefined;

  /** `keepingBy` gets the keys of lines, if some part has any: which lines are kept is decided when all parts were read. */
  constructor(
    parts: Parts,
    lines: LineOptions,
    keepingBy: (keyOf: KeyOf | undefined) => Promise<Keeping>,
    room: SpillOptions,
  ) {
    this.#parts = parts;
    this.#lines = lines;
    this.#keepingBy = keepingBy;
    this.#room = roomFor('parts/sort', room);
  }

  get counts(): LineCounts {
    return countsOf(this.#mapped, this.#cutter, this.#keeping, this.#lines);
  }

  /** Yields the output, when all lines were read. Use or copy each piece before requesting the next one. */
  async *map(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const byPart = await this.#deal(chunks);
    const byPlace = await this.#apply(byPart);
    this.#keeping = await this.#keepingBy(this.#hasKeys ? (form) => this.#key ?? { key: form, votes: 0 } : undefined);
    for (const row of eachRow(byPlace)) {
      const { key, ...lines } = linesIn(row.bytes, row.keyEnd, row.end);
      this.#key = key;
      const kept = this.#keeping.keep(lines);
      if (kept.length > 0) yield kept;
      if (this.#isTurn()) await setImmediate();
    }
    yield* this.#keeping.end();
  }

  stop(): void {}

  #isTurn(): boolean {
    return ++this.#steps % LINES_OF_TURN === 0;
  }

  async #deal(chunks: AsyncIterable<Uint8Array>): Promise<RowReader> {
    const sorter = new SpillSorter(this.#room);
    const dealer = new Dealer(this.#parts, sorter);
    for await (const chunk of chunks) for (const block of this.#cutter.push(chunk)) dealer.add(block);
    for (const block of this.#cutter.end()) dealer.add(block);
    return sorter.finish();
  }

  /** Reads the rules of every part, also of one without lines: what is wrong with them has to be said. */
  async #apply(byPart: RowReader): Promise<RowReader> {
    const sorter = new SpillSorter(this.#room);
    const out = new RowWriter();
    let row = byPart.next();
    for (let k = 1; k <= this.#parts.length; k++) {
      const { canonizer, keyOf } = await this.#parts.rulesOf(k);
      this.#hasKeys ||= keyOf !== undefined;
      const mapBlock = createBlockMapper(canonizer, this.#lines, this.#mapped);
      for (; row !== undefined && readBigEndian(row.bytes, row.keyStart) === k; row = byPart.next()) {
        const { bytes, keyStart, keyEnd, end } = row;
        const kind = bytes[keyEnd] === PIECE ? 'part' : 'lines';
        const place = bytes.slice(keyStart + PART_BYTES, keyEnd);
        for (const lines of mapBlock({ kind, bytes: bytes.slice(keyEnd + 1, end) })) {
          putLines(out.clear().raw(place), lines, keyOf);
          sorter.add(out.bytes, 0, out.length, POSITION_BYTES);
        }
        if (this.#isTurn()) await setImmediate();
      }
      this.unsettled += canonizer.unsettled ?? 0;
    }
    byPart.close();
    return sorter.finish();
  }
}

/** Gives each line to the part of its site. A line that is no URL goes to the first. */
class Dealer {
  readonly #parts: Parts;
  readonly #sorter: SpillSorter;
  readonly #normal: LineCanonizer;
  readonly #row = new RowWriter();
  #place = 0;

  constructor(parts: Parts, sorter: SpillSorter) {
    this.#parts = parts;
    this.#sorter = sorter;
    this.#normal = createBlockCanonizer([], parts.options);
  }

  add({ kind, bytes }: Block): void {
    if (kind === 'part') return this.#put(1, PIECE, bytes);
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline < 0 ? bytes.length : newline + 1;
      const line = bytes.subarray(start, end);
      this.#put(this.#partOf(line), LINE, line);
      start = end;
    }
  }

  #partOf(line: Uint8Array): number {
    this.#normal.canonizeLine(line, 0, line.length);
    const { isUrl, bytes, start, end } = this.#normal.canonical;
    return isUrl ? this.#parts.partOf(bytes, start, end) : 1;
  }

  #put(part: number, kind: number, bytes: Uint8Array): void {
    const row = pushPosition(this.#row.clear().bigEndian(part), this.#place++).byte(kind).raw(bytes);
    this.#sorter.add(row.bytes, 0, row.length, PART_BYTES + POSITION_BYTES);
  }
}

/** [kind] [marks] [length of key, votes, key] [lines]: only lines with marks have what stands in between. */
function putLines(row: RowWriter, { bytes, marks }: MappedLines, keyOf: KeyOf | undefined): void {
  row.byte(marks === undefined ? UNMARKED : marks.length === 0 ? NO_MARK : MARKED);
  if (marks !== undefined && marks.length > 0) {
    for (const mark of marks) row.u32(mark);
    const [, formStart, formEnd] = marks as unknown as readonly [number, number, number];
    const key = formStart < 0 ? undefined : keyOf?.(bytes.slice(formStart, formEnd));
    row.u32(key?.key.length ?? NO_KEY).u32(key?.votes ?? 0);
    if (key !== undefined) row.raw(key.key);
  }
  row.raw(bytes);
}

const NO_KEY = 0xffffffff;

function linesIn(row: Uint8Array, start: number, end: number): MappedLines & { readonly key?: KeyOfForm } {
  const kind = row[start];
  if (kind !== MARKED)
    return { bytes: row.slice(start + 1, end), ...(kind === NO_MARK && { marks: new Int32Array(0) }) };
  const at = start + 1 + 4 * MARKS;
  const marks = new Int32Array(row.slice(start + 1, at).buffer);
  const length = readU32(row, at);
  if (length === NO_KEY) return { bytes: row.slice(at + 8, end), marks };
  const text = at + 8 + length;
  const key = { key: row.slice(at + 8, text), votes: readU32(row, at + 4) | 0 };
  return { bytes: row.slice(text, end), marks, key };
}
