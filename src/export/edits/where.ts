// Where does a rule hold? The answer is a lookahead at the start of an expression: the site, then the conditions.
//
//     (?=https?://(?:[^/?]*\.)?example\.com\.?(?::[0-9]+)?/)(?=https?://[^/?]*/wiki(?:[/;?]|$))
//
// It consists of classes, groups and lookahead, with text escaped by `literal`, which all dialects read alike. A server
// has no list of public suffixes, so rules of a domain with public suffixes below it are left out (amazonaws.com,
// s3.amazonaws.com).
import { encodeText } from '../../base/bytes.js';
import type { Condition, Rule, SitePolicy, UrlForm } from '../../rule/rule.js';
import { createSiteOf } from '../../url/public-suffix.js';
import { hasSubdomains } from '../public-suffixes.js';

export interface Where {
  readonly urlForm: UrlForm;
  readonly sitePolicy: SitePolicy;
}

export type Part = 'origin' | 'path' | 'query';

/** Text that needs no escape between the quotes of any configuration file. */
export const PLAIN = /^[0-9A-Za-z/_.=&;:~@!?+[\]()*-]{0,200}$/;

export function literal(text: string): string {
  return text.replace(/[.?+*()[\]]/g, '\\$&');
}

/** An expression for everything before the path. */
export function originPattern({ urlForm }: Where): string {
  return urlForm === 'path' ? '' : 'https?://[^/?]*';
}

export function wherePattern(rule: Pick<Rule, 'site' | 'only' | 'not'>, where: Where): string | undefined {
  const site = sitePattern(rule.site, where);
  const { only, not = [] } = rule;
  const hasHost = [...(only ?? []), ...not].some(({ part }) => part === 'host');
  if (site === undefined || (hasHost && where.urlForm === 'path')) return undefined;
  const any = (conditions: readonly Condition[]) =>
    conditions.flatMap((condition) => patternsOf(condition, originPattern(where))).join('|');
  const must = only === undefined ? '' : `(?=${any(only)})`;
  return `${site}${must}${not.length === 0 ? '' : `(?!${any(not)})`}`;
}

/** The parts of a URL that a rule's site and conditions look at. */
export function partsOf({ site, only = [], not = [] }: Pick<Rule, 'site' | 'only' | 'not'>): readonly Part[] {
  const asked = [...only, ...not].flatMap(({ part }) => PARTS[part]);
  return site === '*' ? asked : ['origin', ...asked];
}

const PARTS: Readonly<Record<Condition['part'], readonly Part[]>> = {
  host: ['origin'],
  first: ['path'],
  last: ['path'],
  segment: ['path'],
  extension: ['path'],
  depth: ['path'],
  parameter: ['path', 'query'],
  field: ['path', 'query'],
  fields: ['query'],
  query: ['query'],
  text: ['path', 'query'],
};

/** '' if the rule holds for every URL; undefined if no URL of this form belongs to the site. */
function sitePattern(site: string, { urlForm, sitePolicy }: Where): string | undefined {
  if (site === '*') return '';
  if (urlForm === 'path') return site === '' ? '' : undefined;
  if (site === '' || sitePolicy === 'all' || !isSite(site, sitePolicy)) return undefined;
  if (sitePolicy === 'host') return `(?=https?://${literal(site)}/)`;
  const below = hasSubdomains(site) ? `(?:[^/?]*\\.)?` : '';
  return `(?=https?://${below}${literal(site)}\\.?(?::[0-9]*)?/)`;
}

/** False if no URL with a host can belong to the site: a host where sites are domains, or a name with capitals. */
function isSite(site: string, policy: Where['sitePolicy']): boolean {
  return ['http', 'https'].some((scheme) => {
    const url = encodeText(`${scheme}://${site}/`);
    return createSiteOf(policy)(url, 0, url.length) === site;
  });
}

/** Expressions for the condition: it is met if one of them matches. */
function patternsOf({ part, is }: Condition, origin: string): readonly string[] {
  const nameEnd = '(?:[/;?]|$)';
  const pathEnd = '(?:;[^/?]*)?(?:\\?|$)';
  const text = literal(String(is));
  switch (part) {
    case 'host':
      return [`https?://${text}/`];
    case 'first':
      return [`${origin}/${text}${nameEnd}`];
    case 'last':
      return [`${origin}/(?:[^?]*/)?${text}${pathEnd}`];
    case 'segment':
      return [`${origin}/(?:[^?]*/)?${text}${nameEnd}`];
    case 'extension':
      if (is !== '') return [`${origin}/(?:[^?]*/)?[^/;?]+\\.${text}${pathEnd}`];
      return [`${origin}/(?:[^?]*/)?(?:[^/;?][^/;?.]*|[^/;?]+\\.)?${pathEnd}`];
    case 'depth': {
      const empty = '(?:/(?:;[^/?]*)?)*';
      return [`${origin}${empty}${times(`(?:/[^/;?][^/?]*${empty})`, is)}(?:\\?|$)`];
    }
    case 'fields':
      if (is === 0) return ['[^?]*(?:\\?[&;]*)?$'];
      return [`[^?]*\\?[&;]*[^&;]+${times('(?:[&;]+[^&;]+)', is - 1)}[&;]*$`];
    case 'parameter':
      return [
        ...(/[/?]/.test(is) ? [] : [`${origin}/[^?]*;${text}=`]),
        `[^?]*\\?(?:.*[&;])?${text}=`,
        // A bare name counts only if there is another field in the query.
        `[^?]*\\?(?:.*[&;])?${text}[&;].*[^&;]`,
        `[^?]*\\?[&;]*[^&;].*[&;]${text}(?:[&;]|$)`,
      ];
    case 'field':
      return [
        ...(/^[^/?=]+=[^/?]*$/.test(is) ? [`${origin}/[^?]*;${text}(?:[;/?]|$)`] : []),
        `[^?]*\\?(?:.*[&;])?${text}(?:[&;]|$)`,
      ];
    case 'query':
      return [`[^?]*\\?.*${text}`];
    case 'text':
      return [`${origin}[/?].*${text}`];
    default:
      return part satisfies never;
  }
}

function times(pattern: string, count: number): string {
  return count === 0 ? '' : count === 1 ? pattern : `${pattern}{${count}}`;
}
