// Reads one input in a thread of its own: the other side of `parallel`.
import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../base/error.js';
import { fileInput } from './inputs.js';
import type { FromWorker, ReadJob, RejectedLine } from './parallel.js';
import { createReadReport, readRecords } from './read.js';

const port = parentPort!;
const job = workerData as ReadJob;

// Batches that may be on their way; the reader of them sends one back for each that it has taken.
let credits = job.credits;
let wake: () => void = () => undefined;
port.on('message', () => {
  credits++;
  wake();
});

function send(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function read(): Promise<void> {
  const report = createReadReport();
  let rejects: RejectedLine[] = [];
  const onReject = (_input: string, number: number, cause: string, line: Uint8Array) => {
    rejects.push({ number, cause, line: line.slice() });
  };
  const options = job.wantsRejects ? { ...job.options, onReject } : job.options;
  for await (const batch of readRecords([fileInput(job.name, job.path)], options, report)) {
    const used = batch.rows === 0 ? 0 : batch.sketchEnd[batch.rows - 1]!;
    const bytes = Uint8Array.from(batch.bytes.subarray(0, used));
    const columns = {
      urlStart: batch.urlStart.slice(0, batch.rows),
      urlEnd: batch.urlEnd.slice(0, batch.rows),
      size: batch.size.slice(0, batch.rows),
      sketchStart: batch.sketchStart.slice(0, batch.rows),
      sketchEnd: batch.sketchEnd.slice(0, batch.rows),
    };
    while (credits === 0) await new Promise<void>((resolve) => (wake = resolve));
    credits--;
    const buffers = [bytes, ...Object.values(columns)].map((column) => column.buffer as ArrayBuffer);
    send({ kind: 'batch', batch: { rows: batch.rows, bytes, ...columns }, rejects }, buffers);
    rejects = [];
  }
  send({ kind: 'end', summary: report.inputs[0]!, urlForm: report.urlForm, rejects });
}

try {
  await read();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  send({ kind: 'refused', message: error.message });
}
port.close();
