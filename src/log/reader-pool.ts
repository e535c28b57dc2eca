// A pool of threads that read files: parts of plain files, and whole files if their parts cannot be read independently
// (compressed files, and quotes that span lines). A thread works on several tasks at once. It pauses a whole file while
// nobody takes its batches. One thread reads plain lines as fast as the URL list folds them in; more are started if it
// does not keep up.
import { Worker } from 'node:worker_threads';
import { systemCode, UserError } from '../base/error.js';
import { sharedHeap, type SharedHeap } from '../base/heap.js';
import { packageFile } from '../base/package-file.js';
import { giveBackBatch } from './batch.js';
import type { Parsed, ParserOptions, PartSource } from './part-parser.js';
import type { FilePart } from './parts.js';
import type { TextRange } from './range.js';

export type ToReader =
  | {
      readonly kind: 'part';
      readonly task: number;
      readonly source: PartSource;
      readonly part: FilePart;
      /** [0] is 1 once a thread has begun the part. */
      readonly begun: Int32Array<SharedArrayBuffer>;
    }
  | {
      readonly kind: 'file';
      readonly task: number;
      readonly name: string;
      readonly path: string;
      readonly range: TextRange | undefined;
    }
  /** Row groups [from, to) of a Parquet file, which is input `id`. */
  | {
      readonly kind: 'groups';
      readonly task: number;
      readonly id: number;
      readonly path: string;
      readonly from: number;
      readonly to: number;
      readonly begun: Int32Array<SharedArrayBuffer>;
    }
  /** Batches of a file were taken, so more may be sent. */
  | { readonly kind: 'taken'; readonly task: number }
  /** There is nothing more to do. */
  | { readonly kind: 'close' };

export type FromReader =
  | { readonly kind: 'parsed'; readonly task: number; readonly parsed: Parsed; readonly isOver: boolean }
  | { readonly kind: 'refused'; readonly message: string };

/** The start data of a thread: the heap only if batches are to be in it. */
export interface ReaderData {
  readonly options: ParserOptions;
  readonly heap: SharedHeap | null;
}

/** The number of batches of a whole file, of about 1 MB, that may wait to be taken. */
export const CREDITS = 4;

/** The same for row groups, which a thread reads one at a time: a row group has some ten batches. */
export const GROUP_CREDITS = 12;

/** Errors of a system that has no room for another thread, or for the files of its program. */
const NO_ROOM = new Set(['ERR_WORKER_INIT_FAILED', 'EMFILE', 'ENFILE', 'EAGAIN']);

interface Thread {
  readonly worker: Worker;
  /** The bytes of its tasks. */
  bytes: number;
  isUp: boolean;
}

export class ReaderPool {
  readonly threads: number;
  readonly #options: ParserOptions;
  readonly #threads: Thread[] = [];
  readonly #tasks = new Map<number, Task>();
  #begun = 0;
  #failure: unknown;

  /** Starts at most this many threads, the first one at once. */
  constructor(threads: number, options: ParserOptions) {
    this.threads = threads;
    this.#options = options;
    this.#start();
  }

  /** Starts all threads. Call this before slow work. */
  startAll(): void {
    while (this.#threads.length < this.threads) this.#start();
  }

  /** Starts another thread, unless one is starting. Call this when a part was not read in time. */
  hurry(): void {
    if (this.#threads.length < this.threads && this.#threads.every(({ isUp }) => isUp)) this.#start();
  }

  readPart(source: PartSource, part: FilePart): Task {
    const begun = new Int32Array(new SharedArrayBuffer(4));
    return this.#begin(part.end - part.start, (task) => ({ kind: 'part', task, source, part, begun }), begun);
  }

  readFile(name: string, path: string, bytes: number, range?: TextRange): Task {
    if (this.#threads.length < this.threads && this.#threads.every((thread) => thread.bytes > 0)) this.#start();
    return this.#begin(bytes, (task) => ({ kind: 'file', task, name, path, range }));
  }

  /** Row groups [from, to) of a Parquet file, which is input `id`. */
  readGroups(id: number, path: string, bytes: number, from: number, to: number): Task {
    if (this.#threads.length < this.threads && this.#threads.every((thread) => thread.bytes > 0)) this.#start();
    const begun = new Int32Array(new SharedArrayBuffer(4));
    return this.#begin(bytes, (task) => ({ kind: 'groups', task, id, path, from, to, begun }), begun);
  }

  async stop(): Promise<void> {
    // Running threads are stopped, as nobody would take what they send.
    if (this.#tasks.size > 0) await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
    else for (const { worker } of this.#threads) worker.postMessage({ kind: 'close' } satisfies ToReader);
  }

  #start(): void {
    const options = this.#options;
    const heap = options.memory === 'heap' ? sharedHeap() : null;
    const worker = new Worker(packageFile('dist/program/log/read-worker.js'), {
      workerData: { options, heap } satisfies ReaderData,
    });
    const thread = { worker, bytes: 0, isUp: false };
    worker.on('message', (message: FromReader) => {
      thread.isUp = true;
      this.#receive(message);
    });
    worker.on('error', (error) => this.#fail(error));
    this.#threads.push(thread);
  }

  #begin(bytes: number, messageFor: (id: number) => ToReader, begun?: Int32Array<SharedArrayBuffer>): Task {
    const id = this.#begun++;
    const thread = this.#threads.reduce((idlest, other) => (other.bytes < idlest.bytes ? other : idlest));
    const post = (message: ToReader) => thread.worker.postMessage(message);
    const task = new Task(
      () => post({ kind: 'taken', task: id }),
      () => {
        thread.bytes -= bytes;
        this.#tasks.delete(id);
      },
      begun,
    );
    thread.bytes += bytes;
    if (this.#failure !== undefined) task.fail(this.#failure);
    this.#tasks.set(id, task);
    post(messageFor(id));
    return task;
  }

  #receive(message: FromReader): void {
    if (message.kind === 'refused') return this.#fail(new UserError(message.message));
    this.#tasks.get(message.task)?.receive(message.parsed, message.isOver);
  }

  #fail(error: unknown): void {
    this.#failure = NO_ROOM.has(systemCode(error) ?? '') ? noThread(error) : error;
    for (const task of this.#tasks.values()) task.fail(this.#failure);
    this.#tasks.clear();
  }
}

/** A task of a thread, and what the thread has sent. */
export class Task {
  readonly #onTaken: () => void;
  readonly #onOver: () => void;
  readonly #begun: Int32Array<SharedArrayBuffer> | undefined;
  readonly #waiting: Parsed[] = [];
  #isOver = false;
  #failure: unknown;
  #wake = (): void => {};

  constructor(onTaken: () => void, onOver: () => void, begun?: Int32Array<SharedArrayBuffer>) {
    this.#begun = begun;
    this.#onTaken = onTaken;
    this.#onOver = onOver;
  }

  get hasCome(): boolean {
    return this.#waiting.length > 0 || this.#isOver;
  }

  receive(parsed: Parsed, isOver: boolean): void {
    this.#waiting.push(parsed);
    this.#isOver = isOver;
    if (isOver) this.#onOver();
    this.#wake();
  }

  /** True for a part or row groups that no thread has begun. Then none will. */
  takeBack(): boolean {
    if (this.#failure !== undefined || this.#begun === undefined || !isFirst(this.#begun)) return false;
    this.#onOver();
    return true;
  }

  /** Takes everything that is still to come, and frees it. */
  async drain(): Promise<void> {
    if (this.takeBack()) return;
    for await (const { batches } of this.results()) batches.forEach(giveBackBatch);
  }

  /** Frees batches that have come and were not taken. */
  close(): void {
    for (const { batches } of this.#waiting.splice(0)) batches.forEach(giveBackBatch);
  }

  fail(failure: unknown): void {
    this.#failure = failure;
    this.#wake();
  }

  async *results(): AsyncGenerator<Parsed> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const parsed = this.#waiting.shift();
      if (parsed !== undefined) {
        yield parsed;
        if (!this.#isOver) this.#onTaken();
      } else if (this.#isOver) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}

/** True for the first caller; marks the part as begun. */
export function isFirst(begun: Int32Array<SharedArrayBuffer>): boolean {
  return Atomics.exchange(begun, 0, 1) === 0;
}

function noThread(error: unknown): UserError {
  const message =
    'a thread for reading could not be started: expected room for more threads and open files (ulimit -n)';
  return new UserError(`${message}; raise the limits, or read with --threads 1`, { cause: error });
}
