// The canonizer for programs that have URLs as strings: only the conversion between text and bytes.
//
// A string is what `decodeText` makes of bytes: UTF-8, with U+DC80 … U+DCFF for bytes that are not, as in rules files.
import { decodeText, encodeText, encodeTextInto } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import type { Rule, RulesFile } from '../rule/rule.js';
import { ACCEPTS, type Accept } from '../rule/standing.js';
import type { SiteOf } from '../url/site-finder.js';
import { defaultMaxIterations } from './limits.js';
import { everyRule } from './every-rule.js';
import { createRounds, type Canonizer, type CanonizerOptions, type Ending } from './rounds.js';

export interface CanonizerSettings {
  /**
   * `valid` (default): rules that passed validation, and pinned rules. `confident`: also likely rules with a confidence
   * of .95 or more that are not part of a numbered series. `likely`: all likely rules. Vetoed and invalid rules are
   * never used. Rules that only add text are used only if the site redirects that way.
   */
  readonly accept?: Accept;
  /** How many rounds through the rules are tried before a URL is returned unchanged; 10 by default. */
  readonly maxIterations?: number;
}

/** Gives URLs their canonical form by the rules of one file, exactly as `dustbuster canonize` does for every input. */
export interface TextCanonizer {
  /** How many rules of the file are in use. If none is, URLs are only normalized. */
  readonly rules: number;
  /** How many URLs stayed as they were because no canonical form was found. */
  readonly unsettled: number;
  /**
   * The canonical form of a URL; anything that is not a URL (`/…`, `http://…` or `https://…`, as browsers take it) comes
   * back unchanged. Never throws, and canonize(canonize(u)) = canonize(u). Bytes give bytes: the same object if nothing
   * changes.
   */
  readonly canonize: {
    (url: string): string;
    (url: Uint8Array): Uint8Array;
  };
  /** Each change of a URL on the way to its form. */
  readonly explain: (url: string | Uint8Array) => Explanation;
}

export interface Explanation {
  readonly url: string;
  readonly canonical: string;
  /**
   * `settled`: no rule changes the form any more. `cycle`: forms repeat in a cycle, and this is the least of them.
   * `unsettled`: no form was found within the allowed rounds, or within 4,096 bytes. `no URL`: the input is not a URL.
   */
  readonly ending: Ending;
  readonly steps: readonly ExplainedStep[];
}

/** A change on the way. */
export interface ExplainedStep {
  readonly round: number;
  /** The rule as in the file; undefined if the URL was normalized. */
  readonly rule: Rule | undefined;
  /** The URL after this change. */
  readonly form: string;
}

type HowToApply = Pick<RulesFile, 'rules' | 'normalization' | 'urlForm'> & {
  readonly options: Pick<RulesFile['options'], 'site'>;
};

type Create = (rules: readonly Rule[], options: CanonizerOptions, siteOf: SiteOf) => Canonizer;

const tryingAll: Create = (rules, options, siteOf) => createRounds(rules, options, siteOf, everyRule);

/** Throws {@link UserError} for invalid settings. */
export function createTextCanonizer(
  file: HowToApply,
  siteOf: SiteOf,
  settings: CanonizerSettings = {},
  create = tryingAll,
): TextCanonizer {
  const { accept = 'valid', maxIterations = defaultMaxIterations } = settings;
  if (!ACCEPTS.includes(accept)) {
    throw new UserError(`accept: got ${JSON.stringify(accept)}, expected "valid", "confident" or "likely"`);
  }
  if (!Number.isSafeInteger(maxIterations) || maxIterations < 1) {
    throw new UserError(`maxIterations: got ${String(maxIterations)}, expected a whole number of at least 1`);
  }
  const { normalization: normalize, urlForm, options } = file;
  const how = { normalize, accept, maxIterations, urlForm, sitePolicy: options.site };
  const canonizer = create(file.rules, how, siteOf);
  const { canonical } = canonizer;
  let room = new Uint8Array(1 << 13);

  function canonizeText(url: string): string {
    // The canonizer would see two lines, or a line with its ending; no URL contains these.
    if (url.includes('\n') || url.endsWith('\r')) return url;
    if (3 * url.length > room.length) room = new Uint8Array(6 * url.length);
    canonizer.canonizeLine(room, 0, encodeTextInto(url, room));
    return canonical.isChanged ? decodeText(canonical.bytes, canonical.start, canonical.end) : url;
  }

  function canonize(url: string): string;
  function canonize(url: Uint8Array): Uint8Array;
  function canonize(url: string | Uint8Array): string | Uint8Array {
    return typeof url === 'string' ? canonizeText(url) : canonizer.canonize(url);
  }

  return {
    rules: canonizer.rules,
    get unsettled() {
      return canonizer.unsettled;
    },
    canonize,
    explain(url) {
      const trace = canonizer.explain(typeof url === 'string' ? encodeText(url) : url);
      return {
        url: decodeText(trace.url),
        canonical: decodeText(trace.canonical),
        ending: trace.ending,
        steps: trace.steps.map(({ round, rule, form }) => ({ round, rule, form: decodeText(form) })),
      };
    },
  };
}
