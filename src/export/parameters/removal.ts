// Where does a parameter have no effect? For software that removes whole parameters from the queries of a site: it
// cannot express conditions and exceptions, and does not look at path parameters or at fields between `;`.
import type { Rule } from '../../rule/rule.js';
import { hasSubdomains, hasSuffixesBelow, SUFFIXES_BELOW } from '../public-suffixes.js';
import type { ExportRequest } from '../target.js';

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

/** The rule as a removal, or the reason why it is not a removal. */
export function removalOf(rule: Rule, { sitePolicy, urlForm }: ExportRequest): Removal | string {
  if (rule.kind !== 'parameter') return 'is not about a parameter, and only parameters can be removed there';
  if (rule.action !== 'remove') return 'sets a parameter, and parameters can only be removed there';
  if (rule.only !== undefined || rule.not !== undefined) return 'has conditions';
  if ((rule.except ?? []).length > 0) return 'has exceptions';
  if (!PLAIN_NAME.test(rule.name)) return 'has a name with special characters';
  if (hasSuffixesBelow(rule.site, sitePolicy)) return SUFFIXES_BELOW;
  const [, ownHost = '', path = rule.path] = /^\/\/([^/]*)(.*)$/.exec(rule.path) ?? [];
  const site = rule.site === '*' || urlForm === 'path' || sitePolicy === 'all' ? '' : rule.site;
  const isBelow = sitePolicy === 'domain' && hasSubdomains(site);
  const isOnSite = site === '' || ownHost === site || (isBelow && ownHost.endsWith(`.${site}`));
  if (ownHost !== '' && !isOnSite) return 'holds for a host of another site';
  const host = ownHost || site;
  if (host !== '' && !PLAIN_HOST.test(host)) return 'holds for a host that cannot be named there';
  if (!PLAIN_PATH.test(path)) return 'holds for a path with special characters';
  const { name, scope } = rule;
  const isWhole = scope === 'path';
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
