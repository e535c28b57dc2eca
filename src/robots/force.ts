// When was this file the site's robots.txt? The log has the size of each answer to /robots.txt, and an answer of another
// size was another file:
//
//   size      310   310   428   428   428   310
//   in force   no    no   ├──────────┤      no      for a file of 428 bytes
//
// The last stretch lasts to the end of the log. A server that packs the file for some bots has a second, smaller size
// that comes and goes: if it comes between the others again and again, it is the same file. If no answer has the size of
// the file, nothing is known, and no bot is accused of anything.
import type { Stretch } from './obedience.js';

export interface RobotsAnswer {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly status: number;
  readonly size: number;
}

/** So many stretches of a smaller size between those of the file are no other file. */
const PACKED_STRETCHES = 3;

/** The stretches of time in which a file of so many bytes was in force. */
export function inForce(answers: readonly RobotsAnswer[], fileBytes: number): readonly Stretch[] {
  const whole = answers.filter(({ status, size }) => status === 200 && size > 0).sort((a, b) => a.time - b.time);
  const packed = packedSizes(whole, fileBytes);
  const stretches: { from: number; to: number }[] = [];
  let isOpen = false;
  for (const { time, size } of whole) {
    if (packed.has(size)) continue;
    const isFile = size === fileBytes;
    if (isFile && isOpen) stretches.at(-1)!.to = time;
    else if (isFile) stretches.push({ from: time, to: time });
    isOpen = isFile;
  }
  if (isOpen) stretches.at(-1)!.to = Infinity;
  return stretches;
}

/** Sizes that the file has when it is packed. */
function packedSizes(whole: readonly RobotsAnswer[], fileBytes: number): ReadonlySet<number> {
  const stretches = new Map<number, number>();
  let [last, hadFile] = [0, false];
  for (const { size } of whole) {
    if (size !== last && hadFile && size < fileBytes) stretches.set(size, (stretches.get(size) ?? 0) + 1);
    if (size === fileBytes) hadFile = true;
    last = size;
  }
  return new Set([...stretches].filter(([, count]) => count >= PACKED_STRETCHES).map(([size]) => size));
}
