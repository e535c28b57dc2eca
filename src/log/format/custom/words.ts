// The meaning of the directives of Apache's LogFormat and the variables of nginx's log_format. If several have the same
// meaning, the one with the lowest rank that has a value counts. Unknown words are skipped.
//
// `%U` and `$uri` are paths that the server has decoded (and perhaps rewritten), so `%r`, `$request` and `$request_uri`
// come first. A Host header contains the port unless it is the default one; with such a host, the port that the server
// listens on decides only between http and https. The address that the browser used (`X-Forwarded-…`) comes before the
// server's own name.
import { UNIT } from '../format.js';

export type Role =
  | 'request'
  | 'target'
  | 'path'
  | 'query'
  | 'question'
  | 'method'
  | 'status'
  | 'size'
  | 'host'
  | 'port'
  | 'scheme'
  | 'sketch'
  | 'agent'
  | 'referrer'
  | 'client'
  | 'time'
  | 'duration'
  | 'skip';

export interface Meaning {
  readonly role: Role;
  readonly rank: number;
  /** For a host: whether it contains the port if that is not the default one. */
  readonly bringsPort?: boolean;
  /** The field has exactly this many bytes. */
  readonly width?: number;
  /** For a duration: milliseconds in its unit. */
  readonly unitMs?: number;
  /** For a time: whether it contains the day. */
  readonly hasDate?: boolean;
}

export const SKIPPED: Meaning = { role: 'skip', rank: 0 };

const meaning = (role: Role, rank = 0): Meaning => ({ role, rank });
const header = (rank: number): Meaning => ({ role: 'host', rank, bringsPort: true });
const duration = (unitMs: number, rank = 0): Meaning => ({ role: 'duration', rank, unitMs });
const date: Meaning = { role: 'time', rank: 0, hasDate: true };

const APACHE: Readonly<Record<string, Meaning>> = {
  r: meaning('request'),
  U: meaning('path', 2),
  q: meaning('query'),
  m: meaning('method'),
  s: meaning('status', 1),
  '>s': meaning('status', 0),
  B: meaning('size', 0),
  b: meaning('size', 1),
  O: meaning('size', 3),
  V: meaning('host', 2),
  v: meaning('host', 3),
  p: meaning('port'),
  t: date,
  D: duration(UNIT.us),
  T: duration(UNIT.s, 2),
  a: meaning('client', 0),
  h: meaning('client', 1),
};

/** Request headers, by name in lower case; in nginx `$http_…`. */
const REQUEST_HEADERS: Readonly<Record<string, Meaning>> = {
  'x-forwarded-host': header(0),
  host: header(1),
  'x-forwarded-proto': meaning('scheme', 0),
  'user-agent': meaning('agent'),
  referer: meaning('referrer'),
};

/** Response headers; in nginx `$sent_http_…`. */
const ANSWER_HEADERS: Readonly<Record<string, Meaning>> = {
  'content-length': meaning('size', 2),
  'content-md5': meaning('sketch', 1),
  'content-digest': meaning('sketch', 2),
  'repr-digest': meaning('sketch', 0),
  digest: meaning('sketch', 3),
};

const NGINX: Readonly<Record<string, Meaning>> = {
  request: meaning('request'),
  request_uri: meaning('target', 1),
  uri: meaning('path', 2),
  document_uri: meaning('path', 3),
  args: meaning('query'),
  query_string: meaning('query', 1),
  is_args: meaning('question'),
  request_method: meaning('method'),
  status: meaning('status'),
  body_bytes_sent: meaning('size', 0),
  bytes_sent: meaning('size', 3),
  host: meaning('host', 2),
  server_name: meaning('host', 3),
  server_port: meaning('port'),
  scheme: meaning('scheme', 1),
  https: meaning('scheme', 2),
  request_time: duration(UNIT.s),
  upstream_response_time: duration(UNIT.s, 1),
  time_local: date,
  time_iso8601: date,
  msec: date,
  remote_addr: meaning('client'),
};

/** The meaning of `letter` with its modifiers, as in `s`, `>s`. `argument` is the text in braces, or null. */
export function apacheMeaning(letter: string, argument: string | null): Meaning {
  if (argument === null) return own(APACHE, letter) ?? own(APACHE, letter.replace(/[<>]/g, '')) ?? SKIPPED;
  const name = argument.toLowerCase();
  if (letter === 'i') return own(REQUEST_HEADERS, name) ?? SKIPPED;
  if (letter === 'o') return own(ANSWER_HEADERS, name) ?? SKIPPED;
  if (letter === 'T') return { us: duration(UNIT.us), ms: duration(UNIT.ms, 1) }[name] ?? duration(UNIT.s, 2);
  if (letter === 'p' && name === 'canonical') return meaning('port');
  return letter === 'e' && name === 'request_scheme' ? meaning('scheme', 1) : SKIPPED;
}

export function nginxMeaning(name: string): Meaning {
  const known = own(NGINX, name);
  if (known !== undefined) return known;
  if (name.startsWith('http_')) return own(REQUEST_HEADERS, name.slice(5).replaceAll('_', '-')) ?? SKIPPED;
  if (name.startsWith('sent_http_')) return own(ANSWER_HEADERS, name.slice(10).replaceAll('_', '-')) ?? SKIPPED;
  return SKIPPED;
}

function own(words: Readonly<Record<string, Meaning>>, word: string): Meaning | undefined {
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

const part = (width: number, hasDate = false): Meaning => ({ role: 'time', rank: 0, width, hasDate });

/**
 * Conversions of strftime with fixed width, and Apache's own names for whole times. The day of the month counts as the
 * day.
 */
const TIME_PARTS: Readonly<Record<string, Meaning>> = {
  Y: part(4),
  m: part(2),
  b: part(3),
  h: part(3),
  d: part(2, true),
  e: part(2, true),
  H: part(2),
  M: part(2),
  S: part(2),
  y: part(2),
  I: part(2),
  j: part(3),
  p: part(2),
  a: part(3),
  z: part(5),
  Z: part(3),
  s: date,
};

const WHOLE_TIMES: Readonly<Record<string, Meaning>> = {
  sec: date,
  msec: date,
  usec: date,
  msec_frac: part(3),
  usec_frac: part(6),
};

const SHORT_FOR: Readonly<Record<string, string>> = {
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  F: '%Y-%m-%d',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  n: '\n',
  t: '\t',
  '%': '%%',
};

/** A piece of a strftime string: literal text, or the output of a conversion. */
type TimePiece = { readonly text: string } | { readonly meaning: Meaning };

/** The pieces of what `%{argument}t` writes. `begin:` and `end:` only select the time. */
export function timePieces(argument: string): TimePiece[] {
  const form = argument.replace(/^(begin|end):/, '');
  const whole = own(WHOLE_TIMES, form);
  if (whole !== undefined) return [{ meaning: whole }];
  if (form === '') return [{ text: '[' }, { meaning: date }, { text: ']' }];
  const long = form.replace(/%[EO_^0-]*([a-zA-Z%])/g, (_, letter: string) => SHORT_FOR[letter] ?? `%${letter}`);
  return Array.from(long.matchAll(/%([a-zA-Z%])|[^%]+|%/g), ([text, letter]) => {
    if (letter === undefined) return { text };
    return letter === '%' ? { text: '%' } : { meaning: own(TIME_PARTS, letter) ?? { role: 'time', rank: 0 } };
  });
}
