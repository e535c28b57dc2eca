// What do people see of rules and counts? Text from a log never reaches a terminal unescaped.
import { agreeing, formatSize, many } from '../base/amounts.js';
import { printable } from '../base/bytes.js';
import { PLAIN } from '../base/paint.js';
import type { MineSummary, SampledSite } from '../mine/mine.js';
import { MOST_RULES, type MostRules } from '../mine/most-rules.js';
import { MOST_RATED } from '../mine/unrated.js';
import type { Hits, InputSummary, Rule } from '../rule/rule.js';
import { calledOf, isCandidate } from '../rule/standing.js';
import { masked } from '../url/secret.js';
import { aligned } from './text-table.js';

const WIDEST = 48;

/** Such as `180 likely rules and 67 candidates`. A candidate has a confidence below .5. */
export function likelyWords(rules: Iterable<Pick<Rule, 'status' | 'confidence'>>): string {
  let [all, candidates] = [0, 0];
  for (const rule of rules) {
    all++;
    if (isCandidate(rule)) candidates++;
  }
  return countWords(all, candidates);
}

/** Such as `180 likely rules and 67 candidates`. */
export function countWords(rules: number, candidates: number): string {
  const likely = rules - candidates;
  const few = candidates === 0 ? '' : ` and ${many(candidates, 'candidate')}`;
  return `${many(likely, 'likely rule')}${few}`;
}

/** A table of sites with the numbers of their URLs, rules and candidates; the sites with the most URLs come first. */
export function sitesTable(
  rules: Iterable<Rule>,
  { sites, largestSites }: MineSummary,
  limit: number,
  paint = PLAIN,
): string {
  if (sites.mined < 2 || limit === 0) return '';
  const counts = new Map<string, Record<Rule['kind'], number>>();
  const kinds = new Set<Rule['kind']>();
  for (const { site, kind } of rules) {
    kinds.add(kind);
    const count = counts.get(site) ?? { ...none };
    count[kind]++;
    counts.set(site, count);
  }
  const [withSteps, withPatterns] = (['step', 'pattern'] as const).map((one) => kinds.has(one));
  const rows = largestSites
    .list()
    .slice(0, limit)
    .map(({ site, urls }) => {
      const { substring, parameter, step, pattern } = counts.get(site) ?? none;
      const more = [...(withSteps ? [step] : []), ...(withPatterns ? [pattern] : [])];
      return [site, urls, substring, parameter, ...more].map((cell) => printable(String(cell)));
    });
  const head = ['site', 'URLs', 'substring rules', 'parameter rules', ...(withSteps ? ['steps'] : [])];
  if (withPatterns) head.push('patterns');
  const left = sites.mined - rows.length;
  const more = left === 0 ? '' : `… and ${many(left, 'more site')}\n`;
  return aligned([head, ...rows], new Set([1, 2, 3, 4, 5]), paint) + more;
}

const none: Readonly<Record<Rule['kind'], number>> = { substring: 0, parameter: 0, step: 0, pattern: 0 };

/** The figures of a rule in words, for `explain`. */
export function ruleEvidence(rule: Rule): string {
  const word = rule.word === undefined ? '' : `${wordOf(rule.word)}, `;
  return `${calledOf(rule)}, ${word}${supportWords(rule)}, confidence ${rule.confidence.toFixed(3)}`;
}

/** Why one side of a rule is the canonical one: `1,519 hits at its forms, 25 at the URLs that it changes`. */
export function hitsWords({ kept, given }: Hits): string {
  const hits = kept === 1 ? 'hit' : 'hits';
  return `${kept.toLocaleString('en')} ${hits} at its forms, ${given.toLocaleString('en')} at the URLs that it changes`;
}

/** How the site itself confirms a rule, in words. */
export function wordOf(word: NonNullable<Rule['word']>): string {
  return word === 'redirect' ? 'the site redirects so' : 'the site names it as the canonical link';
}

function supportWords(rule: Rule): string {
  const { against } = rule;
  switch (rule.kind) {
    case 'substring':
      return `support ${rule.support.low} (high ${rule.support.high}), against ${against}`;
    case 'parameter':
      return `${many(rule.support.groups, 'group')} of ${many(rule.support.urls, 'URL')}, against ${against}, chance ${rule.chance.toFixed(3)}`;
    case 'step':
      return `changes ${many(rule.support.urls, 'URL')}, against ${against}`;
    case 'pattern':
      return `${many(rule.support.clusters, 'cluster')}, changes ${many(rule.support.urls, 'URL')}, against ${against}`;
    default:
      return rule satisfies never;
  }
}

/** What earlier nights have found about a rule; undefined if nothing. */
export function ruleHistory({ status, history }: Rule): string | undefined {
  if (history === undefined) return undefined;
  const { firstSeen, lastSupported, lastValidated, verdictSince, visits, changes, retired } = history;
  const parts = [
    `first seen ${firstSeen}`,
    `last supported ${lastSupported}`,
    ...(lastValidated === undefined
      ? []
      : [`${status} since ${verdictSince ?? lastValidated}, last validated ${lastValidated}`]),
    ...(visits === 0 ? [] : [`${visits} visits found ${changes} changes`]),
    ...(retired === undefined ? [] : [`retired ${retired.night}, may be tried again from ${retired.retryFrom}`]),
  ];
  return parts.join('; ');
}

/** Cuts text to 48 characters. */
export function clip(text: string): string {
  const chars = Array.from(text);
  return chars.length <= WIDEST ? text : `${chars.slice(0, WIDEST - 1).join('')}…`;
}

/** What became of every line. The numbers add up. */
export function countsReport(inputs: readonly InputSummary[], { isVerbose = false } = {}): string {
  const total = inputs.length > 1 ? [sumOf(inputs)] : [];
  const shown = isVerbose || inputs.length <= FEW_INPUTS ? inputs : unlikeMost(inputs);
  const lines = shown.slice(0, isVerbose ? undefined : MOST_INPUTS).map(inputReport);
  const more = shown.length - lines.length;
  const rest = more === 0 ? [] : [`and ${more} more that are unlike most; --verbose lists all inputs\n`];
  return [...lines, ...rest, ...total.map(inputReport)].join('');
}

/** Of more inputs, a report lists only those that are unlike most, and not all of them, unless it is verbose. */
const FEW_INPUTS = 3;
const MOST_INPUTS = 20;

/** Inputs in another format than most, or with problems that most do not have. */
function unlikeMost(inputs: readonly InputSummary[]): readonly InputSummary[] {
  const kindOf = (input: InputSummary) => `${input.format} ${isOdd(input)}`;
  const counts = new Map<string, number>();
  for (const kind of inputs.map(kindOf)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return 2 * most <= inputs.length ? inputs : inputs.filter((input) => counts.get(kindOf(input)) !== most);
}

function isOdd({ records, rejected, truncated }: InputSummary): boolean {
  return truncated || Object.values(rejected).reduce((sum, n) => sum + n, 0) > records;
}

function inputReport(input: InputSummary): string {
  const causes = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([cause, count]) => `${cause} ${count}`)
      .join(', ');
  const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, n) => sum + n, 0);
  const part = (name: string, counts: Readonly<Record<string, number>>) =>
    `${name} ${total(counts)}${total(counts) > 0 ? ` (${causes(counts)})` : ''}`;
  const truncated = input.truncated ? ' [truncated: what could be read was kept]' : '';
  return (
    `${printable(input.name)} (${input.format}): ${many(input.lines, 'line')} = ${many(input.records, 'record')}` +
    ` + ${part('dropped', input.dropped)} + ${part('rejected', input.rejected)}${truncated}\n`
  );
}

function sumOf(inputs: readonly InputSummary[]): InputSummary {
  const dropped: Record<string, number> = {};
  const rejected: Record<string, number> = {};
  const addTo = (sums: Record<string, number>, counts: Readonly<Record<string, number>>) => {
    for (const [cause, count] of Object.entries(counts)) sums[cause] = (sums[cause] ?? 0) + count;
  };
  let lines = 0;
  let records = 0;
  for (const input of inputs) {
    lines += input.lines;
    records += input.records;
    addTo(dropped, input.dropped);
    addTo(rejected, input.rejected);
  }
  return { name: 'all', format: `${inputs.length} inputs`, lines, records, dropped, rejected, truncated: false };
}

/** What happened to likely rules: they are kept, tried on clusters, or not looked for at all. */
export type Fate = 'kept' | 'tried' | 'unknown';

export function mineReport(summary: MineSummary, fate: Fate = 'kept'): string {
  const { urls, sites, pairs, likely, candidates, unlisted, visitors, trapUrls, trapExample = '', spilled } = summary;
  const lost = sampledLines(summary.sampled) + passedOverLine(summary.passedOver) + unlistedLine(unlisted, sites.mined);
  const skipped = sites.skipped > 0 ? `, ${sites.skipped} with too few URLs skipped` : '';
  const disk =
    spilled.bytes > 0 ? `; ${many(spilled.runs, 'sorted run')}, ${formatSize(spilled.bytes)} in all, went to disk` : '';
  const kept = unlisted > 0 ? `, of which the ${likely - unlisted} of the highest rank are kept` : '';
  const traps =
    trapUrls > 0
      ? `${trapUrls === 1 ? '1 URL repeats a part of itself' : `${trapUrls} URLs repeat a part of themselves`} over and over, as in a crawler trap, and are not compared with one another, such as ${clip(masked(trapExample))}\n`
      : '';
  const rules = fate === 'unknown' ? '' : `, ${countWords(likely, candidates)}${kept}`;
  const tried = fate === 'tried' ? ' by the log, which the clusters decided on' : '';
  return `${many(urls, 'URL')}, ${many(sites.mined, 'site')} mined${skipped}; ${many(pairs, 'pair')}${rules}${tried}${disk}\n${lost}${visitorsLine(visitors)}${traps}`;
}

/** A line for each of the largest sites that were sampled. */
function sampledLines(sites: readonly SampledSite[]): string {
  const largest = [...sites].sort((a, b) => b.urls - a.urls || (a.site < b.site ? -1 : 1));
  const shown = largest.slice(0, MOST_SAMPLED).map(({ site, urls, sampled }) => {
    const share = ((100 * sampled) / urls).toPrecision(2);
    return (
      `${printable(site)} has ${many(urls, 'URL')}, more than --memory takes: ${sampled} of them (${share} %), which ` +
      'share the same parts, were mined. Witnesses are of this sample, and a rule with few of them may be missing\n'
    );
  });
  const others = largest.length - shown.length;
  return shown.join('') + (others > 0 ? `${many(others, 'other site')} likewise\n` : '');
}

const MOST_SAMPLED = 3;

/** A line about pairs that nobody would try as rules; empty if there are none. */
function passedOverLine(pairs: number): string {
  if (pairs === 0) return '';
  return `${many(pairs, 'pair')} of which only a number of URLs is known ${agreeing(pairs, 'ranks', 'rank')} behind ${MOST_RATED} others of the same site, so ${agreeing(pairs, 'it is', 'they are')} in no file: --all writes what is left of them\n`;
}

/** A line about likely rules that did not fit into the file; empty if all did. */
function unlistedLine(rules: number, sites: number): string {
  if (rules === 0) return '';
  const way =
    sites > 1 ? ': --parts n -o FOLDER writes a file for each of n parts of the sites, with as many rules each' : '';
  return `${leftOutWords(rules, MOST_RULES)} in no file${way}\n`;
}

/** A line about rules of parts that did not fit into the merged file; empty if all did. */
export function unmergedLine(rules: number, most: MostRules): string {
  if (rules === 0) return '';
  const way = 'for all rules, canonize by the folder of the parts (dustbuster help crawlers)';
  return `dustbuster: ${leftOutWords(rules, most)} left out: ${way}\n`;
}

function leftOutWords(rules: number, most: MostRules): string {
  const limit = `A rules file has at most ${most.rules} rules and ${formatSize(most.bytes)}`;
  return `${limit}, so ${many(rules, 'rule')} of the lowest rank ${agreeing(rules, 'is', 'are')}`;
}

/** A line about rules that name a visitor and are in no file; empty if there are none. */
export function visitorsLine(rules: number): string {
  if (rules === 0) return '';
  const which = rules === 1 ? '1 rule names one visitor' : `${rules} rules name one visitor each`;
  return `${which} (a session, a key or an address), and ${rules === 1 ? 'is' : 'are'} left out\n`;
}
