// Opens WARC archives for `sketch` and `--pages`, and reports files that are not archives.
import { many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import type { Input } from '../../../log/bytes.js';
import { openWarcs, type WarcArchive, type WarcOptions } from '../../../log/warc/archive.js';

/** Throws a UserError as `openWarcs` does. With `quiet`, skipped files are not listed. */
export async function openArchives(
  inputs: readonly Input[],
  options: WarcOptions,
  quiet: boolean | undefined,
  { stderr }: Pick<Effects, 'stderr'>,
): Promise<WarcArchive> {
  const archive = await openWarcs(inputs, options);
  for (const { file, offset, reason } of archive.damages) {
    stderr.write(`dustbuster: ${printable(file)}: at byte ${offset}: ${reason}; the rest was used\n`);
  }
  const [first, ...others] = archive.passed;
  if (first !== undefined && quiet !== true) {
    const more = others.length === 0 ? '' : ` and ${many(others.length, 'other file')}`;
    stderr.write(`passed over, as no WARC record begins there: ${printable(first)}${more} in the folder\n`);
  }
  return archive;
}
