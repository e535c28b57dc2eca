// Requests that no page answered: redirects, refusals and errors. They come beside the rows of a batch, in the order of
// their lines. Some are no records (302, 404), so that their URLs stand here, each before its referrer:
//
//   bytes   | URL | referrer | URL | referrer | …
//   row     the records of the batch before the line; the row itself of a redirect that is a record (301, 308)
import type { Span } from './format/format.js';
import { isRecordStatus, type OtherAnswers } from './record.js';

/** True if a request with this status was answered, but not by a page. */
export function isOtherAnswer(status: number): boolean {
  return status >= 300 && status < 600 && status !== 304;
}

export function isRedirect(status: number): boolean {
  return status >= 301 && status <= 308 && status !== 304 && status !== 305 && status !== 306;
}

/** True if the line of this answer is a row of the batch too. */
export function isRecord({ status }: OtherAnswers, answer: number): boolean {
  return isRecordStatus(status[answer]!);
}

/** Longer referrers are cut: they are shown, and nothing else. */
const MOST_REFERRER = 512;

/** A batch with so many answers is full, however few records it has. */
const FULL_ROWS = 1 << 13;
const FULL_BYTES = 1 << 20;

type Column = Int32Array | Int16Array | Uint32Array | Uint8Array;

/** What is known of a request beside its URL. */
type AnswerFacts = Readonly<Record<'row' | 'status' | 'visitor' | 'day' | 'client' | 'agent', number>>;

/** Collects the answers of a batch, whose number of rows does not bound them: its arrays grow. */
export class AnswerBuilder {
  rows = 0;
  #used = 0;
  #bytes = new Uint8Array(1 << 12);
  #columns = columnsFor(1 << 8);

  /** The URL bytes[start, end), and its referrer. */
  add(bytes: Uint8Array, start: number, end: number, referrer: Span, facts: AnswerFacts): void {
    if (this.rows === this.#columns.row.length) this.#widen();
    const { rows } = this;
    const columns = this.#columns;
    columns.urlStart[rows] = this.#used;
    this.#write(bytes, start, end);
    columns.urlEnd[rows] = this.#used;
    this.#write(referrer.bytes, referrer.start, Math.min(referrer.end, referrer.start + MOST_REFERRER));
    columns.referrerEnd[rows] = this.#used;
    for (const name of FACTS) columns[name][rows] = facts[name];
    this.rows++;
  }

  get isFull(): boolean {
    return this.rows >= FULL_ROWS || this.#used >= FULL_BYTES;
  }

  clear(): void {
    this.rows = this.#used = 0;
  }

  /** A copy, with memory of its own. */
  take(): OtherAnswers {
    const { rows } = this;
    const bytes = this.#bytes.slice(0, this.#used);
    return { rows, bytes, ...mapped(this.#columns, (column) => column.slice(0, rows)) };
  }

  #write(bytes: Uint8Array, start: number, end: number): void {
    const needed = this.#used + end - start;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(2 * needed);
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes.subarray(start, end), this.#used);
    this.#used = needed;
  }

  #widen(): void {
    const wider = columnsFor(2 * this.rows);
    for (const [name, column] of Object.entries(this.#columns)) wider[name as keyof Columns].set(column as never);
    this.#columns = wider;
  }
}

type Columns = Omit<OtherAnswers, 'rows' | 'bytes'>;

const FACTS = ['row', 'status', 'visitor', 'day', 'client', 'agent'] as const;

function columnsFor(rows: number): Columns {
  return {
    urlStart: new Int32Array(rows),
    urlEnd: new Int32Array(rows),
    referrerEnd: new Int32Array(rows),
    row: new Int32Array(rows),
    status: new Int16Array(rows),
    visitor: new Uint8Array(rows),
    day: new Int32Array(rows),
    client: new Uint32Array(rows),
    agent: new Uint32Array(rows),
  };
}

function mapped(columns: Columns, copy: (column: Column) => Column): Columns {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, copy(column)])) as never;
}
