// What is a record, and which lines become one (SPEC 2)? Batches go from the readers to the URL table: columns, with
// one row per kept record, so that nothing is allocated per line.

/** Rows of kept records. URL and sketch are ranges of `bytes`; raw bytes, absolute or starting with `/`. */
export interface RecordBatch {
  /** Where its memory begins in the heap, if it is there. */
  readonly block: number | null;
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly urlStart: Int32Array;
  readonly urlEnd: Int32Array;
  /** Size of the document in bytes, -1 if the record has none that counts. */
  readonly size: Float64Array;
  /** An empty range if the record has no sketch. */
  readonly sketchStart: Int32Array;
  readonly sketchEnd: Int32Array;
  /** One of VISITOR, or a bot of NAMED_BOTS, for each record; null unless requested. */
  readonly visitor: Uint8Array | null;
  /** The day of each record, in UTC, counted from 1970; -1 if it is unknown. Null unless visitors are requested. */
  readonly day: Int32Array | null;
  /** How long the server took, in milliseconds; -1 if it is unknown. Null unless visitors are requested. */
  readonly duration: Float64Array | null;
  /** Hashes of the address and of the agent of the client, for each record; 0 if the line has none. Null unless requested. */
  readonly client: Uint32Array | null;
  readonly agent: Uint32Array | null;
  /**
   * The status of each row, -1 if it is unknown; null unless requested. Then there are also rows for lines that are
   * dropped because of their status, which distinguishes them from records.
   */
  readonly status: Int16Array | null;
}

/** Who made the request, by the user agent. `unknown`: the line has none. */
export const VISITOR = { unknown: 0, person: 1, bot: 2 } as const;

/** Bots that have numbers of their own, after `VISITOR.bot`, which is any other. Part of their user agents. */
export const NAMED_BOTS = [
  'Googlebot',
  'Bingbot',
  'GPTBot',
  'ClaudeBot',
  'Applebot',
  'Amazonbot',
  'Bytespider',
  'CCBot',
  'ChatGPT-User',
  'OAI-SearchBot',
  'PerplexityBot',
  'meta-externalagent',
  'facebookexternalhit',
  'YandexBot',
  'Baiduspider',
  'DuckDuckBot',
  'PetalBot',
  'AhrefsBot',
  'SemrushBot',
  'MJ12bot',
  'DotBot',
] as const;

/** Whoever is not one of NAMED_BOTS has a number below this. */
export const FIRST_NAMED_BOT = VISITOR.bot + 1;

/** lines = records + the sum of dropped + the sum of rejected, for an input and for a run. */
export interface LineCounts {
  lines: number;
  records: number;
  /** Good lines that are not evidence, by cause: `method`, `redirect`, `client-error`, `server-error`, … */
  dropped: Record<string, number>;
  /** Lines that could not be read, by cause. */
  rejected: Record<string, number>;
  /** For each of these causes the number of the first line, from 1, of the input. */
  firsts?: Record<string, number>;
  /** Where the first line that is not in the format of --log-format stopped to be. */
  misfit?: Misfit;
}

/** Where a line stops to be in a format that the user has described. */
export interface Misfit {
  /** From 1, of the input. */
  readonly line: number;
  /** From 1, in bytes. */
  readonly column: number;
  /** The word of the format string that was to be read there; '' at the end of the line. */
  readonly word: string;
  /** What is there, cut to a sane length, and what the format has there: a text in quotes, or in words. */
  readonly got: string;
  readonly expected: string;
  /** A format that the line is in, if one is known. */
  readonly format: string | null;
}

/** What was read from one input, as in the rules file and in the summary on stderr. */
export interface InputSummary {
  readonly name: string;
  /** Name of the format, `unknown` if nothing was recognized. */
  readonly format: string;
  readonly lines: number;
  readonly records: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly rejected: Readonly<Record<string, number>>;
  /** True if the input could not be read to its end; what was read before counts. */
  readonly truncated: boolean;
  /** Why the input could not be read to its end. */
  readonly reason?: string;
  readonly misfit?: Misfit;
  readonly firsts?: Readonly<Record<string, number>>;
}

/** Why a line is not a record. Dropped: a good line that is not evidence. Rejected: a line that could not be read. */
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

/** The request method of a line. `missing`: there is a field for a request, but none in it (`-`, TLS bytes). */
export const METHOD = { unknown: 0, get: 1, head: 2, other: 3, missing: 4 } as const;

const NO_REQUEST = dropped('no-request');
const OTHER_METHOD = dropped('method');
const FAILED_FETCH = dropped('failed-fetch');
const OTHER_STATUS = dropped('other-status');
const REDIRECT = dropped('redirect');
const CLIENT_ERROR = dropped('client-error');
const SERVER_ERROR = dropped('server-error');

/** SPEC 2.2: null for a record; status -1 is not known, 0 a fetch without an answer. */
export function refusalOf(method: number, status: number): Refusal | null {
  if (method >= METHOD.other) return method === METHOD.other ? OTHER_METHOD : NO_REQUEST;
  if (status === -1 || (status >= 200 && status < 300)) return null;
  if (status === 304 || status === 301 || status === 308) return null;
  if (status <= 0) return FAILED_FETCH;
  if (status >= 300 && status < 400) return REDIRECT;
  if (status >= 400 && status < 500) return CLIENT_ERROR;
  return status >= 500 && status < 600 ? SERVER_ERROR : OTHER_STATUS;
}

/** True for a line that is dropped only for its status, 302, 303, 307, 4xx or 5xx, of a page that was requested. */
export function isStatusRefusal(refusal: Refusal): boolean {
  return refusal === REDIRECT || refusal === CLIENT_ERROR || refusal === SERVER_ERROR;
}

/** Whether a row with this status is a record. */
export function isRecordStatus(status: number): boolean {
  return refusalOf(METHOD.unknown, status) === null;
}

/** SPEC 2.3: true if size and sketch are those of the page: a GET answered with 200, as far as either is known. */
export function describesPage(method: number, status: number): boolean {
  return method <= METHOD.get && (status === 200 || status === -1);
}

/**
 * Could an input be read to its end? Its reader says so here, as it is a fact about the input and not a failure of the
 * run.
 */
export interface Condition {
  /** Why the input could not be read to its end, or null. */
  reason: string | null;
}
