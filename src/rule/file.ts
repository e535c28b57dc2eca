// The ranked rules file: JSON, versioned, one rule and one input a line so that two runs diff well, and the same bytes
// for the same contents. Reading trusts nothing, for the file may be edited by hand, merged, cut off or no rules file.
import { escapeControls } from '../base/bytes.js';
import { publicSuffixesOf } from '../url/public-suffix.js';
import { advice, checkRules, type Mismatch } from './check.js';
import { findMismatch } from './hand-written.js';
import { recordedOptions } from './mine-options.js';
import { parseJson } from './parse-json.js';
import type {
  Audit,
  Condition,
  History,
  InputSummary,
  MineOptions,
  RecordedFilters,
  Retirement,
  Rule,
  RulesFile,
  Validation,
  Verdict,
} from './rule.js';
import { rulesFileSchema } from './schema.js';

/** The file as text, line by line, each with its newline. Keys stand in the order of the schema, whatever `file` has. */
export function* writeRules(file: RulesFile): Iterable<string> {
  yield '{\n';
  yield `  "format": ${JSON.stringify(file.format)},\n`;
  yield `  "version": ${file.version},\n`;
  yield `  "generator": ${JSON.stringify(file.generator)},\n`;
  if (file.created !== undefined) yield `  "created": ${JSON.stringify(file.created)},\n`;
  yield `  "options": ${writeOptions(file.options)},\n`;
  yield* writeArray('inputs', file.inputs, writeInput);
  yield `  "urls": ${file.urls},\n`;
  yield `  "sites": ${JSON.stringify({ mined: file.sites.mined, skipped: file.sites.skipped })},\n`;
  yield `  "urlForm": ${JSON.stringify(file.urlForm)},\n`;
  yield `  "normalization": ${JSON.stringify(file.normalization)},\n`;
  const suffixes = suffixesOf(file);
  if (suffixes.length > 0) yield `  "publicSuffixes": ${JSON.stringify(suffixes)},\n`;
  if (file.validation !== undefined) yield `  "validation": ${writeValidation(file.validation)},\n`;
  if (file.night !== undefined) yield `  "night": ${JSON.stringify(file.night)},\n`;
  yield* writeArray('rules', file.rules, writeRule, '');
  yield '}\n';
}

type RulesOfSites = Pick<RulesFile, 'rules'> & { readonly options: Pick<MineOptions, 'site'> };

/** What somebody without the public suffix list needs of it to tell the hosts of these rules. */
export function suffixesOf({ options, rules }: RulesOfSites): readonly string[] {
  return options.site === 'domain' ? publicSuffixesOf(new Set(rules.map(({ site }) => site))) : [];
}

function* writeArray<T>(name: string, rows: readonly T[], write: (row: T) => string, comma = ','): Iterable<string> {
  if (rows.length === 0) return yield `  "${name}": []${comma}\n`;
  yield `  "${name}": [\n`;
  for (const [at, row] of rows.entries()) yield `    ${escapeControls(write(row))}${at < rows.length - 1 ? ',' : ''}\n`;
  yield `  ]${comma}\n`;
}

function writeOptions(options: MineOptions): string {
  const { filters } = options;
  return JSON.stringify({ ...recordedOptions(options), filters: filters && writeFilters(filters) });
}

function writeFilters({ since, until, hosts, include, exclude, onlyDocuments, bots }: RecordedFilters): object {
  return { since, until, hosts, include, exclude, onlyDocuments, bots };
}

function writeInput(input: InputSummary): string {
  const { name, format, lines, records, dropped, rejected, truncated } = input;
  return JSON.stringify({
    name,
    format,
    lines,
    records,
    dropped: sorted(dropped),
    rejected: sorted(rejected),
    truncated,
  });
}

function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function writeValidation({ source, stop, N, epsilon, minSamples, seed, audit }: Validation): string {
  const how = { source, stop, N, epsilon, minSamples, seed };
  return escapeControls(JSON.stringify({ ...how, audit: audit && writeAudit(audit) }));
}

function writeAudit(audit: Audit): Audit {
  const { sample, different, dead, redirecting, unjudged, bound, failures, urls, forms, longer, unsettled } = audit;
  const judged = { sample, different, dead, redirecting, unjudged: sorted(unjudged), bound, failures };
  const list = { urls, forms, longer, unsettled };
  return { ...judged, ...list, narrowed: audit.narrowed, retired: audit.retired };
}

function writeRule(rule: Rule): string {
  const { examples, except, verdict, otherWay, pin, veto, note, history } = rule;
  const plain = JSON.stringify({ ...describeRule(rule), examples });
  // Most rules have nothing else, and there may be very many.
  if ((except ?? verdict ?? otherWay ?? pin ?? veto ?? note ?? history) === undefined) return plain;
  const verdicts = { verdict: verdict && writeVerdict(verdict), otherWay: otherWay && writeVerdict(otherWay) };
  const more = JSON.stringify({ except, ...verdicts, pin, veto, note, history: history && writeHistory(history) });
  return `${plain.slice(0, -1)},${more.slice(1)}`;
}

/** `undefined` is not written. */
function writeHistory(history: History): object {
  const { firstSeen, lastSupported, lastValidated, lastTried, verdictSince, visits, changes, days, retired } = history;
  const nights = { firstSeen, lastSupported, lastValidated, lastTried, verdictSince };
  return { ...nights, visits, changes, days, retired: retired && writeRetirement(retired) };
}

function writeRetirement({ night, pair, failures, retryFrom }: Retirement): object {
  return { night, pair, failures, retryFrom };
}

/** A rule as plain JSON, in the order of the file, without examples and verdicts. */
export function describeRule(rule: Rule): Readonly<Record<string, unknown>> {
  const { rank, site, kind } = rule;
  return { rank, site, kind, ...saying(rule), ...limits(rule), ...evidence(rule) };
}

/** What the rule does. */
export function saying(rule: Rule): Readonly<Record<string, unknown>> {
  switch (rule.kind) {
    case 'substring': {
      const { from, to, anchor } = rule;
      return { from, to, anchor };
    }
    case 'parameter': {
      const { name, action, value, scope, path } = rule;
      return { name, action, value, scope, path };
    }
    case 'step': {
      const { step, text } = rule;
      return { step, text };
    }
    default:
      return rule satisfies never;
  }
}

/** By whose word, and where; most rules have none of it. */
function limits({ word, only, not }: Rule): Readonly<Record<string, unknown>> {
  if (word === undefined && only === undefined && not === undefined) return {};
  const conditions = {
    ...(only !== undefined && { only: only.map(writeCondition) }),
    ...(not !== undefined && { not: not.map(writeCondition) }),
  };
  return { ...(word !== undefined && { word }), ...conditions };
}

function writeCondition({ part, is }: Condition): object {
  return { part, is };
}

function evidence(rule: Rule): Readonly<Record<string, unknown>> {
  const { status, against, confidence } = rule;
  switch (rule.kind) {
    case 'substring': {
      const { low, high } = rule.support;
      return { status, support: { low, high }, against, confidence };
    }
    case 'parameter': {
      const { groups, urls } = rule.support;
      return { status, support: { groups, urls }, against, chance: rule.chance, confidence };
    }
    case 'step':
      return { status, support: { urls: rule.support.urls }, against, confidence };
    default:
      return rule satisfies never;
  }
}

function writeVerdict(verdict: Verdict): Verdict {
  const { source, positive, negative, unjudged, undecided, positives, negatives } = verdict;
  const counts = {
    source,
    positive,
    negative,
    unjudged: sorted(unjudged),
    ...(undecided === undefined ? {} : { undecided }),
  };
  return { ...counts, positives, negatives };
}

const remedies = {
  none: `${advice}; mine again, or name another file with -r`,
  foreign: `${advice}; name another file with -r`,
  again: `${advice}; write it again`,
};

/** The rules file in `bytes`; `name` is what error messages call it. Throws `UserError` for anything else. */
export function readRules(bytes: Uint8Array, name: string): RulesFile {
  return checkRulesInDetail(parseJson(bytes, name, remedies), name);
}

/** {@link checkRules}, with what was got and expected at the place that is wrong. */
export function checkRulesInDetail(value: unknown, name: string): RulesFile {
  return checkRules(value, name, describeMismatch);
}

/** Loads ajv, which only a file that is wrong pays for. */
function describeMismatch(value: unknown): Mismatch {
  return findMismatch(value, rulesFileSchema);
}
