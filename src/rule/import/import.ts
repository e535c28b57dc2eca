// Reads the rules of another learner: a table with a header, or a regex-normalize.xml of Apache Nutch. All faults are
// reported at once.
import { decodeText } from '../../base/bytes.js';
import { type RuleSaying, sayingKey } from '../identity.js';
import type { Rule } from '../rule.js';
import { Faults } from './faults.js';
import { rowsOfNutch } from './nutch.js';
import { ruleOfRow } from './row.js';
import { rowsOfTable } from './table.js';

export interface Imported {
  readonly format: 'csv' | 'nutch';
  readonly rows: number;
  /** In the order of the file. A rule that is there several times is read once. */
  readonly rules: readonly Rule[];
}

/** Throws a `UserError` with all faults of the file, which it calls `name`, or if there are more than `most` rules. */
export function importRules(bytes: Buffer, name: string, most: number): Imported {
  const faults = new Faults();
  const own = bytes.subarray(bytes.indexOf('\ufeff') === 0 ? 3 : 0);
  const format = /^\s*</.test(own.toString('latin1', 0, 1024)) ? 'nutch' : 'csv';
  const rows = format === 'nutch' ? rowsOfNutch(decodeText(own), most + 1, faults) : rowsOfTable(own, most + 1, faults);
  if (rows.length > most) faults.add(rows[most]!.line, `got more than ${most} rules, expected fewer: divide the file`);
  const rules = new Map<string, RuleSaying>();
  for (const row of rows) {
    const read = ruleOfRow(row);
    if ('kind' in read) {
      const key = sayingKey(read);
      if (!rules.has(key)) rules.set(key, read);
    } else for (const fault of read) faults.add(row.line, fault);
  }
  faults.refuse(name);
  const ranked = Array.from(rules.values(), (rule, at) => ({ ...rule, rank: at + 1 }) as Rule);
  return { format, rows: rows.length, rules: ranked };
}
