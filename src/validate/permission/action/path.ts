// Is a path an order, or does it hand in a secret? `segment.ts` says what a segment is by itself; here its place
// decides.
import { listOf } from './lexicon.js';
import type { Segment, Shelf } from './segment.js';

export type ActionReason = 'action-url' | 'token-url';

/** `hasQuery` is true if a query follows the path. */
export function pathReason(segments: readonly Segment[], hasQuery: boolean): ActionReason | undefined {
  let reason: ActionReason | undefined;
  let shelf: Shelf | undefined;
  for (const [at, segment] of segments.entries()) {
    if (segment.isPrivate) reason = 'token-url';
    const isFile = segment.isStatic && !CARTS.has(segments[at - 1]?.joined ?? '');
    if (!isFile && !(shelf !== undefined && isOnShelf(segments, at, shelf))) {
      if (isOrder(segments, at, hasQuery)) return 'action-url';
      if (isBeforeSecret(segments, at, hasQuery) || isPaid(segments, at, hasQuery)) reason = 'token-url';
    }
    if (segment.isSpecial) shelf = 'next';
    else if (!(shelf === 'all' || shelf === 'deep' || (shelf !== undefined && segment.isId))) shelf = segment.shelf;
  }
  return reason;
}

/** A script for browsers is not static behind one of these: Shopify's `/cart/add.js` adds to the cart. */
const CARTS = new Set(['cart', 'basket', 'bag']);

/** True if the segment is a title. */
function isOnShelf(segments: readonly Segment[], at: number, shelf: Shelf): boolean {
  const segment = segments[at]!;
  const before = segments[at - 1]!;
  const isLast = at === segments.length - 1;
  if (segment.isSpecial) return false;
  if (shelf === 'all') return true;
  if (segment.isScript && !segment.isTitle) return false;
  if (shelf === 'deep') return !before.isId || before.isYear || before.isDigit;
  if (shelf === 'slug') return before.shelf === 'slug' && segment.isSlug && isLast;
  if (before.isId && before.shelf === undefined) return segment.isSlug;
  return segment.isTitle || segment.isNumbered || isLast;
}

/** Segments that call a verb behind them: `/org/repo/action/star`. */
const CALLERS = new Set(listOf('action actions do cmd command op exec control'));
/** Things that run and have a name: `/job/nightly/stop`. */
const RUNNING = new Set(
  listOf(`job jobs task tasks service services server servers container containers process processes instance instances
    plugin plugins module modules project projects build builds pipeline pipelines queue queues campaign campaigns
    workflow workflows timer timers issue issues topic topics thread threads vm vms node nodes watchers`),
);
const RUN_VERBS = new Set(listOf('watch follow build deploy polling archive'));

function isOrder(segments: readonly Segment[], at: number, hasQuery: boolean): boolean {
  const { act, isDated, joined, isScript, startsBeside } = segments[at]!;
  if (act === undefined) return startsBeside && ((isScript && hasQuery) || isBackstage(segments, at));
  if (act === 'strong') return true;
  if (isDated) return false;
  if (act === 'verb' || isCalled(segments, at)) return true;
  const isLast = segments.slice(at + 1).every((segment) => segment.isId);
  if (!isLast) return false;
  if (isBehind(segments, at)) return true;
  if (segments[at - 2]?.isDevice === true) return true;
  if (act !== 'beside' && !RUN_VERBS.has(joined)) return false;
  if (isNamed(segments, at) || (hasQuery && isQueried(segments, at)) || isBackstage(segments, at)) return true;
  if (act !== 'beside') return false;
  const after = segments[at + 1];
  if (after !== undefined && !after.isYear) return true;
  return segments[at - 1]?.isScript === true || (isScript && (hasQuery || at > 0));
}

/** Parts of a site for programs and administrators. */
const BACKSTAGE = new Set(
  listOf(`admin administrator api rpc ajax rest manage manager management cgi-bin cgibin wpadmin internal actuator system cron
    tasks maintenance tools backend console control service services goform`),
);
/** Verbs that are more often names of pages. */
const PAGES = new Set(listOf('start play watch archive call import submit apply'));

function isQueried(segments: readonly Segment[], at: number): boolean {
  return !PAGES.has(segments[at]!.joined) || RUNNING.has(segments[at - 1]?.joined ?? '');
}

function isBackstage(segments: readonly Segment[], at: number): boolean {
  return at > 0 && segments.slice(0, at).some(({ joined }) => BACKSTAGE.has(joined));
}

/** True for a verb that is called: `/_refresh`, `/cmd/open`. */
function isCalled(segments: readonly Segment[], at: number): boolean {
  const { act, isCall } = segments[at]!;
  return (isCall && act === 'beside') || CALLERS.has(segments[at - 1]?.joined ?? '');
}

/** True for `/posts/7/like` and `/licht/an`, not for `/2012/05/update`. */
function isBehind(segments: readonly Segment[], at: number): boolean {
  const before = segments[at - 1];
  if (before === undefined) return false;
  if (before.isDevice || (before.isThing && segments[at]!.act !== 'after')) return true;
  const isDate = before.isYear || segments[at - 2]?.isYear === true || segments[at - 3]?.isYear === true;
  return before.isId && !isDate;
}

/** True for a thing, its name, and a verb at the end. */
function isNamed(segments: readonly Segment[], at: number): boolean {
  const owner = segments[at - 2];
  return at === segments.length - 1 && owner !== undefined && RUNNING.has(owner.joined);
}

/** Nouns that count only if a code follows, and verbs that count whatever follows. */
const SECRET_NOUNS = new Set(listOf('token tokens key keys sig nonce csrf hook hooks build deploy'));
const HOOKS = new Set(listOf('webhook webhooks magiclink unsub optin optout'));

function isBeforeSecret(segments: readonly Segment[], at: number, hasQuery: boolean): boolean {
  const { isSecret, isScript, joined } = segments[at]!;
  if (!isSecret) return false;
  const isNoun = SECRET_NOUNS.has(joined);
  const after = segments[at + 1];
  if (after === undefined) return isScript || (hasQuery && !isNoun);
  return (
    HOOKS.has(joined) || after.isCode || (!isNoun && segments.slice(at + 1).some(({ isCode, isId }) => isCode || isId))
  );
}

const PAYMENTS = new Set(
  listOf(`pay payment payments paypal checkout stripe klarna mollie adyen payu sofort gateway billing payfast alipay
    onepage`),
);
const RETURNS = new Set(
  listOf(`success return complete completed finish finished notify notification ipn callback cancel cancelled failure
    thankyou result response`),
);

/** True for pages that a payment service sends the buyer to, or reports to. */
function isPaid(segments: readonly Segment[], at: number, hasQuery: boolean): boolean {
  return (
    hasQuery && RETURNS.has(segments[at]!.joined) && segments.slice(0, at).some(({ joined }) => PAYMENTS.has(joined))
  );
}
