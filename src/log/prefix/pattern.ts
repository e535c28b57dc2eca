// Finds where a prefix ends. A prefix is described by a regular expression of few means: a sequence of bytes and
// classes, each with a number of repetitions, and groups that may be missing. It becomes a list of steps, which both
// JavaScript and the kernel (kernel/read/prefix) run without ever going back:
//
//   <\d{1,3}>          step   class    least  most  missing
//   (?:\[\d+\])?       0      <        1      1     0
//                      …
//                      3      [        1      1     6          no bracket: go on at step 6
//                      4      \d       1      many  0
//
// A class is one bit of a table of all bytes.
import { NEWLINE } from '../../base/ascii.js';
import { ABSENT, LEAST, MASK, MOST, STEP_WORDS } from '../../kernel/layout/prefix.js';

export interface Pattern {
  /** By byte: the classes that have it, as bits. */
  readonly classes: Uint32Array;
  /** For each step the mask of its class, the least and the most repetitions, and the step after a missing group. */
  readonly steps: Uint32Array;
}

const MANY = 1 << 20;
const TOKEN = /(\(\?:)|(\)\?)|(\[(?:\\.|[^\\\]])+\]|\\x[0-9a-f]{2}|\\.|[^\\])(?:\{(\d+)(?:,(\d+))?\}|([+*?]))?/g;

/**
 * Compiles an expression of characters, classes, `{m}`, `{m,n}`, `?`, `+`, `*` and groups `(?:…)?`. A group is missing
 * if its first character is; no class has a newline.
 */
export function compilePattern(expression: string): Pattern {
  const classes = new Uint32Array(256);
  const bits = new Map<string, number>();
  const steps: number[][] = [];
  let open = -1;
  for (const [, isOpen, isClose, atom, least, most, sign] of expression.matchAll(TOKEN)) {
    if (isOpen !== undefined) open = steps.length;
    else if (isClose !== undefined) steps[open]![ABSENT] = steps.length;
    else steps.push([maskOf(atom!, bits, classes), ...repetitions(least, most, sign), 0]);
  }
  return { classes, steps: Uint32Array.from(steps.flat()) };
}

function maskOf(atom: string, bits: Map<string, number>, classes: Uint32Array): number {
  const known = bits.get(atom);
  if (known !== undefined) return known;
  if (bits.size === 32) throw new Error(`got more than 32 classes in a prefix, the last is ${atom}`);
  const mask = (1 << bits.size) >>> 0;
  bits.set(atom, mask);
  const matcher = new RegExp(`^${atom}$`);
  for (let byte = 0; byte < 256; byte++) {
    if (byte !== NEWLINE && matcher.test(String.fromCharCode(byte))) classes[byte]! |= mask;
  }
  return mask;
}

function repetitions(least?: string, most?: string, sign?: string): readonly [number, number] {
  if (least !== undefined) return [Number(least), Number(most ?? least)];
  return sign === '+' ? [1, MANY] : sign === '*' ? [0, MANY] : sign === '?' ? [0, 1] : [1, 1];
}

/** The offset after the prefix of bytes[start, end); -1 if there is none. */
export function skipPattern({ classes, steps }: Pattern, bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (let step = 0; step < steps.length;) {
    const mask = steps[step + MASK]!;
    const limit = Math.min(end, at + steps[step + MOST]!);
    let to = at;
    while (to < limit && (classes[bytes[to]!]! & mask) !== 0) to++;
    if (to - at >= steps[step + LEAST]!) {
      at = to;
      step += STEP_WORDS;
    } else if (steps[step + ABSENT]! > 0) step = steps[step + ABSENT]! * STEP_WORDS;
    else return -1;
  }
  return at;
}
