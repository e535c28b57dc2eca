// Sketches the pages of a crawl in threads. The main thread reads the archives in one pass; parsing pages takes ten
// times as long.
import { Worker } from 'node:worker_threads';
import { packageFile } from '../base/package-file.js';
import type { PageContent } from './record.js';
import type { Body, SketchSizes } from './sketching.js';

/** A batch of pages for a thread, which answers with their contents in the same order. */
export type ToSketcher = readonly Body[];
export type FromSketcher = readonly PageContent[];

export class SketchThreads {
  readonly #threads: Thread[];
  #next = 0;

  constructor(threads: number, sizes: SketchSizes) {
    this.#threads = Array.from({ length: threads }, () => new Thread(sizes));
  }

  /** Threads get batches in turn. The bodies are moved to them. */
  sketch(pages: ToSketcher): Promise<FromSketcher> {
    const thread = this.#threads[this.#next++ % this.#threads.length]!;
    return thread.sketch(pages);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<FromSketcher>[] = [];

  constructor(sizes: SketchSizes) {
    this.#worker = new Worker(packageFile('dist/program/pages/sketch-thread.js'), { workerData: sizes });
    this.#worker.on('message', (contents: FromSketcher) => this.#waiting.shift()!.resolve(contents));
    this.#worker.on('error', (error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  sketch(pages: ToSketcher): Promise<FromSketcher> {
    const answer = withResolvers<FromSketcher>();
    this.#waiting.push(answer);
    // Several bodies may share a buffer, which can be moved only once.
    const moved = pages.map((page) => ({ ...page, body: ownBytes(page.body) }));
    this.#worker.postMessage(moved satisfies ToSketcher, [...new Set(moved.map(({ body }) => body.buffer))]);
    return answer.promise;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

function ownBytes(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  return buffer instanceof ArrayBuffer && byteLength === buffer.byteLength
    ? (body as Uint8Array<ArrayBuffer>)
    : new Uint8Array(body);
}

/** The result of Promise.withResolvers, which Node has from version 22 on. */
interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let [resolve, reject]: [(value: T) => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}
