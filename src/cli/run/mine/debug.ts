// `mine --debug`: which lines did the kernel read, which JavaScript, and why? A line for each input and for the first
// lines that JavaScript read, on standard error.
import { many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { ReadOptions } from '../../../log/read.js';
import type { LineWays } from '../../../log/record.js';

/** So many lines of all inputs have a line of their own. */
const MOST_SHOWN = 20;

export interface DebuggedLines extends Required<Pick<ReadOptions, 'onWays'>> {
  /** The lines for all inputs so far. */
  text(): string;
}

export function debugLines(): DebuggedLines {
  const said: string[] = [];
  let shown = 0;
  return {
    onWays(input, ways) {
      const name = printable(input);
      const firsts = ways.firsts.slice(0, MOST_SHOWN - shown);
      shown += firsts.length;
      said.push(
        ...firsts.map(({ line, reason }) => `${name}:${line}: JavaScript; ${reason}`),
        `${name}: ${sums(ways)}`,
      );
    },
    text: () => said.map((line) => `debug: ${line}\n`).join(''),
  };
}

/** `12 lines by kernel; 3 lines by JavaScript: unusual syntax 2, not a GET 1` */
function sums({ kernel, slow }: LineWays): string {
  const reasons = Object.entries(slow).sort(([, a], [, b]) => b - a);
  const sum = reasons.reduce((lines, [, more]) => lines + more, 0);
  const why = sum === 0 ? '' : `: ${reasons.map(([reason, lines]) => `${reason} ${lines}`).join(', ')}`;
  return `${many(kernel, 'line')} by kernel; ${many(sum, 'line')} by JavaScript${why}`;
}
