// The result of a validation in a few lines: what became of the rules, and the audit of all rules together.
import { printable } from '../base/bytes.js';
import type { Audit, Rule, Undecided } from '../rule/rule.js';
import { isAnsweringKey } from '../rule/standing.js';
import { namesVisitor } from '../rule/visitor.js';
import { ruleWords } from '../rule/words/sentence.js';
import { masked } from '../url/secret.js';
import type { Question } from '../validate/ask/ask.js';
import type { Settlement } from '../validate/settlement.js';
import type { Answered } from '../validate/source.js';
import {
  lostPages,
  missingPages,
  undecidedLine,
  undecidedLines,
  unjudgedLine,
  unjudgedLines,
} from './outcome-words.js';
import { createFormats } from './page/script/format.js';

/** Counts of the rules that were visited, by outcome. */
export interface ValidationCounts {
  readonly source: string;
  /** Counts by outcome. */
  readonly valid: number;
  readonly invalid: number;
  readonly likely: number;
  /** Rules that were keys and still are. */
  readonly keys: number;
  readonly needless: number;
  readonly kept: number;
  /** Rules without questions: they were not worth any, or no requests were left. */
  readonly unasked: number;
  /** Rules that were found for a narrower scope. */
  readonly narrower: number;
  /**
   * Reasons why rules are still likely, with their counts; then samples without a verdict, the most common reason
   * first.
   */
  readonly undecided: Readonly<Partial<Record<Undecided, number>>>;
  readonly unjudged: Readonly<Record<string, number>>;
  readonly requests: number;
  /** The audit, if there was one. */
  readonly audit?: Audit;
}

export function validationCounts(
  settlements: readonly Settlement[],
  source: { readonly name: string; readonly requests: number },
  audit?: Audit,
): ValidationCounts {
  const count = (outcome: Settlement['outcome']) => settlements.filter((one) => one.outcome === outcome).length;
  return {
    source: source.name,
    valid: count('valid'),
    invalid: count('invalid'),
    likely: count('likely'),
    keys: count('key'),
    needless: count('needless'),
    kept: count('kept'),
    unasked: count('unasked'),
    narrower: settlements.reduce((sum, { after }) => sum + Math.max(0, after.length - 1), 0),
    undecided: undecidedOf(settlements),
    unjudged: unjudgedOf(settlements),
    requests: source.requests,
    ...(audit !== undefined && { audit }),
  };
}

/** The source of the pages, and its requests. */
interface Asked {
  readonly name: string;
  readonly requests: number;
  /** Sources of the answers, if some may come from earlier runs. */
  readonly answered?: Answered;
}

/** Settings of the report. With `--verbose` each reason gets a line. */
interface Telling {
  readonly now: Date;
  readonly isVerbose?: boolean;
  /** True if the run was only an audit. */
  readonly isAuditAlone?: boolean;
}

/**
 * The report: what became of the rules, why some are still likely, what could not be compared, and what was requested.
 */
export function validationReport(
  settlements: readonly Settlement[],
  source: Asked,
  audit: Audit | undefined,
  { now, isVerbose = false, isAuditAlone = false }: Telling,
): string {
  const { undecided, unjudged } = validationCounts(settlements, source);
  const lost = {
    fewSamples: settlements.filter(isLost).length,
    notArchived: settlements.filter((one) => isMissing(one) && !isLost(one)).length,
    isAll: isNothingJudged(settlements),
  };
  const reasons = isVerbose
    ? [
        ...undecidedLines(undecided, lost),
        ...unjudgedLines(unjudged),
        ...unjudgedLines(audit?.unjudged ?? {}).map((line) => `audited, ${line}`),
      ]
    : [...undecidedLine(undecided, lost), ...unjudgedLine(unjudged, audit?.unjudged ?? {})];
  const asked =
    source.name === 'live' ? [`made ${askedWords(source, now)}` + (isVerbose ? perRule(settlements) : '')] : [];
  return [
    outcomesLine(settlements, source, isAuditAlone ? 'only the audit was wanted' : TOO_LITTLE),
    ...reasons,
    ...asked,
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const TOO_LITTLE = 'each would save too few URLs for its requests';

function outcomesLine(settlements: readonly Settlement[], source: Asked, whyUnasked: string): string {
  const { valid, invalid, likely, keys, needless, kept, unasked, narrower } = validationCounts(settlements, source);
  const dear = settlements.filter(isDear).length;
  const parts = [
    // Of the rules that this run was about.
    `${valid}${settlements.length === kept ? '' : ` of ${settlements.length - kept}`} valid`,
    `${invalid} invalid${invalid > 0 ? ' (other pages, or none)' : ''}`,
    `${likely} still likely`,
    ...keyWords(keys - dear, 'not shown that the images answer'),
    ...keyWords(dear, 'hits or controls of the site speak against redirects, see explain'),
    `${needless} needless${needless > 0 ? ` (${valid + kept > 0 ? 'no URL of the list needs them beside the valid ones' : 'they save no URL of the list'})` : ''}`,
    ...(narrower > 0 ? [`${narrower} in narrower scopes`] : []),
    ...(unasked > 0 ? [`${unasked} not asked about (${whyUnasked})`] : []),
    ...(kept > 0 ? [`${kept} settled before (validate --again asks anew)`] : []),
  ];
  return `validated by ${source.name}: ${parts.join(', ')}`;
}

/** Such as `2,171 requests to the site; 12 answers came from the cache, the oldest of 2 days ago`. */
export function askedWords({ requests, answered }: Asked, now: Date): string {
  const asked = `${many(requests, 'request')} to the site`;
  if (answered?.oldest === undefined) return asked;
  const age = lengthWords((now.getTime() - answered.oldest) / 1000);
  return `${asked}; ${many(answered.cache, 'answer')} came from the cache, the oldest of ${age} ago`;
}

/** True for a rule that became a key because of the hits of its URLs. */
function isDear({ after: [rule], outcome }: Settlement): boolean {
  return outcome === 'key' && rule !== undefined && isAnsweringKey(rule);
}

function keyWords(keys: number, why: string): string[] {
  return keys > 0 ? [`${keys} only ${keys === 1 ? 'a key' : 'keys'} (${why})`] : [];
}

/** True for a rule with too few samples, some of which could not be compared because the site was not reached. */
function isLost({ after, outcome }: Settlement): boolean {
  const verdict = after[0]?.verdict;
  if (outcome !== 'likely' || verdict?.undecided !== 'few-samples') return false;
  return Object.keys(lostPages(verdict.unjudged)).length > 0;
}

/** True for a rule with too few samples because an archive or a list lacks most of them. */
function isMissing({ after, outcome }: Settlement): boolean {
  const verdict = after[0]?.verdict;
  if (outcome !== 'likely' || verdict?.undecided !== 'few-samples') return false;
  return missingPages(verdict.unjudged) > verdict.positive + verdict.negative;
}

/** True if pages were requested for rules, but no pair could be compared. */
function isNothingJudged(settlements: readonly Settlement[]): boolean {
  const verdicts = settlements.flatMap(({ after, outcome }) => (outcome === 'kept' ? [] : (after[0]?.verdict ?? [])));
  const isJudged = verdicts.some(({ positive, negative }) => positive + negative > 0);
  return !isJudged && verdicts.some(({ unjudged }) => Object.keys(lostPages(unjudged)).length > 0);
}

/** Reasons for too few samples, with their counts. Without them, an unreachable site would look like a short list. */
function unjudgedOf(settlements: readonly Settlement[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { after, outcome } of settlements) {
    if (outcome !== 'likely') continue;
    for (const [reason, n] of Object.entries(after[0]?.verdict?.unjudged ?? {}))
      counts.set(reason, (counts.get(reason) ?? 0) + n);
  }
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

/** The median number of requests for a rule that fetching settled. Unknown if sites were asked concurrently. */
function perRule(settlements: readonly Settlement[]): string {
  if (new Set(settlements.map(({ before }) => before.site)).size > 1) return '';
  const costs = settlements
    .filter(({ outcome }) => outcome === 'valid' || outcome === 'invalid' || outcome === 'key')
    .map(({ requests }) => requests)
    .filter((requests) => requests > 0)
    .sort((a, b) => a - b);
  return costs.length === 0 ? '' : `; half of the rules took at most ${costs[Math.floor((costs.length - 1) / 2)]}`;
}

function undecidedOf(settlements: readonly Settlement[]): Partial<Record<Undecided, number>> {
  const counts = new Map<Undecided, number>();
  for (const { after, outcome } of settlements) {
    const reason = after[0]?.verdict?.undecided;
    if (outcome === 'likely' && reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

const { count, many } = createFormats();

/** Kinds of failure, in words for people. */
const FAILURES = [
  ['different', 'another page'],
  ['dead', 'dead'],
  ['redirecting', 'redirecting'],
] as const;

export function failuresOf({ different, dead, redirecting }: Audit): number {
  return different + dead + redirecting;
}

/** The share of judged forms that are dead or redirect; 0 if none could be judged. */
export function deadShare({ sample, dead, redirecting }: Audit): number {
  return sample === 0 ? 0 : (dead + redirecting) / sample;
}

/** Such as ` (1 dead, 2 redirecting)`: the failures by kind; empty if there are none. */
export function failureKinds(audit: Audit): string {
  const kinds = FAILURES.filter(([kind]) => audit[kind] > 0).map(([kind, words]) => `${count(audit[kind])} ${words}`);
  return kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
}

/** The bound, rounded up to a tenth of a percent, so that it stays a bound. */
export function boundText({ bound }: Audit): string {
  return `at most ${(Math.ceil(bound * 1000 - 1e-9) / 10).toFixed(1)} %`;
}

/** How the audit changed rules before the final sample; empty if it did not. */
export function consequencesOf({ narrowed, retired }: Audit): string {
  const done = [narrowed, retired].flatMap((n, at) => (n === 0 ? [] : [`${many(n, 'rule')} ${DONE[at]!}`]));
  return done.join(', ');
}

const DONE = ['narrowed', 'retired'] as const;

/** Such as ` (30 that the list lacks)`; empty if there are none. */
export function probesText(probes: number): string {
  return probes === 0 ? '' : ` (${count(probes)} that the list lacks)`;
}

/** Such as `, as no requests were left for 300`; empty if all URLs of the sample were judged. */
export function cutText({ wanted }: Audit): string {
  return wanted === undefined ? '' : `, as no requests were left for ${count(wanted)}`;
}

/** A line with the figures, and one for each failure that the audit kept. */
export function auditReport(audit: Audit): string {
  const { sample, probes = 0, failures, urls, forms, longer, unsettled } = audit;
  const asked =
    sample === 0
      ? `no URL could be judged with its canonical form${cutText(audit)}`
      : `${many(sample, 'URL')}${probesText(probes)} and ${sample === 1 ? 'its canonical form' : 'their canonical forms'} asked for${cutText(audit)}, ` +
        `${count(failuresOf(audit))} failed${failureKinds(audit)}: ${boundText(audit)} with 95 % confidence`;
  const consequences = consequencesOf(audit);
  const list =
    `${many(urls, 'URL')} ${urls === 1 ? 'has' : 'have'} ${many(forms, 'form')}, ` +
    `${count(longer)} longer, ${count(unsettled)} unsettled`;
  const lines = [
    `audit: ${[asked, list, ...(consequences === '' ? [] : [`${consequences} by it`])].join('; ')}`,
    ...failures.map(
      ([url, form, why]) => `failed: ${printable(masked(url))} → ${printable(masked(form))} (${printable(why)})`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Such as `45 seconds`, `29 minutes`, `2 h 47 min`, `3 days`. */
export function lengthWords(seconds: number): string {
  if (seconds < 90) return many(Math.ceil(seconds), 'second');
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return many(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return many(Math.ceil(minutes / (24 * 60)), 'day');
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/**
 * The answer of the site to one question, a line of `--trace`: ``asked: accepted, requests 41, saves 113 of 118 forms:
 * the parameter `utm_source` is dropped on every page``
 */
export function questionLine({ rules, decision, requests, changes, saving }: Question): string {
  const said = rules.map(wordsOf).join(' + ');
  return `asked: ${decision}, requests ${requests}, saves ${saving} of ${changes} forms: ${printable(said)}\n`;
}

function wordsOf(rule: Rule): string {
  return namesVisitor(rule) ? 'a rule that names one visitor' : ruleWords(rule);
}
