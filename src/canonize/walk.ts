// Iterates over the lines of a block, and canonizes them on the way.
import { NEWLINE, RETURN } from '../base/ascii.js';
import { blockBytes } from './blocks.js';
import type { LineCanonizer, Swept } from './canonizer.js';

/** A position in a block of lines. The canonical form of the current line is in the canonizer. */
export interface Walk {
  /** Starts before the first line. Returns the block to read: all positions are offsets in it. */
  begin(block: Uint8Array): Uint8Array;
  /** Goes to the next line. False at the end: then `start`, `end` and `behind` are the end of the block. */
  go(): boolean;
  start: number;
  /** The end of the line's content. */
  end: number;
  /** After the line ending: `\n`, `\r\n`, or nothing. */
  behind: number;
  /** How many unchanged URLs it has skipped so far. */
  passed: number;
}

/** Stops at every line. */
export function createEachLine(canonizer: LineCanonizer): Walk {
  let bytes: Uint8Array = new Uint8Array(0);
  const walk: Walk = {
    start: 0,
    end: 0,
    behind: 0,
    passed: 0,
    begin(block) {
      walk.start = walk.end = walk.behind = 0;
      return (bytes = block);
    },
    go() {
      walk.start = walk.end = walk.behind;
      if (walk.behind === bytes.length) return false;
      walk.end = canonizer.canonizeLine(bytes, walk.start, bytes.length);
      walk.behind = behind(bytes, walk.end, bytes.length);
      return true;
    },
  };
  return walk;
}

/** Skips the lines that a sweep finds unchanged. Blocks have at most `blockBytes`. */
function createFoundLines(canonizer: LineCanonizer, { sweep, show }: Swept): Walk {
  const { bytes, found } = sweep;
  let from = 0;
  let at = 0;
  let settled = 0;
  let length = 0;

  /** Goes to the next line that the sweep has found. Returns early after a limited number of unchanged lines. */
  function skip(): boolean {
    let calls = 0;
    for (;;) {
      while (at === length) {
        if (from === sweep.end) return false;
        from = sweep.look(from);
        length = sweep.foundLength;
        walk.passed += sweep.lines;
        at = settled = 0;
      }
      if (at === settled) {
        settled = sweep.settle(at);
        calls++;
      }
      if (found[at + 2] !== -found[at]! || calls > 1) return true;
      at += FOUND_WORDS + found[at + 4]!;
    }
  }

  const walk: Walk = {
    start: 0,
    end: 0,
    behind: 0,
    passed: 0,
    begin(block) {
      sweep.begin(block);
      walk.start = walk.end = walk.behind = from = sweep.start;
      walk.passed = at = settled = length = 0;
      return bytes;
    },
    go() {
      if (!skip()) {
        walk.start = walk.end = walk.behind = from;
        return false;
      }
      walk.passed--;
      walk.start = found[at]!;
      walk.end = found[at + 1]!;
      if (found[at + 2]! < 0) show(bytes, -found[at + 2]!, found[at + 3]!, -found[at + 2]! !== walk.start);
      else walk.end = canonizer.canonizeLine(bytes, walk.start, sweep.end);
      walk.behind = behind(bytes, walk.end, sweep.end);
      at += FOUND_WORDS + found[at + 4]!;
      return true;
    },
  };
  return walk;
}

const FOUND_WORDS = 5;

/** Skips the lines that the canonizer's sweep leaves unchanged, if it has a sweep. */
export function createSomeLines(canonizer: LineCanonizer): (block: Uint8Array) => Walk {
  const each = createEachLine(canonizer);
  const found = canonizer.swept === undefined ? each : createFoundLines(canonizer, canonizer.swept);
  return (block) => (block.length > blockBytes ? each : found);
}

/** The offset after the ending of a line whose content ends at `end`. */
function behind(bytes: Uint8Array, end: number, limit: number): number {
  const at = end < limit && bytes[end] === RETURN ? end + 1 : end;
  return at < limit && bytes[at] === NEWLINE ? at + 1 : at;
}
