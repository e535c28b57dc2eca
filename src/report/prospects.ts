// What may be done by the log alone, and what would pages add?
import { agreeing, many } from '../base/plural.js';
import type { MineSummary } from '../mine/mine.js';

type Prospects = Pick<MineSummary, 'sure' | 'promising' | 'sureUrls' | 'likelyUrls'>;

/** A line at the end of `mine`; `time`: how long the site would be asked. Empty if there is nothing to say. */
export function prospectsLine({ sure, promising, sureUrls, likelyUrls }: Prospects, time: string): string {
  if (sure === 0 && promising === 0) return '';
  const asking = `about ${time} of asking the site (mine --fetch)`;
  const more = promising === 0 ? '' : `; ${asking} would prove some ${promising}${sure === 0 ? '' : ' more'}`;
  if (sure === 0) return `No rule is sure by the log alone${more}\n`;
  const share = likelyUrls === 0 ? '' : `: ${shareWords(sureUrls / likelyUrls)} of the duplicates that it suggests`;
  return `${many(sure, 'rule')} ${agreeing(sure, 'is', 'are')} sure by the log alone (--accept confident)${share}${more}\n`;
}

function shareWords(share: number): string {
  if (share >= 1) return 'all';
  return `${Math.min(99, Math.max(1, Math.round(100 * share)))} %`;
}
