// From line to line of a block, which a canonizer gives their canonical forms on the way.
import { NEWLINE, RETURN } from '../base/ascii.js';
import { blockBytes } from './blocks.js';
import type { Canonizer } from './rounds.js';
import type { Sweep } from './sweep.js';

export type LineCanonizer = Pick<Canonizer, 'canonizeLine' | 'canonizeFound' | 'canonical' | 'sweep'>;

/** The canonical form of the line is that of the canonizer. */
export interface Walk {
  /** Begins before the first line. Returns the block as it is to be read: all places are places in this. */
  begin(block: Uint8Array): Uint8Array;
  /** Goes on to the next line. False behind the last: then `start`, `end` and `behind` are the end of the block. */
  go(): boolean;
  start: number;
  /** Of the content of the line. */
  end: number;
  /** Behind its ending: `\n`, `\r\n`, or nothing. */
  behind: number;
  /** How many lines it has left out so far: URLs that stay as they are. */
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

/** Leaves out what a sweep sees to stay as it is. Blocks have at most `blockBytes`. */
function createFoundLines(canonizer: LineCanonizer, sweep: Sweep): Walk {
  const { bytes, found } = sweep;
  let from = 0;
  let at = 0;
  let length = 0;
  const walk: Walk = {
    start: 0,
    end: 0,
    behind: 0,
    passed: 0,
    begin(block) {
      sweep.begin(block);
      walk.start = walk.end = walk.behind = from = sweep.start;
      walk.passed = at = length = 0;
      return bytes;
    },
    go() {
      while (at === length) {
        if (from === sweep.end) {
          walk.start = walk.end = walk.behind = from;
          return false;
        }
        from = sweep.look(from);
        length = sweep.foundLength;
        walk.passed += sweep.lines;
        at = 0;
      }
      walk.passed--;
      walk.start = found[at]!;
      walk.end = found[at + 1]!;
      if (walk.end === 0) walk.end = canonizer.canonizeLine(bytes, walk.start, sweep.end);
      else canonizer.canonizeFound(bytes, walk.start, walk.end, found, at + 2);
      walk.behind = behind(bytes, walk.end, sweep.end);
      at += FOUND_WORDS + found[at + 4]!;
      return true;
    },
  };
  return walk;
}

const FOUND_WORDS = 5;

/** For blocks of which only some lines have to be stopped at: those that the sweep of the canonizer does not leave out. */
export function createSomeLines(canonizer: LineCanonizer): (block: Uint8Array) => Walk {
  const each = createEachLine(canonizer);
  const found = canonizer.sweep === undefined ? each : createFoundLines(canonizer, canonizer.sweep);
  return (block) => (block.length > blockBytes ? each : found);
}

/** Behind the ending of a line whose content ends at `end`. */
function behind(bytes: Uint8Array, end: number, limit: number): number {
  const at = end < limit && bytes[end] === RETURN ? end + 1 : end;
  return at < limit && bytes[at] === NEWLINE ? at + 1 : at;
}
