// How many lines does a format read? A line is read if its fields make a URL, whatever its method and status are: a
// request that is no evidence is not misread.
import { UserError } from '../../base/error.js';
import { Composer } from '../compose.js';
import { isWhole } from '../prefix/plausible.js';
import { METHOD } from '../record.js';
import { BROKEN_QUOTES, clearFields, createFields, type Fields, HEADER, type LineFormat, TITLE } from './format.js';

export interface Tried {
  /** Null if the line was read, HEADER if it says how others are read, otherwise why it was not. */
  readonly cause: string | null;
  /** As the format found them; overwritten by the next line. */
  readonly fields: Fields;
  /** The URL without normalization; '' if there is none. */
  readonly url: string;
}

/** The cause for the header of a table without a URL. */
export const NO_URL_COLUMN = 'no-url-column';

const ANY_LENGTH = { base: null, scheme: 'http', normalize: 'none', maxUrlLength: Infinity } as const;

/** Tries a format on lines, which come in the order of the input. */
export class FormatTrial {
  readonly #format: LineFormat;
  readonly #fields = createFields();
  readonly #composer = new Composer(ANY_LENGTH);
  readonly #arena = { bytes: Buffer.alloc(1 << 12), used: 0, reserve: (needed: number) => this.#reserve(needed) };

  constructor(format: LineFormat) {
    this.#format = format;
  }

  try(line: Buffer): Tried {
    const fields = this.#fields;
    clearFields(fields);
    const cause = this.#parse(line) ?? this.#judge(fields);
    const url = cause === null ? this.#arena.bytes.toString('latin1', 0, this.#arena.used) : '';
    return { cause, fields, url };
  }

  #parse(line: Buffer): string | null {
    try {
      return this.#format.parse(line, 0, line.length, this.#fields);
    } catch (error) {
      if (error instanceof UserError) return NO_URL_COLUMN;
      throw error;
    }
  }

  #judge(fields: Fields): string | null {
    this.#arena.used = 0;
    if (fields.method === METHOD.missing) return 'no-request';
    const refusal = this.#composer.compose(fields, this.#arena);
    return refusal?.kind === 'rejected' ? refusal.cause : null;
  }

  #reserve(needed: number): void {
    if (this.#arena.bytes.length < needed) this.#arena.bytes = Buffer.alloc(2 * needed);
  }
}

/** How many of the lines a format reads. */
export interface Tally {
  /** Lines from whose beginning no piece is taken for a host. */
  read: number;
  failed: number;
  /** Lines after the first that are a part of a record in quotes. */
  partial: number;
}

export function tryFormat(format: LineFormat, lines: readonly Buffer[]): Tally {
  const trial = new FormatTrial(format);
  const tally = { read: 0, failed: 0, partial: 0 };
  for (const line of lines) {
    const { cause, fields } = trial.try(line);
    if (cause === null && isWhole(format.name, line, 0, line.length, fields)) tally.read++;
    else if (cause === BROKEN_QUOTES && line !== lines[0]) tally.partial++;
    else if (cause !== HEADER && cause !== TITLE) tally.failed++;
  }
  return tally;
}
