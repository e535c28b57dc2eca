// What `dustbuster sketch` runs: the pages of a crawl -> page records, a line each.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { many, parseSize } from '../../base/amounts.js';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';
import { writeFileWhole } from '../../base/output.js';
import { findInputs } from '../../log/inputs.js';
import { mirrorPages } from '../../log/mirror.js';
import type { WarcArchive } from '../../log/warc/archive.js';
import { type CrawlCounts, emptyCrawlCounts, recordsOf, type Sketch, type TimedCapture } from '../../pages/crawl.js';
import { formatPageRecord, type PageRecord } from '../../pages/record.js';
import { createContentMaker, type SketchSizes } from '../../pages/sketching.js';
import { readWordList, type SignatureKind } from '../../sketch/spots.js';
import { unreadable } from '../files.js';
import type { SketchFlags } from '../flags/sketch.js';
import { guardingOutput } from '../terminal/signals.js';
import { openArchives } from './input/archives.js';
import { refuseInside, refuseOverwriting } from './input/reading.js';

/** How many batches may be under way to a thread. */
const AHEAD = 2;

/** Returns the exit code. Throws a UserError if there is nothing to read. */
export async function sketch(names: readonly string[], flags: SketchFlags, effects: Effects): Promise<number> {
  const mirrors = flags.mirror ?? [];
  if (names.length + mirrors.length === 0) {
    throw new UserError(
      'sketch: got no archive; expected WARC files, - for standard input, or a copy of a site with --mirror FOLDER',
    );
  }
  const inputs = await findInputs(names, effects);
  refuseOverwriting(inputs, [flags.output], effects);
  for (const mirror of mirrors) refuseInside(mirror, [flags.output], effects, 'the mirror');
  const sizes = await sizesOf(flags, effects);
  const maxBodyBytes = parseSize(flags.maxBody, '--max-body');
  const archive = await openArchives(inputs, { tmpdir: flags.tmpdir, maxBodyBytes }, flags.quiet, effects);
  const counts = emptyCrawlCounts();
  const sketcher = await createSketcher(sizes, flags.threads);
  try {
    const captures = capturesOf(archive, mirrors, maxBodyBytes, effects);
    const records = recordsOf(captures, sketcher.sketch, AHEAD * flags.threads, counts);
    await guardingOutput(() => writeFileWhole(flags.output, lines(records, effects), effects));
  } finally {
    await sketcher.stop();
    await archive.close();
  }
  if (flags.quiet !== true) effects.stderr.write(summary(counts, archive, flags.signature));
  return archive.damages.length > 0 ? 3 : 0;
}

async function* capturesOf(
  archive: WarcArchive,
  mirrors: readonly string[],
  maxBodyBytes: number,
  effects: Effects,
): AsyncGenerator<TimedCapture> {
  effects.progress?.begin({ name: 'sketching', unit: 'pages' });
  yield* archive.each();
  for (const folder of mirrors) yield* mirrorPages(folder, maxBodyBytes, effects);
}

async function* lines(records: AsyncIterable<PageRecord>, { progress }: Effects): AsyncGenerator<string> {
  for await (const record of records) {
    progress?.add(1);
    yield formatPageRecord(record);
  }
}

interface Sketcher {
  readonly sketch: Sketch;
  stop(): Promise<void>;
}

/** Sketches pages in threads, or in this thread if there is only one. */
async function createSketcher(sizes: SketchSizes, threads: number): Promise<Sketcher> {
  if (threads === 1) {
    const contentOf = createContentMaker(sizes);
    return { sketch: async (pages) => pages.map(contentOf), stop: async () => undefined };
  }
  const { SketchThreads } = await import('../../pages/sketch-threads.js');
  const crew = new SketchThreads(threads, sizes);
  return { sketch: (pages) => crew.sketch(pages), stop: () => crew.stop() };
}

async function sizesOf(flags: SketchFlags, effects: Effects): Promise<SketchSizes> {
  const { words, minima, signature, chain, longPage: long, links, chunks, lineWidth } = flags;
  if (lineWidth > 0 && chunks === undefined) {
    throw new UserError('--line-width: got no chunks whose lines are broken, expected --chunks with it');
  }
  const sizes = { words, minima, hasLinks: links === true, chunkLines: chunks, lineWidth };
  if (signature === 'shingles') return sizes;
  const [antecedents, stopWords] = [
    await wordsIn(flags.antecedents, '--antecedents', effects),
    await wordsIn(flags.stopWords, '--stop-words', effects),
  ];
  const lists = { antecedents, stopWords: stopWords && [...stopWords.keys()] };
  return { ...sizes, spots: { kind: signature, chain, long, words, ...lists } };
}

async function wordsIn(name: string | undefined, option: string, { cwd }: Pick<Effects, 'cwd'>) {
  if (name === undefined) return undefined;
  try {
    return readWordList(await readFile(systemName(resolve(cwd, name)), 'utf8'), printable(name), option);
  } catch (error) {
    throw unreadable(error, name, `${option} expects words, one a line`);
  }
}

function summary(counts: CrawlCounts, { counts: { other } }: WarcArchive, signature: SignatureKind): string {
  const { pages, wordless, redirects, others, unusable } = counts;
  const left = Object.entries(unusable).filter(([, count]) => count > 0);
  const what = signature === 'shingles' ? 'words' : 'a signature';
  const total = left.reduce((sum, [, count]) => sum + count, 0);
  const reasons = total === 0 ? '' : ` (${left.map(([reason, count]) => `${reason} ${count}`).join(', ')})`;
  return (
    `${many(pages + redirects + others + total, 'capture')} = ${many(pages, 'page')} (${wordless} without ${what}) + ` +
    `${many(redirects, 'redirect')} + ` +
    `${many(others, 'other answer')} + ${total} left out${reasons}; ${many(other, 'record')} of other kinds\n`
  );
}
