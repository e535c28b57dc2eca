// From the flags that select records to the filter of a run, and to what the rules file records of it.
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { createFilter, type Filters } from '../../../log/filter.js';
import type { RecordedFilters } from '../../../rule/rule.js';
import type { FilterFlags } from '../../flags/filter.js';
import { parseWhen } from './when.js';

/** As options for reading; undefined if nothing is filtered. */
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

/** As the rules file records them: times as ISO 8601. */
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
