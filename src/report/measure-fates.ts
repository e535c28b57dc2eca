// Do canonical forms answer (SPEC 12)? Nothing is fetched here: the statuses are those of the list.
//
//   answers     some line has status 2xx or 304 for the URL
//   redirects   else: some line has 301, 302, 303, 307, 308
//   named       else: no status says otherwise, and the URL has a label, so its page has been seen
//   dead        else: some line has 4xx or 5xx
//
// The first line that applies counts. Forms are normalized URLs, so URLs of the list are looked up in their prepared
// form. Nothing is known about a form that is not in the list. Two external sorts, the second fed by the first:
//
//   URL  | 0 : fate          URL  | 1 : site, form      the URLs that answer, and
//   URL  | 0 : fate          form | 1 : site            what becomes of their forms
import { decodeText, encodeText } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import { type Row, RowWriter } from '../base/row.js';
import { Run } from '../base/run.js';
import { type SpillOptions, type SpillRoom, SpillSorter, type SpillStats } from '../base/spill.js';
import { isRecordStatus, type RecordBatch } from '../log/record.js';
import { roomFor } from '../memory-plan.js';
import { type Normalization, normalizeSafe } from '../url/normalize.js';
import { type TallyShape, TallyTable } from './page/measure/tally.js';
import { partEnd, putPart } from './sort-keys.js';

const FATE = { unknown: 0, dead: 1, named: 2, redirects: 3, answers: 4 } as const;
const KNOWN = 0;
const ASKED = 1;

/** Counts over the URLs that answer. */
export interface FormFates {
  /** URLs that answer: with status 200, or because they have a label. */
  readonly answering: number;
  /**
   * Answering URLs whose form does not answer, and those whose form redirects; null if nothing is known of any form.
   */
  readonly deadForms: number | null;
  readonly redirectingForms: number | null;
  /** Answering URLs of whose form nothing is known. */
  readonly unknownForms: number;
}

const largest: TallyShape = {
  initial: [FATE.unknown],
  merge(numbers, at, more) {
    numbers[at] = Math.max(numbers[at]!, more[0]!);
  },
};

/** The statuses of a list by URL, collected while it is read. They use the given share of the heap. */
export class Fates {
  readonly #table: TallyTable;
  readonly #normalize: Normalization;

  constructor(normalize: Normalization, room: SpillRoom) {
    this.#normalize = normalize;
    this.#table = new TallyTable(largest, room);
  }

  /** Takes the statuses of a batch, and returns its records. */
  take(batch: RecordBatch): RecordBatch {
    const { status, bytes, urlStart, urlEnd, rows } = batch;
    if (status === null) return batch;
    for (let row = 0; row < rows; row++) {
      const fate = fateOf(status[row]!);
      if (fate !== FATE.unknown) this.#note(bytes.subarray(urlStart[row], urlEnd[row]), fate);
    }
    return recordsOf(batch, status);
  }

  #note(listed: Uint8Array, fate: number): void {
    const url = this.#normalize === 'safe' ? normalizeSafe(listed) : listed;
    const at = this.#table.entry(url, 0, url.length, hashBytes(url, 0, url.length));
    const { numbers } = this.#table;
    if (fate > numbers[at]!) numbers[at] = fate;
  }

  each(visit: (url: Uint8Array, fate: number) => void): void {
    this.#table.eachInAnyOrder((url, numbers) => visit(url, numbers[0]!));
  }
}

function fateOf(status: number): number {
  if ((status >= 200 && status < 300) || status === 304) return FATE.answers;
  if (status >= 300 && status < 400) return FATE.redirects;
  return status >= 400 && status < 600 ? FATE.dead : FATE.unknown;
}

/** A batch of the rows that are more than a status. */
function recordsOf(batch: RecordBatch, status: Int16Array): RecordBatch {
  const kept = Array.from({ length: batch.rows }, (_, row) => row).filter((row) => isRecordStatus(status[row]!));
  if (kept.length === batch.rows) return batch;
  const { urlStart, urlEnd, size, sketchStart, sketchEnd } = batch;
  const ints = (column: Int32Array) => Int32Array.from(kept, (row) => column[row]!);
  return {
    ...batch,
    rows: kept.length,
    urlStart: ints(urlStart),
    urlEnd: ints(urlEnd),
    size: Float64Array.from(kept, (row) => size[row]!),
    sketchStart: ints(sketchStart),
    sketchEnd: ints(sketchEnd),
    visitor: null,
    day: null,
    duration: null,
    client: null,
    agent: null,
    status: null,
  };
}

interface Tally {
  answering: number;
  dead: number;
  redirecting: number;
  unknown: number;
}

/** Call `add` for each URL, then `finish`. */
export class FateMeter {
  readonly #urls: SpillSorter;
  readonly #forms: SpillSorter;
  readonly #row = new RowWriter();
  readonly #all = emptyTally();
  readonly #sites = new Map<string, Tally>();

  constructor(room: SpillOptions, stats: SpillStats, fates?: Fates) {
    this.#urls = new SpillSorter(roomFor('meter/sort', room), stats);
    this.#forms = new SpillSorter(roomFor('meter/sort', room), stats);
    fates?.each((url, fate) => this.#addFate(this.#urls, url, fate));
  }

  /** Adds a URL of the list in its prepared form, and its canonical form. */
  add(site: string, label: Uint8Array | undefined, url: Uint8Array, form: Uint8Array): void {
    if (label !== undefined) this.#addFate(this.#urls, url, FATE.named);
    const row = putPart(this.#row.clear(), url).byte(ASKED);
    const keyLength = row.length;
    putPart(putPart(row, encodeText(site)), form);
    this.#urls.add(row.bytes, 0, row.length, keyLength);
  }

  finish(): (site: string | undefined) => FormFates {
    const row = this.#row;
    this.#eachAsked(this.#urls, {
      onFate: (url, fate) => this.#addFate(this.#forms, url, fate),
      onAsked: ({ bytes, keyEnd, end }, fate) => {
        if (fate !== FATE.answers && fate !== FATE.named) return;
        const siteEnd = partEnd({ bytes }, keyEnd);
        row.clear().raw(bytes.subarray(siteEnd, end)).byte(ASKED);
        const keyLength = row.length;
        row.raw(bytes.subarray(keyEnd + 4, siteEnd));
        this.#forms.add(row.bytes, 0, row.length, keyLength);
      },
    });
    this.#eachAsked(this.#forms, {
      onFate: () => undefined,
      onAsked: ({ bytes, keyEnd, end }, fate) => this.#count(decodeText(bytes, keyEnd, end), fate),
    });
    return (site) => fatesOf((site === undefined ? this.#all : this.#sites.get(site)) ?? emptyTally());
  }

  #addFate(sorter: SpillSorter, url: Uint8Array, fate: number): void {
    const row = putPart(this.#row.clear(), url).byte(KNOWN);
    const keyLength = row.length;
    row.byte(fate);
    sorter.add(row.bytes, 0, row.length, keyLength);
  }

  /** Visits each known fate of a URL, and each row that asks for the fate of this URL. */
  #eachAsked(
    sorter: SpillSorter,
    { onFate, onAsked }: { onFate: (url: Uint8Array, fate: number) => void; onAsked: (row: Row, fate: number) => void },
  ): void {
    const rows = sorter.finish();
    const run = new Run();
    let fate: number = FATE.unknown;
    let isReported = true;
    const report = () => {
      if (!isReported) onFate(run.bytes.subarray(4), fate);
      isReported = true;
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const urlEnd = partEnd(row, row.keyStart);
      if (!run.is(row, row.keyStart, urlEnd)) {
        report();
        run.remember(row, row.keyStart, urlEnd);
        fate = FATE.unknown;
      }
      if (row.bytes[urlEnd] === KNOWN) {
        fate = Math.max(fate, row.bytes[row.keyEnd]!);
        isReported = false;
      } else {
        report();
        onAsked(row, fate);
      }
    }
    report();
    rows.close();
  }

  #count(site: string, fate: number): void {
    let ofSite = this.#sites.get(site);
    if (ofSite === undefined) this.#sites.set(site, (ofSite = emptyTally()));
    for (const tally of [this.#all, ofSite]) {
      tally.answering++;
      if (fate === FATE.dead) tally.dead++;
      if (fate === FATE.redirects) tally.redirecting++;
      if (fate === FATE.unknown) tally.unknown++;
    }
  }
}

function emptyTally(): Tally {
  return { answering: 0, dead: 0, redirecting: 0, unknown: 0 };
}

function fatesOf({ answering, dead, redirecting, unknown }: Tally): FormFates {
  const isKnown = answering > unknown;
  return {
    answering,
    deadForms: isKnown ? dead : null,
    redirectingForms: isKnown ? redirecting : null,
    unknownForms: unknown,
  };
}
