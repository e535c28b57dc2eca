// Reads bytes from memory and shows the records as plain values.
import { Buffer } from 'node:buffer';
import { decodeText } from '../../src/base/bytes.js';
import type { Input } from '../../src/log/bytes.js';
import { createReadReport, readRecords, type ReadOptions } from '../../src/log/read.js';
import type { InputSummary, RecordBatch } from '../../src/log/record.js';
import type { UrlForm } from '../../src/url/parse.js';

export interface Row {
  readonly url: string;
  readonly size: number;
  readonly sketch: string;
}

export interface Reading {
  readonly rows: Row[];
  readonly summary: InputSummary;
  readonly urlForm: UrlForm;
  readonly rejects: (readonly [number, string, string])[];
}

export const plainOptions: ReadOptions = { base: null, scheme: 'http', normalize: 'none', maxUrlLength: 2048 };

export function inPieces(bytes: Uint8Array, pieceBytes: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.slice(at, at + pieceBytes));
  return pieces;
}

export function memoryInput(bytes: Uint8Array, pieceBytes = Infinity): Input {
  return { name: 'memory', open: () => inPieces(bytes, Math.min(pieceBytes, bytes.length || 1)) };
}

export async function read(log: string | Uint8Array, options: Partial<ReadOptions> = {}, pieceBytes = Infinity) {
  const bytes = typeof log === 'string' ? Buffer.from(log) : log;
  return readInput(memoryInput(bytes, pieceBytes), options);
}

export async function readInput(input: Input, options: Partial<ReadOptions> = {}): Promise<Reading> {
  const report = createReadReport();
  const rejects: [number, string, string][] = [];
  const onReject: ReadOptions['onReject'] = (_, number, cause, line) => rejects.push([number, cause, decodeText(line)]);
  const rows: Row[] = [];
  for await (const batch of readRecords([input], { ...plainOptions, onReject, ...options }, report)) {
    rows.push(...rowsOf(batch));
  }
  return { rows, summary: report.inputs[0]!, urlForm: report.urlForm, rejects };
}

/** The rows of a batch. */
export function rowsOf(batch: RecordBatch): Row[] {
  return Array.from({ length: batch.rows }, (_, row) => ({
    url: decodeText(batch.bytes, batch.urlStart[row], batch.urlEnd[row]),
    size: batch.size[row]!,
    sketch: decodeText(batch.bytes, batch.sketchStart[row], batch.sketchEnd[row]),
  }));
}

/** The result for a log of one line: its URL, or why it has none. */
export async function outcome(line: string | Uint8Array, options: Partial<ReadOptions> = {}): Promise<string> {
  const { rows, summary } = await read(line, options);
  const [cause] = [...Object.keys(summary.dropped), ...Object.keys(summary.rejected)];
  return cause ?? rows.map((row) => row.url).join(' ');
}

export function total(causes: Readonly<Record<string, number>>): number {
  return Object.values(causes).reduce((sum, count) => sum + count, 0);
}
