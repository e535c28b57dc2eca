// What do log lines do that somebody has damaged on purpose? Valid lines of a format with a few bytes changed, thousands
// at a time: none may throw, each is counted once, and no control character gets into a URL or onto a terminal.
import { decodeText, printable } from '../../../src/base/bytes.js';
import { detectFormat } from '../../../src/log/format/detect.js';
import type { FormatName } from '../../../src/log/format/format.js';
import { createReadReport, readRecords, type ReadOptions } from '../../../src/log/read.js';
import { seeded } from '../input/random.js';

export interface Fuzzed {
  readonly format: FormatName;
  readonly lines: number;
  readonly records: number;
  readonly dropped: number;
  readonly rejected: number;
}

const OPTIONS: ReadOptions = { base: null, scheme: 'http', normalize: 'safe', maxUrlLength: 2048 };
const LINES_AT_ONCE = 20_000;
/** What mutations put in: bytes that mean something in some format, and some that mean nothing anywhere. */
const BYTES = Buffer.from('"\\ \t[]{},;:=/?#%-0aZ\x00\x01\x07\x1b\x7f\x80\x9b\xc3\xed\xff\r', 'latin1');
// eslint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Reads about so many mutated lines of the sample. Throws if one was not read as it should be. */
export async function fuzz(sample: Buffer, count: number, seed: number): Promise<Fuzzed> {
  const format = detectFormat(sample);
  if (format === null) throw new Error('got a sample of no known format');
  const random = seeded(seed);
  const lines = linesOf(sample);
  const isHead = (line: Buffer, at: number) =>
    /^(#| CDX|!)/.test(line.toString('latin1')) || (at === 0 && hasHead(format));
  const head = lines.filter(isHead);
  const others = lines.filter((line, at) => !isHead(line, at));
  const sum = { lines: 0, records: 0, dropped: 0, rejected: 0 };
  for (let done = 0; done < count; done += LINES_AT_ONCE) {
    const some = Array.from({ length: Math.min(LINES_AT_ONCE, count - done) }, () => mutated(others, random));
    const found = await readAll(Buffer.concat([...head, ...some]), format);
    for (const key of ['lines', 'records', 'dropped', 'rejected'] as const) sum[key] += found[key];
  }
  return { format, ...sum };
}

const hasHead = (format: FormatName) => format === 'csv' || format === 'tsv';

/** Reads a log, and checks what every log has to fulfil. */
export async function readAll(bytes: Uint8Array, format?: FormatName): Promise<Omit<Fuzzed, 'format'>> {
  const report = createReadReport();
  let told = 0;
  const onReject: ReadOptions['onReject'] = (_name, _line, cause, line) => {
    told++;
    if (CONTROL.test(printable(cause + decodeText(line)))) throw new Error('a rejected line was not escaped');
  };
  const input = { name: 'fuzzed', open: () => [bytes] };
  const options = { ...OPTIONS, onReject, ...(format !== undefined && { format }) };
  let rows = 0;
  for await (const batch of readRecords([input], options, report)) {
    rows += batch.rows;
    for (let row = 0; row < batch.rows; row++) {
      for (let at = batch.urlStart[row]!; at < batch.urlEnd[row]!; at++) {
        const byte = batch.bytes[at]!;
        if (byte < 0x20 || byte === 0x7f) throw new Error(`byte ${byte} is in a URL`);
      }
    }
  }
  const { lines, records, dropped, rejected, reason } = report.inputs[0]!;
  const found = { lines, records, dropped: total(dropped), rejected: total(rejected) };
  if (rows !== records || told !== found.rejected || records + found.dropped + found.rejected !== lines) {
    throw new Error(`got ${rows} rows and ${told} rejects, expected ${JSON.stringify(found)} to add up`);
  }
  if (reason !== undefined && CONTROL.test(printable(reason))) throw new Error('a reason was not escaped');
  return found;
}

const total = (causes: Readonly<Record<string, number>>) =>
  Object.values(causes).reduce((sum, count) => sum + count, 0);

/** Lines with their newlines. */
function linesOf(text: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf(10, at) + 1;
    lines.push(text.subarray(at, end === 0 ? text.length : end));
    at = end === 0 ? text.length : end;
  }
  return lines;
}

function mutated(lines: readonly Buffer[], random: () => number): Buffer {
  const pick = (most: number) => Math.floor(random() * most);
  const any = () => lines[pick(lines.length)]!;
  let line: Buffer = Buffer.from(any().subarray(0, -1));
  for (let times = 1 + pick(3); times > 0; times--) line = damaged(line, any(), pick);
  return Buffer.concat([line, Buffer.of(10)]);
}

/** One change of some bytes: for a line, or a whole file. */
export function damaged(bytes: Buffer, other: Buffer, pick: (most: number) => number): Buffer {
  const at = pick(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const length = pick(pick(8) === 0 ? after.length + 1 : 9);
  const kind = pick(7);
  if (kind === 0) return Buffer.from(before);
  if (kind === 1) return Buffer.concat([before, after.subarray(length)]);
  if (kind === 2) return Buffer.concat([before, after.subarray(0, length), after]);
  if (kind === 3) return Buffer.concat([before, other.subarray(pick(other.length + 1))]);
  if (kind === 4) return Buffer.concat([before, Buffer.of(pick(256)), after.subarray(1)]);
  const some = Buffer.from(Array.from({ length: 1 + pick(4) }, () => BYTES[pick(BYTES.length)]!));
  return Buffer.concat([before, some, after.subarray(kind === 5 ? some.length : 0)]);
}
