// What `dustbuster mirrors` runs: pages with chunks and links -> replicated collections -> lists for crawlers, rules.
import { agreeing, formatSize, many, parseMemory } from '../../../base/amounts.js';
import { encodeText, printable } from '../../../base/bytes.js';
import { Column, type ColumnRoom } from '../../../base/column.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { BlockWriter } from '../../../base/merge.js';
import { createSink, writeFileWhole } from '../../../base/output.js';
import { ScratchFile } from '../../../base/scratch.js';
import { type Input, measured, readBytes } from '../../../log/bytes.js';
import { findInputs } from '../../../log/inputs.js';
import type { Condition } from '../../../log/record.js';
import { bytesFor, roomFor } from '../../../memory-plan.js';
import { type Cluster, Describer } from '../../../mirrors/copies.js';
import { findMirrors, type Mirrors } from '../../../mirrors/find-mirrors.js';
import { Intake } from '../../../mirrors/intake.js';
import {
  emptyReadCounts,
  type PageReading,
  type ReadCounts,
  readLinkTable,
  readPages,
  readPageTable,
} from '../../../mirrors/read-pages.js';
import { clustersChart, mirrorsJson, mirrorsSummary, mirrorsTable, type Saving } from '../../../report/mirrors.js';
import { aligned } from '../../../report/text-table.js';
import { writeRules } from '../../../rule/file.js';
import type { MirrorsFlags } from '../../flags/mirrors.js';
import { computed, guardingOutput } from '../../terminal/signals.js';
import { packageVersion } from '../../version.js';
import { progressOf, refuseOverwriting } from '../input/reading.js';
import { aliasRules } from '../rules/alias.js';
import { avoidList, awaitPrincipals, carried, readEarlier } from './history.js';

/** Returns the exit code. Throws a UserError if no page has links or chunks. */
export async function mirrors(names: readonly string[], flags: MirrorsFlags, effects: Effects): Promise<number> {
  const inputs = await findInputs(names, effects);
  if (flags.byUrls === true) {
    const { mirrorsByUrls } = await import('./by-urls.js');
    return mirrorsByUrls(inputs, flags, effects);
  }
  if (flags.extended === true && flags.overBreaks === true) {
    throw new UserError(
      '--over-breaks: got it with --extended, which puts pages into several copies; expected one of them',
    );
  }
  const linkTable = flags.linkTable === undefined ? undefined : await findInputs([flags.linkTable], effects);
  const outputs = [flags.output, flags.rollUp, flags.avoid, flags.toRules, flags.chart].filter(
    (name) => name !== undefined,
  );
  refuseOverwriting([...inputs, ...(linkTable ?? [])], outputs, effects);
  if (new Set(outputs).size < outputs.length) {
    throw new UserError('mirrors: got one file for two results; expected a file for each');
  }
  const earlier = readEarlier(flags, effects);
  const stats = { runs: 0, bytes: 0 };
  const room = { memoryBytes: parseMemory(flags.memory, '--memory'), tmpdir: flags.tmpdir, stats };
  const intake = new Intake(roomFor('mirrors/intake', room), flags.fingerprints === '32' ? 32 : 64);
  const stages = new Stages(effects, stats);
  stages.begin('reading');
  const answered = awaitPrincipals(earlier);
  const counts = emptyReadCounts();
  const reading = { intake, counts, onOther: (url: string) => answered.add(url) };
  const broken = await readAll(inputs, linkTable, reading, effects);
  refuseWithout(counts, names);
  effects.progress?.begin({ name: 'comparing' });
  const { sharedChunks: threshold, minPages, singleSite = false, extended = false, overBreaks = false } = flags;
  const options = { threshold, minPages, singleSite, extended, overBreaks, room, onStage: stages.begin };
  const found = await computed(() => findMirrors(intake.finish(), options), effects);
  const rolled = new ScratchFile(flags.tmpdir);
  const { clusters, saving, describer } = await computed(() => describeAll(found, flags, rolled, room), effects);
  const night = earlier && carried(earlier, clusters, describer, answered, flags, effects);
  stages.begin('writing');
  await guardingOutput(async () => {
    if (flags.rollUp !== undefined) await writeFileWhole(flags.rollUp, contentOf(rolled), effects);
    if (flags.avoid !== undefined)
      await writeFileWhole(flags.avoid, linesOf(avoidList(describer.avoidable(), night)), effects);
    if (flags.toRules !== undefined)
      await writeFileWhole(flags.toRules, writeRules(aliasRules(clusters, counts, effects)), effects);
    if (flags.chart !== undefined) await writeFileWhole(flags.chart, [clustersChart(clusters)], effects);
    await writeFileWhole(
      flags.output,
      mirrorsJson({ ...headOf(found, saving, flags), ...(night && { history: night }) }, clusters),
      effects,
    );
  });
  rolled.close();
  found.pages.urls.close();
  if (flags.quiet !== true) {
    effects.stderr.write(readingLine(counts) + mirrorsSummary(found, clusters, saving));
    if (flags.output !== '-') {
      const sink = createSink(effects.stdout, { isSafe: true });
      await sink.write(mirrorsTable(clusters, flags.top, effects.paint));
      await sink.end();
    }
  }
  if (flags.stages === true) effects.stderr.write(stages.report(found.counts.fingerprints));
  const held = found.heldBytes();
  const planned = bytesFor('mirrors/component', room.memoryBytes);
  if (held > planned) {
    const [what, most] = [formatSize(held), formatSize(planned)];
    effects.stderr.write(
      `dustbuster: the largest component of linked clusters took ${what} in memory, more than the ${most} ` +
        `that --memory leaves for it; nothing was left out\n`,
    );
  }
  for (const line of broken) effects.stderr.write(`dustbuster: ${line}\n`);
  return broken.length > 0 ? 3 : 0;
}

/** Returns warnings about inputs that were not read to their end. */
async function readAll(
  inputs: readonly Input[],
  linkTable: readonly Input[] | undefined,
  reading: PageReading,
  effects: Effects,
): Promise<string[]> {
  const { counts } = reading;
  const broken: string[] = [];
  const { onProgress } = progressOf(inputs, effects);
  const tick = (lines: number) => onProgress?.(lines, 0);
  const readers = [
    ...inputs.map((input) => ({ input, read: linkTable === undefined ? readPages : readPageTable })),
    ...(linkTable ?? []).map((input) => ({ input, read: readLinkTable })),
  ];
  for (const { input, read } of readers) {
    const condition: Condition = { reason: null };
    await read(
      readBytes(
        measured(input, (taken) => onProgress?.(0, taken)),
        condition,
      ),
      reading,
      tick,
    );
    if (condition.reason !== null)
      broken.push(`${printable(input.name)}: ${condition.reason}; what could be read was kept`);
  }
  const rejected = Object.values(counts.rejected).reduce((sum, count) => sum + count, 0);
  if (2 * rejected > counts.lines)
    broken.push(
      `${rejected} of ${many(counts.lines, 'line')} ${agreeing(rejected, 'is no record', 'are no records')} of dustbuster sketch`,
    );
  return broken;
}

function refuseWithout({ pages, linked, chunked }: ReadCounts, [name = '']: readonly string[]): void {
  const missing = pages === 0 ? 'pages' : linked === 0 ? 'links' : chunked === 0 ? 'chunks' : undefined;
  if (missing === undefined) return;
  throw new UserError(
    `no record in ${printable(name)} has ${missing}; expected a list by dustbuster sketch --links --chunks 4`,
  );
}

function readingLine({ lines, pages, redirects, others, rejected }: ReadCounts): string {
  const bad = Object.entries(rejected).map(([reason, count]) => `, ${reason} ${count}`);
  return `${many(lines, 'record')}: ${many(pages, 'page')}, ${many(redirects, 'redirect')}, ${many(others, 'other answer')}${bad.join('')}\n`;
}

/**
 * Describes the clusters, beginning with those that save most. Meanwhile, lines for other files are written to disk.
 */
function describeAll(
  found: Mirrors,
  flags: MirrorsFlags,
  rolled: ScratchFile,
  room: ColumnRoom,
): { readonly clusters: readonly Cluster[]; readonly saving: Saving; readonly describer: Describer } {
  const describer = new Describer(found, roomFor('mirrors/column', room));
  const clusters: Cluster[] = [];
  const writer = new BlockWriter(rolled);
  const roll = (lines: string) => {
    const bytes = encodeText(lines);
    writer.write(bytes, 0, bytes.length);
  };
  for (const grown of found.clusters()) {
    const id = clusters.length + 1;
    const onPage = (urls: readonly string[], page: number) => roll(rollLines(id, urls, page));
    clusters.push(describer.describe(grown, flags.rollUp === undefined ? undefined : onPage));
  }
  let nearby = 0;
  if (flags.nearby === true) {
    for (const cluster of clusters) {
      for (const { copy, url, image } of describer.nearby(cluster)) {
        nearby++;
        if (flags.rollUp !== undefined) roll(`${url}\t${image}\t${cluster.id}\t${copy + 1}\t0\n`);
      }
    }
  }
  writer.flush();
  clusters.sort((a, b) => b.saved - a.saved || a.id - b.id);
  const { pages, similar } = found.counts;
  const left = new Column(pages, roomFor('mirrors/column', room));
  let saved = 0;
  for (let page = 0; page < pages; page++) {
    if (describer.isSaved(page)) saved++;
    else left.add(found.clusterOf.get(page), 1);
  }
  let similarLeft = 0;
  for (const count of left.each()) if (count > 1) similarLeft += count;
  left.close();
  return { clusters, saving: { pages, saved, nearby, similar, similarLeft }, describer };
}

/**
 * The lines of a page, one for each copy: `URL <tab> its partner in the principal copy <tab> cluster <tab> copy <tab>
 * page`.
 */
function rollLines(id: number, urls: readonly string[], page: number): string {
  return urls.map((url, copy) => `${url}\t${urls[0]!}\t${id}\t${copy + 1}\t${page + 1}\n`).join('');
}

function* linesOf(urls: Iterable<string>): Generator<string> {
  for (const url of urls) yield `${url}\n`;
}

const BLOCK = 1 << 16;

function* contentOf(file: ScratchFile): Generator<Uint8Array> {
  for (let at = 0; at < file.length;) {
    const block = new Uint8Array(BLOCK);
    const got = file.read(block, at);
    yield block.subarray(0, got);
    at += got;
  }
}

function headOf({ counts, replicas }: Mirrors, saving: Saving, flags: MirrorsFlags): Record<string, unknown> {
  const {
    sharedChunks,
    fingerprints,
    minPages,
    singleSite = false,
    extended = false,
    overBreaks = false,
    nearby = false,
  } = flags;
  return {
    format: 'dustbuster-collections',
    version: 1,
    generator: `dustbuster ${packageVersion()}`,
    options: { sharedChunks, fingerprints: Number(fingerprints), minPages, singleSite, extended, overBreaks, nearby },
    counts,
    saving,
    replicas: [...replicas].sort(([a], [b]) => a - b),
  };
}

/**
 * The costs of each stage of `mirrors` (Cho, Shivakumar, Garcia-Molina 2000, Table 1). They go to standard error, so
 * that the result has the same bytes in every run.
 */
interface Stage {
  readonly name: string;
  readonly startMs: number;
  /** Sorted runs that had been written to disk when the stage began. */
  readonly startBytes: number;
}

/** Call `begin` for each stage, then `report`. A stage ends where the next one begins. */
class Stages {
  readonly #effects: Effects;
  readonly #sorted: { readonly bytes: number };
  readonly #stages: Stage[] = [];

  constructor(effects: Effects, sorted: { readonly bytes: number }) {
    this.#effects = effects;
    this.#sorted = sorted;
  }

  readonly begin = (name: string): void => {
    this.#stages.push({ name, startMs: this.#effects.now().getTime(), startBytes: this.#sorted.bytes });
  };

  /** `fingerprints` is the number that was read; each has eight bytes. */
  report(fingerprints: number): string {
    this.begin('all');
    const [first] = this.#stages;
    const rows = this.#stages.map((stage, at) => {
      const next = this.#stages[at + 1];
      const [from, to] = next === undefined ? [first!, stage] : [stage, next];
      return [stage.name, seconds(to.startMs - from.startMs), megabytes(to.startBytes - from.startBytes)];
    });
    const table = aligned([['stage', 'seconds', 'MB sorted on disk'], ...rows], new Set([1, 2]), this.#effects.paint);
    return `${table}${many(fingerprints, 'fingerprint')}, ${megabytes(8 * fingerprints)} MB\n`;
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
