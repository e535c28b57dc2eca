// What does robots.txt allow? It is fetched once per origin, before its first page, with the same guards as a page.
//
//   200, 203          its rules                                  cached for a day
//   204, 4xx          no rules: everything is allowed (RFC 9309) cached for a day
//   5xx, 429, …       the server has problems: nothing is allowed in this run
//   a redirect        followed inside the site; if it leaves the site, or loops, nothing is allowed
//   no answer         nothing is allowed in this run, for that reason
import { isRefusal } from '../../pages/headers.js';
import { MAX_ROBOTS_BYTES, type RobotsRules, parseRobots, robotNames } from '../../robots/file.js';
import type { Rule } from '../../robots/match.js';
import { type Unavailable, redirectIn, unavailable } from './answer.js';
import { type FetchCache, type KeptRobots, ROBOTS_MAX_AGE_MS } from './cache.js';
import { type Response, hasPage } from './exchange.js';
import type { Clock, HostLine } from './politeness.js';
import type { Sender } from './sender.js';
import { type Target, targetOf } from './target.js';

/** Returns undefined if the target may be fetched. */
export type RobotsAccess = (target: Target, site: string) => Promise<Unavailable | undefined>;

export interface RobotsAccessOptions {
  /** The `User-Agent` header; robots.txt may name its product. */
  readonly userAgent: string;
  readonly sender: Sender;
  readonly cache: FetchCache | undefined;
  readonly clock: Clock;
  readonly maxRedirects: number;
  readonly lineOf: (host: string) => HostLine;
  readonly isRefused: (url: string, site: string) => boolean;
}

/** A host that asks for a longer crawl-delay is not fetched from at all. */
const MAX_CRAWL_DELAY_SECONDS = 60;
/** The longest part of a line that a message shows. */
const MAX_SHOWN = 100;

export function createRobotsAccess(options: RobotsAccessOptions): RobotsAccess {
  const rulesOf = new Map<string, Promise<RobotsRules | Unavailable>>();
  return async (target, site) => {
    let asked = rulesOf.get(target.origin);
    if (asked === undefined) rulesOf.set(target.origin, (asked = rulesFor(target, site, options)));
    const rules = await asked;
    if ('kind' in rules) return rules;
    const verdict = rules.judge(target.path);
    return verdict.allowed ? undefined : unavailable('robots', refusedBy(verdict.rule, target.path));
  };
}

/** Such as `/a/b (line 12 of robots.txt: Disallow: /a)`. */
function refusedBy({ line, text }: Rule, path: string): string {
  return `${path} (line ${line} of robots.txt: ${text.slice(0, MAX_SHOWN)})`;
}

async function rulesFor(
  target: Target,
  site: string,
  options: RobotsAccessOptions,
): Promise<RobotsRules | Unavailable> {
  const file = await robotsFile(target.origin, site, options);
  if (file.kind === 'unavailable') return file;
  const rules = parseRobots(Buffer.from(file.text, 'latin1'), robotNames(options.userAgent));
  if (rules.crawlDelaySeconds > MAX_CRAWL_DELAY_SECONDS) {
    return unavailable('robots', `crawl-delay of ${rules.crawlDelaySeconds} s`);
  }
  options.lineOf(target.host).slowDown(rules.crawlDelaySeconds * 1000);
  return rules;
}

async function robotsFile(
  origin: string,
  site: string,
  options: RobotsAccessOptions,
): Promise<KeptRobots | Unavailable> {
  const { cache, clock } = options;
  const known = cache?.findRobots(origin, clock.now(), ROBOTS_MAX_AGE_MS);
  if (known !== undefined) return known;
  const response = await follow(`${origin}/robots.txt`, site, options);
  if (response.kind === 'unavailable') return response;
  const { status, body } = response;
  if (!hasPage(status) && status !== 204 && !isRefusal(status)) return unavailable('robots', `robots.txt: ${status}`);
  const kept: KeptRobots = { kind: 'robots', status, text: ruleLines(Buffer.from(body).toString('latin1')) };
  cache?.keep(origin, kept, clock.now());
  return kept;
}

async function follow(url: string, site: string, options: RobotsAccessOptions): Promise<Response | Unavailable> {
  let at = url;
  for (let hops = 0; hops <= options.maxRedirects; hops++) {
    const target = targetOf(at);
    if (typeof target === 'string' || options.isRefused(at, site))
      return unavailable('robots', `robots.txt is at ${at}`);
    const response = await options.sender.send(target, { headers: {}, maxBytes: MAX_ROBOTS_BYTES });
    if (response.kind === 'unavailable')
      return unavailable(response.reason, `robots.txt: ${response.detail ?? 'not asked for'}`);
    const to = redirectIn(target, response);
    if (to === undefined) return response;
    at = to;
  }
  return unavailable('robots', `robots.txt: more than ${options.maxRedirects} redirects`);
}

// Which lines of a robots.txt are kept? Some servers answer every request with a page, and its text must not be kept.
//
// Lines that begin like a rule, even a misspelt one, are kept without their comments. Other lines become empty, so that
// every rule keeps its line number.

const rulePattern =
  /^(?:\xef\xbb\xbf)?[ \t]*(?:user[- ]?agent|d[a-z]{5,7}w|allow|crawl[- ]?delay)[a-z]*[ \t]*(?::|[ \t][^ \t]+[ \t]*$)/i;

/** `text` has the bytes of the file as Latin-1. */
export function ruleLines(text: string): string {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.split('#', 1)[0]!);
  return lines.map((line) => (rulePattern.test(line) ? line : '')).join('\n');
}
