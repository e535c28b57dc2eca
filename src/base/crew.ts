// Threads that compute while the caller waits for them: the caller stays synchronous, and what a thread works on lies in
// shared memory or goes to it and back in messages.
//
//   caller     posts tasks, sleeps on `ready` and wakes for each message that came
//   a thread   takes one task after another; a task sends what it likes, and when it is over one last message
//
// One long task can be under way beside others (`begin`): its thread takes none of these meanwhile.
//
// While the caller sleeps no event of a thread reaches it, so failures too come as messages (see crew-member). A thread that
// ends without one, as for want of memory, is found by looking for it from time to time, where the system shows threads.
import { existsSync } from 'node:fs';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import { UserError } from './error.js';
import { sharedHeap, unlockHeap, type SharedHeap } from './heap.js';
import type { Progress } from './progress.js';

/** What a thread says: something on the way, the end of a task, or why it could not end it. */
export type FromMember<R> =
  | { readonly kind: 'part'; readonly value: R }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly stack: string };

/** What a thread is started with. */
export interface MemberData {
  readonly port: MessagePort;
  /** [0]: messages that all threads have sent, [1]: threads that have started, then the system's number of each; 0: none. */
  readonly ready: Int32Array<SharedArrayBuffer>;
  /** Where in `ready` the number of this thread goes. */
  readonly slot: number;
  readonly heap: SharedHeap;
}

const HEAD = 2;

/** Threads that have not started after this long are done without. */
const START_MS = 10_000;
/** Threads that were stopped are waited for so long, at most. */
const END_MS = 2000;
/** Threads are looked for when there was no message for so long. */
const LOOK_MS = 2000;
/** Who shows the progress is asked so often. */
const TICK_MS = 100;

interface Member {
  readonly slot: number;
  readonly worker: Worker;
  readonly port: MessagePort;
}

/** A task under way, and the call that it belongs to. */
interface Job {
  readonly of: Call;
  readonly take: (value: unknown) => void;
}

interface Call {
  underWay: number;
}

/** Does tasks `T`, which send `R`, and long ones beside them. */
export class Crew<T, R, Long = T, LongR = R> {
  readonly threads: number;
  readonly #module: URL;
  readonly #progress: Progress | undefined;
  #lookedAt = 0;
  #ready: Int32Array<SharedArrayBuffer>;
  #members: Member[] = [];
  readonly #jobs = new Map<Member, Job>();

  /**
   * Threads that run `module`, which calls `serve`. They start when they are first needed, or at `start`. `progress` is told that
   * time goes by while the caller waits for them.
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

  /** Ends all threads, and so gives back all that they held. New ones start when they are needed. */
  stop(): void {
    for (const { worker } of this.#members) void worker.terminate();
    if (this.#jobs.size > 0) this.#awaitEnd();
    this.#members = [];
    this.#jobs.clear();
    this.#ready = readiness(this.threads);
  }

  /**
   * Has all tasks done, in any order, by whoever is free. `tasks` is asked for more whenever a thread is free, so that
   * what one yields can depend on what came before: `undefined` where nothing is to be done until more comes, or ever, if
   * no task is under way. `onPart` gets what tasks send.
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
      // Tasks that are under way have nobody to go to.
      this.stop();
      throw error;
    }
  }

  /**
   * Has one task done while the caller goes on, with calls of {@link run} among others: where the task fails, one of these
   * may say so. `finish` waits for the end and gives what the task sent. To be called while a thread is free.
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

  /** Takes what has come, or sleeps until something does. */
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
      throw new UserError(
        'a thread ended in the middle of its work: expected memory for it; name fewer with --threads, or less with --memory',
      );
    }
  }

  /** Those that were stopped in the midst of a task may have locked the heap. */
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
    // The process may end while threads wait for more; a failure to start is seen below.
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
          `${this.#members.length - started} of ${this.#members.length} threads do not start: expected memory and processes for them; name fewer with --threads`,
        );
      Atomics.wait(this.#ready, 1, started, left);
    }
  }
}

function readiness(threads: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4 * (HEAD + threads)));
}

/** Linux shows the threads of a process. */
const TASKS = '/proc/self/task';
