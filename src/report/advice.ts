// Why did mining find little or nothing, and what can the user do next?
import { agreeing, many } from '../base/amounts.js';
import type { Crowd } from '../mine/hosts/sample.js';
import type { MineSummary } from '../mine/mine.js';
import type { Rule } from '../rule/rule.js';
import { CONFIDENT } from '../rule/standing.js';

const NO_URL =
  'no line became a URL, as the counts say: name other logs, ask for other lines with the filters (--bots, --host, ' +
  '--since …), or name the format with --format';

interface Mining {
  readonly minSiteUrls: number;
  readonly isJudged?: boolean;
  readonly isPart?: boolean;
  /** Rules of classes of hosts, which are no rules of a site. */
  readonly classRules?: number;
}

/**
 * One line per obstacle; empty if there is none. `isJudged`: pages or digests decide about rules, not sizes. `isPart`:
 * only a part of the list was mined.
 */
export function adviceReport(
  { urls, sites, likely, hasSizes, sure }: Pick<MineSummary, 'urls' | 'sites' | 'likely' | 'hasSizes' | 'sure'>,
  { minSiteUrls, isJudged = false, isPart = false, classRules = 0 }: Mining,
): string {
  if (urls === 0 && isPart) return 'dustbuster: this part has no URL of the list; the others have them\n';
  if (urls === 0) return `dustbuster: ${NO_URL}\n`;
  const lines: string[] = [];
  // Hosts that are too small to be mined may have learned from each other.
  const isEmpty = classRules === 0;
  if (isEmpty && sites.mined === 0) {
    const least = `mine --min-site-urls ${minSiteUrls}`;
    lines.push(
      `no site has the ${minSiteUrls} URLs that ${least} asks for: name logs of more days, or a smaller number`,
    );
  } else if (isEmpty && likely === 0) lines.push('no rule has enough witnesses: logs of more days have more');
  // A crawl may prove rules by its redirects and digests.
  if (!hasSizes && sure === 0 && sites.mined > 0 && !isJudged) {
    lines.push(
      'no record has a size, so there is little evidence for any rule: log sizes (%b), or judge by what is there: the ' +
        'site (mine --fetch), pages of a crawl (mine --pages), or digests in the log (mine --by-sketch)',
    );
  }
  return lines.map((line) => `dustbuster: ${line}\n`).join('');
}

/** What hosts learned from each other; '' if nothing. */
export function classesLine(rules: readonly Pick<Rule, 'confidence'>[], sitesOfManyHosts = 0): string {
  if (rules.length === 0) return '';
  const sure = rules.filter(({ confidence }) => confidence >= CONFIDENT).length;
  const leftOut = `; ${many(sitesOfManyHosts, 'site')} of more than 64 hosts left out, as who has a domain can make up hosts`;
  return `Hosts learned from each other: ${many(rules.length, 'rule')} of classes of hosts, ${sure} of them sure${sitesOfManyHosts > 0 ? leftOut : ''}\n`;
}

/** That most hosts were not heard, as few domains have them; '' otherwise. */
export function crowdLine({ unheard, of }: Crowd = { unheard: 0, of: 0 }): string {
  if (2 * unheard <= of) return '';
  return (
    `dustbuster: ${unheard} of the ${of} hosts that others could learn from were not heard, as their domains have more ` +
    'than three of them: a wildcard DNS makes up any number. With --site domain, the default, each domain is one site\n'
  );
}

/** How many rules the log alone proves, and how many more pages could prove. */
type Prospects = Pick<MineSummary, 'sure' | 'sureCases' | 'promising' | 'sureUrls' | 'likelyUrls'>;

/** The last line of `mine`, or ''. `time` says how long a validation would ask the site, `command` what does. */
export function prospectsLine(
  { sure, sureCases, promising, sureUrls, likelyUrls }: Prospects,
  time: string,
  command: string,
): string {
  if (sure === 0 && promising === 0) return '';
  const asking = `about ${time} of asking the site (${command})`;
  const more = promising === 0 ? '' : `; ${asking} would prove some ${promising}${sure === 0 ? '' : ' more'}`;
  if (sure === 0) return `No rule is sure by the log alone${more}\n`;
  const share = likelyUrls === 0 ? '' : `: ${shareWords(sureUrls / likelyUrls)} of the duplicates that it suggests`;
  const cases = sureCases === 0 ? '' : `: ${sure + sureCases} with ${agreeing(sure, 'its', 'their')} special cases`;
  return `${many(sure, 'rule')} ${agreeing(sure, 'is', 'are')} sure by the log alone (--accept confident${cases})${share}${more}\n`;
}

function shareWords(share: number): string {
  if (share >= 1) return 'all';
  return `${Math.min(99, Math.max(1, Math.round(100 * share)))} %`;
}
