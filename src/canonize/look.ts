// What does one look at each byte of a line tell? Whether it is a URL that preparation leaves as it is (a *plain* one),
// where it ends, and which rules can touch it. Nearly all URLs of a list are plain and most are touched by no rule: for
// them this look is all there is to do.
//
//     http://www.example.com/a/story.html?id=%2F1\n
//     |                     |                    end
//     |                     origin of path rules; from here on tokens are asked for, escapes and dots are looked at
//     host: the same few again and again, so what there is to say of them is remembered
//
// It may say "not plain" of a URL that preparation would leave alone, never the other way round.
import { endsOf, hashFactor, hashSeed, lengthBit, markOf } from '../rule/filing.js';
import type { Change } from '../rule/append-edit.js';
import { canBegin, type CompiledRule } from '../rule/apply.js';
import type { Lookup } from '../rule/lookup.js';
import { isSettledEscape, normalizeSafe, type Normalization } from '../url/normalize.js';
import { pathStart, sameBytes } from '../url/form.js';
import type { UrlForm } from '../url/parse.js';
import { createSiteOf, type SitePolicy } from '../url/site.js';
import { isRunByte } from '../url/token.js';

export interface LookOptions {
  readonly normalize: Normalization;
  readonly urlForm: UrlForm;
  readonly sitePolicy: SitePolicy;
}

export interface Look {
  /**
   * Looks at the line that begins at `start` and ends before a newline, or at `limit`. Returns the end of its content (a
   * carriage return before its end is none), or -1 where it is not plain.
   */
  plainEnd(bytes: Uint8Array, start: number, limit: number): number;
  /**
   * Looks at the form bytes[start, end) that has come of the last plain one by `change`: only at
   * what is new. What it finds may be more than a look at all of it would. Returns whether the form is plain.
   */
  isPlainAfter(bytes: Uint8Array, start: number, end: number, change: Change): boolean;
  /** Looks at any URL. */
  any(bytes: Uint8Array, start: number, end: number): void;
  /** Of the last URL that was looked at: how many rules of `lookup.found` can touch it, and where START stands for them. */
  count: number;
  origin: number;
}

// What a byte is to the look.
const RUN = 0;
const MARK = 1;
const ASKED = 2;
const PERCENT = 3;
const DOT = 4;
const STOP = 5;

const SLASH = 0x2f;
const QUESTION = 0x3f;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** `http://host`, as far as the first slash of the path. */
interface Host {
  readonly key: Uint8Array;
  readonly isPlain: boolean;
  readonly group: number;
  /** The rules that can touch every URL of this host, for all that is known of it. */
  readonly rules: Int32Array;
}

// Remembered hosts stand in the slot of their hash or in one of the next few.
const HOSTS = 4096;
const WAYS = 8;

/** `rules` are those of the lookup. */
export function createLook(lookup: Lookup, rules: readonly CompiledRule[], options: LookOptions): Look {
  const isSafe = options.normalize === 'safe';
  const pathOnly = options.urlForm === 'path';
  const siteOf = createSiteOf(options.sitePolicy);
  const groupOf = (bytes: Uint8Array, start: number, end: number) =>
    lookup.groupOf(pathOnly ? '' : siteOf(bytes, start, end));
  const foundIn = (key: Uint8Array, group: number): Int32Array => lookup.found.slice(0, lookup.find(key, 0, group, 0));
  const groupOfPaths = groupOf(Uint8Array.of(SLASH), 0, 1);
  const rulesOfPaths = foundIn(nothing, groupOfPaths);
  const { runs, isAsked } = lookup.sieve;
  const kinds = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte, isSafe, isAsked));
  const hosts = Array.from<Host | undefined>({ length: HOSTS + WAYS });
  let last: Host = { key: nothing, isPlain: false, group: -1, rules: new Int32Array(0) };
  /** Where the host of the last plain URL ends, counted from its start. */
  let hostEnd = 0;

  /** The host of a URL, most often that of the URL before. */
  function hostOf(bytes: Uint8Array, start: number, limit: number): Host | undefined {
    const { key } = last;
    const end = start + key.length;
    if (end < limit && bytes[end] === SLASH && key.length > 0 && standsAt(bytes, start, key)) return last;
    const found = findHost(bytes, start, limit);
    if (found !== undefined) last = found;
    return found;
  }

  function findHost(bytes: Uint8Array, start: number, limit: number): Host | undefined {
    let at = afterScheme(bytes, start);
    if (at < 0) return undefined;
    let hash = hashSeed;
    for (; at < limit; at++) {
      const byte = bytes[at]!;
      if (byte === SLASH) break;
      if (byte === QUESTION || kinds[byte] === STOP) return undefined;
      hash = Math.imul(hash ^ byte, hashFactor);
    }
    if (at >= limit) return undefined;
    const first = markOf(hash) & (HOSTS - 1);
    for (let slot = first; slot < first + WAYS; slot++) {
      const known = hosts[slot];
      if (known === undefined) return (hosts[slot] = describeHost(bytes.slice(start, at)));
      if (known.key.length === at - start && standsAt(bytes, start, known.key)) return known;
    }
    return (hosts[first] = describeHost(bytes.slice(start, at)));
  }

  function describeHost(key: Uint8Array): Host {
    const url = Uint8Array.of(...key, SLASH);
    const group = groupOf(key, 0, key.length);
    const found = pathOnly ? rulesOfPaths : foundIn(key, group).filter((rule) => canBegin(rules[rule]!, url));
    return { key, isPlain: !isSafe || sameBytes(normalizeSafe(url), url), group, rules: found };
  }

  /**
   * Looks at the bytes from `at` on, up to `limit`, to the first one that no URL has, or to the first punctuation from
   * `least` on. Returns where it ended, or -1 at something that is not plain.
   */
  function scan(bytes: Uint8Array, from: number, least: number, start: number, limit: number): number {
    let at = from;
    let runStart = at;
    for (; at < limit; at++) {
      const byte = bytes[at]!;
      const kind = kinds[byte]!;
      if (kind === RUN) continue;
      if (at > runStart && (runs[endsOf(bytes[runStart]!, bytes[at - 1]!)]! & lengthBit(at - runStart)) !== 0) {
        look.count = lookup.askRun(bytes, runStart, at, start, limit);
      }
      runStart = at + 1;
      if (at >= least || kind === STOP) return at;
      if (kind === MARK) continue;
      if (kind === PERCENT && !isSettledEscape(bytes, at, limit)) return -1;
      if (kind === DOT && bytes[at - 1] === SLASH) return -1;
      if (isAsked[byte] === 1) look.count = lookup.askByte(bytes, at, start, limit);
    }
    if (at > runStart && (runs[endsOf(bytes[runStart]!, bytes[at - 1]!)]! & lengthBit(at - runStart)) !== 0) {
      look.count = lookup.askRun(bytes, runStart, at, start, limit);
    }
    return at;
  }

  const look: Look = {
    count: 0,
    origin: 0,
    plainEnd(bytes, start, limit) {
      let at = start;
      let group = groupOfPaths;
      let known = rulesOfPaths;
      if (bytes[start] !== SLASH || start >= limit) {
        const host = hostOf(bytes, start, limit);
        if (host === undefined || !host.isPlain) return -1;
        at += host.key.length;
        group = host.group;
        known = host.rules;
      }
      hostEnd = at - start;
      look.origin = pathOnly ? at : start;
      look.count = lookup.begin(group, known);
      const end = scan(bytes, at, limit, start, limit);
      return end < 0 || end === limit || endsAt(bytes, end, limit) ? end : -1;
    },
    isPlainAfter(bytes, start, end, change) {
      // Behind the host, and the slash behind it is as it was.
      if (change.start <= hostEnd) return look.plainEnd(bytes, start, end) === end;
      look.origin = pathOnly ? start + hostEnd : start;
      // Whole tokens; with the start of an escape, and with a dot that has come to stand behind a slash.
      const first = start + hostEnd;
      let at = Math.max(first, start + change.start - 2);
      while (at > first && kinds[bytes[at]!] === RUN && kinds[bytes[at - 1]!] === RUN) at--;
      const least = Math.min(end, start + change.end + 1);
      return scan(bytes, at, least, start, end) >= least;
    },
    any(bytes, start, end) {
      look.origin = pathOnly ? pathStart(bytes, start, end) : start;
      look.count = lookup.find(bytes, look.origin, groupOf(bytes, start, end), 0, end);
    },
  };
  return look;
}

const nothing = new Uint8Array(0);

function kindOf(byte: number, isSafe: boolean, isAsked: Uint8Array): number {
  if (isRunByte(byte)) return RUN;
  if (byte <= 0x20 || byte === 0x7f || byte === 0x23) return STOP;
  if (isSafe && byte === 0x25) return PERCENT;
  if (isSafe && byte === 0x2e) return DOT;
  return isAsked[byte] === 1 ? ASKED : MARK;
}

/** The offset behind a scheme in lower case, or -1. */
function afterScheme(bytes: Uint8Array, start: number): number {
  for (let at = 0; at < 4; at++) if (bytes[start + at] !== http[at]) return -1;
  const colon = bytes[start + 4] === 0x73 ? start + 5 : start + 4;
  return bytes[colon] === 0x3a && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH ? colon + 3 : -1;
}

const http = Buffer.from('http');

function standsAt(bytes: Uint8Array, start: number, key: Uint8Array): boolean {
  // From the end, where hosts differ.
  for (let at = key.length - 1; at >= 0; at--) if (bytes[start + at] !== key[at]) return false;
  return true;
}

function endsAt(bytes: Uint8Array, at: number, limit: number): boolean {
  if (bytes[at] === NEWLINE) return true;
  return bytes[at] === RETURN && (at + 1 === limit || bytes[at + 1] === NEWLINE);
}
