// A thread pool for a synchronous caller: it sleeps while the threads compute. The data of a task are in shared memory,
// or in messages.
//
//   caller     posts tasks, sleeps on `ready` and wakes for each message
//   a thread   performs one task after another; each task may send messages, and sends a last one at its end
//
// One long task can run beside the others (`begin`): its thread takes no other task meanwhile.
//
// A sleeping caller receives no events, so threads report failures in messages too (see `serve`). If a thread dies
// without one, for example out of memory, the caller finds out by polling, if the system lists threads.
import { existsSync, readlinkSync } from 'node:fs';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
import { UserError } from './error.js';
import { joinHeap, sharedHeap, type SharedHeap, unlockHeap } from './heap.js';
import type { Progress } from './progress.js';

/** A message of a thread: a value, the end of a task, or why it failed. */
type FromMember<R> =
  | { readonly kind: 'part'; readonly value: R }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly stack: string };

/** The start data of a thread. */
interface MemberData {
  readonly port: MessagePort;
  /**
   * [0]: the number of messages that all threads have sent; [1]: the number of threads that have started; then the
   * thread ids (0 if not known).
   */
  readonly ready: Int32Array<SharedArrayBuffer>;
  /** The index in `ready` of this thread's id. */
  readonly slot: number;
  readonly heap: SharedHeap;
}

const HEAD = 2;

/** A thread that takes longer to start is not used. */
const START_MS = 10_000;
/** Maximum time to wait for threads that were stopped. */
const END_MS = 2000;
/** Without a message for so long, the caller checks that the threads live. */
const LOOK_MS = 2000;
/** How often the progress display is ticked. */
const TICK_MS = 100;

interface Member {
  readonly slot: number;
  readonly worker: Worker;
  readonly port: MessagePort;
}

/** A running task, and its call of `run` or `begin`. */
interface Job {
  readonly of: Call;
  readonly take: (value: unknown) => void;
}

interface Call {
  underWay: number;
}

/** Performs tasks `T`, which send values `R`, and long tasks beside them. */
export class Crew<T, R, Long = T, LongR = R> {
  readonly threads: number;
  readonly #module: URL;
  readonly #progress: Progress | undefined;
  #lookedAt = 0;
  #ready: Int32Array<SharedArrayBuffer>;
  #members: Member[] = [];
  readonly #jobs = new Map<Member, Job>();

  /**
   * `module` is the code of the threads; it calls `serve`. They start when first needed, or at `start`. `progress` is
   * ticked while the caller waits.
   */
  constructor(threads: number, module: URL, progress?: Progress) {
    this.threads = threads;
    this.#module = module;
    this.#progress = progress;
    this.#ready = readiness(threads);
  }

  start(): void {
    while (this.#members.length < this.threads) this.#members.push(this.#startMember());
  }

  /** Stops all threads, which frees everything they held. New ones start when they are needed. */
  stop(): void {
    for (const { worker } of this.#members) void worker.terminate();
    if (this.#jobs.size > 0) this.#awaitEnd();
    this.#members = [];
    this.#jobs.clear();
    this.#ready = readiness(this.threads);
  }

  /**
   * Performs all tasks, in any order, on whichever thread is free. Takes the next task from `tasks` when a thread is
   * free, so a task can depend on earlier results. `undefined` means that there is no task until a running one sends a
   * message, or none at all if none is running. `onPart` gets what tasks send.
   */
  run<Task extends T>(tasks: Iterable<Task | undefined>, onPart: (value: R, task: Task) => void): void {
    this.start();
    this.#awaitStart();
    const call = { underWay: 0 };
    const iterator = tasks[Symbol.iterator]();
    let next = iterator.next();
    try {
      for (;;) {
        const task = next.done === true ? undefined : next.value;
        const idle = task === undefined ? undefined : this.#members.find((member) => !this.#jobs.has(member));
        if (task !== undefined && idle !== undefined) {
          this.#post(idle, task, call, (value) => onPart(value as R, task));
          next = iterator.next();
        } else if (task === undefined && call.underWay === 0) {
          return;
        } else {
          this.#receive();
          if (task === undefined && next.done !== true) next = iterator.next();
        }
      }
    } catch (error) {
      // Nobody would receive the results of the running tasks.
      this.stop();
      throw error;
    }
  }

  /**
   * Starts one task while the caller continues, possibly with {@link run}, which may throw if this task fails. `finish`
   * waits for its end and returns what it sent. Call this only while a thread is free.
   */
  begin(task: Long): { finish(): readonly LongR[] } {
    this.start();
    this.#awaitStart();
    const call = { underWay: 0 };
    const sent: LongR[] = [];
    const idle = this.#members.find((member) => !this.#jobs.has(member));
    if (idle === undefined) throw new Error('every thread has a task that was begun');
    this.#post(idle, task, call, (value) => sent.push(value as LongR));
    return {
      finish: () => {
        this.#finish(idle, call);
        return sent;
      },
    };
  }

  #finish(member: Member, call: Call): void {
    try {
      while (call.underWay > 0) {
        if (this.#jobs.get(member)?.of !== call) throw new Error('threads were stopped while a task was under way');
        this.#receive();
      }
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  #post(member: Member, task: T | Long, of: Call, take: Job['take']): void {
    this.#jobs.set(member, { of, take });
    of.underWay++;
    member.port.postMessage(task);
  }

  /** Handles the messages that have come, or sleeps until one comes. */
  #receive(): void {
    const seen = Atomics.load(this.#ready, 0);
    let received = 0;
    for (const [member, { of, take }] of this.#jobs) {
      for (let next = receiveMessageOnPort(member.port); next !== undefined; next = receiveMessageOnPort(member.port)) {
        received++;
        const message = next.message as FromMember<unknown>;
        if (message.kind === 'part') take(message.value);
        else if (message.kind === 'refused') throw new UserError(message.message);
        else if (message.kind === 'failed') throw new Error(`a thread failed: ${message.stack}`);
        else {
          of.underWay--;
          this.#jobs.delete(member);
        }
      }
    }
    this.#progress?.tick();
    if (received > 0) {
      this.#lookedAt = Date.now();
      return;
    }
    const ms = this.#progress === undefined ? LOOK_MS : TICK_MS;
    if (Atomics.wait(this.#ready, 0, seen, ms) !== 'timed-out' || Date.now() - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = Date.now();
    this.#lookForThreads();
  }

  #lookForThreads(): void {
    for (const { slot } of this.#jobs.keys()) {
      const thread = this.#ready[slot]!;
      if (thread === 0 || existsSync(`${TASKS}/${thread}`)) continue;
      throw new UserError('a thread died during a task, probably out of memory; use fewer --threads, or less --memory');
    }
  }

  /** Waits for the stopped threads to end: one stopped in the middle of a task may hold the lock of the heap. */
  #awaitEnd(): void {
    const until = Date.now() + END_MS;
    const isThere = ({ slot }: Member) => this.#ready[slot] !== 0 && existsSync(`${TASKS}/${this.#ready[slot]}`);
    while (Date.now() < until && [...this.#jobs.keys()].some(isThere)) Atomics.wait(this.#ready, 0, -1, 1);
    unlockHeap();
  }

  #startMember(): Member {
    const { port1, port2 } = new MessageChannel();
    const slot = HEAD + this.#members.length;
    const workerData: MemberData = { port: port2, ready: this.#ready, slot, heap: sharedHeap() };
    const worker = new Worker(this.#module, { workerData, transferList: [port2] });
    // The process may end while threads wait for tasks. `run` detects a thread that did not start.
    worker.unref();
    worker.on('error', () => undefined);
    return { slot, worker, port: port1 };
  }

  #awaitStart(): void {
    const until = Date.now() + START_MS;
    for (;;) {
      const started = Atomics.load(this.#ready, 1);
      if (started >= this.#members.length) return;
      const left = until - Date.now();
      if (left <= 0)
        throw new UserError(
          `${this.#members.length - started} of ${this.#members.length} threads did not start: expected memory and processes for them; use fewer --threads`,
        );
      Atomics.wait(this.#ready, 1, started, left);
    }
  }
}

function readiness(threads: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4 * (HEAD + threads)));
}

/** Linux lists the threads of a process here. */
const TASKS = '/proc/self/task';

// What runs in a thread.

/** Sends the caller a value; the buffers in `transfer` move to it. */
export type Send<R> = (value: R, transfer?: readonly ArrayBuffer[]) => void;

/** Performs tasks as they come, one at a time. The module of a thread calls this once. */
export function serve<T, R>(perform: (task: T, send: Send<R>) => void): void {
  const { port, ready, slot, heap } = workerData as MemberData;
  joinHeap(heap);
  const post = (message: FromMember<R>, transfer: readonly ArrayBuffer[] = []) => {
    port.postMessage(message, transfer);
    Atomics.add(ready, 0, 1);
    Atomics.notify(ready, 0);
  };
  port.on('message', (task: T) => {
    try {
      perform(task, (value, transfer) => post({ kind: 'part', value }, transfer));
      post({ kind: 'done' });
    } catch (error) {
      if (error instanceof UserError) post({ kind: 'refused', message: error.message });
      else post({ kind: 'failed', stack: error instanceof Error ? String(error.stack) : String(error) });
    }
  });
  ready[slot] = ownNumber();
  Atomics.add(ready, 1, 1);
  Atomics.notify(ready, 1);
}

/** The thread id (tid) of this thread, or 0 if not known. */
function ownNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0;
  } catch {
    return 0; // not Linux, or /proc is hidden: then the death of a thread goes unnoticed
  }
}
