// Builds URL lists for tests as the program does: records in batches, through the builder.
import { tmpdir } from 'node:os';
import type { RecordBatch } from '../src/log/record.js';
import type { SiteUrls } from '../src/table/site-urls.js';
import { UrlListBuilder, type SiteReader } from '../src/table/url-list.js';
import { uncollate } from '../src/url/token.js';

export interface TestRecord {
  /** One char per byte. */
  readonly url: string;
  readonly size?: number;
  readonly sketch?: string;
}

/** A batch as the readers make it, of these records only. */
export function batchOf(records: readonly TestRecord[]): RecordBatch {
  const chunks: Buffer[] = [];
  const rows = records.length;
  const [urlStart, urlEnd, sketchStart, sketchEnd] = [0, 0, 0, 0].map(() => new Int32Array(rows)) as Four;
  const size = new Float64Array(rows);
  let at = 0;
  records.forEach((record, row) => {
    const url = Buffer.from(record.url, 'latin1');
    const sketch = Buffer.from(record.sketch ?? '', 'latin1');
    chunks.push(url, sketch);
    urlStart[row] = at;
    urlEnd[row] = sketchStart[row] = at + url.length;
    sketchEnd[row] = at += url.length + sketch.length;
    size[row] = record.size ?? -1;
  });
  return {
    rows,
    block: null,
    bytes: Buffer.concat(chunks),
    urlStart,
    urlEnd,
    size,
    sketchStart,
    sketchEnd,
    visitor: null,
    day: null,
    duration: null,
    client: null,
    agent: null,
    status: null,
  };
}

type Four = [Int32Array, Int32Array, Int32Array, Int32Array];

export function siteReaderOf(
  records: readonly TestRecord[],
  memoryBytes = 1 << 24,
  siteOf: (url: string) => string = () => 'site',
  hashBits?: number,
): SiteReader & { readonly stats: { runs: number; bytes: number } } {
  const stats = { runs: 0, bytes: 0 };
  const bySite = (bytes: Uint8Array, start: number, end: number) =>
    siteOf(Buffer.from(bytes.subarray(start, end)).toString('latin1'));
  const builder = new UrlListBuilder(
    bySite,
    { memoryBytes, tmpdir: tmpdir(), ...(hashBits !== undefined && { hashBits }) },
    stats,
  );
  for (let k = 0; k < records.length; k += 100) builder.add(batchOf(records.slice(k, k + 100)));
  return Object.assign(builder.finish(), { stats });
}

/** The URL list of records that are all of one site. */
export function siteUrlsOf(records: readonly TestRecord[]): SiteUrls {
  return siteReaderOf(records).next()!;
}

export function urlAt(urls: SiteUrls, row: number): string {
  const at = urls.at(row);
  return Buffer.from(uncollate(urls.bytes, at, at + urls.lengthOf(row))).toString('latin1');
}
