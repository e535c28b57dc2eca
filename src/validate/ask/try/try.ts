// Does a hypothesis hold for all forms that it would change? If not, for which?
//
//     try/draw    which forms are asked about: a draw, then a tour of the site
//     try/judged  what has been judged so far
//     here        after failures: what separates them becomes a condition, and the narrowed rule is tried anew
//     try/result  what is written into the rules
//
// A rule that fails early but would save much is tried in a few more corners, as it may hold in one of them.
import type { Condition, Rule } from '../../../rule/rule.js';
import { requestsFor } from '../agenda.js';
import { ELSEWHERE, type Asker } from '../answer.js';
import {
  failingOnly,
  keptOf,
  NO_CONDITIONS,
  separate,
  unseenIn,
  withConditions,
  type Conditions,
} from '../conditions.js';
import { hypothesisOf, type Hypothesis } from '../hypothesis.js';
import { isOfVisit } from '../prior.js';
import { growsMost, type Change, type Reach, type SiteForms } from '../site-forms.js';
import { Draw, type TryOptions } from './draw.js';
import { isBackward, Judged, type Seen } from './judged.js';
import { triedOf, type Tried } from './result.js';

/** The most times that a rule is narrowed. */
const MAX_NARROWINGS = 5;
/** The least saving of a rule with an `only` condition: a smaller one overfits the sample. */
const LEAST_FOR_ONLY = 8;
const LEAST_SHARE_FOR_ONLY = 0.05;
const LEAST_ALLOWANCE = 20;
/** With fewer requests left, only conditions that fit the allowance are tried. */
const FEW_FOR_CONDITIONS = 1000;
/** The share of samples that may be exceptions without a condition; more if nearly all forms were judged. */
const MAX_EXCEPTIONS = 0.02;
const MAX_KNOWN_EXCEPTIONS = 0.05;
/** The largest share of forms that redirect to a third URL: these are no failures, but are left alone. */
const MAX_ELSEWHERE = 0.1;
const NEARLY_ALL = 0.9;

export async function tryHypothesis(
  hypothesis: Hypothesis,
  wide: Reach,
  forms: SiteForms,
  asker: Asker,
  options: TryOptions,
): Promise<Tried> {
  const trial = new Trial(hypothesis, wide, forms, asker, options);
  return trial.run();
}

class Trial {
  readonly #hypothesis: Hypothesis;
  readonly #wide: Reach;
  readonly #forms: SiteForms;
  readonly #options: TryOptions;
  readonly #judged: Judged;
  readonly #draw: Draw;

  constructor(hypothesis: Hypothesis, wide: Reach, forms: SiteForms, asker: Asker, options: TryOptions) {
    this.#hypothesis = growsMost(wide) ? { ...hypothesis, needsWord: true } : hypothesis;
    this.#wide = wide;
    this.#forms = forms;
    this.#options = options;
    this.#judged = new Judged(asker, this.#hypothesis.needsWord);
    this.#draw = new Draw(this.#hypothesis, this.#judged, options);
  }

  async run(): Promise<Tried> {
    const pending: Conditions[] = [NO_CONDITIONS];
    const triedConditions = new Set<string>();
    const { requests } = this.#judged.asker;
    // The result with exceptions, used unless a condition works better.
    let spare: Tried | undefined;
    let most = MAX_NARROWINGS;
    for (let narrowings = 0; pending.length > 0 && narrowings <= most; narrowings++) {
      const conditions = pending.shift()!;
      const spent = this.#judged.asker.requests - requests;
      const narrowed = this.#narrowed(conditions);
      const reach = narrowings === 0 ? this.#wide : this.#reachOf(narrowed);
      if (narrowings > 0 && spent + this.#leastFor(reach) > this.#allowance) break;
      if (narrowings > 0 && spare === undefined && spent > this.#worthwhile)
        return this.#tried('deferred', conditions, reach);
      if (narrowings > 0 && spare === undefined && spent > LEAST_ALLOWANCE && !this.#isWorthMore(reach))
        return this.#tried('deferred', conditions, reach);
      const least =
        conditions.only.length === 0 ? 0 : Math.max(LEAST_FOR_ONLY, LEAST_SHARE_FOR_ONLY * this.#wide.saving);
      if (reach.saving < Math.max(least, this.#options.minSaving)) continue;
      const isAccepted = await this.#draw.try(reach.changes, narrowings > 0);
      if (this.#judged.stop !== undefined) return this.#tried('stop', conditions, reach);
      const inReach = this.#judged.seenIn(reach.changes);
      if (isBackward(inReach)) break;
      const failed = inReach.filter(({ answer }) => answer.kind === 'negative');
      if (isAccepted === true && failed.length === 0) return this.#accepted(conditions, reach);
      if (isAccepted === undefined && failed.length === 0) return this.#tried('undecided', conditions, reach);
      if (this.#hypothesis.isJoint) break;
      if (isAccepted !== true) {
        await this.#draw.scout(reach);
        await this.#draw.probe(reach, requests + this.#allowance);
      }
      if (this.#judged.stop !== undefined) return this.#tried('stop', conditions, reach);
      const next = this.#separated(reach, conditions).filter((one) => !triedConditions.has(JSON.stringify(one)));
      for (const one of next) triedConditions.add(JSON.stringify(one));
      pending.push(...next);
      const sound = this.#withoutFailing(reach, conditions);
      if (sound !== conditions) {
        if (sound.only.length > 0) pending.unshift(sound);
        continue;
      }
      if (isAccepted === true && this.#areExceptions(failed, inReach.length, reach)) {
        const withExceptions = this.#accepted(conditions, reach, failed);
        const better = next.filter((one) => this.#reachOf(this.#narrowed(one)).saving >= NEARLY_ALL * reach.saving);
        if (better.length === 0) return withExceptions;
        spare ??= withExceptions;
        // A condition reads better than exceptions, but is not worth many requests.
        most = Math.min(most, narrowings + 1);
        pending.splice(0, pending.length, ...better);
      }
    }
    if (spare !== undefined) return spare;
    return this.#tried('refuted', NO_CONDITIONS, this.#wide);
  }

  /** After this many requests no further condition is tried, to leave some for the rest of the agenda. */
  get #allowance(): number {
    return LEAST_ALLOWANCE + this.#options.left * (0.05 + 0.2 * this.#hypothesis.prior);
  }

  /** After this many requests, the next hypothesis saves more per request than this one still can. */
  get #worthwhile(): number {
    const { nextWorth } = this.#options;
    if (nextWorth === 0) return Infinity;
    return LEAST_ALLOWANCE + (0.5 * this.#hypothesis.prior * this.#wide.saving) / nextWorth;
  }

  /** The least requests with which a narrowed rule can be accepted. With fewer left, none are spent on it. */
  #leastFor({ changes }: Reach): number {
    return this.#options.left < FEW_FOR_CONDITIONS ? 0.5 * requestsFor(this.#judged.openIn(changes)) : 0;
  }

  /**
   * True if the narrowed rule, which holds half of the time, saves more per further request than the next hypothesis.
   */
  #isWorthMore({ changes, saving }: Reach): boolean {
    return 0.5 * saving >= this.#options.nextWorth * requestsFor(this.#judged.openIn(changes));
  }

  #narrowed(conditions: Conditions): Hypothesis {
    if (conditions === NO_CONDITIONS) return this.#hypothesis;
    const { rules, origin, prior, needsWord, otherWay } = this.#hypothesis;
    return hypothesisOf(
      rules.map((rule) => withConditions(rule, joined(rule, conditions))),
      { ...(origin && { origin }), prior, needsWord, otherWay },
    );
  }

  #reachOf(hypothesis: Hypothesis): Reach {
    return this.#forms.reachOf(
      hypothesis,
      this.#wide.changes.map(({ form }) => form),
    );
  }

  /** Whether these failures may be exceptions without a condition, given the number of forms judged. */
  #areExceptions(failed: readonly Seen[], judged: number, { changes }: Reach): boolean {
    const isEachPage = this.#isEachPageKnown(changes);
    const areKnown = isEachPage || judged >= NEARLY_ALL * changes.length;
    const all = isEachPage ? changes.length : judged;
    const wrong = failed.filter(({ answer }) => answer.reason !== ELSEWHERE).length;
    return (
      wrong <= (areKnown ? MAX_KNOWN_EXCEPTIONS : MAX_EXCEPTIONS) * all &&
      failed.length - wrong <= (areKnown ? MAX_ELSEWHERE : MAX_EXCEPTIONS) * all
    );
  }

  /** For a rule that needs the site's preference: true if the forms not asked about are redirects in the log. */
  #isEachPageKnown(changes: readonly Change[]): boolean {
    if (!this.#hypothesis.needsWord || !changes.some(({ form }) => this.#judged.asker.isMoved(form.text))) return false;
    return changes.every(
      ({ form, image }) => this.#judged.asker.isMoved(form.text) || this.#judged.asker.knows(form.text, image),
    );
  }

  #separated({ changes }: Reach, { only, not }: Conditions): Conditions[] {
    const { positives, negatives } = this.#judged.sides(changes);
    if (positives.length < 2) return [];
    const reach = changes.map(({ form }) => form.text);
    // A form passes if it is in either `only` list, so a second list would undo the rule's own.
    const hasOwn = this.#hypothesis.rules.some((rule) => rule.only !== undefined);
    return separate(positives, negatives, reach)
      .filter((one) => !hasOwn || one.only.length === 0)
      .map((one) => ({ only: one.only.length > 0 ? one.only : only, not: [...not, ...one.not] }))
      .filter((one) => keptOf(reach, one) >= this.#options.minSamples)
      .slice(0, 2);
  }

  /** The conditions, unless one of the `only` conditions fails by itself. */
  #withoutFailing({ changes }: Reach, conditions: Conditions): Conditions {
    const { positives, negatives } = this.#judged.sides(changes);
    const failing = failingOnly(conditions, positives, negatives);
    if (failing.length === 0) return conditions;
    return { only: conditions.only.filter((condition) => !failing.includes(condition)), not: conditions.not };
  }

  #accepted(conditions: Conditions, reach: Reach, failed: readonly Seen[] = []): Tried {
    const exceptions = failed.map(({ change }) => change.form.text);
    const not = this.#unseenParts(reach);
    if (not.length === 0) return this.#tried('accepted', conditions, reach, exceptions);
    const seen = { only: conditions.only, not: [...conditions.not, ...not] };
    const left = this.#reachOf(this.#narrowed(seen));
    const isWorthIt = left.saving >= Math.max(1, this.#options.minSaving);
    return this.#tried(isWorthIt ? 'accepted' : 'undecided', seen, left, exceptions);
  }

  /** For an archive: conditions of the parts of the site whose images it lacks; the rule is not tried there. */
  #unseenParts({ changes }: Reach): Condition[] {
    const { rules, isJoint } = this.#hypothesis;
    const meansTheSame = rules.some(
      (rule) => rule.kind === 'step' || (rule.kind === 'parameter' && isOfVisit(rule.name)),
    );
    const unknown = this.#judged.unknownIn(changes);
    if (isJoint || meansTheSame || unknown.length === 0) return [];
    const reach = changes.map(({ form }) => form.text);
    return unseenIn(this.#judged.sides(changes).positives, unknown, reach);
  }

  #tried(decision: Tried['decision'], conditions: Conditions, reach: Reach, exceptions: readonly string[] = []): Tried {
    const outcome = { decision, hypothesis: this.#narrowed(conditions), reach, exceptions };
    return triedOf(outcome, this.#judged, this.#forms);
  }
}

/** The rule's own conditions combined with those found. */
function joined(rule: Rule, { only, not }: Conditions): Conditions {
  return { only: only.length > 0 ? only : (rule.only ?? []), not: [...(rule.not ?? []), ...not] };
}
