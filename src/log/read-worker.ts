// Reads files, and parts of files, in a thread. `reader-pool` is the other side.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../base/error.js';
import { joinHeap } from '../base/heap.js';
import { wantsOf } from './filter.js';
import { fileInput } from './inputs.js';
import { emptyCounts } from './line-reader.js';
import { copyOf } from './batch.js';
import { buffersOf, PartParser, type Parsed, type RejectedLine } from './part-parser.js';
import type { ParquetTable } from './parquet/table.js';
import { CREDITS, GROUP_CREDITS, isFirst, type FromReader, type ReaderData, type ToReader } from './reader-pool.js';
import type { LineWays } from './record.js';

const port = parentPort!;
const { options, heap } = workerData as ReaderData;
if (heap !== null) joinHeap(heap);
const parser = new PartParser(options);

/**
 * For every file that is being read: how many more batches may be sent (credits), and how to wake its reader when there
 * are more.
 */
const flows = new Map<number, { credits: number; wake: () => void }>();

port.on('message', (message: ToReader) => {
  if (message.kind === 'part') {
    if (isFirst(message.begun)) answer(message.task, () => parser.parse(message.source, message.part));
  } else if (message.kind === 'close') close();
  else if (message.kind === 'groups') readNext(message);
  else if (message.kind === 'file') void readFile(message).catch(refuse);
  else {
    const flow = flows.get(message.task);
    if (flow === undefined) return;
    flow.credits++;
    flow.wake();
  }
});

/** Ends the thread. */
function close(): void {
  parser.close();
  port.close();
}

function answer(task: number, parse: () => Parsed): void {
  try {
    send(task, parse(), true);
  } catch (error) {
    refuse(error);
  }
}

async function readFile({ task, name, path, range }: Extract<ToReader, { kind: 'file' }>): Promise<void> {
  // Loaded when a whole file comes: parts need little of it.
  const { createReadReport, readRecords } = await import('./read.js');
  const flow = { credits: CREDITS, wake: (): void => {} };
  flows.set(task, flow);
  const report = createReadReport();
  const input = { ...fileInput(name, path), ...(range !== undefined && { range }) };
  let rejects: RejectedLine[] = [];
  const onReject = (_input: string, number: number, cause: string, line: Uint8Array) => {
    rejects.push({ number, cause, line: Uint8Array.from(line) });
  };
  let taken = { lines: 0, bytes: 0 };
  const onProgress = (lines: number, bytes: number) => {
    taken = { lines: taken.lines + lines, bytes: taken.bytes + bytes };
  };
  let ways: LineWays | undefined;
  const onWays = (_input: string, found: LineWays) => (ways = found);
  const listeners = { ...(options.wantsRejects && { onReject }), ...(options.wantsWays === true && { onWays }) };
  const reading = { ...options, onProgress, ...listeners };
  const noForms = { absolute: 0, path: 0 };
  const nothing = { lines: 0, forms: noForms, counts: emptyCounts(), format: null, reason: null };
  for await (const batch of readRecords([input], reading, report)) {
    const parsed = { ...nothing, batches: [copyOf(batch)], rejects, taken };
    rejects = [];
    taken = { lines: 0, bytes: 0 };
    while (flow.credits === 0) await new Promise<void>((wake) => (flow.wake = wake));
    flow.credits--;
    send(task, parsed, false);
  }
  flows.delete(task);
  const read = report.inputs[0]!;
  const { format, reason = null, lines, records, dropped, rejected, misfit, firsts, unreadQuery, misread } = read;
  const found = {
    ...(misfit !== undefined && { misfit }),
    ...(firsts !== undefined && { firsts: { ...firsts } }),
    ...(unreadQuery !== undefined && { unreadQuery }),
    ...(misread !== undefined && { misread: { ...misread } }),
    ...(ways !== undefined && { ways }),
  };
  const counts = { lines, records, dropped: { ...dropped }, rejected: { ...rejected }, ...found };
  send(task, { batches: [], rejects, lines: 0, counts, forms: report.forms, format, reason, taken }, true);
}

/** The Parquet file that was read last. */
let opened: { readonly path: string; readonly table: Promise<ParquetTable> } | undefined;

type Groups = Extract<ToReader, { kind: 'groups' }>;
let reading = Promise.resolve();

/** Reads one row group after another, so that later ones can still be taken back. */
function readNext(groups: Groups): void {
  reading = reading.then(() => (isFirst(groups.begun) ? readGroups(groups).catch(refuse) : undefined));
}

async function readGroups({ task, id, path, from, to }: Groups): Promise<void> {
  const [{ openTable, reasonOf }, { parseGroups, unread }] = await Promise.all([
    import('./parquet/table.js'),
    import('./parquet/parse.js'),
  ]);
  const flow = { credits: GROUP_CREDITS, wake: (): void => {} };
  flows.set(task, flow);
  let last: Parsed = unread(null);
  try {
    if (opened?.path !== path) opened = { path, table: openTable(path, options.columns, wantsOf(options)) };
    let waiting: Parsed | null = null;
    for (const parsed of parseGroups(await opened.table, { id, from, to }, parser, options.filters)) {
      if (waiting !== null) {
        while (flow.credits === 0) await new Promise<void>((wake) => (flow.wake = wake));
        flow.credits--;
        send(task, waiting, false);
        // Lets other tasks run.
        await nextTurn();
      }
      waiting = parsed;
    }
    last = waiting ?? unread(null);
  } catch (error) {
    last = unread(reasonOf(error));
  }
  flows.delete(task);
  send(task, last, true);
}

function send(task: number, parsed: Parsed, isOver: boolean): void {
  port.postMessage({ kind: 'parsed', task, parsed, isOver } satisfies FromReader, buffersOf(parsed.batches));
}

function refuse(error: unknown): void {
  if (!(error instanceof UserError)) throw error;
  port.postMessage({ kind: 'refused', message: error.message } satisfies FromReader);
}
