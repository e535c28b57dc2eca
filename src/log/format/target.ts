// Which of the fields that may have the target of a request does have it? Logs of nginx often have several, and only
// some with the query:
//
//   "request": "GET /a?b HTTP/1.1"   "request_uri": "/a?b"   "uri": "/index.php"   "url": "https://h.de/a?b"
//
// A full URL comes first, as it has the host; then what the client sent, the line of the request, and any other path.
// Of these the first with a query is the target, or the first of all. The kernel does the same (kernel/read/plain-json).
import { COLON, QUESTION, SLASH, SPACE } from '../../base/ascii.js';
import { METHOD } from '../record.js';
import { type Fields, isMissing, setSpan, type Span } from './format.js';
import { parseRequest } from './request.js';

const NOTHING = new Uint8Array(0);

function newSpan(): Span {
  return { bytes: NOTHING, start: 0, end: 0 };
}

export class TargetFields {
  readonly url = newSpan();
  readonly target = newSpan();
  readonly request = newSpan();

  clear(): void {
    this.url.start = this.url.end = this.target.start = this.target.end = this.request.start = this.request.end = 0;
  }

  /** Sets the URL of `fields`, and its method unless it is known. If only a full URL lacks a query, `query` gets it. */
  choose(fields: Fields, query: Span): void {
    const { url, target, request } = this;
    const hasOther = !isMissing(url) || !isMissing(target);
    if (request.end > request.start && (!hasOther || isRequestLine(request))) readRequest(request, fields);
    if (!hasOther) {
      if (request.end === request.start) setSpan(fields.url, url.bytes, url.start, url.end);
      return;
    }
    const sent = fields.url;
    if (fields.method === METHOD.missing) fields.method = METHOD.unknown;
    const isFull = isFullUrl(url);
    const found =
      withQuery(isFull ? url : null) ??
      withQuery(target) ??
      withQuery(sent) ??
      withQuery(url) ??
      [isFull ? url : null, target, sent, url].find((span) => span !== null && !isMissing(span))!;
    if (isFull && found !== url && !isFullUrl(found)) {
      if (isMissing(query)) setSpan(query, found.bytes, questionIn(found) + 1, found.end);
      setSpan(fields.url, url.bytes, url.start, url.end);
    } else setSpan(fields.url, found.bytes, found.start, found.end);
  }
}

/** Keeps a method that a field of its own has named. */
function readRequest({ bytes, start, end }: Span, fields: Fields): void {
  const { method } = fields;
  parseRequest(bytes as Buffer, start, end, fields);
  if (method !== METHOD.unknown) fields.method = method;
}

/** A method in capitals, a blank, and a path or a full URL. */
function isRequestLine({ bytes, start, end }: Span): boolean {
  let at = start;
  while (at < end && bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) at++;
  if (at === start || at + 1 >= end || bytes[at] !== SPACE) return false;
  return bytes[at + 1] === SLASH || isFullUrl({ bytes, start: at + 1, end });
}

/** True for `scheme://…`. */
function isFullUrl({ bytes, start, end }: Span): boolean {
  let at = start;
  while (at < end && at < start + 8 && (bytes[at]! | 0x20) >= 0x61 && (bytes[at]! | 0x20) <= 0x7a) at++;
  return at > start && at + 2 < end && bytes[at] === COLON && bytes[at + 1] === SLASH && bytes[at + 2] === SLASH;
}

function withQuery(span: Span | null): Span | null {
  return span !== null && questionIn(span) >= 0 ? span : null;
}

/** The offset of the question mark; -1 if there is none. */
function questionIn({ bytes, start, end }: Span): number {
  for (let at = start; at < end; at++) if (bytes[at] === QUESTION) return at;
  return -1;
}
