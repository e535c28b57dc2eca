// Days and weeks of several reports. A clock that jumps puts lines on days far from all others, which belong to none of them.
import { DAY_MS } from '../../log/time.js';
import type { DayRow, WeekRow } from '../page/model.js';

/** Days further from the days with nearly all requests are of a clock that jumped. */
const FAR_DAYS = 31;
/** This share of the requests, at either end, may be on such days. */
const STRAY_SHARE = 0.01;
const MOST_WEEKS = 200;

/** The days without those of a clock that jumped. */
export function steadyDays(days: readonly DayRow[]): readonly DayRow[] {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const total = sorted.reduce((sum, day) => sum + requestsOf(day), 0);
  const first = reached(sorted, total * STRAY_SHARE);
  const last = reached(sorted.toReversed(), total * STRAY_SHARE);
  return sorted.filter(({ day }) => numberOf(day) >= first - FAR_DAYS && numberOf(day) <= last + FAR_DAYS);
}

/** The day on which more than `share` requests have come. */
function reached(days: readonly DayRow[], share: number): number {
  let sum = 0;
  for (const day of days) if ((sum += requestsOf(day)) > share) return numberOf(day.day);
  return 0;
}

function requestsOf({ hits, redirected }: DayRow): number {
  return hits + redirected;
}

function numberOf(day: string): number {
  return Math.floor(Date.parse(day) / DAY_MS);
}

/** Week by week, from Monday. A day that several reports have counts as in the one with the most requests of it. */
export function weeksOf(reports: readonly (readonly DayRow[])[]): WeekRow[] {
  const days = new Map<number, DayRow>();
  for (const row of reports.flatMap(steadyDays)) {
    const known = days.get(numberOf(row.day));
    if (known === undefined || requestsOf(row) > requestsOf(known)) days.set(numberOf(row.day), row);
  }
  const weeks = new Map<number, WeekRow>();
  for (const [number, { hits, duplicateHits, redirected }] of [...days].sort(([a], [b]) => a - b)) {
    // Day 0 was a Thursday.
    const monday = number - ((((number + 3) % 7) + 7) % 7);
    const week = weeks.get(monday) ?? { from: textOf(monday), days: 0, hits: 0, duplicateHits: 0, redirected: 0 };
    weeks.set(monday, {
      from: week.from,
      days: week.days + 1,
      hits: week.hits + hits,
      duplicateHits: week.duplicateHits + duplicateHits,
      redirected: week.redirected + redirected,
    });
  }
  return [...weeks.values()].slice(-MOST_WEEKS);
}

function textOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
