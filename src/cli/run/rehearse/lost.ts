// Is what a rehearsal found too little to write an export, and what can the user do about it?
import { many } from '../../../base/plural.js';
import type { Rehearsed } from '../../../validate/rehearse.js';
import type { RehearseFlags } from '../../flags/rehearse.js';

/** Why pages could not be compared, if that is not their own: what is said of the site, and what to do. */
const LOST: readonly { readonly reasons: RegExp; readonly says: string; readonly advice: string }[] = [
  {
    reasons: /^[uv]: (?:network|time-out|host-given-up|redirect-loop|status(?! 404$| 410$).*)$|^the site refuses/,
    says: 'it is down or blocks',
    advice: 'rehearse again later, or with a lower --rate',
  },
  {
    reasons: /^u: status (?:404|410)$/,
    says: 'their pages are gone',
    advice: 'name a newer log or list with --urls',
  },
  {
    reasons: /^soft-error$/,
    says: 'it gives one page for many URLs, as for maintenance or a login',
    advice: 'open one of the URLs in a browser, and rehearse again when it has its page',
  },
];

export interface Lost {
  readonly says: string;
  readonly advice?: string;
}

/** Why what was found is too little to write an export, if so. */
export function lostWords(
  { judged, unjudged, failures, redirected, isRefusing, stop }: Rehearsed,
  { maxFetches }: RehearseFlags,
): Lost | undefined {
  if (stop === 'interrupted') return { says: `interrupted after ${many(judged, 'comparison')}` };
  if (stop === 'budget')
    return { says: `${maxFetches} requests (--max-fetches) were enough for ${many(judged, 'comparison')} only` };
  if (stop === 'changed')
    return {
      says: 'the site changed while it was rehearsed: pages that were compared are others by now, and no rule is to blame',
      advice: 'rehearse again when the site is as it stays',
    };
  const rest = failures.find(({ rule }) => rule === undefined);
  if (rest !== undefined) return { says: `${rest.url} ends wrong (${rest.reason}), and no rule by itself is to blame` };
  const counts = LOST.map(({ reasons, ...words }) => {
    const found = Object.entries(unjudged).filter(([reason]) => reasons.test(reason));
    return { ...words, count: found.reduce((sum, [, number]) => sum + number, 0) };
  });
  const lost = counts.reduce((sum, { count }) => sum + count, 0);
  const reasons = Object.keys(unjudged).join(', ');
  const most = isRefusing ? counts[0]! : counts.reduce((one, other) => (other.count > one.count ? other : one));
  const advice = lost > 0 && { advice: most.advice };
  if (redirected > 0 && judged === 0)
    return { says: `not one redirect could be compared with the site (${reasons})`, ...advice };
  if (lost <= judged) return undefined;
  const asked = `of ${many(judged + lost, 'redirect')}, ${judged} could be compared with the site and ${lost} could not`;
  return { says: `${asked} (${reasons}): ${most.says}`, ...advice };
}
