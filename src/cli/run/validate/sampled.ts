// How many URLs are asked about, if not all of the list?
import { many } from '../../../base/amounts.js';
import { MAX_URLS } from '../../../validate/ask/list.js';
import { MAX_URLS_OF_ALL, type SitePlan } from '../../../validate/plan.js';
import type { PageSource } from '../../../validate/source.js';

/** A line for people; empty if all are. */
export function sampledLine(plans: readonly SitePlan[], source: Pick<PageSource, 'name'>, memory: string): string {
  const lists = plans.flatMap(({ list }) => list ?? []);
  const [asked, all] = [lists.map(({ count }) => count), lists.map((list) => list.all)].map(sum) as [number, number];
  if (asked === all) return '';
  const unasked = lists.filter((list) => list.count === 0 && list.all > 0).length;
  const limit =
    source.name === 'log'
      ? `a larger site does not fit into --memory ${memory}`
      : `at most ${figure(MAX_URLS)} of a site and ${figure(MAX_URLS_OF_ALL)} in all`;
  const none = unasked === 0 ? '' : `; none of ${many(unasked, 'site')}`;
  return `A sample is asked about, in which duplicates stay together: ${figure(asked)} of ${figure(all)} URLs (${limit})${none}\n`;
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
