// How long is that, as exact as anyone plans by?
import { many } from '../base/plural.js';

/** `45 seconds`, `29 minutes`, `2 h 47 min`, `3 days`. */
export function lengthWords(seconds: number): string {
  if (seconds < 90) return many(Math.ceil(seconds), 'second');
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return many(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return many(Math.ceil(minutes / (24 * 60)), 'day');
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
