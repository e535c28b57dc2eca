// Prepares rules and hosts for the kernel, which finds the rules for a URL and most canonical forms.
//
//     http://www.example.com/a/story.html?id=%2F1\n
//     |                     |                    end
//     |                     origin of path rules; from here on tokens are looked up, escapes and dots checked
//     host: a list repeats the same few, so they are cached (./hosts)
//
// Preparation changes nothing in a URL that the kernel calls plain. Some URLs that it would not change are not plain.
import { sameBytes } from '../base/bytes.js';
import { SLASH } from '../base/ascii.js';
import { WORDS } from '../kernel/layout/sweep.js';
import { canBegin, type CompiledRule } from '../rule/apply.js';
import { createLookup, lookupKey } from '../rule/lookup.js';
import { isTaken, normalizeSafe } from '../url/normalize.js';
import type { SiteOf } from '../url/site-finder.js';
import { isRunByte } from '../url/token.js';
import { everyRule } from './every-rule.js';
import { createHosts, type Host, type KnowHost } from './hosts.js';
import type { CanonizerOptions, Look, NewLook } from './rounds.js';
import { newSweep, type Sweep } from './sweep.js';

export interface SweptLook extends Look {
  /** Undefined before `start`: until then all rules are tried. */
  readonly sweep: Sweep | undefined;
  /** Throws `NoAddresses`; `sweep` stays undefined then. */
  start(): Sweep;
  /** The same as `plain`, without the details: whether the kernel may settle the form. */
  isSeen(bytes: Uint8Array, start: number, end: number): boolean;
}

export const createSweptLook = (...args: Parameters<NewLook>): SweptLook => {
  const every = everyRule(...args);
  const pathOnly = args[2].urlForm === 'path';
  let kernel: Kernel | undefined;
  let foundByKernel: Int32Array;

  const look: SweptLook = {
    count: 0,
    found: every.found,
    origin: 0,
    path: 0,
    get sweep() {
      return kernel?.sweep;
    },
    start() {
      kernel ??= startKernel(...args);
      foundByKernel = kernel.sweep.one.found.subarray(WORDS);
      return kernel.sweep;
    },
    isSeen(bytes, start, end) {
      if (kernel === undefined) return false;
      const { sweep, knowHost } = kernel;
      if (!sweep.one.begin(bytes, start, end)) return false;
      return sweep.one.look() || (knowHost(bytes, start, end) && sweep.one.look());
    },
    plain(bytes, start, end) {
      if (!look.isSeen(bytes, start, end)) return false;
      const { one } = kernel!.sweep;
      look.count = one.count;
      look.found = foundByKernel;
      look.path = one.count > 0 ? start + one.found[2]! - one.start : start;
      look.origin = pathOnly ? look.path : start;
      return true;
    },
    any(bytes, start, end) {
      if (look.plain(bytes, start, end)) return;
      every.any(bytes, start, end);
      look.count = every.count;
      look.found = every.found;
      look.path = every.path;
      look.origin = every.origin;
    },
  };
  return look;
};

interface Kernel {
  readonly sweep: Sweep;
  readonly knowHost: KnowHost;
}

/** Hands the kernel the rules and their index. Rules that must not lead to another site are left to the rounds. */
function startKernel(...[rules, sites, options, siteOf, staysHome]: Parameters<NewLook>): Kernel {
  const { filing, groupOfPaths, rulesOfPaths, describeHost } = describe(rules, sites, options, siteOf);
  const { reach } = filing;
  const sweep = newSweep({
    filing,
    kinds: kindsOf(options, filing.sieve.isAsked),
    groupOfPaths,
    listOfPaths: Int32Array.of(rulesOfPaths.length, ...rulesOfPaths),
    rules,
    isForRounds: staysHome,
    // For a rule text that touches a change: how far before the change its token may end, and how far after it may
    // begin.
    before: Math.max(2, reach.behind + 1),
    behind: reach.before + 1,
    pathOnly: options.urlForm === 'path',
    mostRounds: options.maxIterations,
  });
  return { sweep, knowHost: createHosts(describeHost, sweep.hosts) };
}

/** The index of the rules, and what it says of a host and of paths. */
function describe(
  rules: readonly CompiledRule[],
  sites: readonly string[],
  { normalize, urlForm }: CanonizerOptions,
  siteOf: SiteOf,
) {
  const pathOnly = urlForm === 'path';
  const lookup = createLookup(sites.map((site, at) => ({ site, text: lookupKey(rules[at]!) })));
  const groupOf = (bytes: Uint8Array, end: number) => lookup.groupOf(pathOnly ? '' : siteOf(bytes, 0, end));
  const foundIn = (key: Uint8Array, group: number): Int32Array => lookup.found.slice(0, lookup.find(key, 0, group, 0));
  const groupOfPaths = groupOf(Uint8Array.of(SLASH), 1);
  const rulesOfPaths = foundIn(new Uint8Array(0), groupOfPaths);
  function describeHost(key: Uint8Array): Host {
    const url = Uint8Array.of(...key, SLASH);
    const group = groupOf(key, key.length);
    const found = pathOnly ? rulesOfPaths : foundIn(key, group).filter((rule) => canBegin(rules[rule]!, url));
    const isPlain = isTaken(key, 0, key.length) && (normalize !== 'safe' || sameBytes(normalizeSafe(url), url));
    return { isPlain, group, rules: found };
  }
  return { filing: lookup.filing, groupOfPaths, rulesOfPaths, describeHost };
}

// Classes of bytes (kernel/sweep/look).
const RUN = 0;
const MARK = 1;
const ASKED = 2;
const PERCENT = 3;
const DOT = 4;
const STOP = 5;
/** A `%` that may begin an escape of any kind. */
const ANY_PERCENT = 6;

function kindsOf({ normalize }: CanonizerOptions, isAsked: Uint8Array): Uint8Array {
  const isSafe = normalize === 'safe';
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (isRunByte(byte)) return isSafe && byte >= 0x80 ? STOP : RUN;
    if (isSafe && byte === 0x5c) return STOP;
    if (byte <= 0x20 || byte === 0x7f || byte === 0x23) return STOP;
    if (byte === 0x25) return isSafe ? PERCENT : ANY_PERCENT;
    if (isSafe && byte === 0x2e) return DOT;
    return isAsked[byte] === 1 ? ASKED : MARK;
  });
}
