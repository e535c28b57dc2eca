// Which runs are merged? As in a log-structured merge tree: eight neighbours of a size are merged into one of the next
// size, so that a row is written once per size, and a table of a thousand nights has some twenty runs.
//
// Rows that will be dropped at different times stay separate. With `--keep` only nights of one stretch are merged, and
// all of a stretch when a later one has begun; up to 31 days a stretch is one night, and nights are dropped exactly
// when they are due.
import type { StateRun } from './content.js';
import { stretchOf } from './nights.js';

const FAN_IN = 8;
const LEAST_BYTES = 1 << 20;

/** Runs [from, to) to merge, or undefined if there are none. Ask again afterwards. */
export function mergeable(
  runs: readonly StateRun[],
  keepDays: number | undefined,
): readonly [number, number] | undefined {
  const stretches = runs.map((run) => stretchOf(run, keepDays));
  for (let from = 0; from < runs.length;) {
    const [first, last] = stretches[from]!;
    let to = from + 1;
    while (to < runs.length && stretches[to]![0] === last && stretches[to]![1] === last) to++;
    // If `--keep` is new or has changed, a run may span more than a stretch: it stays as it is.
    if (first === last && to - from > 1) {
      if (to < runs.length) return [from, to];
      const start = sameSize(runs.slice(from));
      if (start !== undefined) return [from + start, to];
    }
    from = to;
  }
  return undefined;
}

/** Where the last runs of about the same size begin, if there are eight of them. */
function sameSize(runs: readonly StateRun[]): number | undefined {
  const sizes = runs.map(({ bytes }) => Math.floor(Math.log(Math.max(1, bytes / LEAST_BYTES)) / Math.log(FAN_IN)));
  for (const size of [...new Set(sizes)].sort((a, b) => a - b)) {
    const start = sizes.findLastIndex((other) => other > size) + 1;
    if (sizes.slice(start).filter((other) => other === size).length >= FAN_IN) return start;
  }
  return undefined;
}
