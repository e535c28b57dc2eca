// Rules of many hosts at once. Most hosts are too small to be mined by themselves (`minSiteUrls`), but run software
// that other hosts run. So hosts learn from each other:
//
//   sample   learn (./learn): statements, software, and on which share of its hosts each statement holds
//   all      decide on each host (./examine): by that share, and by what the host itself says; never against it
//
// The result is a rule of a class of hosts for each statement, with the figure (`hosts`). Its conditions name the hosts:
// `only` those where it holds; or, if nearly all hosts agree, all except those in `not`.
import type { Progress } from '../../base/progress.js';
import type { Condition, ParameterRule, StepRule, SubstringRule } from '../../rule/rule.js';
import { hostOf } from '../../rule/of-hosts.js';
import { namesVisitor } from '../../rule/visitor.js';
import { everySite } from '../../rule/rule.js';
import { drawRows } from '../../table/draw-rows.js';
import type { SiteReader } from '../../table/url-list.js';
import type { SiteUrls } from '../../table/site-urls.js';
import { rawUrl } from '../../table/raw-url.js';
import { Examiner, textOf, wordsOf } from './examine.js';
import { holdsOn, isAgreed, learnFrom, type Learned } from './learn.js';
import type { HostSample } from './sample.js';
import { NO_GROUP } from './software.js';
import { rulesOf, type RuleText } from './statement.js';

export type ClassRule = Omit<SubstringRule, 'rank'> | Omit<ParameterRule, 'rank'> | Omit<StepRule, 'rank'>;

/** With fewer hosts there is nothing to learn from each other. */
export const LEAST_HOSTS = 50;
/** Fewer hosts that speak are no class of their own. */
const LEAST_WITNESSES = 10;
/** A site with more hosts makes them up, or has rules of its own. */
const MOST_NAMES = 64;
const EXAMPLES = 3;

/** What was decided about a statement on the hosts of one software. */
interface Decided {
  readonly on: string[];
  readonly off: string[];
  pairs: number;
  against: number;
  posteriors: number;
  readonly examples: (readonly [string, string])[];
}

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
  const isEnough = hosts.length >= LEAST_HOSTS;
  if (isEnough) progress?.begin({ name: 'comparing hosts' });
  const learned = isEnough ? learnFrom(hosts) : undefined;
  sample.close();
  if (learned === undefined || learned.statements.length === 0) return undefined;
  const decisions = new Decisions(learned, isPart);
  const all = sites();
  for (let urls = all.next(); urls !== undefined; urls = all.next()) {
    decisions.decide(urls);
    progress?.tick();
  }
  return { rules: decisions.rules(), leftOut: decisions.leftOut };
}

class Decisions {
  leftOut = 0;
  readonly #learned: Learned;
  readonly #isPart: boolean;
  readonly #examiner: Examiner;
  /** By statement, then by group. */
  readonly #decided: Map<number, Decided>[];

  constructor(learned: Learned, isPart: boolean) {
    this.#learned = learned;
    this.#isPart = isPart;
    this.#examiner = new Examiner(learned.statements);
    this.#decided = learned.statements.map(() => new Map());
  }

  decide(urls: SiteUrls): void {
    if (urls.site === '' || urls.count < 2) return;
    if (hasManyHosts(urls)) {
      this.leftOut++;
      return;
    }
    const group = this.#learned.software.groupOf(wordsOf(urls));
    const { found, chance, hosts } = this.#examiner.examine(urls, holdsOn(group, this.#learned));
    const names = [...hosts];
    const verdicts = this.#learned.shares.verdicts({ group, chance, found });
    for (const [at, { statement, pairs, holds, changed }] of found.entries()) {
      const isSilent = pairs.every((count) => count === 0);
      if (isSilent && !holds) continue;
      const decided = this.#of(statement, group);
      if (!holds) decided.off.push(...names);
      else {
        decided.on.push(...names);
        decided.posteriors += names.length * verdicts[at]!.holds;
        const near = pairs.slice(0, -1).reduce((sum, count) => sum + count, 0);
        decided.pairs += near;
        decided.against += pairs.at(-1)!;
        if (decided.examples.length < EXAMPLES) decided.examples.push([textOf(changed[0]), textOf(changed[1])]);
      }
    }
  }

  #of(statement: number, group: number): Decided {
    const groups = this.#decided[statement]!;
    let decided = groups.get(group);
    if (decided === undefined) groups.set(group, (decided = nothing()));
    return decided;
  }

  rules(): ClassRule[] {
    const rules = this.#decided.flatMap((groups, statement) => this.#rulesOf(statement, groups));
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

  #rulesFor(
    statement: number,
    { on, off, pairs, against, posteriors, examples }: Decided,
    where: 'only' | 'not',
    group?: number,
  ): ClassRule[] {
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
      confidence: rounded(Math.min(0.999, posteriors / on.length)),
      hosts,
      examples,
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

function nothing(): Decided {
  return { on: [], off: [], pairs: 0, against: 0, posteriors: 0, examples: [] };
}

function joined(all: readonly Decided[]): Decided {
  return {
    on: all.flatMap(({ on }) => on),
    off: all.flatMap(({ off }) => off),
    pairs: all.reduce((sum, { pairs }) => sum + pairs, 0),
    against: all.reduce((sum, { against }) => sum + against, 0),
    posteriors: all.reduce((sum, { posteriors }) => sum + posteriors, 0),
    examples: all.flatMap(({ examples }) => examples).slice(0, EXAMPLES),
  };
}

function hasManyHosts(urls: SiteUrls): boolean {
  const names = new Set<string>();
  for (const row of drawRows(urls.count, 4096)) {
    names.add(hostOf(rawUrl(urls, row)));
  }
  return names.size > MOST_NAMES;
}

function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}
