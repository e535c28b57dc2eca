// What does the user want whatever the log says: which host and scheme rules lead to, and which parameters they may
// change?
import { printable } from '../../base/bytes.js';
import { UserError } from '../../base/error.js';
import { RECORDED } from '../../rule/mine-options.js';
import type { Preference } from '../../rule/rule.js';
import { mayMean } from '../../url/names.js';
import { type FlagsOf, group } from './option.js';

/** The host and scheme that canonical forms should have. For `mine` and `validate`, which write rules. */
export const PREFER_OPTIONS = group('Rules that you decide on:', {
  preferHost: {
    kind: 'text',
    flags: '--prefer-host <host>',
    text: 'canonical forms have this host, with its port: rules that lead from it to another host of the site are turned',
  },
  preferScheme: {
    kind: 'word',
    flags: '--prefer-scheme <scheme>',
    text: 'canonical forms have this scheme: rules that lead from it to the other are turned',
    words: RECORDED.scheme.enum,
  },
});

export type PreferFlags = FlagsOf<typeof PREFER_OPTIONS>;

/** The preference of the flags, completed by `before`. Undefined if neither has one. */
export function preferenceOf({ preferHost, preferScheme }: PreferFlags, before?: Preference): Preference | undefined {
  if (preferHost !== undefined && !/^[^/?#@\s]+$/.test(preferHost))
    throw new UserError(`--prefer-host: got ${hostWords(preferHost)}, expected a host as in www.example.com`);
  const prefer = {
    ...before,
    ...(preferHost !== undefined && { host: preferHost.toLowerCase() }),
    ...(preferScheme !== undefined && { scheme: preferScheme }),
  };
  return Object.keys(prefer).length === 0 ? undefined : prefer;
}

/** The value for an error message, which must not repeat a password. */
function hostWords(text: string): string {
  return text.includes('@') ? 'an address with a user or a password in it' : JSON.stringify(text);
}

/** Which parameters may rules change although they may mean money or choice? For `mine` and `validate`. */
export const WRITE_OPTIONS = group('Rules that you decide on:', {
  write: {
    kind: 'list',
    flags: '--write <name...>',
    text: 'write rules that change these parameters, though they may mean money or choice (aff, lang, next)',
  },
});

type WriteFlags = FlagsOf<typeof WRITE_OPTIONS>;

/** The names from the flags and from `before`; undefined if there are no names. */
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
