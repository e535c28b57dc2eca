// The copies of hosts and folders that `mirrors` found, as a rules file: an anchored rule for each, likely until it is
// validated.
import type { Effects } from '../../../base/effects.js';
import type { Alias } from '../../../mirrors/alias.js';
import type { Cluster } from '../../../mirrors/copies.js';
import type { ReadCounts } from '../../../mirrors/read-pages.js';
import { recordedOptions } from '../../../rule/mine-options.js';
import { everySite, type RulesFile, type SubstringRule } from '../../../rule/rule.js';
import { MINE_OPTIONS, type MineFlags } from '../../flags/mine.js';
import { standardsOf } from '../../flags/option.js';
import { packageVersion } from '../../version.js';

/** Of the pages in a folder, so many have to have a similar image. */
const FEWEST_RIGHT = 0.95;

export function aliasRules(clusters: readonly Cluster[], { lines, pages }: ReadCounts, effects: Effects): RulesFile {
  const found = new Map<string, Alias & { support: number; against: number }>();
  for (const { copies, size } of clusters) {
    for (const { alias } of copies) {
      if (alias === undefined) continue;
      const key = `${alias.from}\n${alias.to}`;
      const known = found.get(key);
      // Several clusters may be in one folder: each finds the same pages against it that it has not itself.
      found.set(key, { ...alias, support: (known?.support ?? 0) + size, against: alias.against });
    }
  }
  const rules = [...found.values()]
    .filter(({ support, against }) => support >= FEWEST_RIGHT * (support + against))
    .sort((a, b) => b.support - a.support)
    .map(({ from, to, support, against }, place): SubstringRule => ({
      kind: 'substring',
      rank: place + 1,
      site: everySite,
      from,
      to,
      anchor: 'start',
      status: 'likely',
      support: { low: support, high: support },
      against,
      confidence: chanceOfMost(support, against),
      examples: [[from, to]],
    }));
  const standards = standardsOf(MINE_OPTIONS, effects) as unknown as MineFlags;
  return {
    format: 'dustbuster-rules',
    version: 1,
    generator: `dustbuster ${packageVersion()}`,
    options: recordedOptions({ ...standards, similarity: false, parameters: false, site: 'all', base: null }),
    inputs: [],
    urls: pages,
    sites: { mined: Math.min(1, lines), skipped: 0 },
    urlForm: 'absolute',
    normalization: 'safe',
    rules,
  };
}

/** The probability that at least 95 % of all pages are one, after so many that are and are not: a uniform prior. */
function chanceOfMost(right: number, wrong: number): number {
  const trials = right + wrong + 1;
  // P(Bin(trials, .05) > wrong), from the logarithms of its terms.
  let [term, below] = [trials * Math.log(FEWEST_RIGHT), 0];
  for (let k = 0; k <= wrong; k++) {
    below += Math.exp(term);
    term += Math.log(((trials - k) / (k + 1)) * ((1 - FEWEST_RIGHT) / FEWEST_RIGHT));
  }
  return Math.max(0, Number((1 - below).toFixed(6)));
}
