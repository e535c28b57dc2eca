// Records, and the lines that become one (SPEC 2). Batches go from the readers to the URL table as columns, with one
// row per kept record, so that nothing is allocated per line.

/** Rows of kept records. URL and sketch are ranges of `bytes`; raw bytes, absolute or starting with `/`. */
export interface RecordBatch {
  /** Where its memory begins, if that is in the heap. */
  readonly block: number | null;
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly urlStart: Int32Array;
  readonly urlEnd: Int32Array;
  /** The size of the document in bytes; -1 if the record has none that counts. */
  readonly size: Float64Array;
  /** An empty range if the record has no sketch. */
  readonly sketchStart: Int32Array;
  readonly sketchEnd: Int32Array;
  /** Who made each request, as numbers of `agents/agents`; null unless requested. */
  readonly visitor: Uint8Array | null;
  /** The day of each record, in UTC, counted from 1970; -1 if unknown. Null unless visitors are requested. */
  readonly day: Int32Array | null;
  /** How long the server took, in milliseconds; -1 if unknown. Null unless visitors are requested. */
  readonly duration: Float64Array | null;
  /** Hashes of the client's address and agent, for each record; 0 if the line has none. Null unless requested. */
  readonly client: Uint32Array | null;
  readonly agent: Uint32Array | null;
  /**
   * The status of each row, -1 if unknown; null unless requested. Then there are also rows for lines that are dropped
   * because of their status; the status tells these from records.
   */
  readonly status: Int16Array | null;
  /** Requests that no page answered (./answers). Absent unless requested. */
  readonly answers?: OtherAnswers | null;
  /** Requests, answered or not, of bots that are not listed, by their names. Only with answers. */
  readonly unlisted?: ReadonlyMap<string, number> | null;
}

/** Requests that no page answered, beside the rows of a batch (./answers). */
export interface OtherAnswers {
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly urlStart: Int32Array;
  readonly urlEnd: Int32Array;
  /** The referrer begins where the URL ends; empty if the line has none. */
  readonly referrerEnd: Int32Array;
  readonly row: Int32Array;
  readonly status: Int16Array;
  /** As in batches of records. */
  readonly visitor: Uint8Array;
  readonly day: Int32Array;
  readonly client: Uint32Array;
  readonly agent: Uint32Array;
}

/** Who made a request, as a number of one byte: listed bots (`agents/agents`) come behind these. `unknown`: no user agent. */
export const VISITOR = { unknown: 0, person: 1, bot: 2 } as const;

/** For an input and for a run: lines = records + the sum of dropped + the sum of rejected. */
export interface LineCounts {
  lines: number;
  records: number;
  /** Good lines that are no evidence, by cause: `method`, `redirect`, `client-error`, `server-error`, … */
  dropped: Record<string, number>;
  /** Lines that could not be read, by cause. */
  rejected: Record<string, number>;
  /** For each of these causes, the number of the first line of the input with it, from 1. */
  firsts?: Record<string, number>;
  /** For each cause that a misread field may have: its lines. */
  misread?: Record<string, Misread>;
  /** Where the first line that does not match --log-format stops matching. */
  misfit?: Misfit;
  /** A field that looks like a query, but was not read, as its name is not known. */
  unreadQuery?: string;
  /** Only if requested. */
  ways?: LineWays;
}

/** The ways that the lines of an input took (./ways). The header of a table does not count. */
export interface LineWays {
  /** Lines that the kernel read. */
  kernel: number;
  /** Lines that JavaScript read, by reason. */
  readonly slow: Record<string, number>;
  /** The first of these lines, if the reason is in the line. */
  readonly firsts: SlowLine[];
}

/** `line` counts from 1. */
export interface SlowLine {
  readonly line: number;
  readonly reason: string;
}

/** Lines of one cause that a misread field may have. */
export interface Misread {
  lines: number;
  /** The first of them, cut to a short length, and its number in the input, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Where a line stops matching a format that the user has described. */
export interface Misfit {
  /** The line number in the input, from 1. */
  readonly line: number;
  /** The column in bytes, from 1. */
  readonly column: number;
  /** The word of the format string that should match there; '' at the end of the line. */
  readonly word: string;
  /** What is there, cut to a short length, and what the format expects: a text in quotes, or a description. */
  readonly got: string;
  readonly expected: string;
  /** A known format that the line matches, or null. */
  readonly format: string | null;
}

/** Summary of one input, as in the rules file and on stderr. */
export interface InputSummary {
  readonly name: string;
  /** Name of the format, `unknown` if nothing was recognized. */
  readonly format: string;
  readonly lines: number;
  readonly records: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly rejected: Readonly<Record<string, number>>;
  /** True if the input could not be read to its end. What was read before counts. */
  readonly truncated: boolean;
  /** Why the input could not be read to its end. */
  readonly reason?: string;
  readonly misfit?: Misfit;
  readonly firsts?: Readonly<Record<string, number>>;
  readonly unreadQuery?: string;
  readonly misread?: Readonly<Record<string, Misread>>;
}

/** The summary as it is kept: without the text of a line, which may have a visitor's secret. */
export function withoutText({ misread: _misread, ...summary }: InputSummary): InputSummary {
  return summary;
}

/** Why a line is no record. Dropped: a good line that is no evidence. Rejected: a line that could not be read. */
export interface Refusal {
  readonly kind: 'dropped' | 'rejected';
  readonly cause: string;
}

export function dropped(cause: string): Refusal {
  return { kind: 'dropped', cause };
}

export function rejected(cause: string): Refusal {
  return { kind: 'rejected', cause };
}

/** The request method of a line. `missing`: the field of the request has none (`-`, TLS bytes). */
export const METHOD = { unknown: 0, get: 1, head: 2, other: 3, missing: 4 } as const;

const NO_REQUEST = dropped('no-request');
const OTHER_METHOD = dropped('method');
const FAILED_FETCH = dropped('failed-fetch');
const OTHER_STATUS = dropped('other-status');
const REDIRECT = dropped('redirect');
const CLIENT_ERROR = dropped('client-error');
const SERVER_ERROR = dropped('server-error');

/** SPEC 2.2: null for a record. Status -1 means unknown, and 0 a fetch without an answer. */
export function refusalOf(method: number, status: number): Refusal | null {
  if (method >= METHOD.other) return method === METHOD.other ? OTHER_METHOD : NO_REQUEST;
  if (status === -1 || (status >= 200 && status < 300)) return null;
  if (status === 304 || status === 301 || status === 308) return null;
  if (status <= 0) return FAILED_FETCH;
  if (status >= 300 && status < 400) return REDIRECT;
  if (status >= 400 && status < 500) return CLIENT_ERROR;
  return status >= 500 && status < 600 ? SERVER_ERROR : OTHER_STATUS;
}

/** True if a line for a page is dropped only because of its status: 302, 303, 307, 4xx or 5xx. */
export function isStatusRefusal(refusal: Refusal): boolean {
  return refusal === REDIRECT || refusal === CLIENT_ERROR || refusal === SERVER_ERROR;
}

/** True if a row with this status is a record. */
export function isRecordStatus(status: number): boolean {
  return refusalOf(METHOD.unknown, status) === null;
}

/** SPEC 2.3: true if size and sketch are those of the page: a GET answered with 200, as far as known. */
export function describesPage(method: number, status: number): boolean {
  return method <= METHOD.get && (status === 200 || status === -1);
}

/**
 * Whether an input could be read to its end. Its reader sets this, as it is a fact about the input and not a failure of
 * the run.
 */
export interface Condition {
  /** Why the input could not be read to its end, or null. */
  reason: string | null;
}
