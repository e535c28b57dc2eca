// Reads Parquet files as part of a run (parallel.ts): in this thread, or row group by row group in several threads.
// Batches come in the order of rows.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Input } from '../bytes.js';
import type { Parsed, PartParser } from '../part-parser.js';
import type { ReadOptions } from '../read.js';
import type { ReaderPool, Task } from '../reader-pool.js';
import { tableOf } from './open.js';
import { parseGroups, unread } from './parse.js';
import { type ParquetTable, reasonOf } from './table.js';

/** Reads a whole file in this thread. `id` is its number among the inputs. */
export async function* parseGroupsHere(
  input: Input,
  id: number,
  options: ReadOptions,
  parser: PartParser,
): AsyncGenerator<Parsed> {
  let table: ParquetTable;
  try {
    table = await tableOf(input, options);
  } catch (error) {
    return yield unread(reasonOf(error));
  }
  for (const parsed of parseGroups(table, { id, from: 0, to: table.file.groups.length }, parser, options.filters)) {
    yield parsed;
    await nextTurn();
  }
}

/** A file whose row groups are tasks. Batches come in order. */
export class GroupsReading {
  readonly #id: number;
  readonly #pool: ReaderPool;
  readonly #ahead: () => number;
  readonly #options: ReadOptions;
  readonly #parser: PartParser;
  readonly #opened: Promise<ParquetTable>;
  readonly #begun: { readonly task: Task; readonly group: number }[] = [];
  #next = 0;
  #isClosed = false;

  constructor(
    input: Input,
    id: number,
    options: ReadOptions,
    { pool, parser, ahead }: { readonly pool: ReaderPool; readonly parser: PartParser; readonly ahead: () => number },
  ) {
    this.#options = options;
    this.#parser = parser;
    this.#id = id;
    this.#pool = pool;
    this.#ahead = ahead;
    this.#opened = tableOf(input, options);
    this.#opened.then(
      (table) => this.#begin(table),
      () => undefined, // thrown where it is awaited
    );
  }

  async *results(): AsyncGenerator<Parsed> {
    let table: ParquetTable;
    try {
      table = await this.#opened;
    } catch (error) {
      return yield unread(reasonOf(error));
    }
    if (table.file.groups.length === 0) yield unread(null);
    for (let first = this.#begun[0]; first !== undefined; first = this.#begun[0]) {
      this.#begin(table);
      const { task, group } = first;
      // A row group that no thread has begun is read here, without waiting for it.
      for await (const parsed of task.takeBack() ? this.#readHere(table, group) : task.results()) {
        // Nothing after damage is used, but results of threads that have begun are taken to free their memory.
        if (parsed.reason !== null) await this.#drain();
        yield parsed;
      }
      this.#begun.shift();
    }
  }

  /** Frees batches that have come and were not taken. */
  close(): void {
    this.#isClosed = true;
    for (const { task } of this.#begun) task.close();
  }

  async *#readHere(table: ParquetTable, group: number): AsyncGenerator<Parsed> {
    const part = { id: this.#id, from: group, to: group + 1 };
    for (const parsed of parseGroups(table, part, this.#parser, this.#options.filters)) {
      yield parsed;
      await nextTurn();
    }
  }

  async #drain(): Promise<void> {
    this.#isClosed = true;
    for (const { task } of this.#begun.splice(1)) await task.drain();
  }

  #begin({ file: { path, groups } }: ParquetTable): void {
    while (!this.#isClosed && this.#next < groups.length && this.#begun.length < this.#ahead()) {
      const at = this.#next++;
      const task = this.#pool.readGroups(this.#id, path, groups[at]!.bytes, at, at + 1);
      this.#begun.push({ task, group: at });
    }
  }
}
