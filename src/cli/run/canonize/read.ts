// Reads the inputs of `canonize` as lines of text. Problems are reported on standard error.
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { many } from '../../../base/amounts.js';
import { encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemName } from '../../../base/file-name.js';
import { maxFormBytes } from '../../../canonize/limits.js';
import type { LineCounts } from '../../../canonize/lines.js';
import type { SavingCounts } from '../../../canonize/savings.js';
import { type Input, readBytes } from '../../../log/bytes.js';
import { detectFormat } from '../../../log/format/detect.js';
import type { FormatName } from '../../../log/format/format.js';
import { isParquet } from '../../../log/parquet/magic.js';
import { isParquetFile, PACKED_PARQUET } from '../../../log/parquet/open.js';
import type { Condition } from '../../../log/record.js';
import type { Damage } from '../../../report/summary.js';
import { type LoadedRules, pathsWords } from '../rules/in-use.js';

interface Reading {
  readonly effects: Effects;
  readonly endsLast: boolean;
  /** The column of Parquet files, if it is named. */
  readonly column?: string | undefined;
}

/** The path of a named file; undefined for standard input. */
export function pathOf(name: string, { cwd }: Effects): string | undefined {
  return name === '-' ? undefined : resolve(cwd, name);
}

/** Yields the URLs of the command line, then the lines of all inputs. Use each chunk before requesting the next one. */
export async function* readInputs(
  urls: readonly string[],
  inputs: readonly Input[],
  damages: Damage[],
  { effects, endsLast, column }: Reading,
): AsyncGenerator<Uint8Array> {
  for (const url of urls) yield encodeText(`${url}\n`);
  const lists = inputs.map((input): List => {
    const { name } = input;
    return { name, read: (condition) => readLinesOf(input, pathOf(name, effects), condition, column) };
  });
  yield* joinLines(lists, damages, endsLast);
}

interface List {
  readonly name: string;
  /** Yields the lines, in chunks that may end anywhere. */
  readonly read: (condition: Condition) => AsyncIterable<Uint8Array>;
}

const newline = 0x0a;

/** Yields the lines of all lists. With `endsLast`, the last line also gets a newline. */
export async function* joinLines(
  lists: readonly List[],
  damages: Damage[],
  endsLast: boolean,
): AsyncGenerator<Uint8Array> {
  for (const [at, { name, read }] of lists.entries()) {
    const condition: Condition = { reason: null };
    let last: number | undefined = newline;
    for await (const chunk of read(condition)) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
    // The last line of a file gets a newline if another file follows.
    if (last !== newline && (endsLast || at < lists.length - 1)) yield Uint8Array.of(newline);
    if (condition.reason !== null) {
      damages.push({ name, reason: condition.reason });
    }
  }
}

/** Yields the lines of an input. A Parquet file gives the URLs of its column. */
export async function* readLinesOf(
  input: Input,
  path: string | undefined,
  condition: Condition,
  column?: string,
): AsyncGenerator<Uint8Array> {
  if (isParquetFile(path)) {
    const { readUrls } = await import('../../../log/parquet/open.js');
    return yield* readUrls(path, condition, { column });
  }
  let isFirst = true;
  for await (const chunk of readBytes(input, condition)) {
    if (isFirst && isParquet(chunk)) {
      condition.reason = PACKED_PARQUET;
      return;
    }
    isFirst = false;
    yield chunk;
  }
}

export function openInput(name: string, effects: Effects): AsyncIterable<Uint8Array> {
  return name === '-' ? effects.stdin : readFile(resolve(effects.cwd, name));
}

const READ_BYTES = 1 << 18;
/** Buffers: `readBytes` looks at three chunks before it passes on the first, and one more is being read. */
const ROOMS = 4;

/**
 * Reads a file into a few buffers in turn. A stream would allocate new memory for each chunk, which the system has to
 * clear.
 */
async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(systemName(path));
  let reading: Promise<unknown> | undefined;
  try {
    if (!(await file.stat()).isFile()) return yield* file.createReadStream({ highWaterMark: READ_BYTES });
    const rooms = Array.from({ length: ROOMS }, () => new Uint8Array(READ_BYTES));
    let next = (reading = file.read(rooms[0]!));
    for (let turn = 1; ; turn++) {
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) return;
      reading = next = file.read(rooms[turn % ROOMS]!);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // An error of the last read does not matter, as nobody waits for its bytes.
    await reading?.catch(() => undefined);
    await file.close();
  }
}

const HEAD_BYTES = 1 << 14;

/** Passes chunks on, and remembers the first one. */
export class Beginning {
  /** A copy of the first chunk. */
  head: Buffer | undefined;

  /** False if the first chunk has only blank lines. */
  get hasText(): boolean {
    return this.head?.some((byte) => byte > 0x20) === true;
  }

  /** The lines of the first chunk. The last one may be incomplete. */
  get lines(): readonly string[] {
    return this.head === undefined ? [] : this.head.toString('latin1').split('\n');
  }

  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.head ??= Buffer.from(chunk.subarray(0, HEAD_BYTES));
      yield chunk;
    }
  }
}

export function sayDamages(damages: readonly Damage[], { stderr }: Effects): void {
  for (const { name, reason } of damages) {
    const rest = 'What came before was used; the rest is missing.';
    stderr.write(`dustbuster: ${printable(name)}: ${reason}. ${rest}\n`);
  }
}

export function sayUnsettled(count: number, rounds: number, { stderr }: Effects): void {
  const urls = count === 1 ? '1 URL is' : `${count} URLs are`;
  stderr.write(
    `dustbuster: ${urls} left as given: no canonical form after ${rounds} rounds or within ${maxFormBytes} bytes.\n`,
  );
}

/** Says what --unique saves, and how much of it is by rules: the rest is other spellings of the same URL. */
export function saySavings(
  { lines, urls: listed, dropped }: LineCounts,
  { urls, normalForms }: SavingCounts,
  { stderr }: Effects,
): void {
  if (listed === 0) return;
  const forms = listed - dropped;
  const share = ((100 * (urls - forms)) / urls).toFixed(1);
  stderr.write(
    `${many(lines, 'line')}, ${many(urls, 'distinct URL')}, ${many(forms, 'form')}: ` +
      `${share} % of the URLs saved (${urls - forms}), ${normalForms - forms} of them by rules\n`,
  );
}

export function sayBytes(output: string, { stderr }: Effects): void {
  const what = 'its columns are bytes instead of texts, as some URLs are no UTF-8';
  stderr.write(`dustbuster: ${printable(output)}: ${what}\n`);
}

/** Commands that cut the URLs out of a log, for formats with the URL at a fixed place. */
const CUTS: Partial<Record<FormatName, string>> = {
  common: "awk '{ print $7 }' FILE",
  combined: "awk '{ print $7 }' FILE",
  vhost: 'awk \'{ print "http://" $1 $8 }\' FILE',
  heritrix: "awk '{ print $4 }' FILE",
  cdx: "awk '!/^ CDX/ { print $3 }' FILE",
  cdxj: "sed 's/^[^{]*//' FILE | jq -r .url",
  jsonl: 'jq -r .url FILE',
};

/**
 * Warns if no line is a URL, as the user probably meant to pass a list. `head` is the beginning of the input, if known.
 */
export function sayNoUrl({ lines }: LineCounts, head: Buffer | undefined, { stderr }: Effects): void {
  const format = head === undefined ? null : detectFormat(head);
  const isNamed = format !== 'jsonl' || head?.includes('"url":') === true;
  const cut = format === null || !isNamed ? undefined : CUTS[format];
  const got = format === null || format === 'urls' ? '' : `got lines of ${format}, `;
  const what = lines === 1 ? 'the only line is no URL' : `none of ${many(lines, 'line')} is a URL`;
  const way = cut === undefined ? 'Cut the URLs out first.' : `Cut the URLs out: ${cut}`;
  stderr.write(`dustbuster: ${what}, so nothing was changed: ${got}expected one URL a line. ${way}\n`);
}

/** Warns if the lines are paths that no rule changes; returns true if so. */
export function sayPaths(lines: readonly string[], inUse: LoadedRules, { stderr }: Effects): boolean {
  const words = pathsWords(lines, inUse);
  if (words !== undefined) stderr.write(`dustbuster: ${words}\n`);
  return words !== undefined;
}
