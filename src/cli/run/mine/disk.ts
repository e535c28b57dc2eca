// How much is spilled to disk? Estimated before anything is read, and reported at the end.
import { statfsSync, statSync } from 'node:fs';
import { formatSize } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { ScratchFile, scratchUse } from '../../../base/scratch.js';
import type { Input } from '../../../log/bytes.js';
import { type Forecast, forecastUrls, type SizedInput } from '../../../log/forecast.js';
import { parserOptions, textBytes } from '../../../log/parallel.js';
import type { ReadOptions } from '../../../log/read.js';
import type { Limits } from '../../../mine/mine.js';

const NO_URLS: Forecast = { urls: 0, urlBytes: 0 };
/** Smaller inputs get no estimate. */
const MIN_BYTES = 8 << 20;

/**
 * Peak bytes on disk for a URL of this length: its row in the sorted runs of the URL list, its text in the pages of its
 * site, and the rows that are sorted from these. Measured on 200 k to 1 M URLs of 40 to 60 bytes: 226 to 306 bytes,
 * where this returns 234 to 300. If everything fits into memory, it takes about as much there.
 */
function roomOf(urlBytes: number): number {
  return 3 * (urlBytes + 40);
}

interface ToMine {
  readonly inputs: readonly Input[];
  readonly reading: ReadOptions;
  /** What the state holds already. */
  readonly held: Forecast | undefined;
}

/**
 * Warns on stderr how much disk the run may need if --memory does not suffice. Throws a `UserError` if the scratch
 * folder is not writable; this is checked if spilling is expected, or if the user named the folder. `held`: URLs of the
 * state.
 */
export async function announceDisk(
  { inputs, reading, held = NO_URLS }: ToMine,
  { memoryBytes, tmpdir }: Limits,
  { quiet = false }: { readonly quiet?: boolean },
  effects: Effects,
): Promise<void> {
  if (tmpdir !== effects.tmpdir && tmpdir !== effects.env['TMPDIR']) checkFolder(tmpdir);
  const files = inputs.flatMap(withSize);
  const bytes = inputs.reduce((sum, input) => sum + textBytes(input), 0);
  if (bytes + held.urls * held.urlBytes < MIN_BYTES) return;
  const coming = bytes === 0 ? NO_URLS : await forecastUrls(files, parserOptions(reading));
  const urls = coming.urls + held.urls;
  const needed = coming.urls * roomOf(coming.urlBytes) + held.urls * roomOf(held.urlBytes);
  if (needed <= memoryBytes) return;
  checkFolder(tmpdir);
  const free = freeBytes(tmpdir);
  const isShort = free !== null && free < needed;
  if (quiet && !isShort) return;
  const there = free === null ? '' : `, where ${formatSize(free)} are free${isShort ? ': perhaps too little' : ''}`;
  effects.stderr.write(
    `dustbuster: up to about ${roughly(urls)} URLs are expected. They may need more than --memory ` +
      `${formatSize(memoryBytes)}, and then about ${formatSize(needed)} in ${printable(tmpdir)}${there}\n`,
  );
}

/** Bytes written and peak on disk, in words; empty if nothing was spilled. */
export function diskReport({ tmpdir }: Pick<Limits, 'tmpdir'>): string {
  const { written, peak } = scratchUse();
  if (written === 0) return '';
  return `${formatSize(written)} of scratch files in ${printable(tmpdir)}, at most ${formatSize(peak)} at a time\n`;
}

function withSize(input: Input): SizedInput[] {
  if (input.path === undefined) return [];
  try {
    const found = statSync(systemName(input.path));
    return found.isFile() && found.size > 0 ? [{ input, bytes: found.size }] : [];
  } catch {
    return []; // reading it will report what is wrong
  }
}

function checkFolder(tmpdir: string): void {
  new ScratchFile(tmpdir).close();
}

function freeBytes(tmpdir: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(systemName(tmpdir));
    return bavail * bsize;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return null; // not every file system reports it
  }
}

/** Two significant digits: an estimate is no better. */
function roughly(count: number): string {
  return Number(count.toPrecision(2)).toLocaleString('en-US');
}
