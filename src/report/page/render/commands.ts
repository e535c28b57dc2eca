// The commands that a report names, to copy: what proves rules, and what writes the lines of a fix.
import { idOf } from '../../../rule/id.js';
import type { Fix, ReportModel, RuleRow, ToProve } from '../model.js';

/** What asks the pages: `mine --fetch` where only a log is at hand, `validate` where there is a rules file. */
export function proofCommandOf({ toProve, rulesFile: { name } }: ReportModel): string {
  return toProve === undefined ? `dustbuster validate ${quoted(name)}` : commandOf(toProve);
}

export function commandOf({ logs, base }: ToProve): string {
  return `dustbuster mine ${logs.map(quoted).join(' ')} --fetch${base === undefined ? '' : ` --base ${quoted(base)}`}`;
}

/** The command that writes the lines of one fix, for nginx or any other software. */
export function linesCommandOf(fix: Fix, { rules, rulesFile, toProve }: ReportModel): string {
  // Rules of a log alone are in no file before `mine` has written it, under its default name.
  const file = toProve === undefined ? ` ${quoted(rulesFile.name)}` : '';
  const accept = rulesFile.accept === 'valid' ? '' : ` --accept ${rulesFile.accept}`;
  return `dustbuster export${file}${accept} --to nginx --status 302 --rule ${idsOf(fix, rules).join(' ')}`;
}

/** The ids of the rules of a fix, by which commands take them. */
export function idsOf({ rules: ranks }: Pick<Fix, 'rules'>, rules: readonly RuleRow[]): string[] {
  const wanted = new Set(ranks);
  return rules.flatMap(({ rule }) => (wanted.has(rule.rank) ? [idOf(rule)] : []));
}

/** What has to run before: the rules of a log alone are in no file yet. */
export function mineCommandOf({ toProve }: ReportModel): string | undefined {
  return toProve === undefined ? undefined : `dustbuster mine ${toProve.logs.map(quoted).join(' ')}`;
}

/** A name, quoted for a shell. */
function quoted(name: string): string {
  return /^[\w./,:@%+-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
