// What does the progress line say, and how wide may it be?
//
//   reading  1,234,567 lines  62%  1,900,000 a second  0:03 left  1.2 GiB on disk
//   counting pairs  12,345 pairs  0:07  1.2 GiB on disk               without a total: how long it has taken
import { formatSize } from '../../base/size.js';

export interface LineState {
  readonly name: string;
  readonly unit: string | undefined;
  readonly units: number;
  /** Of `total`, which is 0 if it is not known. */
  readonly share: number;
  readonly total: number;
  readonly ms: number;
  /** Bytes on disk now. */
  readonly spilled: number;
  readonly note: string;
}

/** Any earlier, the time left cannot be estimated. */
const MIN_RATE_MS = 500;

/** At most `columns` - 1 characters: in the last column of some terminals the line would wrap. */
export function progressLine(state: LineState, columns: number): string {
  const { name, unit, units, share, total, ms, spilled, note } = state;
  const isRated = ms >= MIN_RATE_MS && share > 0;
  const hasShare = total > 0 && share <= total;
  const parts = [
    name,
    unit === undefined || units === 0 ? '' : amount(units, unit),
    hasShare ? `${Math.floor((100 * share) / total)}%` : '',
    isRated && unit !== undefined && units > 0 ? `${rateOf((1000 * units) / ms, unit)} a second` : '',
    hasShare && isRated ? `${clock(999 + (ms * (total - share)) / share)} left` : clock(ms),
    note,
    spilled === 0 ? '' : `${formatSize(spilled)} on disk`,
  ];
  const text = parts.filter((part) => part !== '').join('  ');
  return text.length < columns ? text : text.slice(0, Math.max(0, columns - 1));
}

/** As in `1,234 lines`; bytes as sizes. */
export function amount(units: number, unit: string): string {
  return unit === 'bytes' ? formatSize(units) : `${units.toLocaleString('en-US')} ${unit}`;
}

/** Nobody can read more than two digits of a number that changes. */
function rateOf(rate: number, unit: string): string {
  if (unit === 'bytes') return formatSize(Math.round(rate));
  return Number(rate.toPrecision(2)).toLocaleString('en-US');
}

/** Minutes and seconds, preceded by hours if there are any. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
