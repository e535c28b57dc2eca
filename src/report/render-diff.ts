// What changed between two nights? For people and for programs.
import { printable } from '../base/bytes.js';
import { type Paint, PLAIN } from '../base/paint.js';
import type { ChangeKind, RuleChange } from '../rule/diff.js';
import { describeRule } from '../rule/file.js';
import { idOf } from '../rule/id.js';
import type { Rule } from '../rule/rule.js';
import { isKey, isPinned, isVetoed } from '../rule/standing.js';
import { ruleSentence } from '../rule/words/sentence.js';
import { heldWords } from './rule-words.js';
import { type TextRow, textTable } from './text-table.js';

interface DiffTableOptions {
  /** How many changes are shown. */
  readonly limit: number;
  readonly paint?: Paint;
  /** Width of the terminal; Infinity if there is none. */
  readonly width?: number;
}

/** A table of the first `limit` changes, and the number of changes of each kind. */
export function diffTable(
  changes: readonly RuleChange[],
  { limit, paint = PLAIN, width = Infinity }: DiffTableOptions,
): string {
  if (changes.length === 0) return 'No rule has changed.\n';
  // Rules for paths have no site.
  const withSite = changes.some(({ before, after }) => (after ?? before)!.site !== '');
  const rows = changes.slice(0, limit).map((change): TextRow => {
    const { before, after, from, to } = change;
    const rule = (after ?? before)!;
    return {
      cells: [nameOf(change), idOf(rule), ...(withSite ? [printable(rule.site)] : []), arrow(from, to)],
      texts: [printable(ruleSentence(rule)), ...notesOf(change)],
    };
  });
  const more = changes.length > rows.length ? `… and ${changes.length - rows.length} more\n` : '';
  const head = ['change', 'id', ...(withSite ? ['site'] : []), 'what', 'rule'];
  const table = rows.length === 0 ? '' : textTable(rows, { head, right: new Set(), width, paint });
  return `${table}${more}${countLine(changes)}\n`;
}

/** Notes on a change: the pair that retired a rule, or why the rule is only a key. */
function notesOf({ kind, after }: RuleChange): string[] {
  const pair = kind === 'retired' ? after?.history?.retired?.pair : undefined;
  const held = after === undefined ? undefined : heldWords(after);
  return [
    ...(pair === undefined ? [] : [`(${pair.map(printable).join(' ⇸ ')})`]),
    ...(held === undefined ? [] : [`(${held})`]),
  ];
}

function arrow(from: string, to: string): string {
  return from === '' || to === '' ? printable(from + to) : [from, to].map(printable).join(' ⇒ ');
}

/** The name of a change. A changed verdict or mark is called by the new one: `valid`, `likely`, `vetoed`. */
function nameOf({ kind, before, after }: RuleChange): string {
  if (kind === 'marked') return markOf(after!) ?? `no longer ${markOf(before!)}`;
  return kind === 'verdict' ? (after?.status ?? kind) : kind;
}

function markOf(rule: Rule): string | undefined {
  if (isVetoed(rule)) return 'vetoed';
  if (isPinned(rule)) return 'pinned';
  return isKey(rule) ? 'only a key' : undefined;
}

/** For a nightly mail while no rule is in use: a line in place of a table. */
export function unusedLine(changes: readonly RuleChange[]): string {
  return `No rule is valid yet, so no URL is canonized. Likely rules: ${countLine(changes)} (diff --all lists them)\n`;
}

/** Such as `2 valid, 1 retired`: the number of changes of each kind. */
export function countLine(changes: readonly RuleChange[]): string {
  const counts = new Map<string, number>();
  for (const change of changes) counts.set(nameOf(change), (counts.get(nameOf(change)) ?? 0) + 1);
  return Array.from(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

function countKinds(changes: readonly RuleChange[]): Partial<Record<ChangeKind, number>> {
  const counts: Partial<Record<ChangeKind, number>> = {};
  for (const { kind } of changes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Yields one JSON document, with a line for each change. */
export function* diffJson(names: readonly [string, string], changes: readonly RuleChange[]): Iterable<string> {
  yield '{\n  "format": "dustbuster-diff",\n  "version": 1,\n';
  yield `  "old": ${JSON.stringify(names[0])},\n  "new": ${JSON.stringify(names[1])},\n`;
  yield `  "counts": ${JSON.stringify(countKinds(changes))},\n  "changes": [`;
  for (const [at, { kind, before, after, from, to }] of changes.entries()) {
    const rules = { before: before && describeRule(before), after: after && describeRule(after) };
    const retired = kind === 'retired' ? { retired: after?.history?.retired } : {};
    yield `${at === 0 ? '' : ','}\n    ${JSON.stringify({ kind, from, to, ...rules, ...retired })}`;
  }
  yield changes.length === 0 ? ']\n}\n' : '\n  ]\n}\n';
}
