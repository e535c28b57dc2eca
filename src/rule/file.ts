// The ranked rules file: JSON, versioned, one rule and one input a line so that two runs diff well, and the same bytes
// for the same contents. Reading trusts nothing, for the file may be edited by hand, merged, cut off or no rules file.
import { escapeControls } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import { compileSchema } from './conform.js';
import { brief, findMismatch, parseJson } from './hand-written.js';
import { isNight } from './night.js';
import type {
  History,
  InputSummary,
  MineOptions,
  ParameterRule,
  RecordedFilters,
  Retirement,
  Rule,
  RulesFile,
  SubstringRule,
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
  if (file.validation !== undefined) yield `  "validation": ${writeValidation(file.validation)},\n`;
  if (file.night !== undefined) yield `  "night": ${JSON.stringify(file.night)},\n`;
  yield* writeArray('rules', file.rules, writeRule, '');
  yield '}\n';
}

function* writeArray<T>(name: string, rows: readonly T[], write: (row: T) => string, comma = ','): Iterable<string> {
  if (rows.length === 0) return yield `  "${name}": []${comma}\n`;
  yield `  "${name}": [\n`;
  for (const [at, row] of rows.entries()) yield `    ${escapeControls(write(row))}${at < rows.length - 1 ? ',' : ''}\n`;
  yield `  ]${comma}\n`;
}

function writeOptions(options: MineOptions): string {
  const { S, T_low, T_high, MRD, MAD, MW, MS, rank, similarity, site, minSiteUrls, scheme, base, maxUrlLength } =
    options;
  const { parameters, paramMinUrls, filters } = options;
  const paper = { S, T_low, T_high, MRD, MAD, MW, MS };
  const ours = { rank, similarity, site, minSiteUrls, scheme, base, maxUrlLength, parameters, paramMinUrls };
  return JSON.stringify({ ...paper, ...ours, filters: filters && writeFilters(filters) });
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

function writeValidation({ source, stop, N, epsilon, minSamples, seed }: Validation): string {
  return JSON.stringify({ source, stop, N, epsilon, minSamples, seed });
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
  return { rank, site, kind, ...saying(rule), ...evidence(rule) };
}

/** What the rule does. */
function saying(rule: Rule): Readonly<Record<string, unknown>> {
  switch (rule.kind) {
    case 'substring': {
      const { from, to, anchor } = rule;
      return { from, to, anchor };
    }
    case 'parameter': {
      const { name, action, value, scope, path } = rule;
      return { name, action, value, scope, path };
    }
    default:
      return rule satisfies never;
  }
}

function evidence(rule: Rule): Readonly<Record<string, unknown>> {
  const { status, against, confidence } = rule;
  if (rule.kind === 'parameter') {
    const { groups, urls } = rule.support;
    return { status, support: { groups, urls }, against, chance: rule.chance, confidence };
  }
  const { low, high } = rule.support;
  return { status, support: { low, high }, against, confidence };
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

const advice = 'Expected a rules file of version 1, as `dustbuster mine` writes it';
const remedies = { none: `${advice}; mine again, or name another file with -r`, again: `${advice}; write it again` };

/** The rules file in `bytes`; `name` is what error messages call it. Throws {@link UserError} for anything else. */
export function readRules(bytes: Uint8Array, name: string): RulesFile {
  const value = parseJson(bytes, name, { ...remedies, foreign: `${advice}; name another file with -r` });
  if (!isRulesFile(value)) throw new UserError(describeMismatch(value, name));
  checkMeaning(value, name);
  return value;
}

let isAsTheSchemaSays: ((value: unknown) => boolean) | undefined;

function isRulesFile(value: unknown): value is RulesFile {
  isAsTheSchemaSays ??= compileSchema(rulesFileSchema);
  return isAsTheSchemaSays(value);
}

function describeMismatch(value: unknown, name: string): string {
  const file = typeof value === 'object' && value !== null ? (value as Partial<RulesFile>) : undefined;
  if (file?.format !== 'dustbuster-rules')
    return `${name} is no rules file: /format is not "dustbuster-rules". ${advice}.`;
  if (file.version !== 1) {
    const got = JSON.stringify(file.version) ?? 'none';
    return `${name}: unknown version ${got} at /version. This program reads version 1; update it, or mine again.`;
  }
  const { pointer, fault } = findMismatch(value, rulesFileSchema);
  const place = pointer === '' ? 'the top level' : pointer;
  return `${name}: at ${place}${rankAt(file, pointer)}: ${fault}. Mend the file there, or write it again.`;
}

/** ` (rule of rank 7)` where a JSON pointer leads into a rule that has a rank. */
function rankAt(file: Partial<RulesFile>, pointer: string): string {
  const index = /^\/rules\/(\d+)/.exec(pointer)?.[1];
  if (index === undefined) return '';
  const rank = (file.rules?.[Number(index)] as Partial<Rule> | null | undefined)?.rank;
  return typeof rank === 'number' ? ` (rule of rank ${rank})` : ` (rule number ${Number(index) + 1} in the file)`;
}

/** What a schema cannot say: no rank twice, no rule without effect, only bytes that can be written again. */
function checkMeaning(file: RulesFile, name: string): void {
  if (file.night !== undefined && !isNight(file.night)) {
    throw new UserError(
      `${name}: at /night: got ${brief(file.night)}, expected a day as in 2026-11-21. Mend it there.`,
    );
  }
  const seen = new Map<number, number>();
  for (const [at, rule] of file.rules.entries()) {
    const place = `${name}: at /rules/${at} (rule of rank ${rule.rank})`;
    const first = seen.get(rule.rank);
    if (first !== undefined)
      throw new UserError(`${place}: the rank stands at /rules/${first} already. Give each rule a rank of its own.`);
    seen.set(rule.rank, at);
    const fault = faultOf(rule);
    if (fault !== undefined) throw new UserError(`${place}: ${fault}. Mend or remove the rule.`);
  }
}

/** Why a rule of the right shape is none, or undefined. */
export function faultOf(rule: Rule): string | undefined {
  const fault =
    (rule.kind === 'parameter' ? faultOfParameter(rule) : faultOfSubstring(rule)) ?? faultOfHistory(rule.history);
  if (fault !== undefined) return fault;
  const texts = rule.kind === 'parameter' ? [rule.name, rule.value ?? '', rule.path] : [rule.from, rule.to];
  const strange = [...texts, ...(rule.except ?? [])].find((text) => /[\ud800-\udc7f\udd00-\udfff]/u.test(text));
  return strange === undefined ? undefined : `${brief(strange)} has a lone surrogate outside U+DC80 to U+DCFF`;
}

function faultOfHistory(history: History | undefined): string | undefined {
  if (history === undefined) return undefined;
  const { firstSeen, lastSupported, lastValidated, lastTried, verdictSince, retired, visits, changes } = history;
  const nights = [firstSeen, lastSupported, lastValidated, lastTried, verdictSince, retired?.night, retired?.retryFrom];
  const strange = nights.find((night) => night !== undefined && !isNight(night));
  if (strange !== undefined) return `its "history" has the night ${brief(strange)}, expected a day as in 2026-11-21`;
  return changes > visits ? `its "history" has ${changes} changes in ${visits} visits` : undefined;
}

function faultOfSubstring(rule: SubstringRule): string | undefined {
  if (rule.from === rule.to) return `"from" and "to" are both ${brief(rule.from)}, so it changes nothing`;
  if (rule.from === '' && rule.anchor === 'none') return '"from" is empty and has no anchor, so it stands nowhere';
  return undefined;
}

function faultOfParameter({ name, value, scope, path }: ParameterRule): string | undefined {
  if (/[&;=#]/.test(name)) return `"name" is ${brief(name)}, but no parameter name has any of & ; = #`;
  // eslint-disable-next-line no-control-regex -- a URL has none
  if (value !== null && /[&;#\u0000-\u0020\u007f]/.test(value))
    return `"value" is ${brief(value)}, but no value has a space or any of & ; #`;
  if (scope === 'site' && path !== '') return `"path" is ${brief(path)}, but for the whole site it has to be empty`;
  if (scope !== 'site' && !path.startsWith('/')) return `"path" is ${brief(path)}, but has to begin with /`;
  return undefined;
}
