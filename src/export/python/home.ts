// Which URLs does the module have rules for? It leaves all other URLs as they are, and does not even normalize them: a
// crawler that visits other sites too must not change their URLs. `_is_home` does the same in Python (`lookup`), on the
// normalized form.
import { decodeText } from '../../base/bytes.js';
import type { Rule } from '../../rule/rule.js';
import { emptyParts, splitUrl } from '../../url/parse.js';
import { hasSubdomains } from '../public-suffixes.js';
import type { ExportRequest } from '../target.js';

/** `rules` are those of the module. Undefined if a rule of the module holds for all URLs. */
export function homeOf(
  { scope, sitePolicy }: ExportRequest,
  rules: readonly Rule[],
): ((form: Uint8Array) => boolean) | undefined {
  if (scope === undefined) return undefined;
  const sites = new Set(sitePolicy === 'all' ? scope : rules.map(({ site }) => site));
  return (form) => {
    const head = headOf(form);
    if (head === undefined) return true;
    const { host, port, usualPort } = head;
    if (host + port === '' && sitePolicy !== 'all') return true;
    if (sitePolicy === 'host') return sites.has(port === ':' || port === usualPort ? host : host + port);
    const name = host.endsWith('.') ? host.slice(0, -1) : host;
    const site = nearest(name, sites);
    return site !== undefined && (site === name || sitePolicy === 'all' || hasSubdomains(site));
  };
}

/** Host and port of a normalized URL, in lower case, the port with its colon; undefined for a path. */
function headOf(form: Uint8Array): { host: string; port: string; usualPort: string } | undefined {
  const parts = emptyParts();
  splitUrl(form, 0, form.length, parts);
  const { hostStart, portStart, pathStart, schemeEnd } = parts;
  if (schemeEnd === 0) return undefined;
  return {
    host: decodeText(form, hostStart, portStart).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    port: decodeText(form, portStart, pathStart),
    usualPort: schemeEnd === 5 ? ':443' : ':80',
  };
}

/** The name itself if it is one of the sites; otherwise the longest site that it is a subdomain of. */
function nearest(name: string, sites: ReadonlySet<string>): string | undefined {
  for (let at = 0; ;) {
    if (sites.has(name.slice(at))) return name.slice(at);
    const dot = name.indexOf('.', at);
    if (dot < 0) return undefined;
    at = dot + 1;
  }
}
