// What changed between two nights, for people and for programs.
import { printable } from '../base/bytes.js';
import { PLAIN } from '../base/paint.js';
import { idOf } from '../rule/id.js';
import { describeRule } from '../rule/file.js';
import type { ChangeKind, RuleChange } from '../rule/diff.js';
import { heldWords } from './held-words.js';
import { aligned, clipSides, ruleSides } from './render.js';

/** The first `limit` changes as a table, and how many there are of each kind. */
export function diffTable(changes: readonly RuleChange[], limit: number, paint = PLAIN): string {
  if (changes.length === 0) return 'No rule has changed.\n';
  // Rules for paths are of no site.
  const withSite = changes.some(({ before, after }) => (after ?? before)!.site !== '');
  const rows = changes.slice(0, limit).map((change) => {
    const { kind, before, after, from, to } = change;
    const rule = (after ?? before)!;
    const sides = ruleSides(rule);
    const pair = kind === 'retired' ? after?.history?.retired?.pair : undefined;
    const why = pair === undefined ? '' : ` (${pair.map(printable).join(' ⇸ ')})`;
    const where = sides.where === '' ? '' : ` (${sides.where})`;
    const held = after === undefined ? undefined : heldWords(after);
    return [
      nameOf(change),
      idOf(rule),
      ...(withSite ? [printable(rule.site)] : []),
      ...clipSides(sides.from, sides.to),
      `${arrow(from, to)}${why}${where}${held === undefined ? '' : ` (${held})`}`,
    ];
  });
  const more = changes.length > rows.length ? `… and ${changes.length - rows.length} more\n` : '';
  const head = ['change', 'id', ...(withSite ? ['site'] : []), 'from', 'to', 'what'];
  const table = rows.length === 0 ? '' : aligned([head, ...rows], new Set(), paint);
  return `${table}${more}${countLine(changes)}\n`;
}

function arrow(from: string, to: string): string {
  if (from === '' || to === '') return printable(from + to);
  return clipSides(printable(from), printable(to)).join(' ⇒ ');
}

/** A verdict by what it is: `valid`, `invalid`, `likely`. */
function nameOf({ kind, after }: RuleChange): string {
  return kind === 'verdict' ? (after?.status ?? kind) : kind;
}

/** As in `2 valid, 1 retired`: what became of how many rules. */
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

/** One JSON document, one change a line. */
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
