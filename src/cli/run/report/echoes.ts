// Reads which page of the site each request came from. The first reading does not have that, so the files are read again,
// up to enough pairs of pages.
import { decodeText } from '../../../base/bytes.js';
import type { Input } from '../../../log/bytes.js';
import { isDocumentUrl } from '../../../log/filters.js';
import type { OnRequest } from '../../../log/line-reader.js';
import { isParquetFile } from '../../../log/parquet/open.js';
import type { ReadOptions } from '../../../log/read.js';
import { EchoMeter } from '../../../report/page/measure/echoes.js';
import { canReadAgain, readAgain } from './again.js';

/** With more, reading again would take longer than it is worth. */
const MOST_RECORDS = 2_000_000;
const QUESTION = 0x3f;

export async function readEchoes(inputs: readonly Input[], reading: ReadOptions): Promise<EchoMeter> {
  const meter = new EchoMeter();
  const onRequest: OnRequest = ({ referrer }, bytes, start, end) => {
    if (referrer.bytes.subarray(referrer.start, referrer.end).indexOf(QUESTION) < 0) return;
    const target = decodeText(bytes, start, end);
    if (isDocumentUrl(target)) meter.add(decodeText(referrer.bytes, referrer.start, referrer.end), target);
  };
  const files = inputs.filter((input) => !isParquetFile(input.path) && canReadAgain(input));
  for await (const records of readAgain(files, reading, onRequest)) if (meter.isFull || records >= MOST_RECORDS) break;
  return meter;
}
