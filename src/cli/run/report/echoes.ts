// Reads which page of the site each request came from. The first reading does not have that, so the files are read again,
// up to enough pairs of pages: what was on standard input is gone.
import { statSync } from 'node:fs';
import { decodeText } from '../../../base/bytes.js';
import { systemName } from '../../../base/file-name.js';
import type { Input } from '../../../log/bytes.js';
import { isDocumentUrl } from '../../../log/filters.js';
import type { Fields } from '../../../log/format/format.js';
import { isParquetFile } from '../../../log/parquet/open.js';
import { createReadReport, type ReadOptions, readRecords } from '../../../log/read.js';
import { EchoMeter } from '../../../report/page/measure/echoes.js';

/** With more, reading again would take longer than it is worth. */
const MOST_RECORDS = 2_000_000;
const QUESTION = 0x3f;

/** A pipe can be read only once. */
function isFile(path: string | undefined): boolean {
  return path !== undefined && statSync(systemName(path), { throwIfNoEntry: false })?.isFile() === true;
}

export async function readEchoes(inputs: readonly Input[], reading: ReadOptions): Promise<EchoMeter> {
  const meter = new EchoMeter();
  const onRequest = ({ referrer }: Fields, bytes: Uint8Array, start: number, end: number) => {
    if (referrer.bytes.subarray(referrer.start, referrer.end).indexOf(QUESTION) < 0) return;
    const target = decodeText(bytes, start, end);
    if (isDocumentUrl(target)) meter.add(decodeText(referrer.bytes, referrer.start, referrer.end), target);
  };
  const files = inputs.filter(({ path }) => !isParquetFile(path) && isFile(path));
  const again = { ...reading, onProgress: () => undefined, requests: true, onRequest };
  let records = 0;
  for await (const batch of readRecords(files, again, createReadReport())) {
    records += batch.rows;
    if (meter.isFull || records >= MOST_RECORDS) break;
  }
  return meter;
}
