// W3C extended log format, as IIS, CloudFront and many others write it. Lines that begin with # are directives. One of
// them names the fields of the lines after it, until the next one:
//
//   #Fields: date time cs-method cs-uri-stem cs-uri-query sc-status
//   2012-04-01 00:00:13 GET /foo/bar a=1&b=2 200            → /foo/bar?a=1&b=2
//
// Fields are separated by tabs or blanks, and quoted if they contain blanks. One field may have blanks without quotes
// (free-text.ts). Any other line with more or fewer fields than named is cut or damaged, and rejected. Before the first `#Fields` (in an excerpt of a log), lines are read if they
// look like those of CloudFront, whose fields are always the same, or of IIS with its default fields.
//
// CloudFront encodes percent signs twice in some fields (%2520). In URLs this is undone.
import { DOT, NUMBER_SIGN, PERCENT, QUOTE, SPACE, TAB } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import { type Column, createColumnReader, type NameLists } from './column.js';
import {
  createFields,
  type Fields,
  HEADER,
  type LineFormat,
  PLAIN_CELLS,
  type PlainLines,
  readDigits,
  readDuration,
  setSpan,
  type Span,
  UNIT,
} from './format.js';
import { type FreeText, freeTextOf, joinFreeText } from './free-text.js';
import { methodIn, UrlPieces } from './request.js';
import { createWords, findByte, findWordQuote, hasText, type Words } from './words.js';

const NAMES: NameLists = {
  url: 'cs-uri cs-uri-stem cs-uri-path',
  query: 'cs-uri-query',
  host: 'x-host-header cs-host cs(Host)',
  scheme: 'cs-protocol cs-uri-scheme s-port cs-uri-port',
  method: 'cs-method',
  status: 'sc-status c-status',
  size: 'sc-bytes',
  time: 'time time-local x-timestamp timestamp',
  agent: 'cs(User-Agent) c-user-agent cs-user-agent',
  duration: 'time-taken',
  client: 'c-ip c-address',
  referrer: 'cs(Referer) c-referrer cs-referer',
};

const CLOUDFRONT =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) ' +
  'cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken';
const IIS =
  'date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status ' +
  'sc-substatus sc-win32-status time-taken';

const MOST_FIELDS = 256;
const MOST_WORDS = 1024;

/** The position of the field for each value; -1 if there is none. */
interface Layout {
  readonly fields: number;
  /** True if a line may have more fields than these. */
  readonly isOpen: boolean;
  readonly isCloudFront: boolean;
  readonly date: number;
  readonly places: Readonly<Record<Column, number>>;
  readonly freeText: FreeText;
}

const meaningOf = createColumnReader({}, NAMES);

function layoutOf(names: readonly string[], isOpen = false): Layout {
  const best = new Map<Column, { readonly rank: number; readonly place: number }>();
  let date = -1;
  for (const [place, name] of names.entries()) {
    if (/^date(-local)?$/i.test(name)) date = place;
    const meaning = meaningOf(name);
    if (meaning === null || meaning.rank >= (best.get(meaning.column)?.rank ?? Infinity)) continue;
    best.set(meaning.column, { rank: meaning.rank, place });
  }
  const place = (column: Column) => best.get(column)?.place ?? -1;
  const columns = [
    'url',
    'query',
    'request',
    'host',
    'scheme',
    'method',
    'status',
    'size',
    'sketch',
    'time',
    'agent',
    'duration',
    'client',
    'referrer',
  ] as const;
  const places = Object.fromEntries(columns.map((column) => [column, place(column)])) as Record<Column, number>;
  const { agent: _agent, referrer: _referrer, ...needed } = places;
  // Names beyond the most are not known.
  const freeText = freeTextOf(names.length < MOST_FIELDS ? names : [], [date, ...Object.values(needed)]);
  return { fields: names.length, isOpen, isCloudFront: names.includes('x-edge-location'), date, places, freeText };
}

const CLOUDFRONT_LAYOUT = layoutOf(CLOUDFRONT.split(' '), true);
const IIS_LAYOUT = layoutOf(IIS.split(' '));
/** The number of fields that CloudFront wrote in its first years. */
const LEAST_CLOUDFRONT = 12;

export function createW3c(): LineFormat {
  const reader = new W3cReader();
  return {
    name: 'w3c',
    earlierLines: 'any',
    get plain() {
      return reader.plain;
    },
    parse: (bytes, start, end, fields) => reader.read(bytes, start, end, fields),
  };
}

/** Recognizes lines of such a log, in order: directives, and lines that match the last `#Fields`. */
export function createW3cJudge(): (line: Buffer) => boolean {
  const reader = new W3cReader();
  const fields = createFields();
  return (line) => {
    if (isDirective(line, 0, line.length)) reader.readDirective(line, 0, line.length);
    return (
      /^#(Software|Version|Date|Start-Date|Fields|Remark):/.test(line.toString('latin1', 0, 20)) ||
      reader.read(line, 0, line.length, fields) === null
    );
  };
}

const PLAIN_COLUMNS = ['url', 'query', 'host', 'scheme', 'method', 'status', 'size'] as const;

/**
 * What the kernel needs to read lines with tabs. Null if a needed column is too far to the right, if there is no URL,
 * or if there is only one field: such lines have no tab, so they would be cut at blanks.
 */
function plainOf({ fields, places }: Layout): PlainLines | null {
  if (fields < 2) return null;
  const columns = PLAIN_COLUMNS.flatMap((column) => (places[column] < 0 ? [] : [{ column, cell: places[column] }]));
  if (places.url < 0 || columns.some(({ cell }) => cell >= PLAIN_CELLS)) return null;
  return { kind: 'w3c', mostCells: fields, columns };
}

/** Of the line that is read: a reader is done with them when the next one begins. */
const lineWords: Words = createWords(MOST_WORDS);

class W3cReader {
  plain: PlainLines | null = null;
  readonly #words = lineWords;
  readonly #pieces = new UrlPieces();
  readonly #scratch = { url: Buffer.alloc(0), query: Buffer.alloc(0), time: Buffer.alloc(128) };
  #layout: Layout | null = null;
  /** If the last line had tabs, they are looked for first. That only saves time. */
  #hadTab = false;
  /** The date of `#Date: 2012-04-01 00:00:13`, for lines that have only the time of day. */
  #date = Buffer.alloc(0);

  read(bytes: Buffer, start: number, end: number, fields: Fields): string | null {
    if (isDirective(bytes, start, end)) {
      this.readDirective(bytes, start, end);
      return HEADER;
    }
    const layout = this.#layout ?? this.#guess(bytes, start, end);
    if (layout === null) return 'no-fields-line';
    if (layout.places.url < 0) return 'no-url-field';
    if (!this.#split(bytes, start, end, layout)) return 'field-count';
    return this.#setFields(bytes, layout, fields);
  }

  readDirective(bytes: Buffer, start: number, end: number): void {
    if (hasText(bytes, start, end, '#Fields:')) {
      const names = bytes
        .toString('latin1', start + 8, end)
        .trim()
        .split(/\s+/);
      this.#layout = layoutOf(names.slice(0, MOST_FIELDS));
      this.plain = plainOf(this.#layout);
    } else if (hasText(bytes, start, end, '#Date: ') && end - start >= 17 && isDate(bytes, start + 7)) {
      this.#date = Buffer.from(bytes.subarray(start + 7, start + 17));
    }
  }

  /** The layout of a line before any `#Fields`. */
  #guess(bytes: Uint8Array, start: number, end: number): Layout | null {
    if (end - start < 40 || !isDate(bytes, start)) return null;
    const words = this.#words;
    const { starts } = words;
    if (bytes[start + 10] === TAB) {
      splitTabs(bytes, start, end, words);
      return words.count >= LEAST_CLOUDFRONT && bytes[starts[7]!] === 0x2f && isStatus(bytes, starts[8]!)
        ? CLOUDFRONT_LAYOUT
        : null;
    }
    splitBlanks(bytes, start, end, words);
    return words.count === IIS_LAYOUT.fields && bytes[starts[4]!] === 0x2f && isStatus(bytes, starts[11]!)
      ? IIS_LAYOUT
      : null;
  }

  /** Cuts at tabs if there are any, else at blanks. If the number of fields is wrong, cuts only outside of quotes. */
  #split(bytes: Uint8Array, start: number, end: number, layout: Layout): boolean {
    const words = this.#words;
    const hasTab = this.#hadTab ? findByte(bytes, TAB, start, end) < end : splitBlanks(bytes, start, end, words);
    if (hasTab) {
      splitTabs(bytes, start, end, words);
      if (fits(words, layout)) return (this.#hadTab = true);
    }
    // Lines without tabs were already cut at blanks, unless the last line had tabs.
    if (hasTab || this.#hadTab) splitBlanks(bytes, start, end, words);
    this.#hadTab = false;
    if (fits(words, layout)) return true;
    splitQuoted(bytes, start, end, words);
    return fits(words, layout) || (!layout.isOpen && joinFreeText(bytes, words, layout.freeText));
  }

  #setFields(bytes: Buffer, layout: Layout, fields: Fields): string | null {
    const { places } = layout;
    const { starts, ends } = this.#words;
    if (places.method >= 0) {
      const start = starts[places.method]!;
      if (isDigit(bytes[start]) || bytes[start] === 0x2f) return 'bad-method';
      fields.method = methodIn(bytes, start, ends[places.method]!);
    }
    if (places.status >= 0) {
      const start = starts[places.status]!;
      fields.status = readDigits(bytes, start, ends[places.status]!);
      if (fields.status < 0 && start < ends[places.status]! && bytes[start] !== 0x2d) return 'bad-status';
    }
    if (places.duration >= 0 && places.duration < this.#words.count) {
      fields.duration = timeTaken(bytes, starts[places.duration]!, ends[places.duration]!, layout.isCloudFront);
    }
    if (places.size >= 0) fields.size = readDigits(bytes, starts[places.size]!, ends[places.size]!);
    this.#set(fields.url, bytes, places.url);
    this.#set(fields.host, bytes, places.host);
    this.#set(fields.agent, bytes, places.agent);
    this.#set(fields.client, bytes, places.client);
    this.#set(fields.referrer, bytes, places.referrer);
    this.#setTime(fields.time, bytes, layout);
    const { query, scheme } = this.#pieces;
    this.#pieces.clear();
    this.#set(query, bytes, places.query);
    this.#set(scheme, bytes, places.scheme);
    if (layout.isCloudFront) {
      this.#encodeOnce('url', fields.url);
      this.#encodeOnce('query', query);
    }
    cutHost(fields);
    this.#pieces.join(fields);
    return null;
  }

  #set(span: Span, bytes: Uint8Array, place: number): void {
    if (place < 0 || place >= this.#words.count) return;
    const start = this.#words.starts[place]!;
    const end = this.#words.ends[place]!;
    if (end - start !== 1 || bytes[start] !== 0x2d) setSpan(span, bytes, start, end);
  }

  /** Sets date and time of day with a blank between them. */
  #setTime(span: Span, bytes: Uint8Array, { date, places: { time } }: Layout): void {
    if (time < 0) return this.#set(span, bytes, date);
    this.#set(span, bytes, time);
    const { starts, ends } = this.#words;
    if (date >= 0) {
      if (ends[date]! + 1 === span.start && bytes[ends[date]!] === SPACE) span.start = starts[date]!;
      else this.#joinTime(span, bytes, starts[date]!, ends[date]!);
    } else if (this.#date.length > 0 && span.end - span.start < 16) this.#joinTime(span, this.#date, 0, 10);
  }

  #joinTime(span: Span, date: Uint8Array, start: number, end: number): void {
    const { time } = this.#scratch;
    if (end - start + span.end - span.start >= time.length || span.start === span.end) return;
    let out = 0;
    for (let at = start; at < end; at++) time[out++] = date[at]!;
    time[out++] = SPACE;
    for (let at = span.start; at < span.end; at++) time[out++] = span.bytes[at]!;
    setSpan(span, time, 0, out);
  }

  #encodeOnce(which: 'url' | 'query', span: Span): void {
    if (findByte(span.bytes, PERCENT, span.start, span.end) === span.end) return;
    const { start, end, bytes } = span;
    if (this.#scratch[which].length < end - start) this.#scratch[which] = Buffer.alloc(2 * (end - start));
    const to = this.#scratch[which];
    let out = 0;
    for (let at = start; at < end; at++) {
      to[out++] = bytes[at]!;
      const isTwice = bytes[at] === PERCENT && bytes[at + 1] === 0x32 && bytes[at + 2] === 0x35 && at + 4 < end;
      if (isTwice && isHex(bytes[at + 3]!) && isHex(bytes[at + 4]!)) at += 2;
    }
    setSpan(span, to, 0, out);
  }
}

/** CloudFront writes seconds, as the standard says, and IIS whole milliseconds. */
function timeTaken(bytes: Uint8Array, start: number, end: number, isCloudFront: boolean): number {
  const isSeconds = isCloudFront || findByte(bytes, DOT, start, end) < end;
  return readDuration(bytes, start, end, isSeconds ? UNIT.s : UNIT.ms);
}

/** Splits `www.h.de/a` in the field of the URL into host and path. */
function cutHost({ url, host }: Fields): void {
  if (host.end > host.start || url.end <= url.start || url.bytes[url.start] === 0x2f) return;
  const slash = findByte(url.bytes, 0x2f, url.start, url.end);
  const dot = findByte(url.bytes, 0x2e, url.start, slash);
  if (slash === url.end || dot === slash || url.bytes[slash - 1] === 0x3a) return;
  setSpan(host, url.bytes, url.start, slash);
  url.start = slash;
}

function fits({ count }: Words, { isOpen, fields }: Layout): boolean {
  return isOpen ? count >= LEAST_CLOUDFRONT : count === fields;
}

function isDirective(bytes: Uint8Array, start: number, end: number): boolean {
  const letter = bytes[start + 1]! | 0x20;
  return end - start > 2 && bytes[start] === NUMBER_SIGN && letter >= 0x61 && letter <= 0x7a;
}

/** `2012-04-01` */
function isDate(bytes: Uint8Array, at: number): boolean {
  return isDigit(bytes[at]) && isDigit(bytes[at + 3]) && bytes[at + 4] === 0x2d && bytes[at + 7] === 0x2d;
}

function isStatus(bytes: Uint8Array, at: number): boolean {
  return isDigit(bytes[at]) && isDigit(bytes[at + 1]) && isDigit(bytes[at + 2]);
}

function isHex(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function splitTabs(bytes: Uint8Array, start: number, end: number, words: Words): void {
  let count = 0;
  for (let at = start; at <= end && count < words.starts.length; at++) {
    const from = at;
    while (at < end && bytes[at] !== TAB) at++;
    addField(bytes, from, at, words, count++);
  }
  words.count = count;
}

/** Cuts at blanks. True if one of them is a tab. */
function splitBlanks(bytes: Uint8Array, start: number, end: number, words: Words): boolean {
  let count = 0;
  let hasTab = false;
  let at = start;
  while (count < words.starts.length) {
    for (; at < end && bytes[at]! <= SPACE; at++) if (bytes[at] === TAB) hasTab = true;
    if (at === end) break;
    const from = at;
    while (at < end && bytes[at]! > SPACE) at++;
    addField(bytes, from, at, words, count++);
  }
  words.count = count;
  return hasTab || findByte(bytes, TAB, at, end) < end;
}

/** Cuts at blanks outside of quotes. A field that begins with a quote ends with a quote before a separator. */
function splitQuoted(bytes: Uint8Array, start: number, end: number, words: Words): void {
  let count = 0;
  // After one unclosed quote, no later one closes: searching for each would read a hostile line hundreds of times.
  let mayClose = true;
  for (let at = start; count < words.starts.length;) {
    while (at < end && bytes[at]! <= SPACE) at++;
    if (at === end) break;
    const from = at;
    const close = mayClose && bytes[at] === QUOTE ? findWordQuote(bytes, at + 1, end) : -1;
    if (bytes[at] === QUOTE && close < 0) mayClose = false;
    if (close >= 0) at = close + 1;
    else while (at < end && bytes[at]! > SPACE) at++;
    addField(bytes, from, at, words, count++);
  }
  words.count = count;
}

/** Adds a field without its quotes. */
function addField(bytes: Uint8Array, start: number, end: number, { starts, ends }: Words, field: number): void {
  const isQuoted = end - start > 1 && bytes[start] === QUOTE && bytes[end - 1] === QUOTE;
  starts[field] = isQuoted ? start + 1 : start;
  ends[field] = isQuoted ? end - 1 : end;
}
