// What a run has to say: rows of one work by several ways, the bars they are held to, as a table and as JSON.
import { aligned } from '../../src/report/render.js';

/** A figure to reach, with what was measured: `≤ 4 × sort -u` and 3.2. */
export interface Bar {
  readonly bar: string;
  readonly measured: number;
  readonly holds: boolean;
}

export interface Row {
  readonly work: string;
  readonly who: string;
  /** Seconds of every run, in their order. */
  readonly seconds: readonly number[];
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Peak resident size of all processes of the way. */
  readonly mebibytes: number;
  readonly count: number;
  /** `unit` per second at the median. */
  readonly rate: number;
  readonly unit: string;
  /** The median over that of the first way of the work, each for as much work: 3 is three times slower than dustbuster. */
  readonly ratio: number;
  readonly bars: readonly Bar[];
  readonly series: string | null;
  readonly note: string;
}

export function atMost(bar: string, measured: number, limit: number): Bar {
  return { bar: `${bar}: at most ${shortNumber(limit)}`, measured, holds: measured <= limit };
}

export function atLeast(bar: string, measured: number, limit: number): Bar {
  return { bar: `${bar}: at least ${shortNumber(limit)}`, measured, holds: measured >= limit };
}

const HEAD = ['work', 'who', 'median', 'min–max', 'MiB', 'rate', '× ours', ''];
const RIGHT = new Set([2, 3, 4, 5, 6]);

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row, at) => [
    row.work === rows[at - 1]?.work ? '' : row.work,
    row.who,
    `${row.median.toFixed(2)} s`,
    row.seconds.length === 1 ? 'one run' : `${row.min.toFixed(2)}–${row.max.toFixed(2)}`,
    row.mebibytes === 0 ? '' : String(row.mebibytes),
    `${shortNumber(row.rate)} ${row.unit}/s`,
    row.ratio.toFixed(row.ratio < 10 ? 2 : 1),
    row.note,
  ]);
  return aligned([HEAD, ...cells], RIGHT);
}

export function barsOf(rows: readonly Row[]): string {
  const cells = rows.flatMap(({ work, who, bars }) =>
    bars.map(({ bar, measured, holds }) => [work, who, bar, shortNumber(measured), holds ? 'holds' : 'DOES NOT HOLD']),
  );
  return cells.length === 0 ? '' : aligned([['work', 'who', 'bar', 'measured', ''], ...cells], new Set([3]));
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
