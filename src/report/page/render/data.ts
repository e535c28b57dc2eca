// How do ten thousand rules with their evidence fit into a small page? As JSON, deflated, in base64: URLs of one site
// repeat each other, so that a seventh (planted, 9.2 MB) to an eleventh (the fixture's) of it is left. Where even that
// is too much, the rows furthest down go without their evidence, and say so.
//
//   all tables -> JSON -> deflate -> base64 -> <script id="data" type="text/plain">   and back: `unpack` in script/page
import { deflateSync } from 'node:zlib';
import type { Block, TableData } from '../table.js';

/** Characters of the page that all tables may take together: 5 MB with the rest of it. */
const MOST_PACKED = 4.4e6;
/** Evidence that is packed at all. What a deflate of this takes is about a second. */
const MOST_EVIDENCE = 32e6;

const LEFT_OUT: readonly Block[] = [
  {
    head: 'Evidence',
    text: 'Left out to keep this page small. The rules file has it, and `dustbuster report --json`.',
  },
];

export function packTables(tables: readonly TableData[]): string {
  for (let most = MOST_EVIDENCE; ;) {
    const kept = tables.map((table) => withEvidence(table, most));
    const text = packed(kept.map(({ table }) => table));
    const evidence = Math.max(...kept.map(({ length }) => length), 0);
    if (text.length <= MOST_PACKED || evidence < 1000) return text;
    most = Math.min(most, evidence) * Math.min(0.7, MOST_PACKED / text.length);
  }
}

export function packed(value: unknown): string {
  return deflateSync(Buffer.from(JSON.stringify(value))).toString('base64');
}

/** The table with the first `most` characters of its evidence, and how many these are. */
function withEvidence(table: TableData, most: number): { readonly table: TableData; readonly length: number } {
  let [length, kept] = [0, 0];
  for (const blocks of table.more) {
    const size = blocks === null ? 0 : JSON.stringify(blocks).length;
    if (length + size > most) break;
    length += size;
    kept++;
  }
  if (kept === table.more.length) return { table, length };
  const more = table.more.map((blocks, at) => (at < kept || blocks === null ? blocks : LEFT_OUT));
  return { table: { ...table, more }, length };
}
