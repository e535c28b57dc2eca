// Which host and scheme shall canonical forms have? For `mine` and `validate`, which write rules.
import { UserError } from '../../base/error.js';
import { RECORDED } from '../../rule/mine-options.js';
import type { Preference } from '../../rule/rule.js';
import { group, type FlagsOf } from './option.js';

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

/** What the flags say, and for the rest what was said `before`; undefined if nothing was. */
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

/** A password is not repeated. */
function hostWords(text: string): string {
  return text.includes('@') ? 'an address with a user or a password in it' : JSON.stringify(text);
}
