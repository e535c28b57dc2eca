// Reads files in threads beside the one that builds the URL list, several at once, and hands their batches on in the order
// of the inputs: so the answer is that of reading them one after another.
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { UserError } from '../base/error.js';
import type { UrlForm } from '../url/parse.js';
import type { Input } from './bytes.js';
import { readRecords, type ReadOptions, type ReadReport } from './read.js';
import type { InputSummary, RecordBatch } from './record.js';

export interface ReadJob {
  readonly name: string;
  readonly path: string;
  readonly options: Omit<ReadOptions, 'onReject' | 'signal'>;
  readonly wantsRejects: boolean;
  readonly credits: number;
}

export interface RejectedLine {
  readonly number: number;
  readonly cause: string;
  readonly line: Uint8Array;
}

export type FromWorker =
  | { readonly kind: 'batch'; readonly batch: RecordBatch; readonly rejects: readonly RejectedLine[] }
  | {
      readonly kind: 'end';
      readonly summary: InputSummary;
      readonly urlForm: UrlForm;
      readonly rejects: readonly RejectedLine[];
    }
  | { readonly kind: 'refused'; readonly message: string };

/** Batches of about 1 MB that a thread may be ahead. */
const CREDITS = 4;
/** Smaller files are read here: starting a thread costs 40 ms, in which 60,000 lines are read. */
const MIN_BYTES = 8 << 20;

/** Like {@link readRecords}, with up to `threads` - 1 files being read beside the caller. */
export async function* readRecordsParallel(
  inputs: readonly Input[],
  options: ReadOptions,
  report: ReadReport,
  threads: number,
): AsyncGenerator<RecordBatch> {
  const started: Thread[] = [];
  const isLarge = inputs.map((input) => threads > 1 && sizeOf(input) >= MIN_BYTES);
  let next = 0;
  const startMore = (from: number) => {
    for (next = Math.max(next, from); next < inputs.length && started.length < threads - 1; next++) {
      if (isLarge[next]) started.push(new Thread(inputs[next]!, options));
    }
  };
  const forms = new Set<UrlForm>();
  try {
    for (const [index, input] of inputs.entries()) {
      startMore(index);
      const before = report.inputs.length;
      if (isLarge[index]) yield* started.shift()!.read(report);
      else yield* readRecords([input], options, report);
      if (report.inputs[before]!.records > 0) forms.add(report.urlForm);
    }
  } finally {
    await Promise.all(started.map((thread) => thread.stop()));
  }
  report.urlForm = forms.size > 1 ? 'mixed' : ([...forms][0] ?? 'absolute');
}

function sizeOf(input: Input): number {
  if (input.path === undefined) return 0;
  try {
    const found = statSync(input.path);
    return found.isFile() ? found.size : 0;
  } catch {
    return 0; // the reader itself says what is wrong with it
  }
}

class Thread {
  readonly #input: Input;
  readonly #options: ReadOptions;
  readonly #worker: Worker;
  readonly #messages: FromWorker[] = [];
  #failure: unknown;

  constructor(input: Input, options: ReadOptions) {
    const { format, columns, base, scheme, normalize, maxUrlLength } = options;
    const plain = {
      ...(format !== undefined && { format }),
      ...(columns !== undefined && { columns }),
      base,
      scheme,
      normalize,
      maxUrlLength,
    };
    this.#input = input;
    this.#options = options;
    const job: ReadJob = {
      name: input.name,
      path: input.path!,
      options: plain,
      wantsRejects: 'onReject' in options,
      credits: CREDITS,
    };
    this.#worker = new Worker(new URL('./read-worker.js', import.meta.url), { workerData: job });
    this.#worker.on('message', (message: FromWorker) => this.#messages.push(message));
    this.#worker.on('error', (error) => (this.#failure = error));
  }

  async *read(report: ReadReport): AsyncGenerator<RecordBatch> {
    for (;;) {
      while (this.#messages.length === 0) {
        if (this.#failure !== undefined) throw this.#failure;
        await once(this.#worker, 'message');
      }
      const message = this.#messages.shift()!;
      if (message.kind === 'refused') throw new UserError(message.message);
      for (const { number, cause, line } of message.rejects) {
        this.#options.onReject?.(this.#input.name, number, cause, line);
      }
      if (message.kind === 'end') {
        report.inputs.push(message.summary);
        report.urlForm = message.urlForm;
        return;
      }
      yield message.batch;
      this.#worker.postMessage('taken');
    }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
