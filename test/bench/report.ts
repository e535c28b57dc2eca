// Formats the results of a run: lines of one task done in several ways and the bars they have to meet, as a table.
import { aligned } from '../../src/report/text-table.js';

/** A figure to reach, with what was measured: `its time over ours: at least 25` and 31. */
export interface Bar {
  readonly bar: string;
  readonly measured: number;
  readonly holds: boolean;
}

export interface Row {
  readonly kind: 'measured';
  readonly work: string;
  readonly who: string;
  /** Seconds of every run, in their order. */
  readonly seconds: readonly number[];
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Of all threads and processes, at the median; 0 if the system does not tell. */
  readonly cpuSeconds: number;
  /** Peak resident size of all processes of the way; 0 if the system does not tell. */
  readonly mebibytes: number;
  readonly count: number;
  /** `unit` per second at the median. */
  readonly rate: number;
  readonly unit: string;
  /**
   * The median over that of the first way of the work, each for as much work: 3 is three times slower than dustbuster.
   */
  readonly ratio: number;
  readonly bars: readonly Bar[];
  /** The line of the chart that this is a point of. */
  readonly series: string | null;
  readonly note: string;
}

/** A way that could not be tried here. */
export interface LeftOut {
  readonly kind: 'left out';
  readonly work: string;
  readonly who: string;
  readonly note: string;
}

export type Line = Row | LeftOut;

export const isMeasured = (line: Line): line is Row => line.kind === 'measured';

export function atMost(bar: string, measured: number, limit: number): Bar {
  return { bar: `${bar}: at most ${shortNumber(limit)}`, measured, holds: measured <= limit };
}

export function atLeast(bar: string, measured: number, limit: number): Bar {
  return { bar: `${bar}: at least ${shortNumber(limit)}`, measured, holds: measured >= limit };
}

const HEAD = ['work', 'who', 'median', 'min–max', 'CPU', 'MiB', 'rate', '× ours', ''];
const RIGHT = new Set([2, 3, 4, 5, 6, 7]);

export function tableOf(lines: readonly Line[]): string {
  const cells = lines.map((line, at) => [
    line.work === lines[at - 1]?.work ? '' : line.work,
    line.who,
    ...(isMeasured(line) ? figuresOf(line) : ['', '', '', '', '', '']),
    line.note,
  ]);
  return aligned([HEAD, ...cells], RIGHT);
}

function figuresOf({ median, min, max, seconds, cpuSeconds, mebibytes, rate, unit, ratio }: Row): string[] {
  return [
    `${median.toFixed(2)} s`,
    seconds.length === 1 ? 'one run' : `${min.toFixed(2)}–${max.toFixed(2)}`,
    cpuSeconds === 0 ? '' : `${cpuSeconds.toFixed(2)} s`,
    mebibytes === 0 ? '' : String(mebibytes),
    `${shortNumber(rate)} ${unit}/s`,
    ratio.toFixed(ratio < 10 ? 2 : 1),
  ];
}

/** Every bar with what was measured; empty if no row has one. */
export function barsOf(lines: readonly Line[]): string {
  const cells = lines
    .filter(isMeasured)
    .flatMap(({ work, who, bars }) =>
      bars.map(({ bar, measured, holds }) => [holds ? 'pass' : 'MISS', work, who, bar, shortNumber(measured)]),
    );
  return cells.length === 0 ? '' : aligned([['', 'work', 'who', 'bar', 'measured'], ...cells], new Set([4]));
}

/** Three digits, and k or M for thousands and millions. */
export function shortNumber(value: number): string {
  for (const [unit, name] of [
    [1e6, ' M'],
    [1e3, ' k'],
  ] as const) {
    if (value >= unit) return threeDigits(value / unit) + name;
  }
  return threeDigits(value);
}

function threeDigits(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
