// A parameter rule fails for the whole site: in which scopes might it still hold (SPEC 9)? One step down the ladder:
// site → host, if there are several → first folder → further folders → exact path.
import type { ParameterRule } from '../rule/rule.js';

export interface Scope {
  readonly scope: 'prefix' | 'path';
  readonly path: string;
}

type Wide = Pick<ParameterRule, 'scope' | 'path'>;

/** The next narrower scopes of those URLs, each with its URLs, the largest first. Empty for an exact path. */
export function narrower(wide: Wide, urls: readonly string[]): { readonly scope: Scope; readonly urls: string[] }[] {
  if (wide.scope === 'path') return [];
  const places = urls.map((url) => ({ url, place: placeOf(url) }));
  const hosts = new Set(places.map(({ place }) => place.host));
  const found = new Map<string, { readonly scope: Scope; readonly urls: string[] }>();
  for (const { url, place } of places) {
    const scope = wide.scope === 'site' && hosts.size > 1 ? hostScope(place) : below(wide, place);
    if (scope === undefined) continue;
    const key = `${scope.scope} ${scope.path}`;
    const entry = found.get(key);
    if (entry === undefined) found.set(key, { scope, urls: [url] });
    else entry.urls.push(url);
  }
  return [...found.values()].sort((a, b) => b.urls.length - a.urls.length || (a.scope.path < b.scope.path ? -1 : 1));
}

interface Place {
  /** `//www.example.com`, or '' if there is none. */
  readonly host: string;
  /** `/a/b` without path parameters and query. */
  readonly path: string;
}

function placeOf(url: string): Place {
  const host = /^[a-z+.-]+:(\/\/[^/?;#]*)/i.exec(url);
  const rest = host === null ? url : url.slice(host[0].length);
  return { host: host?.[1] ?? '', path: rest.replace(/[?;#].*$/s, '') };
}

function hostScope({ host }: Place): Scope {
  return { scope: 'prefix', path: `${host}/` };
}

function below(wide: Wide, { host, path }: Place): Scope | undefined {
  const whole = host + path;
  const start = wide.scope === 'site' ? `${host}/` : wide.path.startsWith('//') ? wide.path : host + wide.path;
  if (!whole.startsWith(start)) return undefined;
  const slash = whole.indexOf('/', start.length);
  return slash < 0 ? { scope: 'path', path: whole } : { scope: 'prefix', path: whole.slice(0, slash + 1) };
}
