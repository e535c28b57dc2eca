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
import { addTo } from '../base/group-by.js';
import type { ParameterRule, Rule, SitePolicy } from '../rule/rule.js';
import { isOnlyInPaths, ONLY_IN_PATHS } from './in-paths.js';
import { hasSubdomains, hasSuffixesBelow, SUFFIXES_BELOW } from './public-suffixes.js';
import type { ExportRequest, Exported, LeftOut, Target } from './target.js';

export const duplicateUrlDiscarder: Target = {
  name: 'duplicate-url-discarder',
  summary: 'rules for duplicate-url-discarder, an add-on of Scrapy',
  usage: `Name this file in DUD_LOAD_RULE_PATHS of a Scrapy project with duplicate-url-discarder. It removes parameters between & only, and
empty fields of URLs that its patterns match. The target scrapy can express the rules that are left out here.`,
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
      (hasPatterns && isForAll(rule) ? 'holds for every site, while other rules hold for some' : undefined);
    if (reason !== undefined || rule.kind !== 'parameter') {
      left.push({ rule, reason: reason ?? '' });
      continue;
    }
    carried.push(rule);
    const pattern = patternOf(rule, request)!;
    addTo(namesOf, pattern, rule.name);
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
  if (rule.kind !== 'parameter') return 'duplicate-url-discarder only removes parameters';
  if (rule.action !== 'remove') return 'sets a parameter, and duplicate-url-discarder only removes parameters';
  if (rule.only !== undefined || rule.not !== undefined)
    return 'has conditions, which a url-matcher pattern cannot express';
  if ((rule.except ?? []).length > 0) return 'has exceptions, which a url-matcher pattern cannot express';
  if (isOnlyInPaths(rule)) return ONLY_IN_PATHS;
  if (/\p{Cs}/u.test(rule.name)) return 'has bytes that are not UTF-8';
  if (hasSuffixesBelow(rule.site, request.sitePolicy)) return SUFFIXES_BELOW;
  if (rule.name === '' || /[&;=#\s]/.test(rule.name)) return 'has a name that no parameter can have';
  return patternOf(rule, request) === undefined
    ? 'holds for URLs that a url-matcher pattern cannot express'
    : undefined;
}

/** '' if the rule holds for every URL; undefined if no pattern can express where it holds. */
function patternOf(rule: Rule, { urlForm, sitePolicy }: ExportRequest): string | undefined {
  if (rule.kind !== 'parameter') return undefined;
  if (rule.scope !== 'site') return undefined;
  if (urlForm === 'path') return rule.site === '' ? '' : undefined;
  if (rule.site === '*') return '';
  return sitePattern(rule, sitePolicy);
}

/**
 * Undefined unless sites are domains: a pattern always matches the subdomains too, and the rules of a single host do
 * not hold there.
 */
function sitePattern({ site }: ParameterRule, policy: SitePolicy): string | undefined {
  const isPlain = /^[0-9a-z-]+(\.[0-9a-z-]+)+$/.test(site);
  return policy === 'domain' && isPlain && hasSubdomains(site) ? site : undefined;
}

function inAscii(json: string): string {
  return json.replace(/[^\x20-\x7e\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
