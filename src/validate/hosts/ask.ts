// Is a rule of a class of hosts true, and on which of its hosts? A class is asked thoroughly on some ten of its sites,
// as one site would be (ask/try). Where it holds there, two pairs of each other site are asked.
//
//     10 sites    3 refute it, and leave the class     the other 7 confirm it: 35 pairs, or all that they have
//     990 sites   two pairs each                       holds: valid    fails: invalid    no answer: likely as before
//
// A class that most of the first sites refute is not asked any further.
import { addTo } from '../../base/group-by.js';
import { hashText } from '../../base/hash.js';
import { nextTurn } from '../../base/turns.js';
import { withoutConditions } from '../../rule/condition.js';
import { sayingKey } from '../../rule/identity.js';
import type { Rule, Undecided, Verdict } from '../../rule/rule.js';
import { isGrowth } from '../../rule/standing.js';
import type { Answer } from '../ask/answer.js';
import { asAsked, hypothesisOf } from '../ask/hypothesis.js';
import { minedPrior } from '../ask/prior.js';
import { SiteForms } from '../ask/site-forms.js';
import type { Tried } from '../ask/try/result.js';
import { tryHypothesis } from '../ask/try/try.js';
import { Judge } from '../judge.js';
import type { PageSource } from '../source.js';
import type { ValidateOptions } from '../trial.js';
import { ClassAsker, SiteAsker } from './asker.js';
import type { HostPair, PlannedClass, SitePairs } from './plan.js';

/** A class is asked thoroughly on so many sites, and on more while these have fewer pairs. */
const FEWEST_SITES = 10;
const MOST_SITES = 30;
const ENOUGH_PAIRS = 40;
/** So many sites have to refute a class before it counts that most do. */
const FEWEST_FAILING = 4;
/** Pairs that are tried on each other live site, and how many have to hold, if it has so many. Archives cost nothing. */
const PAIRS_TRIED = 3;
const PAIRS_ENOUGH = 2;
/** How many sites are asked at the same time. Each has its own rate. */
const SITES_AT_ONCE = 8;

export interface HostsAskOptions extends ValidateOptions {
  readonly source: PageSource;
  readonly siteOf: (url: string) => string;
  readonly signal: AbortSignal;
  readonly seed: number;
  /** Requests for all classes. */
  readonly maxRequests: number;
  /** Statements that were proved on an earlier night: no class is asked thoroughly again for them (`statementOf`). */
  readonly proved: ReadonlySet<string>;
}

/** What a class rule was found to be. */
export interface ClassAnswer {
  readonly rule: Rule;
  /** `open`: too few answers, or no requests left. */
  readonly decision: 'holds' | 'fails' | 'open';
  readonly undecided: Undecided | undefined;
  readonly holding: readonly SiteAnswer[];
  readonly failing: readonly SiteAnswer[];
  readonly unjudged: Readonly<Record<string, number>>;
}

/** The pairs of a site that were judged. */
export interface SiteAnswer {
  readonly hosts: readonly string[];
  readonly positives: readonly HostPair[];
  readonly negatives: readonly (HostPair & { readonly reason: string })[];
}

/** The same for rules that say the same of one software on different hosts. */
export function statementOf(rule: Rule): string {
  return `${sayingKey(withoutConditions(rule))} ${rule.hosts?.software ?? ''}`;
}

export async function askClasses(
  planned: readonly PlannedClass[],
  options: HostsAskOptions,
  onClass: (answer: ClassAnswer) => void = () => {},
): Promise<ClassAnswer[]> {
  return new AskingClasses(planned, options).run(onClass);
}

/** A class while it is asked. */
interface Asked {
  readonly plan: PlannedClass;
  decision: ClassAnswer['decision'];
  undecided: Undecided | undefined;
  readonly answers: Map<SitePairs, { positives: HostPair[]; negatives: (HostPair & { reason: string })[] }>;
  readonly unjudged: Record<string, number>;
}

class AskingClasses {
  readonly #options: HostsAskOptions;
  readonly #classes: readonly Asked[];
  readonly #before: number;
  readonly #askers = new Map<string, SiteAsker>();

  constructor(planned: readonly PlannedClass[], options: HostsAskOptions) {
    this.#options = options;
    this.#before = options.source.requests;
    this.#classes = planned.map((plan) => ({
      plan,
      decision: 'open',
      undecided: undefined,
      answers: new Map(),
      unjudged: {},
    }));
  }

  async run(onClass: (answer: ClassAnswer) => void): Promise<ClassAnswer[]> {
    for (const one of this.#classes) {
      if (this.#options.proved.has(statementOf(one.plan.rule))) one.decision = 'holds';
      else await this.#askThoroughly(one);
    }
    await this.#askOthers(this.#classes.filter(({ decision }) => decision === 'holds'));
    const answers = this.#classes.map(answerOf);
    for (const answer of answers) onClass(answer);
    return answers;
  }

  get #left(): number {
    return this.#options.maxRequests - (this.#options.source.requests - this.#before);
  }

  async #askThoroughly(one: Asked): Promise<void> {
    let sites = firstSites(one.plan.sites);
    for (;;) {
      const tried = await this.#try(one.plan.rule, sites);
      if (tried === undefined) return;
      const failing = sites.filter(({ pairs }) => pairs.some(({ url }) => tried.negatives.includes(url)));
      const heard = sites.filter(({ pairs }) => pairs.some(({ url }) => tried.positives.includes(url))).length;
      for (const site of failing) await this.#askSite(one, site);
      sites = sites.filter((site) => !failing.includes(site));
      const failed = [...one.answers.values()].filter(({ negatives }) => negatives.length > 0).length;
      if (failed >= FEWEST_FAILING && failed > heard) one.decision = 'fails';
      else if (failing.length > 0 && sites.length > 0) continue;
      else if (tried.decision === 'accepted') one.decision = 'holds';
      else this.#leaveOpen(one, tried);
      return;
    }
  }

  #leaveOpen(one: Asked, { rules: [rule] }: Tried): void {
    one.undecided = rule?.verdict?.undecided ?? 'few-samples';
    add(one.unjudged, rule?.verdict?.unjudged ?? {});
  }

  /** Undefined without a pair. */
  async #try(rule: Rule, sites: readonly SitePairs[]): Promise<Tried | undefined> {
    const { seed, signal, siteOf, source } = this.#options;
    const pairs = sites.flatMap((one) => one.pairs);
    if (pairs.length === 0) return undefined;
    const forms = new SiteForms(
      pairs.map(({ url }) => url),
      () => (url) => url,
      { pathOnly: false, seed },
    );
    const judge = new Judge({ source, siteOf, base: '', signal });
    const asker = new ClassAsker(
      judge,
      sites.map((one) => [this.#askerOf(one.site), one.pairs] as const),
    );
    asker.limit = source.requests + this.#left;
    const prior = minedPrior(rule);
    const hypothesis = hypothesisOf([withoutConditions(asAsked(rule))], {
      origin: rule,
      prior,
      needsWord: isGrowth(rule),
      isJoint: true,
    });
    const changes = pairs.map(({ url, image }) => ({ form: forms.looseForm(url), image }));
    const trying = { ...this.#options, minSaving: 0, left: this.#left, choosing: new Set<string>(), nextWorth: 0 };
    return tryHypothesis(hypothesis, { changes, saving: changes.length }, forms, asker, trying);
  }

  /** All other sites, each with all rules of it, so that rules share pages. */
  async #askOthers(classes: readonly Asked[]): Promise<void> {
    const bySite = new Map<string, (readonly [Asked, SitePairs])[]>();
    for (const one of classes) {
      for (const site of one.plan.sites) {
        if (one.answers.has(site)) continue;
        addTo(bySite, site.site, [one, site]);
      }
    }
    const waiting = bySite.entries();
    const work = async () => {
      for (const [name, all] of waiting) {
        // Sketches answer at once: no signal would be heard.
        await nextTurn();
        for (const [one, site] of all) {
          if (this.#options.signal.aborted) return;
          await this.#askSite(one, site);
        }
        this.#askers.delete(name);
      }
    };
    await Promise.all(Array.from({ length: SITES_AT_ONCE }, work));
  }

  async #askSite(one: Asked, site: SitePairs): Promise<void> {
    const answer: { positives: HostPair[]; negatives: (HostPair & { reason: string })[] } = {
      positives: [],
      negatives: [],
    };
    const asker = this.#askerOf(site.site);
    const isLive = this.#options.source.name === 'live';
    for (const pair of isLive ? site.pairs.slice(0, PAIRS_TRIED) : site.pairs) {
      const said: Answer =
        this.#left <= 0 ? { kind: 'stop', reason: 'budget' } : await asker.askPair(pair, isGrowth(one.plan.rule));
      if (said.kind === 'stop') {
        one.undecided = said.reason;
        break;
      }
      if (said.kind === 'unjudged') add(one.unjudged, { [said.reason]: 1 });
      else if (said.kind === 'positive') answer.positives.push(pair);
      else answer.negatives.push({ ...pair, reason: said.reason });
      if (answer.negatives.length > 0 || (isLive && answer.positives.length >= PAIRS_ENOUGH)) break;
    }
    if (answer.positives.length + answer.negatives.length > 0) one.answers.set(site, answer);
  }

  #askerOf(site: string): SiteAsker {
    let asker = this.#askers.get(site);
    if (asker === undefined) {
      const { source, siteOf, signal } = this.#options;
      this.#askers.set(site, (asker = new SiteAsker(new Judge({ source, siteOf, base: '', signal }), '')));
    }
    return asker;
  }
}

/** A draw of sites: the order depends on their names alone. */
function firstSites(sites: readonly SitePairs[]): SitePairs[] {
  const drawn = sites.toSorted((a, b) => hashText(a.site) - hashText(b.site)).slice(0, MOST_SITES);
  let pairs = 0;
  return drawn.filter((site, at) => {
    const isWanted = at < FEWEST_SITES || pairs < ENOUGH_PAIRS;
    pairs += site.pairs.length;
    return isWanted;
  });
}

function answerOf({ plan: { rule }, decision, undecided, answers, unjudged }: Asked): ClassAnswer {
  const all = [...answers].map(([{ hosts }, said]): SiteAnswer => ({ hosts, ...said }));
  const failing = all.filter(({ negatives }) => negatives.length > 0);
  const holding = all.filter(({ negatives }) => negatives.length === 0);
  return { rule, decision, undecided, holding, failing, unjudged };
}

/** The verdict on the sites of these answers. */
export function verdictOf(
  answers: readonly SiteAnswer[],
  {
    source,
    unjudged,
    undecided,
  }: Pick<Verdict, 'source' | 'unjudged'> & { readonly undecided?: Undecided | undefined },
): Verdict {
  const positives = answers.flatMap((one) => one.positives);
  const negatives = answers.flatMap((one) => one.negatives);
  return {
    source,
    positive: positives.length,
    negative: negatives.length,
    unjudged,
    ...(undecided !== undefined && { undecided }),
    positives: positives.slice(0, 3).map(({ url, image }) => [url, image]),
    negatives: negatives.slice(0, 3).map(({ url, image, reason }) => [url, image, reason]),
  };
}

function add(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
}
