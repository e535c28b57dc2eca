// Why would a validation request nothing, or get no answer, and what can the user do?
import { printable } from '../../../base/bytes.js';
import { lostPages, unjudgedLines } from '../../../report/outcome-words.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { Settlement } from '../../../validate/settlement.js';
import type { PageSource } from '../../../validate/source.js';
import { isAsking, type Run } from './run.js';

const MOST_NAMED = 3;

/**
 * The reason why there is nothing to request, and the way out; undefined if a site of `asked` has URLs. With `--stop
 * fixed` a rule may change no URL, but then the base is one of the sites.
 */
export function nothingToAsk({ plans, base, file, flags }: Run, asked: readonly SitePlan[]): string | undefined {
  if (asked.some(hasUrls)) return undefined;
  if (!isAsking(flags) && (asked.length > 0 || plans.length === 0)) return undefined;
  const others = plans.filter(hasUrls);
  if (others.length > 0) {
    const got = `no URL of the list is of the site of --base ${printable(base ?? '')}, but of ${named(others)}`;
    return `nothing to ask: ${got}. Name the site of the URLs with --base, or mine again with this --base`;
  }
  if (plans.length > 0) {
    const advice = 'Name a list of their URLs with --test, or mine this one';
    return `nothing to ask: the list has no URL of the sites of the rules (${named(plans)}). ${advice}`;
  }
  const { minSiteUrls } = file.options;
  if (file.sites.mined > 0) return 'nothing to ask: the file has no rules; mine --fetch asks a site even without any';
  if (file.urls === 0) return 'nothing to ask: no line became a URL; the counts say why';
  return `nothing to ask: no site has ${minSiteUrls} URLs. Name logs of more days, or a smaller --min-site-urls`;
}

function hasUrls({ list, rules }: SitePlan): boolean {
  if (list !== undefined) return list.count > 0;
  return rules.some(({ attempts }) => attempts.some(({ samples }) => samples.urls.length > 0));
}

function named(plans: readonly SitePlan[]): string {
  const names = plans.map(({ site }) => (site === '' ? 'paths without a host' : printable(site)));
  return [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])].join(', ');
}

/**
 * The way out if no page came and no rule was judged or settled; otherwise undefined. Without this message, a nightly
 * run with -q would never mention a site that it cannot reach.
 */
export function nothingAnswered(
  settlements: readonly Settlement[],
  { name }: Pick<PageSource, 'name'>,
): string | undefined {
  if (name !== 'live' || settlements.some(hasAnswer)) return undefined;
  const counts: Record<string, number> = {};
  for (const { after } of settlements) {
    const lost = lostPages(after[0]?.verdict?.unjudged ?? {});
    for (const [code, n] of Object.entries(lost)) counts[code] = (counts[code] ?? 0) + n;
  }
  const reasons = unjudgedLines(counts);
  if (reasons.length === 0) return undefined;
  return `not one page of the site could be compared, so no rule was judged; ${reasons.join('; ')}`;
}

function hasAnswer({ after, outcome }: Settlement): boolean {
  const verdict = after[0]?.verdict;
  if (outcome === 'kept' || outcome === 'unasked') return false;
  return outcome !== 'likely' || (verdict !== undefined && verdict.positive + verdict.negative > 0);
}
