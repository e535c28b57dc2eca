// Skips the prefixes of a line (layout/prefix), as log/prefix/pattern does.
import { ABSENT, CLASS_WORDS, LEAST, MASK, MOST, STEP_WORDS } from '../layout/prefix';

/** Where the line begins behind its prefixes; 0 if one of them is missing. */
export function behindPrefixes(prefixes: usize, start: usize): usize {
  let at = start;
  let pattern = prefixes;
  while (at != 0) {
    const steps = load<u32>(pattern);
    if (steps == 0) break;
    const classes = pattern + 4;
    const first = classes + (CLASS_WORDS << 2);
    const end = first + <usize>steps * (STEP_WORDS << 2);
    at = behindPattern(classes, first, end, at);
    pattern = end;
  }
  return at;
}

function behindPattern(classes: usize, first: usize, end: usize, start: usize): usize {
  let at = start;
  let step = first;
  while (step < end) {
    const mask = load<u32>(step, MASK << 2);
    const limit = at + <usize>load<u32>(step, MOST << 2);
    let to = at;
    // No class has the newline, which every line ends with.
    while (to < limit && (load<u32>(classes + ((<usize>load<u8>(to)) << 2)) & mask) != 0) to++;
    const absent = load<u32>(step, ABSENT << 2);
    if (to - at >= <usize>load<u32>(step, LEAST << 2)) {
      at = to;
      step += STEP_WORDS << 2;
    } else if (absent != 0) step = first + <usize>absent * (STEP_WORDS << 2);
    else return 0;
  }
  return at;
}
