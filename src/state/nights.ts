// Which nights does a state keep? A night is a day in UTC, so that daylight saving time does not move it.
import { UserError } from '../base/error.js';
import { laterNight } from '../rule/night.js';
import type { Night, StateContent, StateRun } from './content.js';

const DAY_MS = 86_400_000;

/** Days since 1970. */
export function dayOf(night: Night): number {
  return Date.parse(`${night}T00:00:00Z`) / DAY_MS;
}

/** Days of `30d` or `4w`. */
export function parseKeep(text: string): number {
  const match = /^(\d+)([dw])$/.exec(text.trim());
  const days = match === null ? NaN : Number(match[1]) * (match[2] === 'w' ? 7 : 1);
  if (days >= 1 && days <= 100_000) return days;
  throw new UserError(`--keep: got "${text}", expected a number of days or weeks such as 30d or 4w`);
}

export function newestNight({ folds }: StateContent): Night | undefined {
  return folds.at(-1)?.night;
}

/** Today, or the newest night of the state if that is later: the clock was turned back since, or was wrong. */
export function laterNightOf(content: StateContent, today: Night): Night {
  return laterNight(newestNight(content) ?? today, today);
}

/**
 * Drops the nights that are more than `keepDays` days older than tonight. Rows of several nights in one run are dropped
 * together, with the newest of them (see `mergeable` for how far apart they can be).
 */
export function withoutOldNights(content: StateContent, tonight: Night, keepDays: number): StateContent {
  const isOld = (night: Night) => dayOf(tonight) - dayOf(night) > keepDays;
  const runs = content.runs.filter(({ nights }) => !isOld(nights[1]));
  const isHeld = (fold: number) => runs.some(({ folds }) => folds[0] <= fold && fold <= folds[1]);
  const folds = content.folds.filter(({ number, night }) => !isOld(night) || isHeld(number));
  return { ...content, runs, folds };
}

/** Nights of one stretch may share a run: all of them if none is ever dropped, else a sixteenth of what is kept. */
export function stretchOf({ nights }: StateRun, keepDays: number | undefined): readonly [number, number] {
  if (keepDays === undefined) return [0, 0];
  const width = Math.max(1, Math.floor(keepDays / 16));
  return [Math.floor(dayOf(nights[0]) / width), Math.floor(dayOf(nights[1]) / width)];
}
