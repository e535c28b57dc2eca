// Where does a parameter have no effect? For software that removes whole parameters from the queries of a site: it
// cannot express conditions and exceptions, and most of it does not look at path parameters or at fields between `;`.
import type { Rule } from '../../rule/rule.js';
import { hasSubdomains, hasSuffixesBelow, SUFFIXES_BELOW } from '../public-suffixes.js';
import type { ExportRequest } from '../target.js';
import { isOnlyInPaths, ONLY_IN_PATHS } from '../in-paths.js';

export interface Removal {
  readonly rule: Rule;
  readonly name: string;
  /** '' for every host. */
  readonly host: string;
  /** True if the removal also holds for hosts below this one. */
  readonly isBelow: boolean;
  /** '' or the start of a path; the whole path if `isWhole`. */
  readonly path: string;
  readonly isWhole: boolean;
}

const PLAIN_HOST = /^[0-9a-z-]+(\.[0-9a-z-]+)*(:[0-9]+)?$/;
const PLAIN_NAME = /^[0-9A-Za-z_.~-]+$/;
const PLAIN_PATH = /^[0-9A-Za-z_.~/-]*$/;

/** The name of a removal that is about the order of all parameters. No parameter can have it. */
export const ORDER = '(order)';

/** What software can do beside removing a parameter from a query. */
export interface Abilities {
  /** It sees whole URLs, so parameters in paths too. */
  readonly seesPaths?: true;
  /** It can ignore the order of parameters, in all queries of a place. */
  readonly ignoresOrder?: true;
}

/** The rule as a removal, or the reason why it is not a removal. */
export function removalOf(rule: Rule, request: ExportRequest, abilities: Abilities = {}): Removal | string {
  const isOrder = rule.kind === 'step' && rule.step === 'sort-fields' && abilities.ignoresOrder === true;
  if (rule.kind !== 'parameter' && !isOrder)
    return 'is not about a parameter, and only parameters can be removed there';
  if (rule.only !== undefined || rule.not !== undefined) return 'has conditions';
  if ((rule.except ?? []).length > 0) return 'has exceptions';
  if (rule.kind !== 'parameter') return placed(rule, { name: ORDER, path: '', isWhole: false }, request);
  if (rule.action !== 'remove') return 'sets a parameter, and parameters can only be removed there';
  if (!PLAIN_NAME.test(rule.name)) return 'has a name with special characters';
  if (abilities.seesPaths !== true && isOnlyInPaths(rule)) return ONLY_IN_PATHS;
  return placed(rule, { name: rule.name, path: rule.path, isWhole: rule.scope === 'path' }, request);
}

/** `path` may begin with a host: `//host/path`. */
function placed(
  rule: Rule,
  { name, path: place, isWhole }: Pick<Removal, 'name' | 'path' | 'isWhole'>,
  { sitePolicy, urlForm }: ExportRequest,
): Removal | string {
  if (hasSuffixesBelow(rule.site, sitePolicy)) return SUFFIXES_BELOW;
  const [, ownHost = '', path = place] = /^\/\/([^/]*)(.*)$/.exec(place) ?? [];
  const site = rule.site === '*' || urlForm === 'path' || sitePolicy === 'all' ? '' : rule.site;
  const isBelow = sitePolicy === 'domain' && hasSubdomains(site);
  const isOnSite = site === '' || ownHost === site || (isBelow && ownHost.endsWith(`.${site}`));
  if (ownHost !== '' && !isOnSite) return 'holds for a host of another site';
  const host = ownHost || site;
  if (host !== '' && !PLAIN_HOST.test(host)) return 'holds for a host that cannot be named there';
  if (!PLAIN_PATH.test(path)) return 'holds for a path with special characters';
  return { rule, name, host, isBelow: isBelow && ownHost === '', path: path === '/' && !isWhole ? '' : path, isWhole };
}

export interface Removals {
  readonly removals: readonly Removal[];
  readonly left: readonly { readonly rule: Rule; readonly reason: string }[];
}

/** `refuse` returns the reason why this software cannot express a removal, or undefined. */
export function removalsOf(
  request: ExportRequest,
  refuse: (removal: Removal) => string | undefined = () => undefined,
  abilities: Abilities = {},
): Removals {
  const removals: Removal[] = [];
  const left: { rule: Rule; reason: string }[] = [];
  for (const rule of request.rules) {
    const removal = removalOf(rule, request, abilities);
    const reason = typeof removal === 'string' ? removal : refuse(removal);
    if (reason !== undefined) left.push({ rule, reason });
    else removals.push(removal as Removal);
  }
  return { removals, left };
}
