// What `dustbuster dups` runs: a list of URLs with sketches -> near-duplicate pairs -> clusters, a line for each URL.
import { agreeing, many, parseMemory } from '../../base/amounts.js';
import { ByteBuffer } from '../../base/buffer.js';
import { decodeText } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { writeFileWhole } from '../../base/output.js';
import { readBigEndian, RowWriter } from '../../base/row.js';
import { type SpillRoom, SpillSorter } from '../../base/spill.js';
import { findInputs } from '../../log/inputs.js';
import { type Dups, findDups, usualResemblance } from '../../near/dups.js';
import type { FoldedUrls } from '../../near/folding.js';
import { formatPair } from '../../near/pair-line.js';
import { closeSignatures } from '../../near/signatures.js';
import { countsReport } from '../../report/render.js';
import type { DupsFlags } from '../flags/dups.js';
import { computed, guardingOutput } from '../terminal/signals.js';
import { damagedLine, foldRecords } from './input/folded.js';
import { refuseOverwriting } from './input/reading.js';
import { judgeReading } from './input/warnings.js';

/** Returns the exit code. Throws a UserError if no URL of the list has a sketch or digest. */
export async function dups(names: readonly string[], flags: DupsFlags, effects: Effects): Promise<number> {
  const inputs = await findInputs(names, effects);
  const outputs = [flags.output, ...(flags.pairs === undefined ? [] : [flags.pairs])];
  if (flags.pairs === flags.output)
    throw new UserError('dups: got the same file for clusters and --pairs; expected two');
  refuseOverwriting(inputs, outputs, effects);
  const stats = { runs: 0, bytes: 0 };
  const room = { memoryBytes: parseMemory(flags.memory, '--memory') / 2, tmpdir: flags.tmpdir, stats };
  const { folding, report, unlabelled } = await foldRecords(inputs, flags, room, effects);
  effects.progress?.begin({ name: 'comparing' });
  const { clusters, minPages, minSpots: minSize, minIdf, maxIdf } = flags;
  const window = { minIdf, maxIdf, minSize };
  const [folded, found] = await computed(() => {
    const folded = folding.finish();
    const threshold = flags.resemblance ?? usualResemblance(folded.signatures);
    const options = { threshold, window, clusters, keepsPairs: flags.pairs !== undefined, room };
    return [folded, findDups(folded, options)] as const;
  }, effects);
  if (found.counts.classes === 0) throw new UserError(noLabels(names));
  const totals = { urls: 0, clusters: 0, inClusters: 0, written: 0 };
  await guardingOutput(async () => {
    if (flags.pairs !== undefined) await writeFileWhole(flags.pairs, pairLines(folded, found), effects);
    await writeFileWhole(flags.output, clusterLines(folded, found, minPages, room, totals), effects);
  });
  closeSignatures(folded.signatures);
  folded.urls.close();
  if (flags.quiet !== true)
    effects.stderr.write(
      countsReport(report.inputs) +
        summary(found, totals, unlabelled) +
        damagedLine(folded.signatures.malformed, 'as digests'),
    );
  return judgeReading(report, effects, flags);
}

function noLabels([name = '']: readonly string[]): string {
  return `no URL in ${name} has a sketch or digest; expected a list that has, such as one by dustbuster sketch`;
}

/** Lines are collected into blocks of this size before they are written. */
const BLOCK_BYTES = 1 << 15;

interface Totals {
  urls: number;
  /** The number of clusters with two or more URLs, and of the URLs in them. */
  clusters: number;
  inClusters: number;
  written: number;
}

/** Yields `URL <tab> class <tab> cluster`. Lines are sorted by cluster, class and URL, and numbers count up. */
function* clusterLines(
  { urls }: FoldedUrls,
  { clusterOf }: Dups,
  minPages: number,
  room: SpillRoom,
  totals: Totals,
): Generator<Uint8Array> {
  const sizes = new Uint32Array(clusterOf.length);
  const sorter = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  for (const { number, url } of urls.each()) {
    const cluster = clusterOf[number]!;
    sizes[cluster]!++;
    totals.urls++;
    row.clear().bigEndian(cluster).bigEndian(number).raw(url);
    sorter.add(row.bytes, 0, row.length, row.length);
  }
  for (const size of sizes) {
    if (size < 2) continue;
    totals.clusters++;
    totals.inClusters += size;
  }
  const rows = sorter.finish();
  const block = new ByteBuffer(BLOCK_BYTES);
  let [lastCluster, lastClass, cluster, number] = [-1, -1, 0, 0];
  for (let next = rows.next(); next !== undefined; next = rows.next()) {
    const { bytes, keyStart, keyEnd } = next;
    const [ofCluster, ofClass] = [readBigEndian(bytes, keyStart), readBigEndian(bytes, keyStart + 4)];
    if (sizes[ofCluster]! < minPages) continue;
    if (ofCluster !== lastCluster) cluster++;
    if (ofClass !== lastClass || ofCluster !== lastCluster) number++;
    [lastCluster, lastClass] = [ofCluster, ofClass];
    totals.written++;
    block.add(bytes, keyStart + 8, keyEnd);
    block.addWhole(Buffer.from(`\t${number}\t${cluster}\n`, 'latin1'));
    if (block.used < BLOCK_BYTES) continue;
    yield block.bytes.subarray(0, block.used);
    block.used = 0;
  }
  rows.close();
  yield block.bytes.subarray(0, block.used);
}

/**
 * Yields `URL <tab> URL <tab> resemblance`. A class is represented by its first URL; its other URLs are paired with
 * that.
 */
function* pairLines({ urls }: FoldedUrls, found: Dups): Generator<string> {
  let [last, first] = [-1, ''];
  for (const { number, url } of urls.each()) {
    const text = decodeText(url);
    if (number === last) yield formatPair(first, text, 1);
    else [last, first] = [number, text];
  }
  let [known, knownUrl] = [-1, ''];
  for (const { a, b, resemblance } of found.pairs()) {
    if (a !== known) [known, knownUrl] = [a, decodeText(urls.firstOf(a))];
    yield formatPair(knownUrl, decodeText(urls.firstOf(b)), resemblance);
  }
}

function summary({ counts }: Dups, totals: Totals, unlabelled: number): string {
  const { classes, signatures, compared, longLists, unseen, small, cut } = counts;
  const { urls, clusters, inClusters, written } = totals;
  const long =
    longLists === 0
      ? ''
      : `${many(longLists, 'fingerprint')} ${agreeing(longLists, 'is', 'are')} in very many pages that have little ` +
        `else; at most ${many(unseen, 'pair')} of those ${agreeing(unseen, 'was', 'were')} not looked at\n`;
  const few =
    small === 0 ? '' : `${many(small, 'signature')} had too little left by --min-idf and --max-idf to be compared\n`;
  const common =
    cut === 0
      ? ''
      : `${many(cut, 'page')} ${agreeing(cut, 'has', 'have')} little but very common features; not all pairs of those ` +
        'were looked at\n';
  return (
    `${many(urls, 'URL')} with ${many(classes, 'distinct label')}, ${signatures} of them ${agreeing(signatures, 'a signature', 'signatures')} (${many(unlabelled, 'record')} without a label); ` +
    `${many(compared, 'pair')} compared\n${long}${few}${common}` +
    `${many(clusters, 'cluster')} of two URLs or more, with ${many(inClusters, 'URL')}; ${many(written, 'line')} written\n`
  );
}
