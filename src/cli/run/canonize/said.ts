// What is said of a list on standard error.
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { many } from '../../../base/plural.js';
import { maxFormBytes } from '../../../canonize/limits.js';
import type { LineCounts } from '../../../canonize/lines.js';
import { detectFormat } from '../../../log/format/detect.js';
import type { FormatName } from '../../../log/format/format.js';
import type { Damage } from '../../../report/summary.js';
import type { LoadedRules } from '../rules/in-use.js';
import { pathsWords } from '../rules/without-host.js';

export function sayDamages(damages: readonly Damage[], { stderr }: Effects): void {
  for (const { name, reason } of damages) {
    const rest = 'What came before was used; the rest is missing.';
    stderr.write(`dustbuster: ${printable(name)}: ${reason}. ${rest}\n`);
  }
}

export function sayUnsettled(count: number, rounds: number, { stderr }: Effects): void {
  const urls = count === 1 ? '1 URL is' : `${count} URLs are`;
  stderr.write(
    `dustbuster: ${urls} left as given: no canonical form after ${rounds} rounds or within ${maxFormBytes} bytes.\n`,
  );
}

export function sayBytes(output: string, { stderr }: Effects): void {
  const what = 'its columns are bytes instead of texts, as some URLs are no UTF-8';
  stderr.write(`dustbuster: ${printable(output)}: ${what}\n`);
}

/** What cuts the URLs out of logs whose fields stand in one place. */
const CUTS: Partial<Record<FormatName, string>> = {
  common: "awk '{ print $7 }' FILE",
  combined: "awk '{ print $7 }' FILE",
  vhost: 'awk \'{ print "http://" $1 $8 }\' FILE',
  heritrix: "awk '{ print $4 }' FILE",
  cdx: "awk '!/^ CDX/ { print $3 }' FILE",
  cdxj: "sed 's/^[^{]*//' FILE | jq -r .url",
  jsonl: 'jq -r .url FILE',
};

/** Lines of which none is a URL were most likely meant to be a list of them. `head`: their beginning, if it is known. */
export function sayNoUrl({ lines }: LineCounts, head: Buffer | undefined, { stderr }: Effects): void {
  const format = head === undefined ? null : detectFormat(head);
  const isNamed = format !== 'jsonl' || head?.includes('"url":') === true;
  const cut = format === null || !isNamed ? undefined : CUTS[format];
  const got = format === null || format === 'urls' ? '' : `got lines of ${format}, `;
  const what = lines === 1 ? 'the only line is no URL' : `none of ${many(lines, 'line')} is a URL`;
  const way = cut === undefined ? 'Cut the URLs out first.' : `Cut the URLs out: ${cut}`;
  stderr.write(`dustbuster: ${what}, so nothing was changed: ${got}expected one URL a line. ${way}\n`);
}

/** Returns whether the lines are paths that no rule is about. */
export function sayPaths(lines: readonly string[], inUse: LoadedRules, { stderr }: Effects): boolean {
  const words = pathsWords(lines, inUse);
  if (words !== undefined) stderr.write(`dustbuster: ${words}\n`);
  return words !== undefined;
}
