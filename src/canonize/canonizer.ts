// The canonizer of the commands: the kernel settles nearly all forms (./swept), and leaves the others to `rounds.ts`.
import { NoAddresses } from '../base/wasm.js';
import type { Rule } from '../rule/rule.js';
import { createSiteOf } from '../url/public-suffix.js';
import type { SiteOf } from '../url/site-finder.js';
import { groupedByHosts } from './by-hosts.js';
import { contentEnd } from './forms.js';
import {
  createRounds,
  rulesInUse,
  type CanonicalForm,
  type Canonizer,
  type CanonizerOptions,
  type Ending,
  type NewLook,
  type Watch,
} from './rounds.js';
import { createSweptLook, type SweptLook } from './swept.js';
import type { Sweep } from './sweep.js';

export type { CanonicalForm, Canonizer, CanonizerOptions, Ending, Step, Trace, Watch } from './rounds.js';

/**
 * Who gave the last form: `kernel`; `rounds` for what the kernel leaves, by the rules that it finds; `all rules` while
 * there is no kernel.
 */
export type Way = 'kernel' | 'rounds' | 'all rules';

export interface KernelCanonizer extends Canonizer {
  readonly way: Way;
}

/** What a walk over lines (`./walk`) needs. */
export interface LineCanonizer extends Pick<Canonizer, 'canonizeLine' | 'canonical'> {
  /** Missing if lines have to be looked at one by one. */
  readonly swept?: Swept;
}

export interface Swept {
  readonly sweep: Sweep;
  /** Sets `canonical` to a form that the sweep has found. */
  readonly show: (bytes: Uint8Array, start: number, end: number, isChanged: boolean) => void;
}

/** Fewer rules are tried as fast as the kernel is called, and there may be thousands of canonizers of single rules. */
const FEW_RULES = 3;
/**
 * So many trials of a rule take as long as handing the rules to the kernel, 0.5 to 3 ms. With a smaller number, `mine`
 * of 800 small sites takes 24 s of CPU instead of 14, as it makes many canonizers for lists of a few hundred URLs.
 */
const FEW_TRIALS = 1 << 13;

/**
 * Tries all rules on the first URLs, as browsers do on all URLs. From then on the kernel finds the rules for a URL, for
 * which it needs an index of the rules and 2 MB of memory (it touches 300 kB). If there are too few addresses for that
 * memory (`ulimit -v`), all rules are tried on all URLs.
 */
export function createCanonizer(
  rules: readonly Rule[],
  options: CanonizerOptions,
  siteOf: SiteOf = createSiteOf(options.sitePolicy),
): KernelCanonizer {
  const { rounds, look, ...ofRules } = roundsOf(rules, options, siteOf);
  const { used } = ofRules;
  let trials = used.length > FEW_RULES ? 0 : -Infinity;
  return byKernel(rounds, look, ofRules, () => {
    if (trials > FEW_TRIALS) return;
    trials += used.length;
    if (trials > FEW_TRIALS) startIfRoom(look);
  });
}

function startIfRoom(look: SweptLook): void {
  try {
    look.start();
  } catch (error) {
    if (!(error instanceof NoAddresses)) throw error;
  }
}

/** The same, with a sweep from the first line on, to map blocks of lines. Throws {@link NoAddresses}. */
export function createBlockCanonizer(
  rules: readonly Rule[],
  options: CanonizerOptions,
): KernelCanonizer & LineCanonizer {
  const { rounds, look, ...ofRules } = roundsOf(rules, options, createSiteOf(options.sitePolicy));
  const sweep = look.start();
  return Object.assign(byKernel(rounds, look, ofRules), { swept: { sweep, show: showing(rounds) } });
}

function roundsOf(rules: readonly Rule[], options: CanonizerOptions, siteOf: SiteOf) {
  let look: SweptLook | undefined;
  const newLook: NewLook = (...args) => (look = createSweptLook(...args));
  const inUse = rulesInUse(rules, options);
  const { original, ...grouped } = groupedByHosts(inUse, siteOf);
  const rounds = createRounds(grouped.rules, options, grouped.siteOf, newLook, homeOf(options));
  return { rounds, look: look!, used: rulesInUse(grouped.rules, options), original, count: inUse.length };
}

interface UsedRules {
  /** In the order of the rounds; some may be copies for groups of hosts. */
  readonly used: readonly Rule[];
  readonly original: (rule: Rule) => Rule;
  readonly count: number;
}

/** Has the kernel settle what it can, and the rounds what it leaves. `before` is called for each URL. */
function byKernel(
  rounds: Canonizer,
  look: SweptLook,
  { used, original, count }: UsedRules,
  before = () => {},
): KernelCanonizer {
  const saying =
    (watch: Watch): Watch =>
    (round, rule) =>
      watch(round, rule && original(rule));
  const show = showing(rounds);
  const { canonical } = rounds;
  let way: Way = 'all rules';

  /** True if `canonical` is now the form of the URL bytes[start, end). */
  function settles(bytes: Uint8Array, start: number, end: number, watch?: Watch): boolean {
    before();
    const { sweep } = look;
    way = sweep === undefined ? 'all rules' : 'rounds';
    if (sweep === undefined || !look.isSeen(bytes, start, end)) return false;
    const { one } = sweep;
    if (!one.settle()) return false;
    way = 'kernel';
    const isChanged = one.formStart !== one.start;
    if (isChanged) show(sweep.bytes, one.formStart, one.formEnd, true);
    else show(bytes, start, end, false);
    if (watch !== undefined)
      for (let at = 0; at < one.changes; at++) watch(one.trace[2 * at]!, original(used[one.trace[2 * at + 1]!]!));
    return true;
  }

  return {
    rules: count,
    canonical,
    get unsettled() {
      return rounds.unsettled;
    },
    get way() {
      return way;
    },
    canonize(url) {
      if (!settles(url, 0, url.length)) return rounds.canonize(url);
      return canonical.isChanged ? canonical.bytes.slice(canonical.start, canonical.end) : url;
    },
    canonizeLine(bytes, start, limit) {
      const end = contentEnd(bytes, start, limit);
      return settles(bytes, start, end) ? end : rounds.canonizeLine(bytes, start, limit);
    },
    trace: (url, watch): Ending =>
      settles(url, 0, url.length, watch) ? 'settled' : rounds.trace(url, watch && saying(watch)),
    explain(url) {
      const trace = rounds.explain(url);
      return { ...trace, steps: trace.steps.map((step) => ({ ...step, rule: step.rule && original(step.rule) })) };
    },
  };
}

/** Finds the site of a host for local pins, which must not lead to another site. */
function homeOf({ pinsStay }: CanonizerOptions): SiteOf | undefined {
  return pinsStay === true ? createSiteOf('domain') : undefined;
}

function showing({ canonical }: Canonizer): Swept['show'] {
  const shown: { -readonly [K in keyof CanonicalForm]: CanonicalForm[K] } = canonical;
  return (bytes, start, end, isChanged) => {
    shown.bytes = bytes;
    shown.start = start;
    shown.end = end;
    shown.isChanged = isChanged;
    shown.isUrl = true;
  };
}
