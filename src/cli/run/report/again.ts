// Reads the files of a log again, for what the first reading does not keep of each request. What was on standard input is
// gone.
import { statSync } from 'node:fs';
import { systemName } from '../../../base/file-name.js';
import type { Input } from '../../../log/bytes.js';
import type { OnRequest } from '../../../log/line-reader.js';
import { createReadReport, type ReadOptions, readRecords } from '../../../log/read.js';

/** A pipe can be read only once. */
export function canReadAgain({ path }: Input): boolean {
  return path !== undefined && statSync(systemName(path), { throwIfNoEntry: false })?.isFile() === true;
}

/** Yields the number of records read so far. */
export async function* readAgain(
  inputs: readonly Input[],
  reading: ReadOptions,
  onRequest: OnRequest,
): AsyncGenerator<number> {
  const again = { ...reading, onProgress: () => undefined, requests: true, onRequest };
  let records = 0;
  for await (const { rows } of readRecords(inputs, again, createReadReport())) yield (records += rows);
}
