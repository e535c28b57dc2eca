// Which night is it? A day in UTC as text, `2026-11-21`: it sorts as text, and means the same on every machine.

const DAY_MS = 86_400_000;

/** Days after which a rule that the log no longer supports is forgotten. */
export const FORGET_DAYS = 90;

export function nightOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** True for a day of the calendar. */
export function isNight(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && nightOf(new Date(text)) === text;
}

/** Whole days between two nights; 0 if the clock was turned back. */
export function daysBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS));
}

export function nightAfter(night: string, days: number): string {
  return nightOf(new Date(Date.parse(night) + days * DAY_MS));
}

export function laterNight(a: string, b: string): string {
  return a < b ? b : a;
}
