// Where does `mine --from-clusters` get its clusters, and which rules does it learn from them? The input is a file with
// labels, or page records.
//
//   clusters.tsv    URL, tab, …, label            used as they are
//   pages.jsonl     {"url": …, "sketch": …}       first compared as `dups` does: by SizeSpotSigs (PAKDD 2011) if the
//                                                 records have these signatures, else by their sketches
import { statSync } from 'node:fs';
import { agreeing, many, parseMemory } from '../../../base/amounts.js';
import { decodeText, encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { limitGarbage } from '../../../base/garbage.js';
import { systemName } from '../../../base/file-name.js';
import { type Input, readBytes } from '../../../log/bytes.js';
import { findInputs } from '../../../log/inputs.js';
import { readLines } from '../../../log/lines.js';
import { hasJsonLines } from '../../../log/page-list.js';
import type { ReadReport } from '../../../log/read.js';
import type { Condition, RecordBatch } from '../../../log/record.js';
import { MOST_UNITS } from '../../../mine/align-candidates.js';
import { type ClusterUrl, learnRules } from '../../../mine/align-rules.js';
import { findDups, usualResemblance } from '../../../near/dups.js';
import { SPOT_WINDOW } from '../../../near/near-spots.js';
import { PAIRS_FOR_LABELS, PairWatch } from '../../../near/pair-line.js';
import { closeSignatures } from '../../../near/signatures.js';
import type { Rule, RulesFile } from '../../../rule/rule.js';
import { beginsUrl, isClean, isUrl } from '../../../url/form.js';
import { isTaken, safeFormOf } from '../../../url/normalize.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import type { MineFlags } from '../../flags/mine.js';
import { computed } from '../../terminal/signals.js';
import { damagedLine, foldRecords } from '../input/folded.js';
import { warningsOf } from '../input/warnings.js';

export interface Clusters {
  /** For the rules file: by what the pages were compared, and the options. */
  readonly recorded: string;
  /** 3 if the file was not read to its end, or if most of its lines could not be used. */
  readonly exitCode: number;
  /** Counts the records of a batch for the URLs that have a label. */
  see(batch: RecordBatch): void;
  /** The rules for a file of mined rules: those that the clusters bear out, and rules that they suggest. */
  learn(mined: RulesFile): Promise<readonly Rule[]>;
}

/**
 * Throws a UserError for a file without labels, or one that does not fit into --memory. A URL keeps its first label.
 */
export async function readClusters(name: string, flags: MineFlags, effects: Effects): Promise<Clusters> {
  const [input] = await findInputs([name], effects);
  const list = new LabelledUrls(new ClusterMemory(name, flags.memory), flags);
  const { by, said, exitCode } = (await arePages(input!))
    ? await addPages(input!, list, flags, effects)
    : await addLines(input!, list);
  const { K, minFreq, fprMax, minsupp, seed } = flags;
  return {
    recorded: `${by}; --K ${K} --min-freq ${minFreq} --fpr-max ${fprMax} --minsupp ${minsupp} --seed ${seed}`,
    exitCode,
    see: (batch) => list.see(batch),
    async learn(file) {
      const { site } = file.options;
      const siteOf = createSiteOf(site);
      const urls = [...list.labelOf].map(([url, label]): ClusterUrl => {
        const bytes = encodeText(url);
        return { url, label, site: site === 'all' ? '*' : siteOf(bytes, 0, bytes.length), hits: list.hitsOf(url) };
      });
      // Each rule makes a form of every URL, and the next one needs none of them.
      const onRule = limitGarbage(list.memory.bytes / GARBAGE_PART);
      const options = { K, minFreq, maxFpr: fprMax, minSupport: minsupp, seed, onRule };
      if (list.areUnseen)
        effects.stderr.write(
          `dustbuster: ${printable(name)}: none of the ${many(urls.length, 'URL')} with labels is in the list; ` +
            'expected clusters of the URLs that the list has\n',
        );
      const { askClusters } = await import('./asked-clusters.js');
      const asked = await askClusters(urls, file, flags, onRule, effects);
      const { rules, counts } = await computed(() => learnRules(urls, asked, options), effects);
      if (counts.unaligned > 0)
        effects.stderr.write(
          `dustbuster: ${printable(name)}: ${many(counts.unaligned, 'URL')} of more than ${MOST_UNITS} parts ${agreeing(counts.unaligned, 'was', 'were')} not aligned\n`,
        );
      if (flags.quiet !== true)
        effects.stderr.write(
          `${printable(name)}: ${many(urls.length, 'URL')} with labels${list.rejections()}${said}; ${many(counts.candidates, 'candidate')}, ` +
            `${counts.valid} valid, ${rules.length} left once none says what others say (${counts.keys} of them keys)\n`,
        );
      return rules;
    },
  };
}

/** The result of reading the file: what its pages were compared by, what messages say of it, and its exit code. */
interface Reading {
  readonly by: string;
  readonly said: string;
  readonly exitCode: number;
}

/** Looks at the beginning of the input, which only a file allows to read twice. */
async function arePages(input: Input): Promise<boolean> {
  const isFile =
    input.path !== undefined && statSync(systemName(input.path), { throwIfNoEntry: false })?.isFile() === true;
  return isFile && (await hasJsonLines(input));
}

async function addPages(input: Input, list: LabelledUrls, flags: MineFlags, effects: Effects): Promise<Reading> {
  const { each, by, report } = await eachClustered(input, list.memory, flags, effects);
  for (const { url, label } of each) list.add(url, label);
  const name = printable(input.name);
  if (list.labelOf.size === 0)
    throw new UserError(
      `--from-clusters: no record of ${name} has a URL and a sketch or digest; expected those of dustbuster sketch`,
    );
  const warnings = warningsOf(report);
  for (const line of warnings) effects.stderr.write(`dustbuster: ${line}\n`);
  const advice = by.includes('spotsigs') ? '' : ' (sketch --signature sizespotsigs has spot signatures)';
  return { by: `compared by ${by}`, said: `, compared by ${by}${advice}`, exitCode: warnings.length > 0 ? 3 : 0 };
}

async function addLines(input: Input, list: LabelledUrls): Promise<Reading> {
  const condition: Condition = { reason: null };
  const pairs = new PairWatch();
  for await (const { bytes, lines, start, end } of readLines(readBytes(input, condition))) {
    for (let line = 0; line < lines; line++) {
      const text = decodeText(bytes, start[line]!, end[line]!);
      const fields = text.split('\t');
      pairs.see(() => text);
      list.add(fields[0]!, fields.length > 1 ? fields.at(-1)! : '');
    }
  }
  if (pairs.areAll) throw new UserError(`--from-clusters: ${printable(input.name)} ${PAIRS_FOR_LABELS}`);
  if (list.labelOf.size === 0)
    throw new UserError(
      `--from-clusters: no URL with a label in ${printable(input.name)}; expected lines of URL, tab, label, as dups writes ` +
        'them, or a file of page records by dustbuster sketch',
    );
  const said = condition.reason === null ? '' : `; read in part: ${condition.reason}`;
  return { by: 'labels of a file', said, exitCode: condition.reason === null ? 0 : 3 };
}

/** Labels of URLs, in the normal form of the run. Counts those that cannot be used. */
class LabelledUrls {
  readonly labelOf = new Map<string, string>();
  readonly memory: ClusterMemory;
  readonly #flags: MineFlags;
  readonly #hits = new Map<string, number>();
  readonly #rejected = { 'no URL': 0, 'no label': 0, 'too long': 0, 'another label before': 0 };

  constructor(memory: ClusterMemory, flags: MineFlags) {
    this.memory = memory;
    this.#flags = flags;
  }

  add(text: string, label: string): void {
    const { maxUrlLength, normalize } = this.#flags;
    const raw = encodeText(text.replace(/#.*| +$/s, ''));
    const form = normalize === 'safe' ? cleanFormOf(raw) : isUrl(raw) && isTaken(raw, 0, raw.length) ? raw : undefined;
    if (raw.length > maxUrlLength) this.#rejected['too long']++;
    else if (form === undefined) this.#rejected['no URL']++;
    else if (label === '') this.#rejected['no label']++;
    else {
      const url = decodeText(form);
      const known = this.labelOf.get(url);
      if (known !== undefined && known !== label) this.#rejected['another label before']++;
      if (known !== undefined) return;
      this.memory.take(url);
      this.labelOf.set(url, label);
    }
  }

  see({ rows, bytes, urlStart, urlEnd }: RecordBatch): void {
    for (let row = 0; row < rows; row++) {
      const url = decodeText(bytes, urlStart[row]!, urlEnd[row]!);
      if (this.labelOf.has(url)) this.#hits.set(url, this.hitsOf(url) + 1);
    }
  }

  /** True if no record that was read has one of the URLs. */
  get areUnseen(): boolean {
    return this.#hits.size === 0;
  }

  hitsOf(url: string): number {
    return this.#hits.get(url) ?? 0;
  }

  rejections(): string {
    return Object.entries(this.#rejected)
      .flatMap(([reason, count]) => (count > 0 ? [`, ${reason} ${count}`] : []))
      .join('');
  }
}

// Page records give the clusters of `dups` with its default options, in the same order and with the same numbers. So
// mining from page records gives the same rules as mining from the clusters of `dups`.

/** Garbage is collected when objects take this part of --memory. */
const GARBAGE_PART = 4;
/** Memory for a URL, besides three bytes for each of its characters; measured on 9,210 URLs. */
const BYTES_FOR_URL = 1000;

/** Counts the memory of URLs against --memory. */
class ClusterMemory {
  readonly bytes: number;
  readonly #name: string;
  readonly #memory: string;
  #urls = 0;
  #used = 0;

  /** `memory` is the text of the flag. */
  constructor(name: string, memory: string) {
    this.#name = name;
    this.#memory = memory;
    this.bytes = parseMemory(memory, '--memory');
  }

  /** Throws a UserError if the URL does not fit. */
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

interface ClusteredPages {
  /** Sorted by cluster, class and URL. A URL with several captures can occur several times. */
  readonly each: readonly { readonly url: string; readonly label: string }[];
  /** Signatures and resemblance, such as `sp1-sizespotsigs.1 from 0.85`. */
  readonly by: string;
  readonly report: ReadReport;
}

/** Throws a UserError for a list with signatures of several kinds. */
async function eachClustered(
  input: Input,
  memory: ClusterMemory,
  flags: MineFlags,
  effects: Effects,
): Promise<ClusteredPages> {
  const { threads, tmpdir } = flags;
  const room = { memoryBytes: memory.bytes / 2, tmpdir, stats: { runs: 0, bytes: 0 } };
  // The flags about formats are for the log, not for this file.
  const { folding, report } = await foldRecords([input], { format: 'jsonl', threads }, room, effects);
  effects.progress?.begin({ name: 'comparing' });
  return computed(() => {
    const { signatures, urls, sketchOf } = folding.finish();
    if (flags.quiet !== true) effects.stderr.write(damagedLine(signatures.malformed, 'as digests'));
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

/** The normal form of a URL; undefined for any other text. */
function cleanFormOf(raw: Uint8Array): Uint8Array | undefined {
  const isText = beginsUrl(raw, 0, raw.length) && isClean(raw, 0, raw.length, 0x1f);
  return isText ? safeFormOf(raw) : undefined;
}
