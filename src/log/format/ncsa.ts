// The family of the NCSA common log. All have a head, a time in brackets, a quoted request, status and size. More
// fields may follow (referrer, user agent, …), which are parsed only if the user agent is wanted:
//
//   common, combined   client ident user [time] "request" 200 512 …
//   vhost              host:port client ident user [time] "request" 200 512 …
//   lighttpd           client host user [time] "request" 200 512 …
//
// A host in quotes may stand before the client, or before the request (`"$host" "$request"` in nginx).
//
// nginx's `$request_time` is read if it follows the user agent, directly or after quoted fields and numbers.
import { BACKSLASH, DOT, QUOTE, SPACE } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import { METHOD } from '../record.js';
import {
  type Fields,
  type FormatName,
  type LineFormat,
  NO_WANTS,
  NOT_IN_FORMAT,
  readDigits,
  readDuration,
  setSpan,
  UNIT,
  type Wants,
} from './format.js';
import { parseRequest } from './request.js';

type Head = 'plain' | 'host-first' | 'host-second';

export function createNcsa(name: FormatName, wants = NO_WANTS): LineFormat {
  const head: Head = name === 'vhost' ? 'host-first' : name === 'lighttpd' ? 'host-second' : 'plain';
  if (!wants.time && !wants.agent && !wants.client) {
    return {
      name,
      ...(head === 'plain' && { plain: { kind: 'ncsa' } }),
      parse: (bytes, start, end, fields) => parse(head, bytes, start, end, fields),
    };
  }
  return {
    name,
    ...(head === 'plain' && {
      plain: { kind: 'ncsa' },
      readMore: ({ bytes, start, open, close, end }, fields) =>
        readMore(head, bytes, start, open, close, end, fields, wants),
    }),
    parse(bytes, start, end, fields) {
      const cause = parse(head, bytes, start, end, fields);
      if (cause === null) readMore(head, bytes, start, found.open, found.close, end, fields, wants);
      return cause;
    },
  };
}

/** The quotes around the request of the last line read. */
const found = { open: 0, close: 0 };

function parse(head: Head, bytes: Buffer, start: number, end: number, fields: Fields): string | null {
  const open = (found.open = findRequest(bytes, start, end));
  if (open < 0) return NOT_IN_FORMAT;
  const close = (found.close = findClose(bytes, open + 1, end, fields));
  if (close < 0) return NOT_IN_FORMAT;
  if (head !== 'plain' && !readHost(head, bytes, start, open, fields)) return NOT_IN_FORMAT;
  parseRequest(bytes, open + 1, close, fields);
  if (fields.method === METHOD.missing && head === 'plain') readHostAndRequest(bytes, open + 1, close, fields);
  return null;
}

const HOST = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?$|^localhost(?::\d+)?$|^\[[\d:a-f]+\](?::\d+)?$|^-$/i;
/** Stands in the place of a host, but may as well be the address of a client. */
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

/** Reads `www.h.de" "GET /a HTTP/1.1`, where only a request was expected between quotes. */
function readHostAndRequest(bytes: Buffer, start: number, end: number, fields: Fields): void {
  let quote = start;
  while (quote < end && bytes[quote] !== QUOTE) quote++;
  if (bytes[quote + 1] !== SPACE || bytes[quote + 2] !== QUOTE || quote + 3 > end) return;
  const host = bytes.toString('latin1', start, quote);
  if (!HOST.test(host)) return;
  fields.method = METHOD.unknown;
  parseRequest(bytes, quote + 3, end, fields);
  if (fields.method !== METHOD.missing && !ADDRESS.test(host)) setSpan(fields.host, bytes, start, quote);
}

/** Offset of the first quote after `] `, or -1. */
function findRequest(bytes: Buffer, start: number, end: number): number {
  for (let at = start + 2; at < end; at++) {
    if (bytes[at] === QUOTE && bytes[at - 1] === SPACE && bytes[at - 2] === 0x5d) return at;
  }
  return -1;
}

/**
 * The offset of the quote that ends the request: the first one before status and size. A quote after a backslash
 * belongs to the request, unless no other quote fits: not every server escapes, and a request may end with a backslash.
 */
function findClose(bytes: Buffer, start: number, end: number, fields: Fields): number {
  let escaped = -1;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) {
      at++;
      if (bytes[at] === QUOTE && escaped < 0 && at < end && readAnswer(bytes, at + 1, end, fields)) escaped = at;
    } else if (byte === QUOTE) {
      if (readAnswer(bytes, at + 1, end, fields)) return at;
      // Another request begins here: two processes have written one line.
      if (bytes[at - 1] === SPACE && bytes[at - 2] === 0x5d) return -1;
    }
  }
  if (escaped >= 0) readAnswer(bytes, escaped + 1, end, fields);
  return escaped;
}

/** Reads ` status size`, either of which may be `-`; false for anything else. */
function readAnswer(bytes: Buffer, start: number, end: number, fields: Fields): boolean {
  if (bytes[start] !== SPACE) return false;
  let at = start + 1;
  if (at < end && bytes[at] === 0x2d) {
    fields.status = -1;
    at++;
  } else {
    if (at + 3 > end || !isDigit(bytes[at]) || !isDigit(bytes[at + 1]) || !isDigit(bytes[at + 2])) return false;
    fields.status = (bytes[at]! - 0x30) * 100 + (bytes[at + 1]! - 0x30) * 10 + bytes[at + 2]! - 0x30;
    at += 3;
  }
  if (at + 1 >= end || bytes[at] !== SPACE) return false;
  const sizeStart = at + 1;
  at = sizeStart;
  while (at < end && isDigit(bytes[at])) at++;
  fields.size = readDigits(bytes, sizeStart, at);
  if (at === sizeStart && bytes[at++] !== 0x2d) return false;
  return at === end || bytes[at] === SPACE || bytes[at] === 0x09;
}

/** The status behind the quote of a request whose line was read already; -1 if it is `-`. */
function statusAfter(bytes: Buffer, close: number): number {
  return readDigits(bytes, close + 2, close + 5);
}

/**
 * Reads client (the word that is no host), time (in the brackets before the request) and user agent (the second quoted
 * field after it).
 */
function readMore(
  head: Head,
  bytes: Buffer,
  start: number,
  open: number,
  close: number,
  end: number,
  fields: Fields,
  wants: Wants,
): void {
  if (wants.time) {
    let from = open - 2;
    while (from > start && bytes[from - 1] !== 0x5b) from--;
    setSpan(fields.time, bytes, from, open - 2);
  }
  if (wants.client) {
    const from = head === 'host-first' ? wordEnd(bytes, start, open) + 1 : start;
    setSpan(fields.client, bytes, from, wordEnd(bytes, from, open));
  }
  if (!wants.agent) return;
  if (wants.answers === true) fields.status = statusAfter(bytes, close);
  const referrer = nextQuoted(bytes, close + 1, end);
  const referrerEnd = referrer < 0 ? end : endOfQuoted(bytes, referrer, end);
  if (wants.referrer && referrer >= 0) setSpan(fields.referrer, bytes, referrer, referrerEnd);
  const agent = referrer < 0 ? -1 : nextQuoted(bytes, referrerEnd + 1, end);
  if (agent < 0) return;
  const agentEnd = endOfQuoted(bytes, agent, end);
  setSpan(fields.agent, bytes, agent, agentEnd);
  if (wants.duration) fields.duration = durationAfter(bytes, agentEnd + 1, end);
}

/**
 * Milliseconds in the first word that is a number with three decimals (only nginx writes seconds like that), or a
 * number with `ms` (Traefik); -1 if there is none.
 */
const LETTER_S = 0x73;

function durationAfter(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const from = at;
    if (bytes[from] === QUOTE) {
      at = endOfQuoted(bytes, from + 1, end);
      continue;
    }
    at = wordEnd(bytes, from, end);
    if (at - from > 2 && (bytes[at - 4] === DOT || bytes[at - 1] === LETTER_S)) {
      const ms = readDuration(bytes, from, at, UNIT.s);
      if (ms >= 0) return ms;
    } else if (at > from && !isDigit(bytes[from])) return -1;
  }
  return -1;
}

/** Offset after the next quote, or -1. */
function nextQuoted(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== QUOTE) at++;
  return at < end ? at + 1 : -1;
}

/** The offset of the unescaped quote that ends the field; the end of the line if there is none. */
function endOfQuoted(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  return end;
}

/** The host must be at its position: with one word fewer before the time, the line is in another format. */
function readHost(head: Head, bytes: Buffer, start: number, open: number, fields: Fields): boolean {
  const first = wordEnd(bytes, start, open);
  const second = wordEnd(bytes, first + 1, open);
  if (second >= open || bytes[second + 1] === 0x5b) return false;
  if (head === 'host-second') {
    setHost(fields, bytes, first + 1, second);
    return true;
  }
  const third = wordEnd(bytes, second + 1, open);
  if (third >= open || bytes[third + 1] === 0x5b) return false;
  setHost(fields, bytes, start, first);
  return true;
}

function setHost(fields: Fields, bytes: Buffer, start: number, end: number): void {
  const isQuoted = end - start > 2 && bytes[start] === QUOTE && bytes[end - 1] === QUOTE;
  setSpan(fields.host, bytes, isQuoted ? start + 1 : start, isQuoted ? end - 1 : end);
}

function wordEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== SPACE) at++;
  return at;
}

/**
 * The member of the family that a line belongs to, or null. The second word decides: in common it is the ident (nearly
 * always `-`), else a host or an address. The number of words before the time shows whether the host is that word or
 * the one before.
 */
export function classifyNcsa(bytes: Buffer, start: number, end: number, fields: Fields): FormatName | null {
  if (parse('plain', bytes, start, end, fields) !== null) return null;
  const words = bytes
    .toString('latin1', start, findRequest(bytes, start, end))
    .split(' [')[0]!
    .split(' ');
  if (words.length < 3) return null;
  if (!/[.:]|^localhost$/.test(words[1]!)) return bytes[end - 1] === QUOTE ? 'combined' : 'common';
  return words.length === 3 ? 'lighttpd' : 'vhost';
}
