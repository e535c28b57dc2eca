// All fixes of a report as one table for a spreadsheet: a line for each fix, then one for each that is to be proved.
import { printable } from '../../../base/bytes.js';
import type { Fix, LogFacts, RuleRow, UnprovenFix } from '../model.js';
import { idsOf } from './commands.js';

const HEAD =
  'fix,change,more_changes,site,standing,confidence,redirected_hits,redirected_urls,redirected_bot_hits,pages_not_made,' +
  'bytes_not_made,urls_fewer,example_url,example_form,rules';

/** CSV (RFC 4180) with a header. What is unknown is an empty cell. */
export function fixesCsv({ fixes, unproven = [], hasSizes, hasAgents }: LogFacts, rules: readonly RuleRow[]): string {
  const ids = (one: Pick<Fix, 'rules'>) => idsOf(one, rules).join(' ');
  const done = fixes.map((fix, at) => [...fixCells(fix, at + 1, { hasSizes, hasAgents }), ids(fix)]);
  const open = unproven.map((one) => [...unprovenCells(one), ids(one)]);
  return [`${HEAD}\n`, ...[...done, ...open].map(csvLine)].join('');
}

type CsvCell = string | number;

function fixCells(fix: Fix, number: number, has: Pick<LogFacts, 'hasSizes' | 'hasAgents'>): readonly CsvCell[] {
  const {
    redirected,
    examples: [[url, form] = ['', '']],
  } = fix;
  const said = [
    fix.title,
    fix.parts.join('; '),
    fix.site,
    fix.isProven ? 'valid' : 'likely',
    fix.confidence.toFixed(3),
  ];
  const redirects = [redirected.hits, redirected.urls, has.hasAgents ? redirected.botHits : ''];
  const saves = [fix.hits, has.hasSizes ? fix.bytes : '', fix.urls];
  return [number, ...said, ...redirects, ...saves, url, form];
}

function unprovenCells({ title, site, confidence, touched, saved }: UnprovenFix): readonly CsvCell[] {
  return ['', title, '', site, 'to be proved', confidence.toFixed(3), '', touched, '', '', '', saved, '', ''];
}

function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quoted(plain(printable(String(cell))))).join(',')}\n`;
}

/** Text that a spreadsheet would take for a formula begins with an apostrophe. */
function plain(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
