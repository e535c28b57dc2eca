// Which parameters do public lists call trackers? The lists only give priors: these parameters are tried first
// and together, and removed only if the site agrees.
//
//     ClearURLs   {"providers": {"globalRules": {"urlPattern": ".*", "rules": ["(?:%3F)?utm_[a-z]+", …]}, …}}
//     AdGuard     $removeparam=utm_source      ||example.com^$removeparam=/^trk_/,important
//
// From both lists, only entries for all sites or for the site being asked are used. Exceptions (`@@`, `~`,
// `exceptions`) only shorten a list and are ignored: a wrong prior costs a request.
import { UserError } from '../../base/error.js';

/** True if the list has the name of a parameter. */
export type IsTracker = (name: string) => boolean;

/** The list as it applies to the site of a URL. */
export type TrackerList = (url: string) => IsTracker;

interface Entry {
  readonly isFor: (url: string) => boolean;
  readonly has: IsTracker;
}

/** Longest name that the regular expressions of a list are tried on: names of trackers are short. */
const MAX_NAME = 100;
const MAX_URL = 2048;

/** Throws a UserError if `text` is none of the lists, or has no entry. Messages call the file `name`. */
export function parseTrackers(text: string, name: string): TrackerList {
  const entries = /^\s*\{/.test(text) ? clearUrls(text, name) : adGuard(text);
  if (entries.length === 0) {
    throw new UserError(
      `${name} has no entry for a parameter; expected the rules of ClearURLs (JSON) or a list of AdGuard ($removeparam=NAME)`,
    );
  }
  return (url) => {
    const asked = url.slice(0, MAX_URL);
    const own = entries.filter(({ isFor }) => isFor(asked));
    return (parameter) => parameter.length <= MAX_NAME && own.some(({ has }) => has(parameter));
  };
}

/** The union of several lists. */
export function allTrackers(lists: readonly TrackerList[]): TrackerList {
  return (url) => {
    const own = lists.map((list) => list(url));
    return (parameter) => own.some((has) => has(parameter));
  };
}

interface Provider {
  readonly urlPattern?: unknown;
  readonly rules?: unknown;
  readonly referralMarketing?: unknown;
}

function clearUrls(text: string, name: string): Entry[] {
  let providers: unknown;
  try {
    ({ providers } = JSON.parse(text) as { readonly providers?: unknown });
  } catch (error) {
    throw new UserError(`${name} is not JSON: ${(error as Error).message}; expected the rules of ClearURLs`);
  }
  if (typeof providers !== 'object' || providers === null) return [];
  return Object.values(providers as Readonly<Record<string, Provider | null>>).flatMap((provider) => {
    const { urlPattern, rules, referralMarketing } = provider ?? {};
    const place = typeof urlPattern === 'string' ? expression(urlPattern) : undefined;
    const names = [rules, referralMarketing].flat().filter((rule): rule is string => typeof rule === 'string');
    // The extension matches the whole field, in any case.
    const found = names.flatMap((rule) => expression(`^(?:${rule})$`) ?? []);
    if (place === undefined || found.length === 0) return [];
    return [{ isFor: (url: string) => place.test(url), has: (one: string) => found.some((rule) => rule.test(one)) }];
  });
}

function adGuard(text: string): Entry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, pattern, value] = /^([^!@$\s][^$\s]*)?\$(?:[^\s]*,)?removeparam=([^\s]+)$/.exec(line.trim()) ?? [];
    const isFor = placeOf(pattern);
    if (value === undefined || isFor === undefined) return [];
    const [, source, flags = ''] = /^\/(.+)\/(i?)(?:,.*)?$/.exec(value) ?? [];
    if (source !== undefined) {
      const found = expression(source, flags);
      // The expression is written for `name=value`.
      return found === undefined ? [] : [{ isFor, has: (one: string) => found.test(`${one}=`) }];
    }
    const name = value.replace(/,.*$/, '');
    // An entry for some domains only is not for all sites.
    return name.startsWith('~') || /[$,]domain=/.test(line) ? [] : [{ isFor, has: (one: string) => one === name }];
  });
}

/** The sites that an entry is for: `||example.com^`, or no pattern for all sites; undefined for any other pattern. */
function placeOf(pattern: string | undefined): Entry['isFor'] | undefined {
  if (pattern === undefined || pattern === '') return () => true;
  const [, host] = /^\|\|([\w.-]+)\^?$/.exec(pattern) ?? [];
  if (host === undefined) return undefined;
  return (url) => {
    const own = URL.canParse(url) ? new URL(url).hostname : '';
    return own === host || own.endsWith(`.${host}`);
  };
}

function expression(source: string, flags = 'i'): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
