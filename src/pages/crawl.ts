// Makes the page records of a crawl: one per capture, in the order of the archives. Bodies are sketched in batches, a
// few of which are in progress at a time.
import type { Capture, UnusableReason } from '../log/warc/capture.js';
import { isRedirect, locationOf } from './headers.js';
import type { PageContent, PageRecord } from './record.js';
import type { Body } from './sketching.js';

/** Counts of the captures of a crawl, by result. */
export interface CrawlCounts {
  /** With a body. */
  pages: number;
  /** Pages without a word, and so without a sketch. */
  wordless: number;
  redirects: number;
  /** Other answers, such as 404 and 500. */
  others: number;
  readonly unusable: Record<UnusableReason, number>;
}

export function emptyCrawlCounts(): CrawlCounts {
  const unusable = { 'too-large': 0, decoding: 0, 'cut-short': 0, 'no-original': 0 };
  return { pages: 0, wordless: 0, redirects: 0, others: 0, unusable };
}

/** Makes the contents of some bodies, in the same order. */
export type Sketch = (pages: readonly Body[]) => Promise<readonly PageContent[]>;

export interface TimedCapture {
  readonly capture: Capture;
  /** Seconds since 1970; 0 if unknown. */
  readonly time: number;
}

const BATCH_PAGES = 64;
const BATCH_BYTES = 2 << 20;

/** A record, with its body until the content is known. */
interface Begun {
  readonly record: PageRecord;
  readonly body?: Body;
}

/** `ahead`: the number of batches that may be in progress. */
export async function* recordsOf(
  captures: AsyncIterable<TimedCapture>,
  sketch: Sketch,
  ahead: number,
  counts: CrawlCounts,
): AsyncGenerator<PageRecord> {
  const onTheWay: Promise<readonly PageRecord[]>[] = [];
  for await (const batch of batchesOf(captures, counts)) {
    const records = completed(batch, sketch);
    records.catch(() => undefined); // awaited below, maybe only after another one failed
    onTheWay.push(records);
    if (onTheWay.length > ahead) yield* counting(await onTheWay.shift()!, counts);
  }
  for (const records of onTheWay) yield* counting(await records, counts);
}

function* counting(records: readonly PageRecord[], counts: CrawlCounts): Generator<PageRecord> {
  for (const record of records) {
    if (record.page !== undefined && record.page.sketch === undefined) counts.wordless++;
    yield record;
  }
}

async function completed(batch: readonly Begun[], sketch: Sketch): Promise<readonly PageRecord[]> {
  const contents = await sketch(batch.flatMap(({ body }) => (body === undefined ? [] : [body])));
  let at = 0;
  return batch.map(({ record, body }) => (body === undefined ? record : { ...record, page: contents[at++]! }));
}

async function* batchesOf(captures: AsyncIterable<TimedCapture>, counts: CrawlCounts): AsyncGenerator<Begun[]> {
  let batch: Begun[] = [];
  let bytes = 0;
  for await (const timed of captures) {
    const begun = begin(timed, counts);
    if (begun === undefined) continue;
    batch.push(begun);
    bytes += begun.body?.body.length ?? 0;
    if (batch.length < BATCH_PAGES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function begin({ capture, time }: TimedCapture, counts: CrawlCounts): Begun | undefined {
  const { url } = capture;
  switch (capture.kind) {
    case 'document': {
      counts.pages++;
      const { status, body, contentType, link } = capture;
      return { record: { url, time, status }, body: { url, body, contentType, link } };
    }
    case 'answer': {
      const { status, location } = capture;
      const redirect = location !== undefined && isRedirect(status) ? locationOf(location, url) : undefined;
      if (redirect === undefined) counts.others++;
      else counts.redirects++;
      return { record: { url, time, status, ...(redirect !== undefined && { redirect }) } };
    }
    case 'unusable':
      counts.unusable[capture.reason]++;
      return undefined;
    default:
      return capture satisfies never;
  }
}
