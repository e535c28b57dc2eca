// What `mine --stage` prints: pairs as they stand between the phases, a line each.
import { encodeText, printable } from '../base/bytes.js';
import type { Anchor } from '../rule/rule.js';
import type { Pair } from '../table/pair.js';
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

const BLOCK_BYTES = 1 << 16;
const BACKSLASH = 0x5c;
const TAB = 0x09;
const NEWLINE = 0x0a;
/** What stands for such a byte behind a backslash. */
const ESCAPED: Readonly<Record<number, number>> = { [BACKSLASH]: BACKSLASH, [TAB]: 0x74, [NEWLINE]: 0x6e };

/**
 * The lines of {@link stageTsv} for pairs as they stand in memory, in blocks that are written over when the next one is asked
 * for. No text is made of them, which takes half of the time.
 */
export function* pairsTsv(pairs: Iterable<{ readonly site: string; readonly pair: Pair }>): Generator<Uint8Array> {
  let block = Buffer.allocUnsafeSlow(2 * BLOCK_BYTES);
  let used = 0;
  let latest: string | undefined;
  let siteBytes = encodeText('');
  const escape = (bytes: Uint8Array) => {
    for (const byte of bytes) {
      const letter = byte === BACKSLASH || byte === TAB || byte === NEWLINE ? ESCAPED[byte] : undefined;
      if (letter !== undefined) block[used++] = BACKSLASH;
      block[used++] = letter ?? byte;
    }
    block[used++] = TAB;
  };
  for (const { site, pair } of pairs) {
    if (site !== latest) siteBytes = encodeText((latest = site));
    const { anchor, from, to, low, high, against } = pair;
    const most = 2 * (siteBytes.length + from.length + to.length) + LINE_REST;
    if (used + most > block.length) {
      yield block.subarray(0, used);
      used = 0;
      if (most > block.length) block = Buffer.allocUnsafeSlow(2 * most);
    }
    escape(siteBytes);
    used += block.write(`${anchor}\t`, used, 'latin1');
    escape(from);
    escape(to);
    used += block.write(`${low}\t${high}\t${against}\n`, used, 'latin1');
  }
  yield block.subarray(0, used);
}

/** The most bytes of a line that are no site and no side. */
const LINE_REST = 100;

/** The same for people: `low high against  from → to`, safe on a terminal. */
export function stageLine(row: StageRow): string {
  const { from, to } = substringSides(row);
  const numbers = [row.low, row.high, row.against].map((n) => String(n).padStart(6)).join(' ');
  return `${numbers}  ${printable(row.site)}  ${from} → ${to}\n`;
}

function escaped(text: string): string {
  return text.replace(/[\\\t\n]/g, (char) => (char === '\\' ? '\\\\' : char === '\t' ? '\\t' : '\\n'));
}
