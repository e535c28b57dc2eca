// Mines logs whose truth is known.
import { tmpdir } from 'node:os';
import { localEngine } from '../../src/mine/engine.js';
import { Miner, type MinerOptions, type MineSummary } from '../../src/mine/mine.js';
import type { Rule } from '../../src/rule/rule.js';
import { batchOf, type TestRecord } from '../url-list.js';

const OPTIONS: MinerOptions = {
  T_low: 6,
  T_high: 11,
  MS: 3,
  S: 35,
  MRD: 0.05,
  MAD: 1,
  MW: 1100,
  similarity: true,
  rank: 'likeliness',
  site: 'all',
  minSiteUrls: 20,
  maxUrlLength: 2048,
  scheme: 'http',
  base: null,
};

/** The rules of one site, in their order. */
export function mined(records: readonly TestRecord[], more: Partial<MinerOptions> = {}): Rule[] {
  return Array.from(minerOf(records, more).eachRule(), (rule, at) => ({ rank: at + 1, ...rule }));
}

/** What is counted while these are mined. */
export function summaryOf(records: readonly TestRecord[]): MineSummary {
  const miner = minerOf(records, {});
  Array.from(miner.eachRule());
  return miner.summary;
}

function minerOf(records: readonly TestRecord[], more: Partial<MinerOptions>): Miner {
  const miner = new Miner({ ...OPTIONS, ...more }, () => '*', localEngine, { memoryBytes: 1 << 26, tmpdir: tmpdir() });
  miner.add(batchOf(records));
  return miner;
}
