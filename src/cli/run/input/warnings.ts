// What is wrong with the inputs? A warning for each that was not read to its end, or of which many lines could not be read.
// Many inputs with the same complaint get one line.
import { agreeing, many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { NOT_IN_FORMAT } from '../../../log/format/format.js';
import { FIELD_OF } from '../../../log/misread.js';
import type { InputSummary, Misread } from '../../../log/record.js';
import { maskedLine } from '../../../url/secret.js';
import type { TerminalFlags } from '../../flags/terminal.js';

interface Inputs {
  readonly inputs: readonly InputSummary[];
}

interface WarningOptions {
  /** True for a command without options about formats. */
  readonly detectsOnly?: boolean;
  /** True if each input has a line of its own. */
  readonly verbose?: boolean | undefined;
}

/** A line about an input. Complaints of one kind differ in names and numbers only. */
interface Complaint {
  readonly kind: string;
  readonly line: string;
}

/** 3 if an input was not read to its end, or if most of its lines could not be read (SPEC 13). */
export function judgeReading(
  report: Inputs,
  effects: Pick<Effects, 'stderr'>,
  { quiet, verbose, detectsOnly = false }: Pick<TerminalFlags, 'quiet'> & WarningOptions,
): number {
  const options = { detectsOnly, verbose };
  const warnings = warningsOf(report, options);
  const found = report.inputs.flatMap((input) => [...partlyRejected(input), ...unreadQueryOf(input)]);
  const partly = quiet === true ? [] : linesOf(found, options);
  const without = linesOf(report.inputs.flatMap(agentless), options);
  for (const line of [...misfits(report, options), ...partly, ...warnings, ...without])
    effects.stderr.write(`dustbuster: ${line}\n`);
  return warnings.length > 0 ? 3 : 0;
}

/** Where the first line of each input deviates from --log-format, and how many lines do. */
export function misfits({ inputs }: Inputs, options: WarningOptions = {}): string[] {
  return linesOf(inputs.flatMap(misfitOf), options);
}

/** A line for each input that was not read to its end, and for each with mostly unreadable lines. */
export function warningsOf({ inputs }: Inputs, options: WarningOptions = {}): string[] {
  return linesOf(
    inputs.flatMap((input) => [...unfinished(input), ...mostlyUnread(input, options)]),
    options,
  );
}

/** So many inputs with the same complaint have a line each. */
const MOST_ALIKE = 3;

function linesOf(complaints: readonly Complaint[], { verbose }: WarningOptions): string[] {
  const alike = new Map<string, number>();
  for (const { kind } of complaints) alike.set(kind, (alike.get(kind) ?? 0) + 1);
  const said = new Set<string>();
  return complaints.flatMap(({ kind, line }) => {
    const others = alike.get(kind)! - 1;
    if (verbose === true || others < MOST_ALIKE) return [line];
    if (said.has(kind)) return [];
    said.add(kind);
    return [`${line} (and so for ${others} other inputs; --verbose has them all)`];
  });
}

function misfitOf({ name, lines, rejected, misfit }: InputSummary): Complaint[] {
  if (misfit === undefined) return [];
  const { line, column, word, got, expected, format } = misfit;
  const field = word === '' ? '' : `, field ${printable(word)}`;
  const found = got === '' ? 'the end of the line' : `"${printable(got)}"`;
  const known = format === null ? '' : `; it would fit --format ${format}`;
  const count = rejected[NOT_IN_FORMAT] ?? 0;
  const what = `${count} of ${many(lines, 'line')} of ${printable(name)} ${agreeing(count, 'does', 'do')} not fit --log-format`;
  return [
    {
      kind: `misfit ${column} ${word} ${expected} ${format}`,
      line: `${what}: line ${line}, at column ${column}${field}: got ${found}, expected ${printable(expected)}${known}`,
    },
  ];
}

/** From this number and this share of rejected lines on, there is a warning, even if most lines could be read. */
const [MANY_REJECTED, MUCH_REJECTED] = [10, 0.05];

/** For an input with many unreadable lines, but not mostly such lines; with the first line of the most common cause. */
function partlyRejected({ name, format, lines, rejected, firsts = {} }: InputSummary): Complaint[] {
  // Blank lines do not count.
  const causes = Object.entries(rejected).filter(([cause]) => cause !== 'empty');
  const count = causes.reduce((sum, [, some]) => sum + some, 0);
  if (count < MANY_REJECTED || count <= MUCH_REJECTED * lines || 2 * count > lines) return [];
  const [cause] = causes.toSorted(([, a], [, b]) => b - a)[0]!;
  const first = firsts[cause] === undefined ? '' : `, first line ${firsts[cause]}`;
  const share = ((100 * count) / lines).toFixed(1);
  return [
    {
      kind: `partly ${format} ${cause}`,
      line:
        `${printable(name)}: ${count} of ${many(lines, 'line')} (${share} %) could not be read as ${format} (${cause}${first}); ` +
        'the result is without them',
    },
  ];
}

/** For an input whose paths have no queries, beside a field that looks like one. */
function unreadQueryOf({ name, unreadQuery }: InputSummary): Complaint[] {
  if (unreadQuery === undefined) return [];
  const field = printable(unreadQuery);
  return [
    {
      kind: `query ${unreadQuery}`,
      line:
        `${printable(name)}: the field ${field} looks like the query of the paths, which have none; ` +
        `if it is, --columns query=${field} reads it`,
    },
  ];
}

/** For an input that loses most of its records to --bots, because the records have no user agents. */
function agentless({ name, format, records, dropped }: InputSummary): Complaint[] {
  const without = dropped['no-agent'] ?? 0;
  const judged = records + without + (dropped['bot'] ?? 0) + (dropped['not-a-bot'] ?? 0);
  if (2 * without <= judged) return [];
  const advice = 'leave --bots out, or log user agents, as the combined format does';
  return [
    {
      kind: `agentless ${format}`,
      line: `${printable(name)}: ${without} of ${many(judged, 'record')} (${format}) ${agreeing(without, 'has', 'have')} no user agent for --bots; ${advice}`,
    },
  ];
}

function unfinished({ name, reason, lines, truncated }: InputSummary): Complaint[] {
  if (!truncated) return [];
  const why = reason ?? 'not read to its end';
  return [
    {
      kind: `unfinished ${why}`,
      line: `${printable(name)}: ${why}${lines > 0 ? '; what could be read was kept' : ''}`,
    },
  ];
}

function mostlyUnread(input: InputSummary, { detectsOnly = false }: WarningOptions): Complaint[] {
  const { name, format, lines, rejected, misread = {} } = input;
  const ofDropped = Object.entries(misread).filter(([cause]) => rejected[cause] === undefined);
  const unread = [...Object.values(rejected), ...ofDropped.map(([, one]) => one.lines)].reduce((sum, n) => sum + n, 0);
  if (unread * 2 <= lines) return [];
  const isUnknown = format === 'unknown';
  const what = isUnknown ? `${agreeing(unread, 'is', 'are')} in no known format` : `could not be read as ${format}`;
  const top = Object.entries(misread).toSorted(([, a], [, b]) => b.lines - a.lines)[0];
  const way = detectsOnly ? 'expected a format that mine detects' : wayOf(format);
  return [
    {
      kind: `unread ${format} ${top?.[0]}`,
      line:
        `${printable(name)}: ${unread} of ${many(lines, 'line')} ${what}${top === undefined ? '' : sampleOf(...top)}; ${way}; ` +
        'dustbuster formats FILE shows them field by field',
    },
  ];
}

const SHOWN_CHARS = 120;

/** The cause, the field that it is about, and the first line with it. */
function sampleOf(cause: string, { line, text }: Misread): string {
  const field = FIELD_OF[cause];
  const why = cause === 'unknown-format' ? '' : `${cause}${field === undefined ? '' : `, field ${field}`}; `;
  const chars = Array.from(printable(maskedLine(text)));
  const shown = chars.length > SHOWN_CHARS ? `${chars.slice(0, SHOWN_CHARS).join('')}…` : chars.join('');
  return ` (${why}line ${line}: ${shown})`;
}

/** The options that say what a line is. */
function wayOf(format: string): string {
  if (format === 'unknown') return 'describe it with --log-format, or CSV with --columns';
  if (/^(csv|tsv|jsonl|parquet)\b/.test(format)) return 'name its columns with --columns, or the format with --format';
  return 'name the format with --format, or describe it with --log-format';
}
