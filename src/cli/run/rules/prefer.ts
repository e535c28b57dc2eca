// Turns the rules of a file so that they lead to the preferred host and scheme, and reports the result.
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { preferring, seenIn } from '../../../rule/prefer.js';
import type { ListedFile, RulesFile } from '../../../rule/rule.js';
import { ruleMention } from '../../../rule/words/sentence.js';

/** How many hosts a message lists. */
const MOST_LISTED = 20;

/** Returns the same file if it has no preference. */
export function preferRules(file: RulesFile): RulesFile {
  const { prefer } = file.options;
  return prefer === undefined ? file : preferring(file, prefer).file;
}

/** Turns the rules, and reports that on standard error. */
export function preferRulesAloud(file: RulesFile, effects: Effects, isQuiet: boolean): RulesFile {
  const { prefer } = file.options;
  if (prefer === undefined) return file;
  const { file: turned, changed, left, agreeing, contradicted } = preferring(file, prefer);
  if (isQuiet || refusalOf(file) !== undefined) return turned;
  const said = Object.entries(prefer)
    .map(([name, word]) => `--prefer-${name} ${printable(word)}`)
    .join(' ');
  const warn = (line: string) => effects.stderr.write(`dustbuster: ${line}\n`);
  if (changed.length > 0) effects.stderr.write(`${said}: rules turned: ${changed.length}\n`);
  else if (agreeing.length > 0)
    effects.stderr.write(`${said}: nothing to turn; rules that lead there: ${agreeing.length}\n`);
  else if (left.length === 0) warn(`${said} has no effect: no rule leads there, or from there to another`);
  for (const rule of left)
    warn(`${ruleMention(rule)} still leads away: it is pinned, or no rule makes the two hosts one`);
  for (const rule of contradicted) warn(`${ruleMention(rule)} is turned, though the site itself uses the other form`);
  return turned;
}

/** The error for a preferred host or scheme that no URL of the rules has. */
export function refusalOf(file: ListedFile): UserError | undefined {
  const { prefer } = file.options;
  if (prefer === undefined) return undefined;
  const { hosts, schemes } = seenIn(file);
  if (prefer.host !== undefined && !hosts.has(prefer.host))
    return new UserError(
      `--prefer-host: got ${printable(prefer.host)}, expected a host of the rules: ${listed(hosts)}`,
    );
  if (prefer.scheme !== undefined && !schemes.has(prefer.scheme))
    return new UserError(`--prefer-scheme: got ${prefer.scheme}, expected a scheme of the rules: ${listed(schemes)}`);
  return undefined;
}

export function withoutPreference({ options: { prefer: _prefer, ...options }, ...file }: ListedFile): ListedFile {
  return { ...file, options };
}

function listed(words: ReadonlySet<string>): string {
  if (words.size === 0) return 'but no URL of theirs has one';
  const all = [...words].sort();
  const shown = all.slice(0, MOST_LISTED).map((word) => printable(word));
  return `${shown.join(', ')}${all.length > shown.length ? `, and ${all.length - shown.length} more` : ''}`;
}
