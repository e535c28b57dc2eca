// Is what a rehearsal found too little to write an export, and what can the user do about it?
import { printable } from '../../../base/bytes.js';
import { many } from '../../../base/plural.js';
import { countOf, unjudgedReasons } from '../../../report/outcome-words.js';
import type { RehearseFlags } from '../../flags/rehearse.js';
import type { Rehearsal } from './report.js';

/** Reasons that concern the site and not one page, with the sentence about the site and the advice. */
interface Cause {
  readonly reasons: RegExp;
  readonly says: string;
  readonly advice: string;
}

const DOWN: Cause = {
  reasons: /^[uv]: (?:network|time-out|host-given-up|redirect-loop|status(?! 404$| 410$).*)$|^the site refuses/,
  says: 'it is down or blocks',
  advice: 'rehearse again later, or with a lower --rate',
};
const CAUSES: readonly Cause[] = [
  DOWN,
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
export function lostWords(rehearsal: Rehearsal, { maxFetches }: Pick<RehearseFlags, 'maxFetches'>): Lost | undefined {
  const { judged, failures, stop } = rehearsal.rounds.at(-1)!;
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
  return untried(rehearsal) ?? unanswered(rehearsal);
}

/** Of a list in which the server redirects nothing; once rules were taken out, there may be nothing left to redirect. */
function untried({ rounds }: Rehearsal): Lost | undefined {
  const [{ urls, redirected }] = rounds as [Rehearsal['rounds'][0]];
  if (redirected > 0) return undefined;
  return {
    says: `the server redirects none of ${many(urls, 'URL')}, so the site was asked for nothing`,
    advice: 'name a log or a list of URLs that the rules change with --urls',
  };
}

function unanswered({ rounds, site, asked }: Rehearsal): Lost | undefined {
  const { judged, unjudged, redirected, isRefusing } = rounds.at(-1)!;
  const counts = CAUSES.map((cause) => ({ cause, count: countBy(unjudged, cause) }));
  const lost = counts.reduce((sum, { count }) => sum + count, 0);
  const most = isRefusing ? counts[0]! : counts.reduce((one, other) => (other.count > one.count ? other : one));
  const { says, advice } = most.cause;
  const reasons = unjudgedReasons(unjudged).map(countOf).join(', ');
  if (judged === 0 && redirected > 0) {
    const where = site === null ? 'the site' : printable(site);
    const all = `of ${many(redirected, 'redirect')} that were asked about at ${where}`;
    const found = `${all}, not one could be compared (${reasons})`;
    return most.cause === DOWN ? { says: found, ...adviceByReason(unjudged) } : { says: found, advice };
  }
  if (lost > 0 && asked.answered.site === 0 && asked.answered.cache > 0) {
    const pages = `the ${many(judged, 'redirect')} that were compared have pages of the cache only`;
    return { says: `the site answered nothing: ${pages} (${reasons})`, advice };
  }
  if (lost <= judged) return undefined;
  const some = `of ${many(judged + lost, 'redirect')}, ${judged} could be compared with the site and ${lost} could not`;
  return { says: `${some} (${reasons}): ${says}`, advice };
}

function countBy(unjudged: Readonly<Record<string, number>>, { reasons }: Cause): number {
  return Object.entries(unjudged).reduce((sum, [reason, count]) => sum + (reasons.test(reason) ? count : 0), 0);
}

/** A host is given up after other failures, which say more. */
function adviceByReason(unjudged: Readonly<Record<string, number>>): { readonly advice?: string } {
  const all = unjudgedReasons(unjudged);
  const { reason, words } = all.find((one) => one.reason !== 'host-given-up') ?? all[0]!;
  return words === undefined ? {} : { advice: `${reason}: ${words}` };
}
