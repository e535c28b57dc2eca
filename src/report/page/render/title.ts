// What is the report called? By its site, its days and its lines, as far as there are any.
import type { LogFacts, ReportModel } from '../model.js';
import { shown } from './html.js';
import { FORMATS } from './table.js';

const { many } = FORMATS;
const LONGEST_NAME = 100;

export function titleOf({ rulesFile, inputs, log }: ReportModel): string {
  if (log === undefined) return `Dust report: ${fileName(rulesFile.name)}`;
  const lines = many(
    inputs.reduce((sum, input) => sum + input.lines, 0),
    'line',
  );
  const days = daysOf(log);
  return `Dust report: ${[siteOf(log, inputs), ...(days === undefined ? [] : [days]), lines].join(', ')}`;
}

/** The one with the most hits; a log without hosts is called by its file. */
function siteOf({ sites, otherSites }: LogFacts, inputs: ReportModel['inputs']): string {
  const [largest] = sites.toSorted((a, b) => b.hits - a.hits);
  if (largest === undefined || largest.site === '') return filesOf(inputs);
  const others = sites.length - 1 + (otherSites?.count ?? 0);
  return `${shown(largest.site, LONGEST_NAME)}${others === 0 ? '' : ` and ${many(others, 'more site')}`}`;
}

/** `access.log and 3 more files` */
function filesOf(inputs: ReportModel['inputs']): string {
  const [first] = inputs;
  if (first === undefined) return 'no input';
  return `${fileName(first.name)}${inputs.length === 1 ? '' : ` and ${many(inputs.length - 1, 'more file')}`}`;
}

/** Without its folders. */
export function fileName(path: string): string {
  if (path === '-') return 'standard input';
  const name = path.replace(/[/\\]+$/, '').replace(/^.*[/\\]/s, '');
  return shown(name === '' ? path : name, LONGEST_NAME);
}

/** 2026-11-01 to 2026-11-30 */
function daysOf({ periods }: LogFacts): string | undefined {
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return first === last ? first.from : `${first.from} to ${last.from}`;
}
