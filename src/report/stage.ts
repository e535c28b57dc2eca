// What `mine --stage` prints: pairs as they stand between the phases, a line each.
import { printable } from '../base/bytes.js';
import type { Anchor } from '../rule/rule.js';
import { substringSides } from './render.js';

export interface StageRow {
  readonly site: string;
  readonly anchor: Anchor;
  readonly from: string;
  readonly to: string;
  readonly low: number;
  readonly high: number;
  readonly against: number;
}

/** Site, anchor, from, to, low, high, against with tabs between; tab, newline and backslash inside strings escaped. */
export function stageTsv(row: StageRow): string {
  const { site, anchor, from, to, low, high, against } = row;
  return `${[escaped(site), anchor, escaped(from), escaped(to), low, high, against].join('\t')}\n`;
}

/** The same for people: `low high against  from → to`, safe on a terminal. */
export function stageLine(row: StageRow): string {
  const { from, to } = substringSides(row);
  const numbers = [row.low, row.high, row.against].map((n) => String(n).padStart(6)).join(' ');
  return `${numbers}  ${printable(row.site)}  ${from} → ${to}\n`;
}

function escaped(text: string): string {
  return text.replace(/[\\\t\n]/g, (char) => (char === '\\' ? '\\\\' : char === '\t' ? '\\t' : '\\n'));
}
