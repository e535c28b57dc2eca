// What `mine --stage` prints.
import { decodeText } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { writeFileWhole } from '../../../base/output.js';
import type { Miner } from '../../../mine/mine.js';
import { pairsTsv, stageLine, stageTsv, type StageRow } from '../../../report/stage.js';
import type { SubstringRule } from '../../../rule/rule.js';
import type { Pair } from '../../../table/pair.js';
import type { MineFlags } from '../../flags/mine.js';
import { computed, guardingOutput } from '../../terminal/signals.js';

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
