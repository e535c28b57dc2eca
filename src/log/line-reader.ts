// Reads the lines of one input into rows of a batch: parses the fields, keeps, drops or rejects the line, and composes
// the URL (SPEC 2). Allocates nothing per line.
import { NEWLINE } from '../base/ascii.js';
import { sameRange } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import type { Forgeries } from './agents/addresses.js';
import { isOtherAnswer } from './answers.js';
import type { BatchBuilder, HeapBatchBuilder } from './batch.js';
import { BotJudge } from './bots.js';
import type { Composer } from './compose.js';
import { FactsWriter } from './facts.js';
import type { LineFilter } from './filter.js';
import {
  clearFields,
  createFields,
  type Fields,
  HEADER,
  isMissing,
  type LineFormat,
  NOT_IN_FORMAT,
  SITEMAP_INDEX,
  type Span,
  TITLE,
} from './format/format.js';
import { endOfLine, type LineBatch, MAX_LINE_BYTES } from './lines.js';
import { mayBeMisread, noteMisread } from './misread.js';
import { NamedUrl } from './named-url.js';
import type { OwnTargets, Targets } from './own-target.js';
import { type PlainReader, plainShapeOf } from './plain-reader.js';
import {
  describesPage,
  dropped,
  isStatusRefusal,
  type LineCounts,
  type LineWays,
  type RecordBatch,
  type Refusal,
  refusalOf,
  rejected,
  VISITOR,
} from './record.js';
import { DAY_MS, readTime } from './time.js';
import { newWays, noteSlow, reasonOfInput, reasonOfLine } from './ways.js';

/** `line` is valid only during the call, and truncated if it is longer than a line may be. */
export type OnRejectedLine = (lineNumber: number, cause: string, line: Uint8Array) => void;

export type OnRequest = (fields: Fields, bytes: Uint8Array, start: number, end: number) => void;

/** How to read the lines of an input. If `format` is null, none was recognized, and every line is rejected. */
interface LineSource {
  readonly format: LineFormat | null;
  readonly targets: Targets;
}

/** The destination of records, and their filter. */
export interface LineOutput {
  readonly builder: BatchBuilder | HeapBatchBuilder;
  readonly composer: Composer;
  /** Null if every record is wanted. */
  readonly filter: LineFilter | null;
  readonly own: OwnTargets;
  /** Absent if nobody asks for forged bots. */
  readonly forgeries?: Forgeries | undefined;
  /** Writes to the same builder. Absent if JavaScript reads every line. */
  readonly plain?: PlainReader | null;
  /** Gets each request for a page, whatever its status. The URL is bytes[start, end); all is valid during the call. */
  readonly onRequest?: OnRequest | undefined;
  /** True if the counts include the ways that lines took. */
  readonly wantsWays?: boolean;
}

const NO_BYTES = new Uint8Array(0);
const NO_SPAN: Span = { bytes: NO_BYTES, start: 0, end: 0 };
const EMPTY = rejected('empty');
const TOO_LONG = rejected('line-too-long');
const UNKNOWN_FORMAT = rejected('unknown-format');

export class LineReader {
  counts: LineCounts;
  /** All lines of the last text, including those that do not count. */
  textLines = 0;
  readonly #fields: Fields = createFields();
  readonly #format: LineFormat | null;
  readonly #onReject: OnRejectedLine | undefined;
  readonly #builder: BatchBuilder | HeapBatchBuilder;
  readonly #plain: PlainReader | null;
  readonly #composer: Composer;
  readonly #filter: LineFilter | null;
  /** Null if full URLs count like paths. */
  readonly #own: OwnTargets | null;
  /** Null if visitors are not requested. */
  readonly #bots: BotJudge | null;
  readonly #forgeries: Forgeries | undefined;
  readonly #names = new NamedUrl();
  /** Null unless facts are requested. */
  readonly #facts: FactsWriter | null;
  readonly #refusals = new Map<string, Refusal>();
  readonly #wantsWays: boolean;
  readonly #onRequest: OnRequest | undefined;

  constructor(
    { format, targets }: LineSource,
    { builder, composer, filter, own, plain = null, wantsWays = false, onRequest, forgeries }: LineOutput,
    onReject?: OnRejectedLine,
  ) {
    this.#format = format;
    this.#onReject = onReject;
    this.#builder = builder;
    this.#composer = composer;
    this.#filter = filter;
    this.#own = targets === 'own' ? own : null;
    this.#plain = plain;
    this.#bots = builder.visitor === null ? null : new BotJudge();
    this.#forgeries = forgeries;
    this.#facts = builder.hasFacts ? new FactsWriter() : null;
    this.#wantsWays = wantsWays;
    this.#onRequest = onRequest;
    this.counts = this.#newCounts();
  }

  /** Counts from 0 again. */
  restart(): void {
    this.counts = this.#newCounts();
  }

  #newCounts(): LineCounts {
    return this.#wantsWays ? { ...emptyCounts(), ways: newWays() } : emptyCounts();
  }

  /** Reads all lines of the batch; yields whenever the builder is full. */
  *read(batch: LineBatch): Generator<RecordBatch> {
    for (let line = 0; line < batch.lines; line++) {
      this.#take(batch.bytes, batch.start[line]!, batch.end[line]!, batch.number[line]!);
      if (!this.#builder.isFull) continue;
      yield this.#builder;
      this.#builder.clear();
    }
  }

  /** Reads a text in memory, whose lines are counted from 1. The kernel reads the lines that it can. */
  *readText(text: Buffer): Generator<RecordBatch> {
    this.textLines = 0;
    for (let at = 0; at < text.length;) {
      if (this.#builder.isFull) {
        yield this.#builder;
        this.#builder.clear();
      }
      const from = this.#readPlain(text, at);
      at = from < text.length && !this.#builder.isFull ? this.#readNext(text, from) : from;
    }
  }

  /** Reads plain lines from `at` on; returns where the first other line begins. */
  #readPlain(text: Buffer, at: number): number {
    const plain = this.#plain === null || this.#format === null ? null : plainShapeOf(this.#format);
    const { rows } = this.#builder;
    if (plain === null || (this.#bots !== null && this.#format!.readMore === undefined)) return at;
    const next = this.#plain!.read(plain, text, at, this.#own === null ? 'any' : 'own');
    const { lines } = this.#plain!;
    this.textLines += lines;
    this.counts.lines += lines;
    this.counts.records += lines;
    if (this.counts.ways !== undefined) this.counts.ways.kernel += lines;
    if (this.#bots !== null) this.#addPlainVisitors(text, rows, this.#bots);
    return next;
  }

  /** Adds visitors to the rows from `from` on, which the kernel has read. */
  #addPlainVisitors(text: Buffer, from: number, bots: BotJudge): void {
    const fields = this.#fields;
    for (let row = from; row < this.#builder.rows; row++) {
      clearFields(fields);
      this.#format!.readMore!(this.#plain!.placeOf(row, text), fields);
      this.#addVisitor(fields, row, bots);
      if (isOtherAnswer(fields.status)) this.#addAnswer(fields, row);
    }
  }

  /** Reads one line; returns where the next begins. */
  #readNext(text: Buffer, start: number): number {
    const newline = text.indexOf(NEWLINE, start);
    const next = newline < 0 ? text.length : newline + 1;
    const end = endOfLine(text, start, newline < 0 ? text.length : newline);
    this.textLines++;
    this.#take(text, start, end, this.textLines);
    return next;
  }

  #take(bytes: Buffer, start: number, end: number, number: number): void {
    const refusal = this.#readLine(bytes, start, end);
    if (this.counts.ways !== undefined) this.#noteWay(this.counts.ways, refusal, number);
    if (refusal !== null) this.#refuse(refusal, bytes, start, end, number);
  }

  #noteWay(ways: LineWays, refusal: Refusal | null, line: number): void {
    if (refusal?.cause === HEADER) return;
    const ofInput = reasonOfInput({
      format: this.#format,
      isFiltered: this.#filter !== null,
      wantsVisitors: this.#bots !== null,
      isInHeap: this.#builder.block !== null,
      hasKernel: this.#plain !== null,
    });
    const reason = ofInput ?? reasonOfLine(refusal, this.#fields, this.#builder);
    noteSlow(ways, { line, reason }, ofInput === null);
  }

  #readLine(bytes: Buffer, start: number, end: number): Refusal | null {
    this.counts.lines++;
    if (end - start > MAX_LINE_BYTES) return TOO_LONG;
    if (isBlank(bytes, start, end)) return EMPTY;
    if (this.#format === null) return UNKNOWN_FORMAT;
    const fields = this.#fields;
    clearFields(fields);
    const cause = this.#format.parse(bytes, start, end, fields);
    if (cause !== null) return this.#rejection(cause);
    const urlStart = this.#builder.used;
    const refusal = refusalOf(fields.method, fields.status) ?? this.#compose(fields);
    if (refusal !== null) {
      if (isStatusRefusal(refusal)) {
        if (this.#builder.status !== null) this.#addStatusRow(fields, urlStart);
        else if (this.#builder.others !== null) this.#addStray(fields);
        if (this.#onRequest !== undefined) this.#showRefused(fields, urlStart);
      }
      return refusal;
    }
    this.#onRequest?.(fields, this.#builder.bytes, urlStart, this.#builder.used);
    if (this.#builder.status !== null) this.#builder.status[this.#builder.rows] = fields.status;
    if (this.#bots !== null) this.#addVisitor(fields, this.#builder.rows, this.#bots);
    const speaks = describesPage(fields.method, fields.status);
    const urlEnd = this.#builder.used;
    const names = fields.named.end > fields.named.start && this.#composeNamed(fields, urlStart, urlEnd);
    const named = names ? Uint8Array.from(this.#builder.bytes.subarray(urlEnd, this.#builder.used)) : NO_BYTES;
    this.#builder.used = urlEnd;
    this.#builder.add(urlStart, speaks ? fields.size : -1, this.#labelOf(fields, speaks, named));
    if (isOtherAnswer(fields.status)) this.#addAnswer(fields, this.#builder.rows - 1);
    this.counts.records++;
    if (names) this.#addNamed(named, urlStart, urlEnd);
    return null;
  }

  /** The sketch of a page, with what else a crawl says of it; of a redirect, only that. */
  #labelOf(fields: Fields, speaks: boolean, named: Uint8Array): Span | null {
    if (this.#facts === null) return speaks ? fields.sketch : null;
    if (!speaks && (fields.status < 300 || fields.status >= 400)) return null;
    this.#facts.name(named, 0, named.length);
    return this.#facts.label(fields, speaks);
  }

  /**
   * Composes the URL that the page is given as its own, by a redirect or a canonical link, behind that of the line. Not
   * for callers that count visitors.
   */
  #composeNamed(fields: Fields, urlStart: number, urlEnd: number): boolean {
    if (this.#bots !== null || this.#builder.status !== null) return false;
    const { named, url, host } = fields;
    if (!this.#names.resolve(named, this.#builder.bytes, urlStart, urlEnd, url)) return false;
    host.start = host.end = 0;
    return this.#compose(fields) === null;
  }

  /** Adds a row for the URL that the page is given as its own: to the list it is one more hit of that URL. */
  #addNamed(named: Uint8Array, urlStart: number, urlEnd: number): void {
    const builder = this.#builder;
    const start = builder.used;
    builder.reserve(named.length);
    builder.bytes.set(named, start);
    builder.used = start + named.length;
    if (named.length === urlEnd - urlStart && sameRange(named, 0, builder.bytes, urlStart, named.length))
      this.#composer.takeBack(builder, start);
    else builder.add(start, -1, null);
  }

  #addVisitor({ agent, client, time, duration: took }: Fields, row: number, bots: BotJudge): void {
    const { visitor, day, duration, client: clients, agent: agents } = this.#builder;
    duration![row] = took;
    const who = isMissing(agent) ? VISITOR.unknown : bots.visitorOf(agent.bytes, agent.start, agent.end);
    if (clients !== null) {
      clients[row] = hashOf(client);
      agents![row] = isMissing(agent) ? 0 : bots.hash | 1;
    }
    if (who === VISITOR.bot) this.#noteUnlisted(bots.unlisted);
    const mayBeForged = this.#forgeries !== undefined && who > VISITOR.bot && !isMissing(client);
    visitor![row] = mayBeForged ? this.#forgeries.judge(who, client.bytes, client.start, client.end) : who;
    const ms = readTime(time.bytes, time.start, time.end);
    day![row] = ms >= 0 ? Math.floor(ms / DAY_MS) : -1;
  }

  #noteUnlisted(name: string): void {
    const { unlisted } = this.#builder;
    unlisted?.set(name, (unlisted.get(name) ?? 0) + 1);
  }

  /** Adds the answer of a row, for callers that want answers. */
  #addAnswer({ referrer, status }: Fields, row: number): void {
    const { others, bytes, urlStart, urlEnd, visitor, day, client, agent } = this.#builder;
    if (others === null) return;
    const [who, when] = [visitor![row]!, day![row]!];
    const facts = { row, status, visitor: who, day: when, client: client![row]!, agent: agent![row]! };
    others.add(bytes, urlStart[row]!, urlEnd[row]!, isMissing(referrer) ? NO_SPAN : referrer, facts);
  }

  /** Adds the answer of a line that is no record: its URL goes through the row that the next record will have. */
  #addStray(fields: Fields): void {
    const builder = this.#builder;
    const { used, rows } = builder;
    if (this.#compose(fields) !== null) return;
    this.#addVisitor(fields, rows, this.#bots!);
    builder.urlStart[rows] = used;
    builder.urlEnd[rows] = builder.used;
    this.#addAnswer(fields, rows);
    this.#composer.takeBack(builder, used);
  }

  /** Adds a row that is no record, for callers that want statuses. */
  #addStatusRow(fields: Fields, urlStart: number): void {
    const builder = this.#builder;
    if (this.#compose(fields) !== null) return;
    builder.status![builder.rows] = fields.status;
    if (builder.visitor !== null) {
      builder.visitor[builder.rows] = VISITOR.unknown;
      builder.day![builder.rows] = builder.duration![builder.rows] = -1;
      if (builder.client !== null) builder.client[builder.rows] = builder.agent![builder.rows] = 0;
    }
    builder.add(urlStart, -1, null);
  }

  #showRefused(fields: Fields, urlStart: number): void {
    if (this.#compose(fields) !== null) return;
    this.#onRequest!(fields, this.#builder.bytes, urlStart, this.#builder.used);
    this.#composer.takeBack(this.#builder, urlStart);
  }

  /** Writes the URL, unless a filter rejects the line. */
  #compose(fields: Fields): Refusal | null {
    const filter = this.#filter;
    const builder = this.#builder;
    const foreign = this.#own?.judge(fields) ?? null;
    if (foreign !== null) return foreign;
    if (filter === null) return this.#composer.compose(fields, builder);
    const { used } = builder;
    const refusal = filter.judgeLine(fields) ?? this.#composer.compose(fields, builder);
    if (refusal !== null) return refusal;
    const other = filter.judgeRecord(builder.bytes, used, builder.used, fields);
    if (other !== null) this.#composer.takeBack(builder, used);
    return other;
  }

  #rejection(cause: string): Refusal {
    let refusal = this.#refusals.get(cause);
    if (refusal === undefined) {
      refusal = cause === SITEMAP_INDEX || cause === TITLE ? dropped(cause) : rejected(cause);
      this.#refusals.set(cause, refusal);
    }
    return refusal;
  }

  #refuse({ kind, cause }: Refusal, bytes: Buffer, start: number, end: number, number: number): void {
    if (cause === HEADER) {
      this.counts.lines--;
      return;
    }
    this.counts[kind][cause] = (this.counts[kind][cause] ?? 0) + 1;
    if (mayBeMisread(kind, cause, this.#fields))
      noteMisread((this.counts.misread ??= {}), cause, { line: number, bytes, start, end });
    if (kind === 'dropped') return;
    const firsts = (this.counts.firsts ??= {});
    firsts[cause] ??= number;
    if (cause === NOT_IN_FORMAT && this.#format?.misfitOf !== undefined)
      this.counts.misfit ??= { line: number, ...this.#format.misfitOf(bytes, start, end) };
    if (this.#onReject === undefined) return;
    this.#onReject(number, cause, bytes.subarray(start, end));
  }
}

/** 0 only for an empty span. */
function hashOf(span: Span): number {
  return isMissing(span) ? 0 : hashBytes(span.bytes, span.start, span.end) | 1;
}

export function emptyCounts(): LineCounts {
  return { lines: 0, records: 0, dropped: {}, rejected: {} };
}

/** True if bytes[start, end) has only blanks. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false;
  return true;
}
