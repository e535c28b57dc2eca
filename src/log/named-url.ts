// Where does a redirect or a canonical link lead? A target may be relative (RFC 3986, 5): it is completed by the URL of
// its line.
//
//   http://h/a/b?c    //i/x  →  http://i/x       /x  →  http://h/x      ?x  →  http://h/a/b?x
//                     ./x    →  http://h/a/./x   x.html  →  http://h/a/x.html
//
// Whoever composes the URL removes the dots. Cells also have words that are no address: `none`, `n/a`, `["…"]`.
import { COLON, QUESTION, SLASH } from '../base/ascii.js';
import { latin1 } from '../base/bytes.js';
import { isMissing, setSpan, type Span } from './format/format.js';

/** A name with a slash or a dot in it, and no blank. */
const RELATIVE = /^(?![Nn]\/?[Aa]$)(?=[^?]*[./])[\w.~%-][^\s"'<>[\]{}]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

const MOST_BYTES = 8192;

export class NamedUrl {
  readonly #bytes = Buffer.alloc(2 * MOST_BYTES);

  /**
   * Sets `url` to the target that is `named` by the line with the URL bytes[start, end). False if it is no address. A
   * path stays one if the line has only a path.
   */
  resolve(named: Span, bytes: Uint8Array, start: number, end: number, url: Span): boolean {
    const length = named.end - named.start;
    if (isMissing(named) || length > MOST_BYTES || end - start > MOST_BYTES) return false;
    const kept = keptBytes(named, bytes, start, end);
    if (kept < 0) return false;
    this.#bytes.set(bytes.subarray(start, start + kept));
    this.#bytes.set(named.bytes.subarray(named.start, named.end), kept);
    setSpan(url, this.#bytes, 0, kept + length);
    return true;
  }
}

/** How many bytes of the URL of the line come before the target; -1 if that is no address. */
function keptBytes(named: Span, bytes: Uint8Array, start: number, end: number): number {
  const [first, second] = [named.bytes[named.start], named.bytes[named.start + 1]];
  const origin = originEnd(bytes, start, end);
  if (first === SLASH && second === SLASH) return origin === start ? -1 : schemeEnd(bytes, start) - start;
  if (first === SLASH) return origin - start;
  let query = origin;
  while (query < end && bytes[query] !== QUESTION) query++;
  if (first === QUESTION) return query - start;
  const text = textOf(named);
  if (SCHEME.test(text)) return 0;
  if (!RELATIVE.test(text)) return -1;
  while (query > origin && bytes[query - 1] !== SLASH) query--;
  return query === origin ? -1 : query - start;
}

function textOf({ bytes, start, end }: Span): string {
  return latin1(bytes.subarray(start, end));
}

/** Where the path of a URL begins: at its start, if it is only a path. */
function originEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === SLASH) return start;
  let at = schemeEnd(bytes, start) + 2;
  while (at < end && bytes[at] !== SLASH && bytes[at] !== QUESTION) at++;
  return Math.min(at, end);
}

function schemeEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== COLON) at++;
  return at + 1;
}
