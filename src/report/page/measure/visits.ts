// Aggregates records by URL: distinct URLs, each with its requests and what it cost.
//
//   URL      hits | bytes | bot hits | microseconds | least size | largest size | last moment      and the sketch that came last
//
// Who made each request, and on which day, goes to `visitors`. What was redirected is no visit, but goes to `answers`.
//
// Bytes are the sizes that count (SPEC 2): a 304, a HEAD or a partial response adds nothing.
import type { SpillRoom } from '../../../base/spill.js';
import { type OtherAnswers, type RecordBatch, VISITOR } from '../../../log/record.js';
import { UNNAMED } from '../../../log/agents/unlisted.js';
import { isRecord } from '../../../log/answers.js';
import { roomFor } from '../../../memory-plan.js';
import { hashOf, hashOfRange, microsOf, type UrlHash } from '../../sort-keys.js';
import { momentOf } from './moment.js';
import { eachShared, type SharedTally, type TallyShape, TallyTable, type VisitTally } from './tally.js';
import { AnswerMeter } from './answers.js';
import { VisitorMeter } from './visitors.js';

/** The cost of requests for some URLs. */
export interface Costs {
  readonly hits: number;
  readonly bytes: number;
  readonly botHits: number;
  /** How long the server took, where the log says: whole microseconds, whose sum is the same in any order. */
  readonly micros: number;
}

/** What is known of the pages of a URL: sizes are -1 if no record has one, the sketch is empty. */
export interface PageFacts {
  readonly minSize: number;
  readonly maxSize: number;
  readonly urlBytes: number;
  /** When a page answered last (./moment). */
  readonly lastly: number;
  readonly sketch: Uint8Array;
}

/** A distinct URL of the log, normalized as in reading; valid until the next one. */
export interface VisitedUrl extends Costs, PageFacts {
  readonly url: Uint8Array;
  readonly hash: UrlHash;
}

const UNKNOWN = -1;
const MOST_NAMES = 5000;
const [HITS, BYTES, BOTS, MICROS, MIN, MAX, LAST] = [0, 1, 2, 3, 4, 5, 6] as const;

const shape: TallyShape = {
  initial: [0, 0, 0, 0, UNKNOWN, UNKNOWN, 0],
  merge(numbers, at, more) {
    for (const k of [HITS, BYTES, BOTS, MICROS]) numbers[at + k]! += more[k]!;
    if (more[MIN]! >= 0) foldSize(numbers, at, more[MIN]!);
    if (more[MAX]! >= 0) foldSize(numbers, at, more[MAX]!);
    numbers[at + LAST] = Math.max(numbers[at + LAST]!, more[LAST]!);
  },
};

function foldSize(numbers: Float64Array, at: number, size: number): void {
  if (numbers[at + MIN]! < 0 || size < numbers[at + MIN]!) numbers[at + MIN] = size;
  if (size > numbers[at + MAX]!) numbers[at + MAX] = size;
}

/** Build (`add`), then read (`each`). */
export class Visits {
  /** All records. */
  hits = 0;
  /** Whether any record has a size, and whether any names a user agent. */
  hasSizes = false;
  hasAgents = false;
  /** True if any record has a duration. */
  hasDurations = false;
  /** Requests of bots that are not listed, by name. */
  readonly unlisted = new Map<string, number>();
  readonly visitors: VisitorMeter;
  readonly answers: AnswerMeter;
  readonly #table: TallyTable;
  #shared: SharedTally | undefined;
  #lines = 0;

  constructor(room: SpillRoom) {
    this.#table = new TallyTable(shape, roomFor('report/visits', room));
    this.visitors = new VisitorMeter(roomFor('report/visitors', room));
    this.answers = new AnswerMeter(roomFor('report/answers', room));
  }

  add(batch: RecordBatch): void {
    for (const [name, requests] of batch.unlisted ?? []) this.#noteUnlisted(name, requests);
    const others = batch.answers ?? undefined;
    if (others === undefined) return this.#addPages(batch, 0, batch.rows);
    let row = 0;
    for (let answer = 0; answer < others.rows; answer++) {
      const at = others.row[answer]!;
      this.#addPages(batch, row, at);
      this.answers.add(others, answer, ++this.#lines);
      row = isRecord(others, answer) ? at + 1 : at;
    }
    this.#addPages(batch, row, batch.rows);
    if (others.rows > 0) this.#noteAgents(others);
  }

  /** Names are made up by whoever asks, so only so many are kept. */
  #noteUnlisted(name: string, requests: number): void {
    const kept = this.unlisted.has(name) || this.unlisted.size < MOST_NAMES ? name : UNNAMED;
    this.unlisted.set(kept, (this.unlisted.get(kept) ?? 0) + requests);
  }

  #noteAgents({ visitor, rows }: OtherAnswers): void {
    for (let at = 0; at < rows && !this.hasAgents; at++) this.hasAgents = visitor[at] !== VISITOR.unknown;
  }

  #addPages(batch: RecordBatch, from: number, to: number): void {
    const { bytes, urlStart, urlEnd, size, sketchStart, sketchEnd, visitor, day, duration } = batch;
    const table = this.#table;
    this.hits += to - from;
    for (let record = from; record < to; record++) {
      this.answers.page(batch, record);
      const [start, end] = [urlStart[record]!, urlEnd[record]!];
      const hash = hashOfRange(bytes, start, end);
      const at = table.entry(bytes, start, end, hash.first);
      const { numbers } = table;
      numbers[at + HITS]!++;
      if (size[record]! >= 0) {
        this.hasSizes = true;
        numbers[at + BYTES]! += size[record]!;
        foldSize(numbers, at, size[record]!);
      }
      const who = visitor?.[record] ?? VISITOR.unknown;
      if (who !== VISITOR.unknown) this.hasAgents = true;
      if (who >= VISITOR.bot) numbers[at + BOTS]!++;
      const took = duration?.[record] ?? -1;
      const micros = took >= 0 ? microsOf(took) : undefined;
      if (micros !== undefined) {
        this.hasDurations = true;
        numbers[at + MICROS]! += micros;
      }
      const when = day?.[record] ?? UNKNOWN;
      numbers[at + LAST] = Math.max(numbers[at + LAST]!, momentOf(when, ++this.#lines));
      this.visitors.addHit(hash, who, when, micros);
      if (sketchEnd[record]! > sketchStart[record]!) table.note(at, bytes, sketchStart[record]!, sketchEnd[record]!);
    }
  }

  /** The URLs in memory that threads share; undefined if some are on disk. No records are added afterwards. */
  share(): SharedTally | undefined {
    return (this.#shared ??= this.#table.share());
  }

  /** Visits every distinct URL once, in any order. */
  each(visit: (visited: VisitedUrl) => void): void {
    const shared = this.share();
    if (shared === undefined) this.#table.each(visiting(visit));
    else eachVisited(shared, visit);
  }
}

/** Visits every URL that {@link Visits} shares. */
export function eachVisited(shared: SharedTally, visit: (visited: VisitedUrl) => void): void {
  eachShared(shared, visiting(visit));
}

function visiting(visit: (visited: VisitedUrl) => void): VisitTally {
  return (url, numbers, sketch) => {
    const [hits, bytes, botHits] = [numbers[HITS]!, numbers[BYTES]!, numbers[BOTS]!];
    const [micros, minSize, maxSize, lastly] = [numbers[MICROS]!, numbers[MIN]!, numbers[MAX]!, numbers[LAST]!];
    visit({
      url,
      urlBytes: url.length,
      hash: hashOf(url),
      hits,
      bytes,
      botHits,
      micros,
      minSize,
      maxSize,
      lastly,
      sketch,
    });
  };
}
