// Makes a rules file of the copies of hosts and folders that `mirrors` found: an anchored rule for each, likely until
// it is validated.
import { chanceOfMore } from '../../../base/binomial.js';
import type { Effects } from '../../../base/effects.js';
import type { Alias, Cluster } from '../../../mirrors/copies.js';
import type { ReadCounts } from '../../../mirrors/read-pages.js';
import { recordedOptions } from '../../../rule/mine-options.js';
import { everySite, type RulesFile, type SubstringRule } from '../../../rule/rule.js';
import { MINE_OPTIONS, type MineFlags } from '../../flags/mine.js';
import { standardsOf } from '../../flags/option.js';
import { packageVersion } from '../../version.js';

/** The share of the pages in a folder that must have a similar image. */
const FEWEST_RIGHT = 0.95;

export function aliasRules(clusters: readonly Cluster[], { pages }: ReadCounts, effects: Effects): RulesFile {
  const found = new Map<string, Alias & { support: number; against: number }>();
  for (const { copies, size } of clusters) {
    for (const { alias } of copies) {
      if (alias === undefined) continue;
      const key = `${alias.from}\n${alias.to}`;
      const known = found.get(key);
      // A folder may have several clusters, but its pages without an image count once.
      found.set(key, { ...alias, support: (known?.support ?? 0) + size });
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
      // The probability that at least 95 % of all pages have a similar image, from the pages that have one and those
      // that do not, with a uniform prior.
      confidence: chanceOfMore(against, support + against + 1, 1 - FEWEST_RIGHT),
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
    sites: { mined: 1, skipped: 0 },
    urlForm: 'absolute',
    normalization: 'safe',
    rules,
  };
}
