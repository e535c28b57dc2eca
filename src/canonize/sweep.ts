// Calls the canonizer in WebAssembly (kernel/sweep), for a whole block of lines or for one URL. It skips lines that no
// rule matches, which are most, finds the rules for the others, and settles nearly all of their canonical forms. Its
// memory holds the rules, the lookup, the hosts, and the text, for blocks and for single URLs apart, so that a URL can
// be looked at while its block is read:
//
//     | params | scratch | rules | kinds | sieve | filed rules | hosts | found | block | newline | forms | found | URL …
//
// A line with a host that is not cached yet is reported as not plain; canonize/swept adds the host.
import { NEWLINE, RETURN } from '../base/ascii.js';
import { compileWasm, instantiateWasm, newWasmMemory, type WasmModule } from '../base/wasm.js';
import type { SweepExports } from '../kernel/exports.js';
import * as SWEEP from '../kernel/layout/sweep.js';
import { MOST_ROUNDS } from '../kernel/layout/rule.js';
import type { CompiledRule } from '../rule/apply.js';
import type { Filing } from '../rule/filing.js';
import { blockBytes } from './blocks.js';
import { KEYS_LENGTH, ROWS_LENGTH, type HostTables } from './hosts.js';
import { maxFormBytes } from './limits.js';
import { packRules } from './pack-rules.js';

export interface Sweep {
  readonly hosts: HostTables;
  /** The whole memory; positions of lines are offsets in it. */
  readonly bytes: Uint8Array;
  /**
   * For each line found: [start, end, path, group, rules, rule …]. `end` is that of the content, or 0 if the line is
   * not plain; rules are numbers in ascending order.
   */
  readonly found: Int32Array;
  /** How much of `found` the last look filled. */
  readonly foundLength: number;
  /** How many lines it has processed. */
  readonly lines: number;
  /** Starts on a block of at most `blockBytes`, which `bytes` then has from `start` on. */
  begin(block: Uint8Array): void;
  readonly start: number;
  readonly end: number;
  /** Processes lines from `from` on, until `found` is full; returns where it stopped. */
  look(from: number): number;
  /**
   * Finds canonical forms of lines of `found`, beginning with the one at `from`; returns where it stopped, which may be
   * before the end. A settled line becomes [start, end, -form, form's end …], with the form in `bytes` (the line itself
   * if unchanged). A line left to the rounds stays as it was.
   */
  settle(from: number): number;
  readonly one: OneUrl;
}

/** The same for one URL. */
export interface OneUrl {
  /** Copies the URL bytes[start, end). False if it is too long. */
  begin(bytes: Uint8Array, start: number, end: number): boolean;
  /** Whether it is plain, and not more than a URL; if so, `found` and `count` say what was found. */
  look(): boolean;
  /** True if the last look has settled it, or if its canonical form is now in `bytes`, from `formStart` to `formEnd`. */
  settle(): boolean;
  /** As in a line of `found`: [start, end, path, group, rules, rule …]. */
  readonly found: Int32Array;
  readonly count: number;
  readonly start: number;
  readonly end: number;
  readonly formStart: number;
  readonly formEnd: number;
  /** The rules that changed it: [round, rule] …, `changes` of them. */
  readonly trace: Int32Array;
  readonly changes: number;
}

/** What the kernel gets. */
export interface Sweepable {
  readonly filing: Filing;
  readonly kinds: Uint8Array;
  readonly groupOfPaths: number;
  /** The rules that can touch every path: count, rule, rule …. */
  readonly listOfPaths: Int32Array;
  readonly rules: readonly CompiledRule[];
  /** Rules that are left to JavaScript. */
  readonly isForRounds: readonly boolean[];
  /** How far around a change tokens are looked up again. */
  readonly before: number;
  readonly behind: number;
  readonly pathOnly: boolean;
  readonly mostRounds: number;
}

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
  rules: SWEEP.RULES / 4,
  conditions: SWEEP.CONDITIONS / 4,
  tested: SWEEP.TESTED / 4,
  rounds: SWEEP.ROUNDS / 4,
  pathOnly: SWEEP.PATH_ONLY / 4,
  before: SWEEP.BEFORE / 4,
  behind: SWEEP.BEHIND / 4,
  forms: SWEEP.FORMS / 4,
  formsEnd: SWEEP.FORMS_END / 4,
  formsUsed: SWEEP.FORMS_USED / 4,
  traced: SWEEP.TRACED / 4,
} as const;

const PAGE = 1 << 16;
const FOUND_BYTES = 1 << 16;
/** Room behind the data, as the sweep reads sixteen bytes at a time. */
const SLACK = 128;
/** Twice the size of a block, for intermediate forms. */
const FORMS_BYTES = 2 * blockBytes;
/** For all rules of a URL, and for forms in as many rounds as the kernel goes through. */
const ONE_FOUND_BYTES = 1 << 10;
const ONE_FORMS_BYTES = 1 << 17;
/** More than enough for the hosts, `found`, a block, its forms and gaps, and for one URL. */
const OTHERS = (1 << 20) + FORMS_BYTES + ONE_FORMS_BYTES;

let compiled: WasmModule | undefined;

export function newSweep({
  filing,
  kinds,
  groupOfPaths,
  listOfPaths,
  rules,
  isForRounds,
  ...around
}: Sweepable): Sweep {
  const { sieve, groupOfRule } = filing;
  const { lists, slots, texts, textStart, tokenAt } = filing;
  const columns = { kinds, ...sieve, slots, lists, texts, textStart, tokenAt, groupOfRule, listOfPaths };
  const packed = packRules(rules, SWEEP.FIRST_FREE, isForRounds);
  const bytesOfRules = Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, packed.bytes.length);
  const memory = newWasmMemory(Math.ceil((OTHERS + bytesOfRules) / PAGE));
  const { sweep, settle } = instantiateWasm<SweepExports>((compiled ??= compileWasm('dist/sweep.wasm')), {
    env: { memory },
  });

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
  bytesOf(packed.bytes.length).set(packed.bytes);
  for (const name of ['rules', 'conditions', 'tested'] as const) params[WORD[name]] = packed[name];
  params[WORD.rounds] = around.mostRounds > MOST_ROUNDS ? MOST_ROUNDS : around.mostRounds;
  params[WORD.pathOnly] = around.pathOnly ? 1 : 0;
  params[WORD.before] = around.before;
  params[WORD.behind] = around.behind;
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
  const block = place(FOUND_BYTES, blockBytes, FORMS_BYTES);
  const single = place(ONE_FOUND_BYTES, maxFormBytes, ONE_FORMS_BYTES);
  const bytes = new Uint8Array(buffer);

  function place(foundBytes: number, textBytes: number, formsBytes: number): Place {
    const found = wordsOf(foundBytes / 4);
    return { found, start: room(textBytes + SLACK), forms: room(formsBytes + SLACK), formsBytes };
  }

  function goTo({ found, forms, formsBytes }: Place): void {
    params[WORD.found] = found.byteOffset;
    params[WORD.foundEnd] = found.byteOffset + found.byteLength;
    params[WORD.forms] = forms;
    params[WORD.formsEnd] = forms + formsBytes;
  }

  let end = block.start;
  let lines = 0;
  let foundLength = 0;
  let formsUsed = 0;
  goTo(single);
  return {
    hosts,
    bytes,
    found: block.found,
    start: block.start,
    get end() {
      return end;
    },
    get lines() {
      return lines;
    },
    get foundLength() {
      return foundLength;
    },
    begin(text) {
      bytes.set(text, block.start);
      end = block.start + text.length;
      bytes[end] = NEWLINE;
    },
    look(from) {
      goTo(block);
      const stop = sweep(from, end);
      lines = params[WORD.lines]!;
      foundLength = params[WORD.foundLength]!;
      goTo(single);
      return stop;
    },
    settle(from) {
      goTo(block);
      params[WORD.foundLength] = foundLength;
      params[WORD.formsUsed] = formsUsed;
      const stop = settle(from);
      formsUsed = params[WORD.formsUsed]!;
      goTo(single);
      return stop;
    },
    one: oneUrl(single, params, bytes, { sweep, settle }),
  };
}

/** Where lines and their forms are. */
interface Place {
  readonly found: Int32Array;
  readonly start: number;
  readonly forms: number;
  readonly formsBytes: number;
}

/** Calls the kernel for one URL, to which its parameters point. */
function oneUrl({ found, start }: Place, params: Uint32Array, bytes: Uint8Array, kernel: SweepExports): OneUrl {
  const one = {
    found,
    start,
    end: start,
    count: 0,
    formStart: start,
    formEnd: start,
    trace: new Int32Array(bytes.buffer, SWEEP.TRACE, 2 * SWEEP.MOST_TRACED),
    changes: 0,
    begin(url: Uint8Array, urlStart: number, urlEnd: number) {
      const length = urlEnd - urlStart;
      if (length === 0 || length > maxFormBytes) return false;
      for (let at = 0; at < length; at++) bytes[start + at] = url[urlStart + at]!;
      one.end = start + length;
      bytes[one.end] = NEWLINE;
      return true;
    },
    look() {
      kernel.sweep(start, one.end);
      one.count = 0;
      if (params[WORD.foundLength] === 0) return params[WORD.lines] === 1 && bytes[one.end - 1]! > RETURN;
      one.count = found[4]!;
      return found[0] === start && found[1] === one.end;
    },
    settle() {
      one.changes = 0;
      one.formStart = start;
      one.formEnd = one.end;
      if (one.count === 0) return true;
      kernel.settle(0);
      if (found[2]! >= 0) return false;
      one.formStart = -found[2]!;
      one.formEnd = found[3]!;
      one.changes = params[WORD.traced]!;
      return true;
    },
  };
  return one;
}
