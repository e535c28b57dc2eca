// The site of a rule as a condition at the start of a regular expression. Sites are those of url/public-suffix: a registrable
// domain with its subdomains, a host with its port, '' for URLs without host, `*` for all. A target does not have the
// public suffix list, so rules of a domain with public suffixes below it are left out (amazonaws.com,
// s3.amazonaws.com).
import { encodeText } from '../base/bytes.js';
import type { Normalization, SitePolicy } from '../rule/rule.js';
import { publicSuffixesOf, registrableDomain, createSiteOf } from '../url/public-suffix.js';
import type { Dialect } from './dialect.js';
import type { ExpressionOptions } from './step.js';

/** `http://` or `https://`, in any case where URLs are not normalized. */
export function httpPattern(normalization: Normalization): string {
  return normalization === 'safe' ? 'https?://' : '[hH][tT][tT][pP][sS]?://';
}

/** What precedes the path, all of it. */
export function originPattern({ dialect, normalization }: ExpressionOptions): string {
  const http = httpPattern(normalization);
  return `(?:${http}[^/?]*(?=[/?]|${dialect.end})|(?!${http}))`;
}

/** A condition to put after `^`, '' if there is none; undefined for a site that no such URL belongs to. */
export function sitePattern(site: string, options: ExpressionOptions): string | undefined {
  if (site === '*') return '';
  const { urlForm, urls, sitePolicy, normalization } = options;
  if (urlForm === 'path') return site === '' ? '' : undefined;
  if (sitePolicy === 'all') return undefined;
  if (site === '') return urls === 'absolute' ? undefined : '(?=/)';
  if (urls === 'path' || !isSite(site, sitePolicy)) return undefined;
  const user = '(?:[^/?@]*@)?';
  const stop = `(?:[/?]|${options.dialect.end})`;
  const host = hostLiteral(site, options);
  if (sitePolicy === 'host') {
    const [plain, secure] = normalization === 'safe' ? ['http', 'https'] : ['[hH][tT][tT][pP]', '[hH][tT][tT][pP][sS]'];
    return `(?=(?:${plain}://${user}${host}(?::(?:80)?)?|${secure}://${user}${host}(?::(?:443)?)?)${stop})`;
  }
  const below = hasSubdomains(site) ? `(?:[^/?@]*\\.)?` : '';
  return `(?=${httpPattern(normalization)}${user}${below}${host}\\.?(?::[0-9]*)?${stop})`;
}

/** False for a site that no URL with a host belongs to: a host where sites are domains, or a name with capitals. */
function isSite(site: string, policy: SitePolicy): boolean {
  return ['http', 'https'].some((scheme) => {
    const url = encodeText(`${scheme}://${site}/`);
    return createSiteOf(policy)(url, 0, url.length) === site;
  });
}

/** False for a site without subdomains: an address, a name without a dot, a public suffix. */
export function hasSubdomains(site: string): boolean {
  return registrableDomain(`x.${site}`.toLowerCase()) === site;
}

export const SUFFIXES_BELOW = 'is for a site with public suffixes below it';

/** True if hosts below the domain belong to others. */
export function hasSuffixesBelow(site: string, policy: SitePolicy): boolean {
  return policy === 'domain' && publicSuffixesOf([site]).some((line) => line.endsWith(`.${site}`));
}

function hostLiteral(site: string, { dialect, normalization }: ExpressionOptions): string {
  if (normalization === 'safe') return dialect.literal(site);
  return Array.from(site, (char) => anyCase(char, dialect)).join('');
}

function anyCase(char: string, { literal }: Dialect): string {
  return /[a-z]/.test(char) ? `[${char}${char.toUpperCase()}]` : literal(char);
}
