// The live site as a source of pages. Redirects are followed hop by hop:
//
//   URL ─▶ refused? ─▶ seen before? ─▶ robots.txt ─▶ queue ─▶ GET ─▶ answer ─┬▶ page, missing, unavailable
//    ▲                 (this run, or the cache)                              └▶ redirect ┐
//    └───────────────────────────────────────────────────────────────────────────────────┘ at most 5 times
//
// Every hop is remembered by itself, so that a page which is reached by its own URL and by redirects is fetched once.
import { UserError } from '../../base/error.js';
import { mediaTypeOf } from '../../pages/headers.js';
import { Permission } from '../permission/permission.js';
import { Stranger } from '../permission/stranger.js';
import type { Made, PageResult, PageSource, UnavailableReason } from '../source.js';
import { createActionTest } from '../permission/actions.js';
import type { Answer } from './answer.js';
import { createAsker } from './asker.js';
import { createGuard, isRefusedHost } from './guard.js';
import { LIVE_DEFAULTS, type LiveOptions, type LiveSettings } from './settings.js';
import { targetOf, type Target } from './target.js';

/** A source of pages over HTTP(S). Throws `UserError` for invalid options. */
export function createLiveSource(options: LiveOptions): PageSource {
  const settings: LiveSettings = { ...LIVE_DEFAULTS, ...options };
  check(settings);
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  if (options.signal?.aborted === true) onAbort();
  options.signal?.addEventListener('abort', onAbort);
  const guard = createGuard(settings.allowPrivate);
  const permission = settings.permission ?? alone(settings.extraActions);
  const isRefused = (url: string, site: string) => typeof judge(url, site, 'hop') === 'string';
  const asker = createAsker(settings, guard, isRefused, stop.signal);

  function judge(url: string, site: string, as: 'first' | 'hop' | Made): Target | UnavailableReason {
    const target = targetOf(url);
    if (typeof target === 'string') return target;
    if (!settings.isInside(url, site)) return 'outside-site';
    if (as === 'nobody') permission.allow(target.url);
    else if (typeof as === 'object') allowImage(as.of, target.url);
    const refused = as === 'hop' ? permission.refusalOfHop(target.url) : permission.refusal(target.url);
    if (refused !== undefined) return refused;
    const known = settings.known?.get(target.host);
    if (isRefusedHost(target.host, guard) || known?.some(guard) === false) return 'private-address';
    return target;
  }

  function allowImage(of: string, image: string): void {
    const target = targetOf(of);
    if (typeof target !== 'string') permission.allowImage(target.url, image);
  }

  function refusal(url: string, site: string, made?: Made): UnavailableReason | undefined {
    const target = judge(url, site, made ?? 'first');
    return typeof target === 'string' ? target : undefined;
  }

  /** Follows redirects with `ask`, and tells the permission which pages came. */
  async function fetchBy(ask: (target: Target) => Promise<Answer>, url: string, site: string, made?: Made) {
    const as = (isFirst: boolean) => (isFirst ? (made ?? 'first') : 'hop');
    const result = await follow(url, (at, isFirst) => judge(at, site, as(isFirst)), ask, settings.maxRedirects);
    if (result.kind === 'page' && made !== 'nobody') permission.learn(result.finalUrl);
    return result;
  }

  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    options.signal?.removeEventListener('abort', onAbort);
    stop.abort();
    return asker.close();
  }

  return {
    name: 'live',
    get requests() {
      return asker.requests;
    },
    get answered() {
      return asker.answered;
    },
    refusal,
    fetch: (url, site, made) => fetchBy((target) => asker.ask(target, site, 'once'), url, site, made),
    fetchAgain: (url, site) => fetchBy((target) => asker.ask(target, site, 'again'), url, site),
    keptAt: (finalUrl) => {
      const target = targetOf(finalUrl);
      return typeof target === 'string' ? undefined : asker.keptAt(target);
    },
    isKept: (url) => {
      const target = targetOf(url);
      return typeof target !== 'string' && asker.isKept(target);
    },
    renew: (url, site) => fetchBy((target) => asker.renew(target, site), url, site),
    close: () => (closing ??= close()),
  };
}

async function follow(
  url: string,
  judge: (url: string, isFirst: boolean) => Target | UnavailableReason,
  ask: (target: Target) => Promise<Answer>,
  maxRedirects: number,
): Promise<PageResult> {
  const seen = new Set<string>();
  for (let at = url; ;) {
    const target = judge(at, seen.size === 0);
    if (typeof target === 'string') return refusedAt(target, seen.size > 0, at);
    if (seen.has(target.url)) return { kind: 'missing', reason: 'redirect-loop', detail: target.url };
    if (seen.size > maxRedirects) {
      return { kind: 'missing', reason: 'redirect-loop', detail: `more than ${maxRedirects} redirects` };
    }
    seen.add(target.url);
    const answer = await ask(target);
    if (answer.kind !== 'redirect') return resultOf(answer, at === url ? url : target.url, seen.size - 1);
    at = answer.to;
  }
}

/**
 * A redirect that leaves the site or HTTP is an answer of the site. For all other reasons, this program is just being
 * careful, so the page is unavailable.
 */
function refusedAt(reason: UnavailableReason, isRedirected: boolean, url: string): PageResult {
  if (!isRedirected) return { kind: 'unavailable', reason };
  if (reason === 'outside-site' || reason === 'not-http') {
    return { kind: 'missing', reason: 'redirect-outside', detail: url };
  }
  return { kind: 'unavailable', reason, detail: `redirect to ${url}` };
}

function resultOf(answer: Exclude<Answer, { kind: 'redirect' }>, url: string, redirects: number): PageResult {
  if (answer.kind === 'page') {
    const { document, canonical, controls } = answer;
    const type = mediaTypeOf(answer.type);
    return {
      kind: 'page',
      document,
      finalUrl: url,
      redirects,
      ...(type !== undefined && { type }),
      ...(canonical !== undefined && { canonical }),
      ...(controls !== undefined && { controls }),
    };
  }
  if (answer.kind === 'missing') return { kind: 'missing', reason: 'status', detail: String(answer.status) };
  return answer;
}

/** The permission if there is no log to learn from: it judges a URL by its words alone. */
function alone(extraActions: readonly string[]): Permission {
  return new Permission({
    actionOf: createActionTest(extraActions),
    evidence: undefined,
    stranger: new Stranger(undefined),
    base: null,
    moreHosts: [],
  });
}

function check({ userAgent, rate, maxRequests, maxBodyBytes }: LiveSettings): void {
  // Spaces are allowed too, for the comment after a product, where people put their contact.
  if (!/^[!-~][ -~]*$/.test(userAgent)) {
    throw new UserError(
      `the user agent is ${JSON.stringify(userAgent)}: expected printable ASCII, such as "dustbuster (me@example.com)".`,
    );
  }
  if (!(rate > 0)) throw new UserError(`the rate is ${rate}: expected requests a second, more than 0.`);
  if (!(maxRequests >= 0)) throw new UserError(`the maximum number of requests is ${maxRequests}: expected 0 or more.`);
  if (!(maxBodyBytes > 0))
    throw new UserError(`the maximum size of a body is ${maxBodyBytes} bytes: expected more than 0.`);
}
