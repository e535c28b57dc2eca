// Turns the flags that select records into the filter of a run, and into its record in the rules file.
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { createFilter, type Filters } from '../../../log/filter.js';
import { readTime } from '../../../log/time.js';
import type { RecordedFilters } from '../../../rule/rule.js';
import type { FilterFlags } from '../../flags/filter.js';

/** The filter as reading options; empty if nothing is filtered. */
export function filterOptions(flags: Partial<FilterFlags>, effects: Effects): { readonly filters?: Filters } {
  const { since: from, until: to, host, include, exclude, onlyDocuments, bots, ...others } = flags;
  others satisfies Record<string, never>; // all flags are used
  const since = whenOf('--since', from, effects);
  const until = whenOf('--until', to, effects);
  if (since !== undefined && until !== undefined && since >= until) {
    const got = `--since ${from} and --until ${to}`;
    throw new UserError(`got ${got}; expected --since to be before --until, or nothing is left`);
  }
  const filters = {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(host !== undefined && { hosts: host }),
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(onlyDocuments === true && { onlyDocuments }),
    ...((bots === 'only' || bots === 'none') && { bots }),
  };
  return createFilter(filters) === null ? {} : { filters };
}

function whenOf(flag: '--since' | '--until', text: string | undefined, effects: Effects): number | undefined {
  return text === undefined ? undefined : parseWhen(flag, text, effects.now());
}

/** The filter as rules files record it, with times in ISO 8601. */
export function recordedFilters(filters: Filters | undefined): { readonly filters?: RecordedFilters } {
  if (filters === undefined) return {};
  const { since, until, ...others } = filters;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    filters: {
      ...(since !== undefined && { since: iso(since) }),
      ...(until !== undefined && { until: iso(until) }),
      ...others,
    },
  };
}

// WHEN on the command line is read as milliseconds since 1970:
//
//   2026-11-01, 2026-11             a day, a month: `--since` begins with it, `--until` ends with it, inclusive
//   2026-11-01T12:00, …:30, …Z      a moment, up to which `--until` goes; UTC if no zone is given
//   90m, 24h, 7d, 2w                that long ago

const MINUTE_MS = 60_000;
const UNITS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS, w: 7 * 24 * 60 * MINUTE_MS } as const;

/** The moment when `--since` begins, or `--until` ends. Throws a UserError for any other text. */
export function parseWhen(flag: '--since' | '--until' | '--live-since', text: string, now: Date): number {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text);
  if (ago !== null) return now.getTime() - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS];
  const month = /^(\d{4})-(\d\d)$/.exec(text);
  const from = timeOf(month === null ? text : `${text}-01`);
  if (!/^\d{4}-/.test(text) || Number.isNaN(from)) {
    throw new UserError(
      `${flag}: got "${text}", expected a day or a time as in 2026-11-01 or 2026-11-01T12:00, or 7d, 24h`,
    );
  }
  if (flag !== '--until') return from;
  if (month !== null) return Date.UTC(Number(month[1]), Number(month[2]), 1);
  return text.length === '2026-11-01'.length ? from + UNITS.d : from;
}

function timeOf(text: string): number {
  const bytes = Buffer.from(text);
  return readTime(bytes, 0, bytes.length);
}
