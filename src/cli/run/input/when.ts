// WHEN on the command line -> milliseconds since 1970:
//
//   2026-11-01, 2026-11             a day, a month: `--since` begins with it, `--until` ends with it, inclusive
//   2026-11-01T12:00, …:30, …Z      a moment, up to which `--until` goes; UTC if no zone is given
//   90m, 24h, 7d, 2w                that long ago
import { UserError } from '../../../base/error.js';
import { readTime } from '../../../log/time.js';

const MINUTE_MS = 60_000;
const UNITS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS, w: 7 * 24 * 60 * MINUTE_MS } as const;

/** Where `--since` begins, or `--until` ends. Throws a UserError for anything else. */
export function parseWhen(flag: '--since' | '--until', text: string, now: Date): number {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text);
  if (ago !== null) return now.getTime() - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS];
  const month = /^(\d{4})-(\d\d)$/.exec(text);
  const from = timeOf(month === null ? text : `${text}-01`);
  if (!/^\d{4}-/.test(text) || Number.isNaN(from)) {
    throw new UserError(
      `${flag}: got "${text}", expected a day or a time as in 2026-11-01 or 2026-11-01T12:00, or 7d, 24h`,
    );
  }
  if (flag === '--since') return from;
  if (month !== null) return Date.UTC(Number(month[1]), Number(month[2]), 1);
  return text.length === '2026-11-01'.length ? from + UNITS.d : from;
}

function timeOf(text: string): number {
  const bytes = Buffer.from(text);
  return readTime(bytes, 0, bytes.length);
}
