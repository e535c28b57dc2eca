// The rules as a table: one rule per line (RFC 4180: CRLF, quotes doubled), under a header; columns that do not apply
// to the kind of a rule are empty.
//
//   rank  site  status  kind                  of every rule
//   from  to  anchor                          of substring rules: none, start, end, both
//   name  action  value  scope  path          of parameter rules: `bare` sets the name without `=`
//   step  text                                of steps of normalization
//   pattern  template  use                   of patterns: write or key
//   only  not                                 where the rule holds: `part=text`, a space between them
//   except                                    URLs that the rule leaves alone, a space between them
//   low  high  groups  clusters  urls  against  chance  confidence      figures of the log
//   positive  negative                        pages that fetching compared: alike, and not
//
// Rules come from logs, and anyone can write into those: a cell that begins with `=`, `+`, `-` or `@` is a formula to a
// spreadsheet. Text that begins with one of them, or with `'`, gets a `'` in front, which spreadsheets remove; programs
// have to remove one as well.
import type { Condition, Rule } from '../rule/rule.js';
import type { ExportRequest, Exported, Target } from './target.js';

export type Cell = string | number | undefined;

export const columns: Readonly<Record<string, (rule: Rule) => Cell>> = {
  rank: ({ rank }) => rank,
  site: ({ site }) => site,
  status: ({ status }) => status,
  kind: ({ kind }) => kind,
  from: (rule) => (rule.kind === 'substring' ? rule.from : undefined),
  to: (rule) => (rule.kind === 'substring' ? rule.to : undefined),
  anchor: (rule) => (rule.kind === 'substring' ? rule.anchor : undefined),
  name: (rule) => (rule.kind === 'parameter' ? rule.name : undefined),
  action: (rule) => (rule.kind === 'parameter' ? actionOf(rule) : undefined),
  value: (rule) => (rule.kind === 'parameter' && rule.action === 'set' ? (rule.value ?? undefined) : undefined),
  scope: (rule) => (rule.kind === 'parameter' ? rule.scope : undefined),
  path: (rule) => (rule.kind === 'parameter' ? rule.path : undefined),
  step: (rule) => (rule.kind === 'step' ? rule.step : undefined),
  text: (rule) => (rule.kind === 'step' ? rule.text : undefined),
  pattern: (rule) => (rule.kind === 'pattern' ? rule.pattern : undefined),
  template: (rule) => (rule.kind === 'pattern' ? rule.template : undefined),
  use: ({ use }) => use,
  only: ({ only }) => conditionsOf(only),
  not: ({ not }) => conditionsOf(not),
  except: ({ except }) => except?.join(' '),
  low: (rule) => (rule.kind === 'substring' ? rule.support.low : undefined),
  high: (rule) => (rule.kind === 'substring' ? rule.support.high : undefined),
  groups: (rule) => (rule.kind === 'parameter' ? rule.support.groups : undefined),
  clusters: (rule) => (rule.kind === 'pattern' ? rule.support.clusters : undefined),
  urls: (rule) => (rule.kind === 'substring' ? undefined : rule.support.urls),
  against: ({ against }) => against,
  chance: (rule) => (rule.kind === 'parameter' ? rule.chance : undefined),
  confidence: ({ confidence }) => confidence,
  positive: ({ verdict }) => verdict?.positive,
  negative: ({ verdict }) => verdict?.negative,
};

export const csv: Target = {
  name: 'csv',
  summary: 'a table of the rules, for spreadsheets and programs',
  longLists: 'all',
  usage: `One rule a line under a header (RFC 4180, UTF-8). A ' precedes a cell that a spreadsheet would read as a formula;
programs that read the table have to remove it.`,
  hasPatterns: true,
  write: writeCsv,
};

function writeCsv({ rules }: ExportRequest): Exported {
  const header = Object.keys(columns).join(',');
  const lines = rules.map((rule) =>
    Object.values(columns)
      .map((cell) => cellOf(cell(rule)))
      .join(','),
  );
  return { text: [header, ...lines, ''].join('\r\n'), carried: rules, left: [] };
}

function actionOf({ action, value }: Rule & { readonly kind: 'parameter' }): string {
  return action === 'set' && value === null ? 'bare' : action;
}

/**
 * Conditions in one cell, such as `first=feed depth=3`. Parts of a URL have no spaces, so a space can separate them.
 */
function conditionsOf(conditions: readonly Condition[] | undefined): Cell {
  return conditions?.map(({ part, is }) => `${part}=${is}`).join(' ');
}

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = isFormula(cell) ? `'${cell}` : cell;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * True for text that a spreadsheet may run: full-width signs begin formulas in some locales, and some programs skip
 * white space before a sign.
 */
function isFormula(text: string): boolean {
  return /^\s*[=+\-@'＝＋－＠]/.test(text) || /^[\t\r]/.test(text);
}
