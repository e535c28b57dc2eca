// Rules for duplicate-url-discarder, the Scrapy add-on: a JSON list of rules, where `queryRemoval` removes parameters,
// for URLs that a url-matcher pattern matches (its sources: rule.py, processors/query_removal.py; w3lib
// url_query_cleaner):
//
//     {"args": ["sid", "ref"], "order": 100, "processor": "queryRemoval", "urlPattern": {"include": ["example.com"]}}
//
// `example.com` matches all subdomains; with a path it matches only this host, with or without `www.`; paths match by
// prefix, ignoring case, or to their end if a `|` follows. A rule for all URLs (no pattern) is not used if another one
// matches, so such rules cannot be combined with others.
//
// Differences: fields are separated by `&` alone, a host with a non-default port is not matched, there are no path
// parameters, and every URL that a pattern matches, whether it has the parameter or not, loses empty fields and a final
// `?`.
import type { ParameterRule, Rule, SitePolicy } from '../rule/rule.js';
import { hasSubdomains, hasSuffixesBelow, SUFFIXES_BELOW } from './public-suffixes.js';
import type { ExportRequest, Exported, LeftOut, Target } from './target.js';

export const duplicateUrlDiscarder: Target = {
  name: 'duplicate-url-discarder',
  summary: 'rules for duplicate-url-discarder, an add-on of Scrapy',
  usage: `Name this file in DUD_LOAD_RULE_PATHS of a Scrapy project with duplicate-url-discarder. It takes parameters out, between & only; of
URLs that its patterns match it also takes empty fields away. What it cannot say, the target scrapy can.`,
  write: writeRules,
};

interface DiscarderRule {
  readonly args: readonly string[];
  readonly order: number;
  readonly processor: 'queryRemoval';
  readonly urlPattern: { readonly include: readonly string[] };
}

function writeRules(request: ExportRequest): Exported {
  const left: LeftOut[] = [];
  const carried: Rule[] = [];
  const namesOf = new Map<string, string[]>();
  const isForAll = (rule: Rule) => patternOf(rule, request) === '';
  const hasPatterns = request.rules.some((rule) => reasonAgainst(rule, request) === undefined && !isForAll(rule));
  for (const rule of request.rules) {
    const reason =
      reasonAgainst(rule, request) ??
      (hasPatterns && isForAll(rule) ? 'is for every site, beside rules for some' : undefined);
    if (reason !== undefined || rule.kind !== 'parameter') {
      left.push({ rule, reason: reason ?? '' });
      continue;
    }
    carried.push(rule);
    const pattern = patternOf(rule, request)!;
    namesOf.set(pattern, [...(namesOf.get(pattern) ?? []), rule.name]);
  }
  const rules = Array.from(namesOf, ([pattern, args]): DiscarderRule => ({
    args: [...new Set(args)],
    order: 100,
    processor: 'queryRemoval',
    urlPattern: { include: pattern === '' ? [] : [pattern] },
  }));
  return { text: `${inAscii(JSON.stringify(rules, null, 2))}\n`, carried, left };
}

function reasonAgainst(rule: Rule, request: ExportRequest): string | undefined {
  if (rule.kind !== 'parameter') return 'duplicate-url-discarder takes parameters only';
  if (rule.action !== 'remove') return 'duplicate-url-discarder takes parameters out, and sets none';
  if (rule.only !== undefined || rule.not !== undefined)
    return 'holds in some places only, which an url-matcher pattern cannot say';
  if ((rule.except ?? []).length > 0) return 'leaves some URLs alone, which an url-matcher pattern cannot say';
  if (/\p{Cs}/u.test(rule.name)) return 'has bytes that are no UTF-8';
  if (hasSuffixesBelow(rule.site, request.sitePolicy)) return SUFFIXES_BELOW;
  if (rule.name === '' || /[&;=#\s]/.test(rule.name)) return 'has a name that no parameter has';
  return patternOf(rule, request) === undefined ? 'is for URLs that an url-matcher pattern cannot say' : undefined;
}

/** '' for every URL; undefined if there is no pattern. */
function patternOf(rule: Rule, { urlForm, sitePolicy }: ExportRequest): string | undefined {
  if (rule.kind !== 'parameter') return undefined;
  if (rule.scope !== 'site') return undefined;
  if (urlForm === 'path') return rule.site === '' ? '' : undefined;
  if (rule.site === '*') return '';
  return sitePattern(rule, sitePolicy);
}

/** For a name that is all of its site, a pattern would also match hosts below it; and so it would for a host. */
function sitePattern({ site }: ParameterRule, policy: SitePolicy): string | undefined {
  const isPlain = /^[0-9a-z-]+(\.[0-9a-z-]+)+$/.test(site);
  return policy === 'domain' && isPlain && hasSubdomains(site) ? site : undefined;
}

function inAscii(json: string): string {
  return json.replace(/[^\x20-\x7e\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
