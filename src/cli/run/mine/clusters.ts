// The clusters of `mine --from-clusters`: read from a file, counted, and learned from.
import { decodeText, encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { parseSize } from '../../../base/size.js';
import { readBytes } from '../../../log/bytes.js';
import type { Condition } from '../../../log/condition.js';
import { findInputs } from '../../../log/inputs.js';
import { readLines } from '../../../log/lines.js';
import { learnRules, type ClusterUrl } from '../../../mine/align-rules.js';
import type { Rule, SitePolicy } from '../../../rule/rule.js';
import { isUrl } from '../../../url/form.js';
import { normalizeSafe } from '../../../url/normalize.js';
import { createSiteOf } from '../../../url/site.js';
import type { MineFlags } from '../../flags/mine.js';

/** What a URL takes in memory, beside three bytes for each of its characters; measured on 9,210 URLs. */
const BYTES_FOR_URL = 1000;

export interface Clusters {
  /** The rules of a file, from the mined ones and the clusters, in their ranking. */
  learn(mined: readonly Rule[], site: SitePolicy): readonly Rule[];
}

/**
 * Lines of URL, tab, …, label: the last field counts. Throws a UserError for a file without any, and one that does not
 * fit into the memory of the flags.
 */
export async function readClusters(name: string, flags: MineFlags, effects: Effects): Promise<Clusters> {
  const [input] = await findInputs([name], effects);
  const condition: Condition = { reason: null };
  const memoryBytes = parseSize(flags.memory, '--memory');
  const labelOf = new Map<string, string>();
  const rejected = { 'no URL': 0, 'no label': 0, 'too long': 0, 'another label before': 0 };
  let used = 0;
  for await (const { bytes, lines, start, end } of readLines(readBytes(input!, condition))) {
    for (let line = 0; line < lines; line++) {
      const fields = decodeText(bytes, start[line]!, end[line]!).split('\t');
      const raw = encodeText(fields[0]!.replace(/#.*/s, ''));
      const label = fields.length > 1 ? fields.at(-1)! : '';
      if (raw.length > flags.maxUrlLength) rejected['too long']++;
      else if (!isUrl(raw)) rejected['no URL']++;
      else if (label === '') rejected['no label']++;
      else {
        const url = decodeText(flags.normalize === 'safe' ? normalizeSafe(raw) : raw);
        if (labelOf.has(url) && labelOf.get(url) !== label) rejected['another label before']++;
        else if (!labelOf.has(url)) used += BYTES_FOR_URL + 3 * url.length;
        if (!labelOf.has(url)) labelOf.set(url, label);
        if (used > memoryBytes) throw new UserError(tooMany(name, labelOf.size, flags.memory));
      }
    }
  }
  if (labelOf.size === 0)
    throw new UserError(
      `--from-clusters: no URL with a label in ${printable(name)}; expected lines of URL, tab, label, as dups writes them`,
    );
  return {
    learn(mined, site) {
      const siteOf = createSiteOf(site);
      const list = [...labelOf].map(([url, label]): ClusterUrl => {
        const bytes = encodeText(url);
        return { url, label, site: site === 'all' ? '*' : siteOf(bytes, 0, bytes.length) };
      });
      const { K, minFreq, fprMax: maxFpr, minsupp: minSupport, seed } = flags;
      const { rules, counts } = learnRules(list, mined, { K, minFreq, maxFpr, minSupport, seed });
      const bad = Object.entries(rejected).flatMap(([reason, count]) => (count > 0 ? [`, ${reason} ${count}`] : []));
      const cut = condition.reason === null ? '' : `; read in part: ${condition.reason}`;
      if (flags.quiet !== true)
        effects.stderr.write(
          `${printable(name)}: ${list.length} URLs with labels${bad.join('')}${cut}; ${counts.candidates} candidates, ` +
            `${counts.valid} valid, ${rules.length} left once none says what others say (${counts.keys} of them keys)\n`,
        );
      return rules;
    },
  };
}

function tooMany(name: string, urls: number, memory: string): string {
  return (
    `--from-clusters: more than ${urls} URLs in ${printable(name)} do not fit into --memory ${memory}; ` +
    'expected fewer, such as those of one site, or a larger --memory'
  );
}
