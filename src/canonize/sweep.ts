// Looks at a whole block of lines in WebAssembly (kernel/sweep): it skips the lines that no rule matches, which are
// most, and finds the rules for the others. Its own memory holds the lookup, the hosts, and one block at a time:
//
//     | params | kinds | sieve | filed rules | hosts | found | block | newline |
//
// A host that is not cached yet counts as not plain: canonize/look, which handles that line, adds it.
import { NEWLINE } from '../base/ascii.js';
import { compileWasm, instantiateWasm, newWasmMemory } from '../base/wasm.js';
import type { SweepExports } from '../kernel/exports.js';
import * as SWEEP from '../kernel/layout/sweep.js';
import type { Filing } from '../rule/filing.js';
import { blockBytes } from './blocks.js';
import { KEYS_LENGTH, ROWS_LENGTH, type HostTables } from './hosts.js';
import { maxFormBytes } from './limits.js';

export interface Sweep {
  readonly hosts: HostTables;
  /** All of its memory; positions of lines are offsets in this. */
  readonly bytes: Uint8Array;
  /**
   * For each line that was found [start, end, path, group, rules, rule …]: `end` is that of its content, or 0 if it is
   * not plain; the rules in ascending order, by number. For `resume` of the look.
   */
  readonly found: Int32Array;
  /** How much of `found` the last look filled. */
  readonly foundLength: number;
  /** How many lines it has processed. */
  readonly lines: number;
  /** Takes a block of at most `blockBytes`, which is then in `bytes` from `start` on. */
  begin(block: Uint8Array): void;
  readonly start: number;
  readonly end: number;
  /** Processes lines from `from` on, until `found` is full; returns where it stopped. */
  look(from: number): number;
}

/** The data of the look, for a sweep that works on the same. */
export interface Sweepable {
  readonly filing: Filing;
  readonly kinds: Uint8Array;
  readonly groupOfPaths: number;
  /** The rules that can touch every path: count, rule, rule …. */
  readonly listOfPaths: Int32Array;
}

export type NewSweep = (what: Sweepable) => Sweep;

/** Word indices of its parameters and results. */
const WORD = {
  kinds: SWEEP.KINDS / 4,
  runs: SWEEP.RUNS / 4,
  marks: SWEEP.MARKS / 4,
  marksMask: SWEEP.MARKS_MASK / 4,
  isAsked: SWEEP.IS_ASKED / 4,
  slots: SWEEP.SLOTS / 4,
  slotsMask: SWEEP.SLOTS_MASK / 4,
  lists: SWEEP.LISTS / 4,
  texts: SWEEP.TEXTS / 4,
  textStart: SWEEP.TEXT_START / 4,
  tokenAt: SWEEP.TOKEN_AT / 4,
  groupOfRule: SWEEP.GROUP_OF_RULE / 4,
  hasEvery: SWEEP.HAS_EVERY / 4,
  hosts: SWEEP.HOSTS / 4,
  hostKeys: SWEEP.HOST_KEYS / 4,
  groupOfPaths: SWEEP.GROUP_OF_PATHS / 4,
  listOfPaths: SWEEP.LIST_OF_PATHS / 4,
  mostBytes: SWEEP.MOST_BYTES / 4,
  found: SWEEP.FOUND / 4,
  foundEnd: SWEEP.FOUND_END / 4,
  lines: SWEEP.LINES / 4,
  foundLength: SWEEP.FOUND_LENGTH / 4,
} as const;

const PAGE = 1 << 16;
const FOUND_BYTES = 1 << 16;
/** It reads sixteen bytes at a time. */
const SLACK = 128;
/** More than the hosts, `found`, a block and gaps take. */
const OTHERS = 1 << 20;

export function newSweep({ filing, kinds, groupOfPaths, listOfPaths }: Sweepable): Sweep {
  const { sieve, groupOfRule } = filing;
  const { lists, slots, texts, textStart, tokenAt } = filing;
  const columns = { kinds, ...sieve, slots, lists, texts, textStart, tokenAt, groupOfRule, listOfPaths };
  const bytesOfRules = Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
  const memory = newWasmMemory(Math.ceil((OTHERS + bytesOfRules) / PAGE));
  const { sweep } = instantiateWasm<SweepExports>(compileWasm('dist/sweep.wasm'), { env: { memory } });

  const { buffer } = memory;
  let used = SWEEP.FIRST_FREE;
  const room = (bytes: number): number => {
    const at = used;
    used += (bytes + 15) & ~15;
    return at;
  };
  const wordsOf = (length: number) => new Int32Array(buffer, room(4 * length), length);
  const bytesOf = (length: number) => new Uint8Array(buffer, room(length), length);

  const params = new Uint32Array(buffer, SWEEP.TOLD, SWEEP.TOLD_BYTES / 4);
  for (const [name, column] of Object.entries(columns)) {
    const copy = bytesOf(column.byteLength);
    copy.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    params[WORD[name as keyof typeof columns]] = copy.byteOffset;
  }
  params[WORD.marksMask] = sieve.marks.length - 1;
  params[WORD.slotsMask] = slots.length / 2 - 1;
  params[WORD.hasEvery] = groupOfRule.includes(0) ? 1 : 0;
  const hosts = { rows: wordsOf(ROWS_LENGTH), keys: bytesOf(KEYS_LENGTH) };
  params[WORD.hosts] = hosts.rows.byteOffset;
  params[WORD.hostKeys] = hosts.keys.byteOffset;
  params[WORD.groupOfPaths] = groupOfPaths;
  params[WORD.mostBytes] = maxFormBytes;
  const found = wordsOf(FOUND_BYTES / 4);
  params[WORD.found] = found.byteOffset;
  params[WORD.foundEnd] = found.byteOffset + FOUND_BYTES;
  const start = room(blockBytes + SLACK);
  const bytes = new Uint8Array(buffer);
  let end = start;
  return {
    hosts,
    bytes,
    found,
    start,
    get end() {
      return end;
    },
    get lines() {
      return params[WORD.lines]!;
    },
    get foundLength() {
      return params[WORD.foundLength]!;
    },
    begin(block) {
      bytes.set(block, start);
      end = start + block.length;
      bytes[end] = NEWLINE;
    },
    look: (from) => sweep(from, end),
  };
}
