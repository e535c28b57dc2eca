// Rules of many hosts at once. Most hosts are too small to be mined by themselves (`minSiteUrls`), but run software that
// other hosts run. So hosts learn from each other:
//
//   sample   learn (./learn): statements, software, and on which share of its hosts each statement holds
//   all      decide on each host (./decide): by that share, and by what the host itself says; never against it
//
// The result is a rule of a class of hosts for each statement, with the figure (`hosts`). Its conditions name the hosts:
// `only` those where it holds; or, if nearly all hosts agree, all except those in `not`.
import type { Progress } from '../../base/progress.js';
import type { Condition, ParameterRule, StepRule, SubstringRule } from '../../rule/rule.js';
import { namesVisitor } from '../../rule/visitor.js';
import { everySite } from '../../rule/rule.js';
import type { SiteReader } from '../../table/url-list.js';
import { Decisions, joined, meanPosterior, type Decided } from './decide.js';
import { isAgreed, LEAST_HOSTS, learnFrom, type Learned } from './learn.js';
import type { HostSample } from './sample.js';
import { NO_GROUP } from './software.js';
import { rulesOf, type RuleText } from './statement.js';

export type ClassRule = Omit<SubstringRule, 'rank'> | Omit<ParameterRule, 'rank'> | Omit<StepRule, 'rank'>;

/** Fewer hosts that speak are no class of their own. */
const LEAST_WITNESSES = 10;
export interface PooledHosts {
  readonly rules: readonly ClassRule[];
  /** Sites with so many hosts that they were left out. */
  readonly leftOut: number;
}

/**
 * Decides on all hosts by what those in the sample know. Undefined if they are too few. `sites` opens all anew. Of a part
 * of the sites no rule holds for hosts that it does not name.
 */
export function poolHosts(
  sample: HostSample,
  sites: () => SiteReader,
  { progress, isPart }: { readonly progress: Progress | undefined; readonly isPart: boolean },
): PooledHosts | undefined {
  const hosts = sample.finish();
  if (hosts.length >= LEAST_HOSTS) progress?.begin({ name: 'comparing hosts' });
  const learned = learnFrom(hosts);
  sample.close();
  if (learned === undefined) return undefined;
  const decisions = new Decisions(learned);
  const all = sites();
  for (let urls = all.next(); urls !== undefined; urls = all.next()) {
    decisions.decide(urls);
    progress?.tick();
  }
  return pooledBy(learned, decisions, { isPart });
}

/** The rules of what was decided on all sites. */
export function pooledBy(
  learned: Learned,
  decisions: Decisions,
  { isPart }: { readonly isPart: boolean },
): PooledHosts {
  return { rules: new Writing(learned, isPart).rules(decisions), leftOut: decisions.leftOut };
}

class Writing {
  readonly #learned: Learned;
  readonly #isPart: boolean;

  constructor(learned: Learned, isPart: boolean) {
    this.#learned = learned;
    this.#isPart = isPart;
  }

  rules(decisions: Decisions): ClassRule[] {
    const { statements } = this.#learned;
    const rules = statements.flatMap((_, statement) => this.#rulesOf(statement, decisions.of(statement)));
    return rules.sort((a, b) => pairsOf(b) - pairsOf(a));
  }

  #rulesOf(statement: number, groups: ReadonlyMap<number, Decided>): ClassRule[] {
    const { shares } = this.#learned;
    const all = joined([...groups.values()]);
    if (!this.#isPart && isAgreed(statement, undefined, this.#learned)) return this.#rulesFor(statement, all, 'not');
    if (!shares.differBySoftware(statement)) return this.#rulesFor(statement, all, 'only');
    const isLarge = ([group]: readonly [number, Decided]) =>
      group !== NO_GROUP && shares.witnesses(statement, group).of >= LEAST_WITNESSES;
    const large = [...groups].filter(isLarge).sort(([a], [b]) => a - b);
    const others = joined([...groups].filter((one) => !isLarge(one)).map(([, decided]) => decided));
    return [
      ...large.flatMap(([group, decided]) => this.#rulesFor(statement, decided, 'only', group)),
      ...this.#rulesFor(statement, others, 'only'),
    ];
  }

  #rulesFor(statement: number, decided: Decided, where: 'only' | 'not', group?: number): ClassRule[] {
    const { on, off, pairs, against, examples } = decided;
    if (on.length === 0) return [];
    const { shares, statements, software } = this.#learned;
    const witnesses = shares.witnesses(statement, group);
    const hosts = {
      ...witnesses,
      least: rounded(shares.leastShare(statement, group)),
      ...(group !== undefined && { software: software.groups[group]!.name }),
    };
    const names = where === 'only' ? on : off;
    const conditions = [...new Set(names)].sort().map((is): Condition => ({ part: 'host', is }));
    const common = {
      site: everySite,
      ...(conditions.length > 0 && { [where]: conditions }),
      status: 'likely',
      against,
      confidence: rounded(Math.min(0.999, meanPosterior(decided))),
      hosts,
      examples: examples.map(({ pair }) => pair),
    } as const;
    return rulesOf(statements[statement]!.saying)
      .map((saying) => ({ ...common, ...saying, ...supportOf(saying, pairs) }) as ClassRule)
      .filter((rule) => !namesVisitor(rule));
  }
}

function pairsOf({ support }: ClassRule): number {
  return 'low' in support ? support.low : support.urls;
}

function supportOf({ kind }: RuleText, pairs: number): Pick<ClassRule, 'support'> & { readonly chance?: number } {
  if (kind === 'parameter') return { support: { groups: pairs, urls: pairs }, chance: 0 };
  return { support: kind === 'step' ? { urls: pairs } : { low: pairs, high: pairs } };
}

function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}
