// A single pass over the bytes of a line that finds: is it a URL that preparation leaves unchanged (a *plain* one),
// where does it end, and which rules may change it? Nearly all URLs of a list are plain, and no rule changes most of
// them: for those this pass is all the work.
//
//     http://www.example.com/a/story.html?id=%2F1\n
//     |                     |                    end
//     |                     origin of path rules; from here on tokens are looked up, escapes and dots checked
//     host: a list repeats the same few, so they are cached (./hosts)
//
// It may call a URL "not plain" that preparation would leave unchanged, never the other way round.
import { sameBytes } from '../base/bytes.js';
import { NEWLINE, QUESTION, RETURN, SLASH } from '../base/ascii.js';
import { endsOf, lengthBit } from '../rule/filing.js';
import type { Change } from '../rule/append-edit.js';
import { canBegin, type CompiledRule, type Places } from '../rule/apply.js';
import { createLookup, lookupKey, type Lookup } from '../rule/lookup.js';
import { isSettledEscape, normalizeSafe, type Normalization } from '../url/normalize.js';
import { pathStart } from '../url/form.js';
import type { UrlForm } from '../url/parse.js';
import type { SiteOf } from '../url/site-finder.js';
import { isRunByte } from '../url/token.js';
import { createChoice } from './choice.js';
import { createHosts, KEYS_LENGTH, ROWS_LENGTH, type Host } from './hosts.js';
import type { NewSweep, Sweep } from './sweep.js';

export interface LookOptions {
  readonly normalize: Normalization;
  readonly urlForm: UrlForm;
  readonly maxIterations: number;
}

export interface Look extends Places {
  /**
   * Looks at the line that begins at `start` and ends before a newline, or at `limit`. Returns the end of its content
   * (without a carriage return before the line end), or -1 if it is not plain.
   */
  plainEnd(bytes: Uint8Array, start: number, limit: number): number;
  /**
   * Looks at the form bytes[start, end) that `change` made of the last plain form; only the changed part is read again.
   * It may find more rules than a look at the whole form would. Returns true if the form is plain.
   */
  isPlainAfter(bytes: Uint8Array, start: number, end: number, change: Change): boolean;
  /** Finds the rules for any URL, plain or not. */
  any(bytes: Uint8Array, start: number, end: number): void;
  /** How many rules may match the last URL, and their indexes in ascending order. */
  count: number;
  found: Int32Array;
  origin: number;
  path: number;
  /** The rules that `found` refers to, ready to be applied. */
  readonly rules: readonly CompiledRule[];
}

/** A look that can continue from the result of a sweep over a block of lines. */
export interface IndexedLook extends Look {
  /**
   * Restores the state after a look at the plain URL bytes[start, end), from a sweep's result found[at …]: path, group,
   * rules, rule ….
   */
  readonly resume: (bytes: Uint8Array, start: number, end: number, found: Int32Array, at: number) => void;
  /** How many rules the lookup found for the last URL: a superset of those that match it. */
  readonly filed: number;
  readonly sweep: Sweep | undefined;
}

/** `rules` in rank order, and the sites that they are for. */
export type NewLook = (
  rules: readonly CompiledRule[],
  sites: readonly string[],
  options: LookOptions,
  siteOf: SiteOf,
) => Look;

/** Looks up the rules in an inverted index. With `newSweep`, whole blocks can be processed as well. */
export function indexedLook(newSweep?: NewSweep): (...args: Parameters<NewLook>) => IndexedLook {
  return (rules, sites, options, siteOf) => {
    const lookup = createLookup(sites.map((site, at) => ({ site, text: lookupKey(rules[at]!) })));
    return createLook(lookup, rules, options, siteOf, newSweep);
  };
}

// Classes of bytes.
const RUN = 0;
const MARK = 1;
const ASKED = 2;
const PERCENT = 3;
const DOT = 4;
const STOP = 5;

/** Expects the rules that the lookup was built from. */
export function createLook(
  lookup: Lookup,
  rules: readonly CompiledRule[],
  options: LookOptions,
  siteOf: SiteOf,
  newSweep?: NewSweep,
): IndexedLook {
  const isSafe = options.normalize === 'safe';
  const pathOnly = options.urlForm === 'path';
  const groupOf = (bytes: Uint8Array, start: number, end: number) =>
    lookup.groupOf(pathOnly ? '' : siteOf(bytes, start, end));
  const foundIn = (key: Uint8Array, group: number): Int32Array => lookup.found.slice(0, lookup.find(key, 0, group, 0));
  const groupOfPaths = groupOf(Uint8Array.of(SLASH), 0, 1);
  const rulesOfPaths = foundIn(nothing, groupOfPaths);
  const { filing } = lookup;
  const { reach } = filing;
  const { runs, isAsked } = filing.sieve;
  const kinds = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte, isSafe, isAsked));
  const listOfPaths = Int32Array.of(rulesOfPaths.length, ...rulesOfPaths);
  // How far from a change the token of a rule's text can be and still overlap it: before the change, and after it.
  const before = Math.max(2, reach.behind + 1);
  const behind = reach.before + 1;
  const around = { before, behind, pathOnly, mostRounds: options.maxIterations };
  const sweep = newSweep?.({ filing, kinds, groupOfPaths, listOfPaths, rules, ...around });
  const tables = sweep?.hosts ?? { rows: new Int32Array(ROWS_LENGTH), keys: new Uint8Array(KEYS_LENGTH) };
  const hosts = createHosts(describeHost, tables);
  const choice = createChoice(rules);
  /** Where the host of the last plain URL ends, relative to its start. */
  let hostEnd = 0;
  /** How many rules the lookup has found. The rules that may change the form are chosen from these. */
  let count = 0;

  function choose(bytes: Uint8Array, start: number, end: number): void {
    lookup.sort();
    look.count = count === 0 ? 0 : choice.choose(lookup.found, count, bytes, start, look.path, end);
  }

  function describeHost(key: Uint8Array): Host {
    const url = Uint8Array.of(...key, SLASH);
    const group = groupOf(key, 0, key.length);
    const found = pathOnly ? rulesOfPaths : foundIn(key, group).filter((rule) => canBegin(rules[rule]!, url));
    return { isPlain: !isSafe || sameBytes(normalizeSafe(url), url), group, rules: found };
  }

  /**
   * Scans the bytes from `at` up to `limit`, to the first byte that no URL has, or to the first punctuation at or after
   * `least`. Returns where it stopped, or -1 at something that is not plain.
   */
  function scan(bytes: Uint8Array, from: number, least: number, start: number, limit: number): number {
    let at = from;
    for (;;) {
      const runStart = at;
      let kind = RUN;
      while (at < limit && (kind = kinds[bytes[at]!]!) === RUN) at++;
      if (at > runStart && (runs[endsOf(bytes[runStart]!, bytes[at - 1]!)]! & lengthBit(at - runStart)) !== 0) {
        count = lookup.askRun(bytes, runStart, at, start, limit);
      }
      if (at >= limit || at >= least || kind === STOP) return at;
      if (kind !== MARK) {
        if (kind === PERCENT && !isSettledEscape(bytes, at, limit)) return -1;
        if (kind === DOT && isDotSegment(bytes, at, limit)) return -1;
        if (isAsked[bytes[at]!] === 1) count = lookup.askByte(bytes, at, start, limit);
      }
      at++;
    }
  }

  /** True if the dot may begin a segment `.` or `..`, which preparation removes from a path. */
  function isDotSegment(bytes: Uint8Array, at: number, limit: number): boolean {
    const next = bytes[at + 1]!;
    const ends = at + 1 === limit || next === SLASH || next === QUESTION || kinds[next]! >= DOT;
    return ends && bytes[at - 1] === SLASH;
  }

  const look: IndexedLook = {
    count: 0,
    found: choice.chosen,
    rules: choice.rules,
    get filed() {
      return count;
    },
    origin: 0,
    path: 0,
    sweep,
    plainEnd(bytes, start, limit) {
      let at = start;
      let group = groupOfPaths;
      let lists: Int32Array = listOfPaths;
      let list = 0;
      if (bytes[start] !== SLASH || start >= limit) {
        at = hosts.end(bytes, start, limit);
        if (at < 0) return -1;
        group = hosts.group;
        lists = tables.rows;
        list = hosts.list;
      }
      hostEnd = at - start;
      look.path = at;
      look.origin = pathOnly ? at : start;
      count = lookup.begin(group, lists, list);
      const end = scan(bytes, at, limit, start, limit);
      if (end < 0 || (end < limit && !endsAt(bytes, end, limit))) return -1;
      choose(bytes, start, end);
      return end;
    },
    isPlainAfter(bytes, start, end, change) {
      // The change has to be behind the host and its slash.
      if (change.start <= hostEnd) return look.plainEnd(bytes, start, end) === end;
      look.path = start + hostEnd;
      look.origin = pathOnly ? look.path : start;
      // Rescan whole tokens around the change. The range includes the start of an escape, a dot that now follows a
      // slash, and every token whose rule has a text that overlaps the change.
      const first = start + hostEnd;
      let at = Math.max(first, start + change.start - before);
      while (at > first && kinds[bytes[at]!] === RUN && kinds[bytes[at - 1]!] === RUN) at--;
      const least = Math.min(end, start + change.end + behind);
      if (scan(bytes, at, least, start, end) < least) return false;
      choose(bytes, start, end);
      return true;
    },
    resume(bytes, start, end, found, at) {
      look.path = found[at]!;
      hostEnd = look.path - start;
      look.origin = pathOnly ? look.path : start;
      count = lookup.begin(found[at + 1]!, found, at + 2);
      choose(bytes, start, end);
    },
    any(bytes, start, end) {
      look.path = pathStart(bytes, start, end);
      look.origin = pathOnly ? look.path : start;
      count = lookup.find(bytes, look.origin, groupOf(bytes, start, end), 0, end);
      choose(bytes, start, end);
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

function endsAt(bytes: Uint8Array, at: number, limit: number): boolean {
  if (bytes[at] === NEWLINE) return true;
  return bytes[at] === RETURN && (at + 1 === limit || bytes[at + 1] === NEWLINE);
}
