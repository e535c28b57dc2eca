// What is the report called? By its site, its days and its lines, as far as there are any.
import type { LogFacts, ReportModel } from '../model.js';
import { shown } from './html.js';
import { FORMATS } from './table.js';

const { many } = FORMATS;
const LONGEST_NAME = 100;

export function titleOf({ rulesFile, inputs, log }: ReportModel): string {
  if (log === undefined) return `Dust report: ${shown(rulesFile.name, LONGEST_NAME)}`;
  const lines = many(
    inputs.reduce((sum, input) => sum + input.lines, 0),
    'line',
  );
  const days = daysOf(log);
  return `Dust report: ${[siteOf(log, rulesFile.name), ...(days === undefined ? [] : [days]), lines].join(', ')}`;
}

/** The one with the most hits; a log without hosts is called by its name. */
function siteOf({ sites, otherSites }: LogFacts, name: string): string {
  const [largest] = sites.toSorted((a, b) => b.hits - a.hits);
  if (largest === undefined || largest.site === '') return shown(name, LONGEST_NAME);
  const others = sites.length - 1 + (otherSites?.count ?? 0);
  return `${shown(largest.site, LONGEST_NAME)}${others === 0 ? '' : ` and ${many(others, 'more site')}`}`;
}

/** 2026-11-01 to 2026-11-30 */
function daysOf({ periods }: LogFacts): string | undefined {
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return first === last ? first.from : `${first.from} to ${last.from}`;
}
