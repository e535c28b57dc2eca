// Which parameters that may mean money or choice shall rules rewrite all the same? For `mine` and `validate`.
import { printable } from '../../base/bytes.js';
import { UserError } from '../../base/error.js';
import { mayMean } from '../../url/meaningful-names.js';
import { group, type FlagsOf } from './option.js';

export const WRITE_OPTIONS = group('Rules that you decide on:', {
  write: {
    kind: 'list',
    flags: '--write <name...>',
    text: 'write rules that change these parameters, though they may mean money or choice (aff, lang, next)',
  },
});

export type WriteFlags = FlagsOf<typeof WRITE_OPTIONS>;

/** What the flags say beside what was said `before`; undefined if nothing was. */
export function writeOf({ write = [] }: WriteFlags, before: readonly string[] = []): readonly string[] | undefined {
  const odd = write.find((name) => !mayMean(name));
  if (odd !== undefined)
    throw new UserError(
      `--write: got ${printable(odd)}, expected a parameter that may mean money or choice, as aff, lang or next; rules of ` +
        'other parameters are written without it',
    );
  const all = [...new Set([...before, ...write])].sort();
  return all.length === 0 ? undefined : all;
}
