// Which clusters do page records make? Those of `dups` with its defaults, in the order and with the numbers in which it
// writes them: so mining from the records is mining from its clusters.
import { decodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { parseMemory } from '../../../base/size.js';
import type { Input } from '../../../log/bytes.js';
import type { ReadReport } from '../../../log/read.js';
import { findDups, usualResemblance } from '../../../near/dups.js';
import { SPOT_WINDOW } from '../../../near/near-spots.js';
import { closeSignatures } from '../../../near/signatures.js';
import type { MineFlags } from '../../flags/mine.js';
import { computed } from '../../terminal/signals.js';
import { foldRecords } from '../input/folded.js';

/** What a URL takes in memory, beside three bytes for each of its characters; measured on 9,210 URLs. */
const BYTES_FOR_URL = 1000;

/** Counts URLs against --memory. */
export class ClusterMemory {
  readonly bytes: number;
  readonly #name: string;
  readonly #memory: string;
  #urls = 0;
  #used = 0;

  /** `memory` as the flag has it. */
  constructor(name: string, memory: string) {
    this.#name = name;
    this.#memory = memory;
    this.bytes = parseMemory(memory, '--memory');
  }

  /** Throws a UserError for a URL that does not fit. */
  take(url: string): void {
    this.#used += BYTES_FOR_URL + 3 * url.length;
    if (this.#used > this.bytes)
      throw new UserError(
        `--from-clusters: more than ${this.#urls} URLs in ${printable(this.#name)} do not fit into --memory ` +
          `${this.#memory}; expected fewer, such as those of one site, or a larger --memory`,
      );
    this.#urls++;
  }
}

export interface ClusteredPages {
  /** By clusters, classes and URLs. A URL with several captures may come several times. */
  readonly each: readonly { readonly url: string; readonly label: string }[];
  /** The signatures and the resemblance: `sp1-sizespotsigs.1 from 0.85`. */
  readonly by: string;
  readonly report: ReadReport;
}

/** Throws a UserError for a list with signatures of several kinds. */
export async function eachClustered(
  input: Input,
  memory: ClusterMemory,
  flags: MineFlags,
  effects: Effects,
): Promise<ClusteredPages> {
  const { threads, tmpdir } = flags;
  const room = { memoryBytes: memory.bytes / 2, tmpdir, stats: { runs: 0, bytes: 0 } };
  // The flags about the format are those of the log.
  const { folding, report } = await foldRecords([input], { format: 'jsonl', threads }, room, effects);
  effects.progress?.begin({ name: 'comparing' });
  return computed(() => {
    const { signatures, urls, sketchOf } = folding.finish();
    const threshold = usualResemblance(signatures);
    const options = { threshold, window: SPOT_WINDOW, clusters: 'transitive', keepsPairs: false, room } as const;
    const { clusterOf } = findDups({ signatures, urls, sketchOf }, options);
    closeSignatures(signatures);
    const numberOf = new Map([...new Set(clusterOf.toSorted())].map((cluster, at) => [cluster, at + 1]));
    const rows = [];
    const held = new ClusterMemory(input.name, flags.memory);
    for (const { number, url } of urls.each()) {
      const text = decodeText(url);
      held.take(text);
      rows.push({ url: text, cluster: numberOf.get(clusterOf[number]!)! });
    }
    urls.close();
    rows.sort((a, b) => a.cluster - b.cluster);
    const each = rows.map(({ url, cluster }) => ({ url, label: String(cluster) }));
    const { making } = signatures;
    return { each, by: making === '' ? 'digests' : `${making} from ${threshold}`, report };
  }, effects);
}
