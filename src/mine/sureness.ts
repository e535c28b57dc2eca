// How sure the log is of each rule of a site (SPEC 5). A sample of instances (mine/evidence) is compared with how pages
// of the site differ when they are requested again (mine/confidence). A special case inherits from its general rule,
// which has more instances:
//
//   //www.x/ → //x/             .99
//   //www.x/shop/ → //x/shop/   .93 of its own, so .99
//
// If the general rule is more probably wrong than right, no special case of it is sure.
import { refinesPair } from '../rule/refine.js';
import type { ParameterRule } from '../rule/rule.js';
import { CONFIDENT } from '../rule/standing.js';
import { selfNearness } from '../table/nearness.js';
import { SiteWords } from '../table/site-word.js';
import type { SiteUrls } from '../table/site-urls.js';
import { knownKindOf } from '../url/names.js';
import { confidenceOf, MOST_UNSURE, sampledPairs } from './confidence.js';
import { differencesOf, isProvable, priorOf, type DifferenceKind } from './difference.js';
import { gatherRemovals, type Evidence } from './evidence.js';
import { likelinessIn } from './rank.js';
import { isConfirmed, namesImages, wordOf } from './said.js';
import type { Directed } from './toward-names.js';

const WRONG = 0.5;
/** With fewer pairs, a general rule says nothing about its special cases. */
const ENOUGH_PAIRS = 5;

export class Sureness {
  readonly #urls: SiteUrls;
  readonly #self: Uint32Array;

  constructor(urls: SiteUrls) {
    this.#urls = urls;
    this.#self = selfNearness(urls);
  }

  /**
   * The confidence of each pair, in their order, most instances first. Pairs without evidence get their `likeliness`.
   */
  ofPairs(directed: readonly Directed[], likeliness: readonly number[]): number[] {
    const sure: number[] = [];
    for (const [at, { pair, evidence }] of directed.entries()) {
      const own = this.#own(evidence, pair.high + pair.against, likeliness[at]!);
      sure.push(inherited(at, own, directed, sure));
    }
    return sure;
  }

  /** The same rules with their confidence and the score that they are ranked by. */
  ofParameters<R extends Omit<ParameterRule, 'rank'>>(rules: readonly R[]): R[] {
    const words = new SiteWords(this.#urls);
    const asked = rules.filter((rule) => mayBeSure(rule) || (rule.action === 'remove' && words.hasNames));
    const evidence = gatherRemovals(this.#urls, asked);
    const known = new Map(asked.map((rule, at) => [rule, evidence[at]!]));
    return rules.map((rule) => {
      const likeliness = likelinessIn(rule);
      const found = known.get(rule);
      const own = found === undefined ? unsureOf(rule, likeliness) : this.#ofRemoval(rule, found, likeliness);
      const isNamed = found !== undefined && namesImages(found.said);
      return scored(isNamed ? { ...rule, word: wordOf(found.said) } : rule, likeliness, own);
    });
  }

  /** The confidence of a rule with so many instances, by a sample of these. */
  ofEvidence(evidence: Evidence, instances: number): number {
    return this.#own(evidence, instances, MOST_UNSURE);
  }

  /** Never sure for values without groups, or if many pages would be merged. */
  #ofRemoval(rule: Omit<ParameterRule, 'rank'>, evidence: Evidence, likeliness: number): number {
    const own = this.#own(evidence, instancesOf(rule, evidence), likeliness);
    if (isConfirmed(evidence.said)) return own;
    if (!mayBeSure(rule)) return unsureOf(rule, likeliness);
    return knownKindOf(rule.name) === undefined && likeliness <= MOST_UNSURE ? Math.min(MOST_UNSURE, own) : own;
  }

  #own(evidence: Evidence, instances: number, likeliness: number): number {
    if (sampledPairs(evidence) === 0) return Math.min(MOST_UNSURE, likeliness);
    return confidenceOf({ ...evidence, self: this.#self, instances, list: this.#urls.count });
  }
}

/** The rule with confidence and likeliness; the latter only if it differs. */
export function scored<R extends { readonly confidence: number }>(
  rule: R,
  likeliness: number,
  confidence: number,
): R & { readonly likeliness?: number } {
  return { ...rule, confidence, ...(likeliness !== confidence && { likeliness }) };
}

/** True for known trackers, and for removals that all groups support. Setting a value is never sure without pages. */
function mayBeSure(rule: Omit<ParameterRule, 'rank'>): boolean {
  if (rule.action !== 'remove') return false;
  return knownKindOf(rule.name) !== undefined || (likelinessIn(rule) > MOST_UNSURE && isProvable(kindsOf(rule)));
}

function unsureOf(rule: Omit<ParameterRule, 'rank'>, likeliness: number): number {
  return Math.min(MOST_UNSURE, likeliness, rule.action === 'set' ? 1 : priorOf(kindsOf(rule)));
}

function kindsOf({ examples }: Omit<ParameterRule, 'rank'>): ReadonlySet<DifferenceKind> {
  return new Set(examples.flatMap(([url, image]) => [...differencesOf(url, image)]));
}

function instancesOf({ support }: Omit<ParameterRule, 'rank'>, { changed, listed }: Evidence): number {
  return (support.urls * listed) / Math.max(1, changed);
}

/** The confidence of a pair, once all pairs with more instances have theirs. */
function inherited(at: number, own: number, directed: readonly Directed[], sure: readonly number[]): number {
  let [most, isOfWrong] = [own, false];
  for (let broad = 0; broad < at; broad++) {
    const isSure = sure[broad]! >= CONFIDENT;
    const isWrong = sure[broad]! < WRONG && sampledPairs(directed[broad]!.evidence) >= ENOUGH_PAIRS;
    if ((!isSure && !isWrong) || !refinesPair(directed[at]!.pair, directed[broad]!.pair)) continue;
    if (isSure) most = Math.max(most, sure[broad]!);
    else isOfWrong = true;
  }
  return most > own ? most : isOfWrong ? Math.min(own, MOST_UNSURE) : own;
}
