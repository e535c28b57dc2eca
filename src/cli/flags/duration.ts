// How long is `90s`, `12h`, `7d`?
import { UserError } from '../../base/error.js';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds. `option` is the one whose value it is, for the message. */
export function parseDuration(text: string, option: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new UserError(`${option}: got "${text}", expected a time as in 90s, 12h, 7d`);
  return Number(number) * SECONDS[unit!]!;
}
