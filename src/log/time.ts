// Parses times in all the forms that logs have, into milliseconds since 1970:
//
//   10/Oct/2000:13:55:36 -0700                  CLF, with or without brackets; also with a blank for the first colon
//   06/Feb/2009:12:14:14.655                    HAProxy
//   2026-11-21T10:00:00.5+01:00, …Z             ISO 8601; blank or tab for the T, slash for the dash, a date alone
//   1699999999, 1699999999.123                  seconds; of 12 and 13 digits milliseconds, of 15 and 16 microseconds,
//                                               of 18 and 19 nanoseconds
//   20261121, 20261121100000, 20261121100000000 a date; with the time of day; with milliseconds
//
// A time without a zone is UTC. Digits are parsed in place, so that no string is allocated per line.
import { COLON, COMMA, DASH, DOT, PLUS, SLASH, SPACE } from '../base/ascii.js';
import { isDigit } from '../base/bytes.js';
import { readDigits } from './format/format.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
export const DAY_MS = 86_400_000;

/** The time in `bytes[start, end)` as milliseconds since 1970; NaN if it is not a time. */
export function readTime(bytes: Uint8Array, start: number, end: number): number {
  while (start < end && isAround(bytes[start]!)) start++;
  while (end > start && isAround(bytes[end - 1]!)) end--;
  if (end - start < 8) return NaN;
  if (bytes[start + 2] === SLASH) return readClf(bytes, start, end);
  const fifth = bytes[start + 4];
  return fifth === DASH || fifth === SLASH ? readIso(bytes, start, end) : readNumber(bytes, start, end);
}

/** Blanks, brackets and quotes. */
function isAround(byte: number): boolean {
  return byte <= SPACE || byte === 0x5b || byte === 0x5d || byte === 0x22;
}

function readClf(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start + 6] !== SLASH || end - start < 11) return NaN;
  const day = dayMs(fixed(bytes, start + 7, 4, end), monthOf(bytes, start + 3), fixed(bytes, start, 2, end));
  const at = start + 11;
  if (at === end) return day;
  return bytes[at] === COLON || bytes[at] === SPACE ? day + readClock(bytes, at + 1, end) : NaN;
}

function readIso(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start + 7] !== bytes[start + 4] || end - start < 10) return NaN;
  const day = dayMs(fixed(bytes, start, 4, end), fixed(bytes, start + 5, 2, end) - 1, fixed(bytes, start + 8, 2, end));
  const at = start + 10;
  if (at === end) return day;
  const separator = bytes[at]! | 0x20;
  return separator === 0x74 || separator === SPACE || bytes[at] === 0x09 ? day + readClock(bytes, at + 1, end) : NaN;
}

function readNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isDigit(bytes[at])) at++;
  const digits = at - start;
  const fraction = fractionMs(bytes, at, end);
  if (fraction.end !== end) return NaN;
  if (digits === 8 || digits === 14 || digits === 17) return readCompact(bytes, start, at);
  if (digits < 9 || digits > 19) return NaN;
  if (digits <= 11) return readDigits(bytes, start, at) * 1000 + fraction.ms;
  // Digits after the milliseconds are dropped.
  return readDigits(bytes, start, digits <= 13 ? at : digits <= 16 ? at - 3 : at - 6);
}

/** `20261121`, `20261121100000`, `20261121100000123`. */
function readCompact(bytes: Uint8Array, start: number, end: number): number {
  const two = (at: number) => fixed(bytes, start + at, 2, end);
  const day = dayMs(fixed(bytes, start, 4, end), two(4) - 1, two(6));
  if (end - start === 8) return day;
  return day + clockMs(two(8), two(10), two(12)) + (end - start === 17 ? fixed(bytes, start + 14, 3, end) : 0);
}

/** `13:55`, `13:55:36`, `13:55:36.123`, each with or without a zone. */
function readClock(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start + 2] !== COLON) return NaN;
  let at = start + 5;
  let second = 0;
  let ms = 0;
  if (at < end && bytes[at] === COLON) {
    second = fixed(bytes, at + 1, 2, end);
    ({ ms, end: at } = fractionMs(bytes, at + 3, end));
  }
  const clock = clockMs(fixed(bytes, start, 2, end), fixed(bytes, start + 3, 2, end), second);
  return clock + ms - zoneMs(bytes, at, end);
}

interface Fraction {
  ms: number;
  end: number;
}

const lastFraction: Fraction = { ms: 0, end: 0 };

/** Milliseconds of `.123456` or `,123`, and where it ends; 0 if there is none. The same object each time. */
function fractionMs(bytes: Uint8Array, start: number, end: number): Fraction {
  lastFraction.ms = 0;
  lastFraction.end = start;
  if (start >= end || (bytes[start] !== DOT && bytes[start] !== COMMA)) return lastFraction;
  let at = start + 1;
  for (let weight = 100; at < end && isDigit(bytes[at]); at++, weight = Math.floor(weight / 10)) {
    lastFraction.ms += weight * (bytes[at]! - 0x30);
  }
  lastFraction.end = at;
  return lastFraction;
}

/** `Z`, `+01:00`, `-0700`, `+01`, `UTC`, `GMT`, or nothing; a blank may come first. */
function zoneMs(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] === SPACE) at++;
  if (at >= end) return at === end ? 0 : NaN;
  const sign = bytes[at];
  if (sign !== PLUS && sign !== DASH) return isUtc(bytes, at, end) ? 0 : NaN;
  const minutesAt = bytes[at + 3] === COLON ? at + 4 : at + 3;
  const minutes = end === at + 3 ? 0 : end === minutesAt + 2 ? fixed(bytes, minutesAt, 2, end) : NaN;
  const offset = clockMs(fixed(bytes, at + 1, 2, end), minutes, 0);
  return sign === PLUS ? offset : -offset;
}

function isUtc(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start === 1) return (bytes[start]! | 0x20) === 0x7a;
  if (end - start !== 3) return false;
  const word = String.fromCharCode(bytes[start]!, bytes[start + 1]!, bytes[start + 2]!);
  return word === 'UTC' || word === 'GMT';
}

/** The number in exactly `count` digits; NaN if they are not there. */
function fixed(bytes: Uint8Array, at: number, count: number, end: number): number {
  if (at + count > end) return NaN;
  const value = readDigits(bytes, at, at + count);
  return value < 0 ? NaN : value;
}

/** 0 for `Jan`; NaN if it is not a month. */
function monthOf(bytes: Uint8Array, at: number): number {
  const key = ((bytes[at]! | 0x20) << 16) | ((bytes[at + 1]! | 0x20) << 8) | (bytes[at + 2]! | 0x20);
  return monthKeys.get(key) ?? NaN;
}

const monthKeys = new Map(MONTHS.map((name, month) => [Buffer.from(name).readUIntBE(0, 3), month]));

/** A leap second counts as the first second of the next minute. */
function clockMs(hour: number, minute: number, second: number): number {
  return hour <= 24 && minute < 60 && second <= 60 ? ((hour * 60 + minute) * 60 + second) * 1000 : NaN;
}

/** Days since 1970 by the civil calendar, with years that begin in March; `month` from 0. */
function dayMs(year: number, month: number, day: number): number {
  if (!(day >= 1 && day <= (MONTH_DAYS[month] ?? 0)) || Number.isNaN(year)) return NaN;
  if (month === 1 && day === 29 && !isLeap(year)) return NaN;
  const marchYear = month < 2 ? year - 1 : year;
  const ofYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5) + day - 1;
  const leaps = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return (365 * marchYear + leaps + ofYear - 719_468) * DAY_MS;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
