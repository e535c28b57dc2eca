// The rules as a Parquet file, for those who join them with other tables: one rule per row, with the columns of `csv`, and
//
//   id                                    names the rule in every command
//   only  not  except                     JSON: [{"part":"host","is":"a.example"}, …] and ["/x", …]
//   holds  of  least  software            of a rule of a class of hosts: on how many it holds
//   source                                who gave the verdict
//
// Columns that do not apply are null. It is an export, and no rules file: what it leaves out (histories, examples, options)
// is what commands go on with, and a rules file differs well from run to run.
import { parquetWriteBuffer } from 'hyparquet-writer';
import { idOf } from '../rule/id.js';
import type { Rule } from '../rule/rule.js';
import { columns, type Cell } from './csv.js';
import type { ExportRequest, Exported, Target } from './target.js';

const json = (value: unknown): Cell => (value === undefined ? undefined : JSON.stringify(value));

const all: Readonly<Record<string, (rule: Rule) => Cell>> = {
  id: idOf,
  ...columns,
  only: ({ only }) => json(only),
  not: ({ not }) => json(not),
  except: ({ except }) => json(except),
  holds: ({ hosts }) => hosts?.holds,
  of: ({ hosts }) => hosts?.of,
  least: ({ hosts }) => hosts?.least,
  software: ({ hosts }) => hosts?.software,
  source: ({ verdict }) => verdict?.source,
};

const SHARES: ReadonlySet<string> = new Set(['chance', 'confidence', 'least']);
const COUNTS: ReadonlySet<string> = new Set(
  'rank low high groups clusters urls against positive negative holds of'.split(' '),
);

export const parquet: Target = {
  name: 'parquet',
  summary: 'a Parquet table of the rules, for DuckDB, Spark and pandas',
  longLists: 'all',
  usage: `One rule a row. Conditions (only, not) and exceptions (except) are JSON; a byte of a rule that is not UTF-8 is
written as its escape, such as %FF.`,
  hasPatterns: true,
  isBinary: true,
  write: writeParquet,
};

function writeParquet({ rules, generator }: ExportRequest): Exported {
  const columnData = Object.entries(all).map(([name, cellOf]) => ({
    name,
    type: SHARES.has(name) ? ('DOUBLE' as const) : COUNTS.has(name) ? ('INT32' as const) : ('STRING' as const),
    nullable: true,
    data: rules.map((rule) => valueOf(cellOf(rule))),
  }));
  const bytes = new Uint8Array(parquetWriteBuffer({ columnData, createdBy: generator }));
  return { text: '', bytes, carried: rules, left: [] };
}

function valueOf(cell: Cell): string | number | null {
  if (cell === undefined) return null;
  return typeof cell === 'number' ? cell : cell.replace(/[\ud800-\udfff]/gu, escapeOf);
}

/** A byte that is no UTF-8 is U+DC80 to U+DCFF in texts. */
function escapeOf(lone: string): string {
  return `%${(lone.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`;
}
