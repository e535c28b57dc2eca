// Which requests did no page answer: redirects, refusals, errors? By URL, by visitor and by day; and which links lead to
// redirects.
//
//   URL                  redirected | by bots | refused | missing | failed | moment of the first redirect | what came next (./follows)
//   URL \0 referrer      redirects
import type { SpillRoom } from '../../../base/spill.js';
import { isRedirect } from '../../../log/answers.js';
import { type OtherAnswers, type RecordBatch, VISITOR } from '../../../log/record.js';
import { roomFor } from '../../../memory-plan.js';
import { hashOfRange } from '../../sort-keys.js';
import { Follows } from './follows.js';
import { momentOf } from './moment.js';
import { sums, type TallyShape, TallyTable } from './tally.js';

/** What became of the requests for a URL, besides pages. The bytes are valid until the next one. */
export interface AnsweredUrl {
  readonly url: Uint8Array;
  readonly redirected: number;
  readonly redirectedBots: number;
  /** 401, 403, 429 and 451. */
  readonly refused: number;
  /** 404 and 410. */
  readonly missing: number;
  /** All other errors. */
  readonly failed: number;
  /** When it was redirected first (./moment); 0 if never. */
  readonly since: number;
  /** Redirects that a person followed at once, and of these, errors and further redirects. */
  readonly followed: number;
  readonly broken: number;
  readonly chained: number;
  /** The URL that most of them led to; empty if none was followed. */
  readonly next: Uint8Array;
}

/** The answers that a visitor got. */
export interface AnswerCounts {
  redirected: number;
  refused: number;
  errors: number;
}

const [REDIRECTED, BOTS, REFUSED, MISSING, FAILED, SINCE] = [0, 1, 2, 3, 4, 5] as const;
/** Where the numbers of ./follows begin. */
const [FOLLOWED, BROKEN, CHAINED, NEXT, VOTES] = [6, 7, 8, 9, 10] as const;
const ADDED = [REDIRECTED, BOTS, REFUSED, MISSING, FAILED, FOLLOWED, BROKEN, CHAINED] as const;

const shape: TallyShape = {
  initial: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  merge(numbers, at, more) {
    for (const k of ADDED) numbers[at + k]! += more[k]!;
    foldSince(numbers, at, more[SINCE]!);
    vote(numbers, at, more[NEXT]!, more[VOTES]!);
  },
};

function foldSince(numbers: Float64Array, at: number, moment: number): void {
  const known = numbers[at + SINCE]!;
  if (moment > 0 && (known === 0 || moment < known)) numbers[at + SINCE] = moment;
}

/** The vote of Boyer and Moore: what most say is what is left. Returns true if the candidate is another now. */
function vote(numbers: Float64Array, at: number, next: number, votes: number): boolean {
  if (numbers[at + NEXT] === next) numbers[at + VOTES]! += votes;
  else if (numbers[at + VOTES]! >= votes) numbers[at + VOTES]! -= votes;
  else {
    numbers[at + NEXT] = next;
    numbers[at + VOTES] = votes - numbers[at + VOTES]!;
    return true;
  }
  return false;
}

/** Build (`add`, `page`), then read (`each`, `eachReferrer`). */
export class AnswerMeter {
  readonly byVisitor = new Map<number, AnswerCounts>();
  /** Redirects by day. */
  readonly byDay = new Map<number, number>();
  /** Requests of people whose lines do not say where from and by what are not followed. */
  readonly #follows = new Follows();
  readonly #urls: TallyTable;
  readonly #referrers: TallyTable;
  #key = new Uint8Array(1 << 12);

  constructor(room: SpillRoom) {
    this.#urls = new TallyTable(shape, roomFor('report-answers/urls', room));
    this.#referrers = new TallyTable(sums(1), roomFor('report-answers/referrers', room));
  }

  /** Adds an answer. What came before it in the log has been added; `line` counts these lines. */
  add(answers: OtherAnswers, at: number, line: number): void {
    const { bytes, urlStart, urlEnd, status: statuses, visitor: visitors, day: days } = answers;
    const [start, end] = [urlStart[at]!, urlEnd[at]!];
    const [status, visitor, day] = [statuses[at]!, visitors[at]!, days[at]!];
    const isRedirected = isRedirect(status);
    this.#follow(answers.client[at]!, answers.agent[at]!, visitor, { bytes, start, end, status });
    const entry = this.#urls.entry(bytes, start, end, hashOfRange(bytes, start, end).first);
    const { numbers } = this.#urls;
    const kind = isRedirected ? REDIRECTED : isRefusal(status) ? REFUSED : isMissing(status) ? MISSING : FAILED;
    numbers[entry + kind]!++;
    count(this.#countsOf(visitor), kind);
    if (!isRedirected) return;
    if (visitor >= VISITOR.bot) numbers[entry + BOTS]!++;
    foldSince(numbers, entry, momentOf(day, line));
    this.byDay.set(day, (this.byDay.get(day) ?? 0) + 1);
    this.#addReferrer(answers, at);
  }

  /** A record that a page answered: it may be where a redirect led to. */
  page(batch: RecordBatch, row: number): void {
    const { client, agent, visitor } = batch;
    if (client === null || visitor![row] !== VISITOR.person) return;
    const source = this.#follows.take(client[row]!, agent![row]!);
    if (source !== undefined) this.#led(source, batch.bytes, batch.urlStart[row]!, batch.urlEnd[row]!, 200);
  }

  #follow(
    client: number,
    agent: number,
    visitor: number,
    { bytes, start, end, status }: { bytes: Uint8Array; start: number; end: number; status: number },
  ): void {
    if (client === 0 || visitor !== VISITOR.person) return;
    const source = this.#follows.take(client, agent);
    if (source !== undefined) this.#led(source, bytes, start, end, status);
    if (isRedirect(status)) this.#follows.put(client, agent, bytes.slice(start, end));
  }

  #led(source: Uint8Array, bytes: Uint8Array, start: number, end: number, status: number): void {
    const entry = this.#urls.entry(source, 0, source.length, hashOfRange(source, 0, source.length).first);
    const { numbers } = this.#urls;
    numbers[entry + FOLLOWED]!++;
    if (isRedirect(status)) numbers[entry + CHAINED]!++;
    else if (status >= 400) numbers[entry + BROKEN]!++;
    const { first, second } = hashOfRange(bytes, start, end);
    const isNew = vote(numbers, entry, (first >>> 0) * 2 ** 20 + (second >>> 12), 1);
    if (isNew) this.#urls.note(entry, bytes, start, end);
  }

  #addReferrer({ bytes, urlStart, urlEnd, referrerEnd }: OtherAnswers, at: number): void {
    const [start, middle, end] = [urlStart[at]!, urlEnd[at]!, referrerEnd[at]!];
    if (end === middle) return;
    const length = end - start + 1;
    if (length > this.#key.length) this.#key = new Uint8Array(2 * length);
    this.#key.set(bytes.subarray(start, middle));
    this.#key[middle - start] = 0;
    this.#key.set(bytes.subarray(middle, end), middle - start + 1);
    const entry = this.#referrers.entry(this.#key, 0, length, hashOfRange(this.#key, 0, length).first);
    this.#referrers.numbers[entry]!++;
  }

  #countsOf(visitor: number): AnswerCounts {
    let counts = this.byVisitor.get(visitor);
    if (counts === undefined) this.byVisitor.set(visitor, (counts = { redirected: 0, refused: 0, errors: 0 }));
    return counts;
  }

  /** Visits every URL once, in any order, and empties the table. */
  each(visit: (one: AnsweredUrl) => void): void {
    this.#urls.eachInAnyOrder((url, numbers, next) =>
      visit({
        url,
        redirected: numbers[REDIRECTED]!,
        redirectedBots: numbers[BOTS]!,
        refused: numbers[REFUSED]!,
        missing: numbers[MISSING]!,
        failed: numbers[FAILED]!,
        since: numbers[SINCE]!,
        followed: numbers[FOLLOWED]!,
        broken: numbers[BROKEN]!,
        chained: numbers[CHAINED]!,
        next,
      }),
    );
  }

  /** Visits every referrer of every redirected URL once, in any order, and empties the table. */
  eachReferrer(visit: (url: Uint8Array, referrer: Uint8Array, hits: number) => void): void {
    this.#referrers.eachInAnyOrder((key, [hits]) => {
      const cut = key.indexOf(0);
      visit(key.subarray(0, cut), key.subarray(cut + 1), hits!);
    });
  }
}

function count(counts: AnswerCounts, kind: number): void {
  if (kind === REDIRECTED) counts.redirected++;
  else if (kind === REFUSED) counts.refused++;
  else counts.errors++;
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403 || status === 429 || status === 451;
}

function isMissing(status: number): boolean {
  return status === 404 || status === 410;
}
