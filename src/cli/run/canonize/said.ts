// What is said of a list on standard error.
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { maxFormBytes } from '../../../canonize/limits.js';
import type { Damage } from '../../../report/summary.js';

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
