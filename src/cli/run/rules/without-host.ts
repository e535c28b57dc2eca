// Rules that were mined with hosts are of these, so a path without one is of no site, and no rule changes it. `awk '{ print
// $7 }'` of the log that they were mined from gives a list of such paths.
import { printable } from '../../../base/bytes.js';
import { everySite, type Rule } from '../../../rule/rule.js';
import type { LoadedRules } from './in-use.js';

type Loaded = Pick<LoadedRules, 'rules' | 'examples' | 'composing'>;

/** What to say of lines that are mostly paths; undefined if they are not, or rules can change them. */
export function pathsWords(lines: readonly string[], loaded: Loaded): string | undefined {
  const some = lines.filter((line) => line.trim() !== '');
  const paths = some.filter((line) => /^\/(?!\/)/.test(line)).length;
  const { rules } = loaded;
  if (2 * paths <= some.length || rules.length === 0 || rules.some(isOfAnyHost)) return undefined;
  const origin = printable(originOf(loaded));
  return `a path without a host is of no site, and these rules are of hosts: put scheme and host before it, as in sed 's|^/|${origin}/|'`;
}

function isOfAnyHost({ site }: Rule): boolean {
  return site === '' || site === everySite;
}

/** That of the site, as far as the rules file knows it. */
function originOf({ composing: { base }, examples }: Loaded): string {
  const urls = [base ?? '', ...examples.flatMap((rule) => rule.examples.map(([url]) => url))];
  const origins = urls.map((url) => /^https?:\/\/[^/?#|'\\&\s]+/i.exec(url)?.[0]);
  return origins.find((origin) => origin !== undefined) ?? 'https://www.example.com';
}
