// The `--json` summary of a command. It is one document and contains no time, so the same input and options give the
// same bytes.
//
//   { "format": "dustbuster-summary", "version": 1, "command": "mine", … }
//
// Numbers are JSON numbers. "-" stands for standard input or standard output. A version may get new members; existing
// ones keep their meaning.
import type { LineCounts } from '../canonize/lines.js';
import type { SavingCounts } from '../canonize/savings.js';
import type { MineSummary } from '../mine/mine.js';
import type { InputSummary, Rule } from '../rule/rule.js';
import { isCandidate, standingOf } from '../rule/standing.js';
import type { DryRun } from '../validate/dry-run.js';
import type { ValidationCounts } from './validation.js';

interface Summary {
  readonly format: 'dustbuster-summary';
  readonly version: 1;
  readonly command: string;
}

function summaryOf(command: string): Summary {
  return { format: 'dustbuster-summary', version: 1, command };
}

interface MineSummaryJson extends Summary {
  /** Null if nothing was written (`--check`). */
  readonly output: string | null;
  readonly inputs: readonly InputSummary[];
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  /** Sites with more URLs than memory takes, of which a sample was mined, if there are any. */
  readonly sampled?: MineSummary['sampled'];
  /** Likely rules that did not fit into the file, if there are any. */
  readonly unlistedRules?: number;
  /** Pairs before elimination. */
  readonly pairs: number;
  /** URLs of crawler traps, if there are any. */
  readonly trapUrls?: number;
  /** Rules that are left out because they name one visitor, if there are any. */
  readonly visitorRules?: number;
  /** Counts by kind and by standing; null after `--stage`. */
  readonly rules: RuleCounts | null;
  /** Sorted runs that were spilled to disk. */
  readonly disk: { readonly runs: number; readonly bytes: number };
  readonly state?: StateJson;
  readonly validation?: ValidationCounts;
}

interface RuleCounts {
  readonly all: number;
  readonly substring: number;
  readonly parameter: number;
  readonly step: number;
  /** Likely rules with a confidence below .5. */
  readonly candidates: number;
  /** Counts by standing (likely, valid, invalid, pinned, vetoed); absent ones are 0. */
  readonly standing: Readonly<Record<string, number>>;
}

/** The content of the state of `--state`. */
export interface StateJson {
  readonly folder: string;
  readonly nights: number;
  readonly runs: number;
  readonly bytes: number;
}

interface MineRun {
  readonly output: string | null;
  readonly inputs: readonly InputSummary[];
  readonly mined: MineSummary;
  /** Undefined if there is no rules file. */
  readonly rules: Iterable<Rule> | RuleCounter | undefined;
  readonly state: StateJson | undefined;
  readonly validation: ValidationCounts | undefined;
}

export function mineSummary({ output, inputs, mined, rules, state, validation }: MineRun): MineSummaryJson {
  const { urls, sites, sampled, unlisted, pairs, trapUrls, visitors, spilled } = mined;
  return {
    ...summaryOf('mine'),
    output,
    inputs,
    urls,
    sites: { ...sites },
    ...(sampled.length > 0 && { sampled }),
    ...(unlisted > 0 && { unlistedRules: unlisted }),
    pairs,
    ...(trapUrls > 0 && { trapUrls }),
    ...(visitors > 0 && { visitorRules: visitors }),
    rules: rules === undefined ? null : countRules(rules),
    disk: { ...spilled },
    ...(state !== undefined && { state }),
    ...(validation !== undefined && { validation }),
  };
}

function countRules(rules: Iterable<Rule> | RuleCounter): RuleCounts {
  if (rules instanceof RuleCounter) return rules.counts;
  const counter = new RuleCounter();
  for (const rule of rules) counter.add(rule);
  return counter.counts;
}

/** Counts rules while they are written. */
export class RuleCounter {
  readonly #standing: Record<string, number> = {};
  readonly #kinds = { substring: 0, parameter: 0, step: 0, pattern: 0 };
  #all = 0;
  #candidates = 0;

  add(rule: Rule): void {
    this.#all++;
    this.#kinds[rule.kind]++;
    if (isCandidate(rule)) this.#candidates++;
    this.#standing[standingOf(rule)] = (this.#standing[standingOf(rule)] ?? 0) + 1;
  }

  get counts(): RuleCounts {
    const standing = sortedByName(this.#standing);
    return { all: this.#all, ...this.#kinds, candidates: this.#candidates, standing };
  }
}

function sortedByName(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `inputs` are the inputs of the test list. */
export function validateSummary(
  output: string,
  inputs: readonly InputSummary[],
  rules: readonly Rule[],
  validation: ValidationCounts,
): object {
  return { ...summaryOf('validate'), output, inputs, rules: countRules(rules), validation };
}

/** An input that could not be read to its end. */
export interface Damage {
  readonly name: string;
  readonly reason: string;
}

export function canonizeSummary(
  { counts, unsettled }: { readonly counts: LineCounts; readonly unsettled: number },
  output: string,
  damages: readonly Damage[],
  saved?: SavingCounts,
): object {
  const unique = saved && { ...saved, forms: counts.urls - counts.dropped };
  return { ...summaryOf('canonize'), output, ...counts, ...(unique && { unique }), unsettled, damages };
}

/**
 * The summary of `--dry-run`: maximum pages per host and per kind of URL, URLs that are not fetched by reason, and the
 * URLs that would be fetched.
 */
export function planSummary(command: string, { urls, perHost, perKind, refused }: DryRun): object {
  const [hosts, kinds] = [Object.fromEntries(perHost), Object.fromEntries(perKind)];
  return { ...summaryOf(command), hosts, kinds, refused: Object.fromEntries(refused), urls };
}
