// What does `mine --stage` print? The pairs between two phases, one per line.
import { decodeText, encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { giveBack, kernel, newU32, newU8 } from '../../../base/heap.js';
import { writeFileWhole } from '../../../base/output.js';
import type { MineFlags } from '../../flags/mine.js';
import { computed, guardingOutput } from '../../terminal/signals.js';
import type { Miner, SitePairs } from '../../../mine/mine.js';
import type { Anchor, SubstringRule } from '../../../rule/rule.js';
import { substringSides } from '../../../rule/words/notation.js';
import type { Pair } from '../../../table/pair.js';

/** Writes the pairs to `path`; - is standard output. */
export async function writeStage(
  miner: Miner,
  stage: 'pairs' | 'likely',
  path: string,
  flags: MineFlags,
  effects: Effects,
): Promise<void> {
  const blocks = computedOneByOne(stageBlocks(miner, stage, flags), effects);
  // Lines are computed as they are requested. A stream needs no cleanup, so Ctrl-C can end the computation at once.
  if (path === '-') await writeFileWhole(path, blocks, effects);
  else await guardingOutput(() => writeFileWhole(path, blocks, effects));
}

function* stageBlocks(miner: Miner, stage: 'pairs' | 'likely', { tsv }: MineFlags): Generator<string | Uint8Array> {
  const line = tsv === true ? stageTsv : stageLine;
  function* lines(): Generator<string> {
    if (stage === 'pairs') for (const { site, pair } of miner.eachPair()) yield line(pairRow(site, pair));
    else for (const rule of miner.eachRule()) if (rule.kind === 'substring') yield line(ruleRow(rule));
  }
  if (stage === 'pairs' && tsv === true) yield* pairsTsv(miner.pairRows());
  else yield* inBlocks(lines());
}

const BLOCK_CHARS = 1 << 15;

function* inBlocks(lines: Iterable<string>): Generator<string> {
  let block = '';
  for (const line of lines) {
    block += line;
    if (block.length < BLOCK_CHARS) continue;
    yield block;
    block = '';
  }
  yield block;
}

/** Computes a few lines at a time, so that Ctrl-C can stop the computation. */
async function* computedOneByOne<T>(blocks: Iterator<T>, effects: Effects): AsyncGenerator<T> {
  for (;;) {
    const next = await computed(() => blocks.next(), effects);
    if (next.done === true) return;
    yield next.value;
  }
}

function pairRow(site: string, pair: Pair): StageRow {
  const { anchor, low, high, against } = pair;
  return { site, anchor, from: decodeText(pair.from), to: decodeText(pair.to), low, high, against };
}

function ruleRow(rule: Omit<SubstringRule, 'rank'>): StageRow {
  const { site, anchor, from, to, against } = rule;
  return { site, anchor, from, to, ...rule.support, against };
}

export interface StageRow {
  readonly site: string;
  readonly anchor: Anchor;
  readonly from: string;
  readonly to: string;
  readonly low: number;
  readonly high: number;
  readonly against: number;
}

/**
 * Columns site, anchor, from, to, low, high, against, separated by tabs. Tab, newline and backslash in strings are
 * escaped.
 */
export function stageTsv(row: StageRow): string {
  const { site, anchor, from, to, low, high, against } = row;
  return `${[escaped(site), anchor, escaped(from), escaped(to), low, high, against].join('\t')}\n`;
}

const BLOCK_BYTES = 1 << 18;

/** Lines of {@link stageTsv}, in blocks, for pairs in the heap. The kernel writes them (kernel/write/pair-lines). */
export function* pairsTsv(sites: Iterable<SitePairs>): Generator<Uint8Array> {
  const lines = kernel();
  const result = newU32(1);
  let block = newU8(BLOCK_BYTES);
  let used = 0;
  for (const { site, rows } of sites) {
    const head = inHeap(encodeText(`${escaped(site)}\t`));
    const headAt = head.byteOffset;
    for (let order = rows.nextRows(); order.length > 0;) {
      const [start, end] = [block.byteOffset + used, block.byteOffset + block.length];
      const wrote = lines.pairLines(order.byteOffset, order.length, headAt, head.length, start, end, result.byteOffset);
      used += result[0]!;
      order = wrote < order.length ? order.subarray(wrote) : rows.nextRows();
      if (wrote > 0 || order.length === 0) continue;
      // Yields a copy, as a stream must not write from memory that will be freed.
      if (used > 0) yield block.slice(0, used);
      else block = twice(block);
      used = 0;
    }
    giveBack(head);
    rows.close();
  }
  yield block.slice(0, used);
  giveBack(block);
  giveBack(result);
}

function inHeap(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = newU8(bytes.length);
  copy.set(bytes);
  return copy;
}

function twice(block: Uint8Array): Uint8Array<SharedArrayBuffer> {
  giveBack(block);
  return newU8(2 * block.length);
}

/** A pair for people: `low high against  from → to`, safe on a terminal. */
export function stageLine(row: StageRow): string {
  const [from, to] = substringSides(row);
  const numbers = [row.low, row.high, row.against].map((n) => String(n).padStart(6)).join(' ');
  return `${numbers}  ${printable(row.site)}  ${from} → ${to}\n`;
}

function escaped(text: string): string {
  return text.replace(/[\\\t\n]/g, (char) => (char === '\\' ? '\\\\' : char === '\t' ? '\\t' : '\\n'));
}
