// How long did the server take to answer? Logs write it in several units, with or without decimals; a record has it in
// milliseconds.
//
//   nginx $request_time  0.005      seconds            Apache %D  5123   microseconds, %T  0  seconds
//   CloudFront, Caddy    0.005      seconds            Traefik    5123000   nanoseconds
//   Google Cloud         0.005s     as they say        IIS, HAProxy, Envoy, Squid, S3   5   milliseconds
import { DOT } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';

/** Milliseconds in a unit. */
export const UNIT = { s: 1000, ms: 1, us: 1e-3, ns: 1e-6 } as const;

/**
 * Milliseconds, from the number bytes[start, end) of `unitMs` each, or with its own unit; -1 if it is no number, or a
 * negative one.
 */
export function readDuration(bytes: Uint8Array, start: number, end: number, unitMs: number): number {
  let stop = end;
  if (end - start > 2 && bytes[end - 1] === LETTER_S) {
    stop -= bytes[end - 2] === LETTER_M ? 2 : 1;
    unitMs = end - stop === 2 ? UNIT.ms : UNIT.s;
  }
  let value = 0;
  let digits = 0;
  let decimals = 1;
  let hasPoint = false;
  for (let at = start; at < stop; at++) {
    if (bytes[at] === DOT && !hasPoint) hasPoint = true;
    else if (!isDigit(bytes[at]) || ++digits > MOST_DIGITS) return -1;
    else {
      value = value * 10 + bytes[at]! - 0x30;
      if (hasPoint) decimals *= 10;
    }
  }
  return digits === 0 ? -1 : (value / decimals) * unitMs;
}

const LETTER_S = 0x73;
const LETTER_M = 0x6d;
/** As many as a number has exactly. */
const MOST_DIGITS = 15;
