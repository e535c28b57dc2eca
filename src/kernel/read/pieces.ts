// A URL in pieces, each in a field of its own, as log/format/request has them: a query, and a scheme.
import { Line } from './line';
import { numberIn } from './plain-request';

const MINUS: u8 = 0x2d;
const QUESTION: u8 = 0x3f;
/** TLS 1.0 (log/format/request). */
const FIRST_TLS = 769;

export function isNone(start: usize, end: usize): bool {
  return end - start == 1 && load<u8>(start) == MINUS;
}

/** False for one that has its question mark, which is left to JavaScript. */
export function takeQuery(start: usize, end: usize): bool {
  if (end == start || isNone(start, end)) return true;
  Line.query = start;
  Line.queryEnd = end;
  return load<u8>(start) != QUESTION;
}

/** A URL with a query keeps it. To be called when both are known. */
export function settleQuery(): void {
  for (let at = Line.url; at < Line.urlEnd && Line.query != 0; at++) {
    if (load<u8>(at) == QUESTION) Line.query = Line.queryEnd = 0;
  }
}

/** True for `https`, `wss`, 443 and the number of a TLS version. */
export function isSecure(start: usize, end: usize): bool {
  const length = end - start;
  const first = load<u8>(start) | 0x20;
  const isLastS = length > 0 && (load<u8>(end - 1) | 0x20) == 0x73;
  if (length == 5 && first == 0x68) return isLastS;
  if (length != 3) return false;
  if (first == 0x77) return isLastS;
  const code = numberIn(start, end);
  return code == 443 || code >= FIRST_TLS;
}
