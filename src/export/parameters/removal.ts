// Where does a parameter have no effect, for software that removes whole parameters from the queries of a site? Only
// rules without conditions and exceptions can say that; path parameters and fields between `;` are not meant by them.
import type { Rule } from '../../rule/rule.js';
import { hasSubdomains, hasSuffixesBelow, SUFFIXES_BELOW } from '../public-suffixes.js';
import type { ExportRequest } from '../target.js';

export interface Removal {
  readonly rule: Rule;
  readonly name: string;
  /** '' for every host. */
  readonly host: string;
  /** Whether hosts below it are meant too. */
  readonly isBelow: boolean;
  /** '' or the begin of a path; the whole of it if `isWhole`. */
  readonly path: string;
  readonly isWhole: boolean;
}

const PLAIN_HOST = /^[0-9a-z-]+(\.[0-9a-z-]+)*(:[0-9]+)?$/;
const PLAIN_NAME = /^[0-9A-Za-z_.~-]+$/;
const PLAIN_PATH = /^[0-9A-Za-z_.~/-]*$/;

/** Why not, for one that is not said. */
export function removalOf(rule: Rule, { sitePolicy, urlForm }: ExportRequest): Removal | string {
  if (rule.kind !== 'parameter') return 'only parameters can be removed there';
  if (rule.action !== 'remove') return 'sets a parameter, which can only be removed there';
  if (rule.only !== undefined || rule.not !== undefined) return 'has conditions';
  if ((rule.except ?? []).length > 0) return 'has exceptions';
  if (!PLAIN_NAME.test(rule.name)) return 'has a name with signs';
  if (hasSuffixesBelow(rule.site, sitePolicy)) return SUFFIXES_BELOW;
  const [, ownHost = '', path = rule.path] = /^\/\/([^/]*)(.*)$/.exec(rule.path) ?? [];
  const site = rule.site === '*' || urlForm === 'path' || sitePolicy === 'all' ? '' : rule.site;
  const isBelow = sitePolicy === 'domain' && hasSubdomains(site);
  const isOnSite = site === '' || ownHost === site || (isBelow && ownHost.endsWith(`.${site}`));
  if (ownHost !== '' && !isOnSite) return 'is for a host of another site';
  const host = ownHost || site;
  if (host !== '' && !PLAIN_HOST.test(host)) return 'is for a host that cannot be named there';
  if (!PLAIN_PATH.test(path)) return 'is for a path with signs';
  const { name, scope } = rule;
  const isWhole = scope === 'path';
  return { rule, name, host, isBelow: isBelow && ownHost === '', path: path === '/' && !isWhole ? '' : path, isWhole };
}

export interface Removals {
  readonly removals: readonly Removal[];
  readonly left: readonly { readonly rule: Rule; readonly reason: string }[];
}

/** `refuse` says why software cannot take one that others can. */
export function removalsOf(
  request: ExportRequest,
  refuse: (removal: Removal) => string | undefined = () => undefined,
): Removals {
  const removals: Removal[] = [];
  const left: { rule: Rule; reason: string }[] = [];
  for (const rule of request.rules) {
    const removal = removalOf(rule, request);
    const reason = typeof removal === 'string' ? removal : refuse(removal);
    if (reason !== undefined) left.push({ rule, reason });
    else removals.push(removal as Removal);
  }
  return { removals, left };
}
