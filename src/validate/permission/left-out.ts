// Which URLs of the list will not be requested, and why? Counted before a run requests anything.
import type { SitePlan } from '../plan.js';
import type { PageSource, UnavailableReason } from '../source.js';

export interface LeftOut {
  /** The number of URLs of the list, or of the samples if rules are tried one by one. */
  readonly urls: number;
  /** The number of refused URLs for each reason, the most common reason first. */
  readonly refused: readonly (readonly [UnavailableReason, number])[];
}

/** Reasons about a URL itself. Reasons about a host or the network are reported elsewhere. */
const COUNTED: ReadonlySet<UnavailableReason> = new Set([
  'action-url',
  'token-url',
  'visitor-value',
  'rarely-read',
  'other-host',
]);

export interface LeftOutOptions {
  readonly base: string | null;
  readonly siteAsked: (site: string) => (url: string) => string;
}

export function leftOutOf(plans: readonly SitePlan[], source: PageSource, options: LeftOutOptions): LeftOut {
  const counts = new Map<UnavailableReason, number>();
  let urls = 0;
  for (const plan of plans) {
    const siteOf = options.siteAsked(plan.site);
    for (const url of urlsOf(plan)) {
      urls++;
      const absolute = url.startsWith('/') ? (options.base ?? '') + url : url;
      const reason = source.refusal(absolute, siteOf(absolute));
      if (reason !== undefined && COUNTED.has(reason)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  return { urls, refused: [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)) };
}

function urlsOf({ list, rules }: SitePlan): Iterable<string> {
  if (list !== undefined) return list.read().list.urls;
  return new Set(rules.flatMap(({ attempts }) => attempts.flatMap(({ samples }) => samples.urls)));
}
