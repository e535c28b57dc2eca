// Which software can rules be exported to? Each target is loaded on demand.
import type { Rule } from '../rule/rule.js';
import type { ExportRequest, Target } from './target.js';

const PATTERN = 'is a pattern, which only dustbuster applies';
const LONG_LIST = 'names more than 64 hosts or other conditions, too many for this software';

const loaders: ReadonlyMap<string, () => Promise<Target>> = new Map([
  ['nginx', async () => (await import('./server/nginx.js')).nginx],
  ['apache', async () => (await import('./server/apache.js')).apache],
  ['varnish', async () => (await import('./server/varnish.js')).varnish],
  ['nutch', async () => (await import('./java/classes.js')).nutch],
  ['stormcrawler', async () => (await import('./java/classes.js')).stormcrawler],
  ['heritrix', async () => (await import('./java/classes.js')).heritrix],
  ['nutch-expressions', async () => (await import('./java/configurations.js')).nutchExpressions],
  ['stormcrawler-expressions', async () => (await import('./java/configurations.js')).stormcrawlerExpressions],
  ['heritrix-expressions', async () => (await import('./java/configurations.js')).heritrixExpressions],
  ['java', async () => (await import('./java/classes.js')).java],
  ['python', async () => (await import('./python/modules.js')).python],
  ['scrapy', async () => (await import('./python/modules.js')).scrapy],
  ['duplicate-url-discarder', async () => (await import('./duplicate-url-discarder.js')).duplicateUrlDiscarder],
  ['clean-param', async () => (await import('./clean-param.js')).cleanParam],
  ['esm', async () => (await import('./esm.js')).esm],
  ['no-vary-search', async () => (await import('./cache/no-vary-search.js')).noVarySearch],
  ['varnish-key', async () => (await import('./cache/varnish-key.js')).varnishKey],
  ['cloudfront-key', async () => (await import('./cache/cloudfront-key.js')).cloudfrontKey],
  ['cloudflare-key', async () => (await import('./cache/cloudflare-key.js')).cloudflareKey],
  ['cloudflare', async () => (await import('./edge/modules.js')).cloudflare],
  ['cloudfront', async () => (await import('./edge/cloudfront.js')).cloudfront],
  ['crawlee', async () => (await import('./edge/modules.js')).crawlee],
  ['adguard', async () => (await import('./parameters/adguard.js')).adguard],
  ['clearurls', async () => (await import('./parameters/clearurls.js')).clearurls],
  ['pywb', async () => (await import('./parameters/pywb.js')).pywb],
  ['csv', async () => (await import('./csv.js')).csv],
  ['parquet', async () => (await import('./parquet.js')).parquet],
]);

/** The words that `--to` accepts, in the order of the list. */
export const targetNames: readonly string[] = [...loaders.keys()];

/** Undefined for an unknown name. */
export function loadTarget(name: string): Promise<Target> | undefined {
  return loaders
    .get(name)?.()
    .then((target) => (target.hasPatterns === true ? target : without(target, isPattern, PATTERN)))
    .then((target) => without(target, hasLongList(target.longLists), LONG_LIST));
}

type IsRule = (rule: Rule) => boolean;

/**
 * Patterns copy parts of a URL and find fields anywhere, and for no other software was it tested that it does the same.
 */
const isPattern: IsRule = ({ kind }) => kind === 'pattern';

/** An expression with more hosts is slow to match, and lines of configuration have limits. */
const MOST_CONDITIONS = 64;
const hasLongList =
  (longLists: Target['longLists']): IsRule =>
  ({ only = [], not = [] }) =>
    longLists !== 'all' && not.length + (longLists === 'only' ? 0 : only.length) > MOST_CONDITIONS;

function without(target: Target, isLeft: IsRule, reason: string): Target {
  const others = (request: ExportRequest) => ({ ...request, rules: request.rules.filter((rule) => !isLeft(rule)) });
  return {
    ...target,
    write(request) {
      const { left, ...exported } = target.write(others(request));
      const own = request.rules.filter(isLeft).map((rule) => ({ rule, reason }));
      return { ...exported, left: [...own, ...left] };
    },
    ...(target.check !== undefined && { check: (request, text) => target.check!(others(request), text) }),
  };
}
