// Which forms of a hypothesis are asked about next?
//
//     draw    a uniform draw of the forms that it changes: Wald's sequential test of the failure rate
//     tour    one form of each corner of the site that the draw has missed: finds exceptions
//     scout   after a failure: a few more corners
//     probe   then a few forms of each condition under which it may hold
import { addTo } from '../../../base/group-by.js';
import type { Condition } from '../../../rule/rule.js';
import { decide, type ValidateOptions } from '../../trial.js';
import { stopsOf } from '../agenda.js';
import { ELSEWHERE } from '../answer.js';
import { namedFields } from '../bound.js';
import { holds, promising } from '../conditions.js';
import type { Hypothesis } from '../hypothesis.js';
import { changesOf, inDrawOrder, type Change, type Reach } from '../site-forms.js';
import { tourOf } from '../strata.js';
import { isBackward, MIN_WORDS, type Judged } from './judged.js';

/** How many answers of earlier nights are searched for what refutes a rule. */
const MOST_KNOWN = 60;
/** Known answers refute a rule if a larger share of them are failures. */
const MOST_FAILED = 0.1;
/** How many conditions are probed after a rule failed, and how many forms of each. */
const MAX_PROBES = 10;
const SAVING_PER_PROBE = 20;
const ASKED_PER_PROBE = 3;
/** The draw ends after so many samples without a verdict. */
const MAX_IDLE = 12;
/** Limit on the draw, as a multiple of N. */
const DRAWS_PER_SAMPLE = 3;
/**
 * How many more forms a rule that inserts text is tried on: one folder that answers both ways is no reason to lengthen
 * its URLs.
 */
const MOST_FOR_WORD = 100;
/** For rules about fields of any name: how many names are tried once each. */
const MOST_NAMES = 12;
/** A tour visits one corner for each so many requests left. */
const REQUESTS_PER_STOP = 40;
/** With fewer requests left, likely rules are accepted on less evidence too. Nearly certain rules always are. */
const FEW_REQUESTS = 600;
const LIKELY_PRIOR = 0.8;
const SURE_PRIOR = 0.95;

export interface TryOptions extends ValidateOptions {
  readonly minSaving: number;
  /** Requests left. */
  readonly left: number;
  /** Parameters that choose among kinds of pages. */
  readonly choosing: ReadonlySet<string>;
  /** Forms that the next best hypothesis saves per request; 0 if this one must not be deferred. */
  readonly nextWorth: number;
  /** On a night: whether a URL was requested on an earlier night. */
  readonly isKept?: ((url: string) => boolean) | undefined;
}

export class Draw {
  readonly #hypothesis: Hypothesis;
  readonly #judged: Judged;
  readonly #options: TryOptions;

  constructor(hypothesis: Hypothesis, judged: Judged, options: TryOptions) {
    this.#hypothesis = hypothesis;
    this.#judged = judged;
    this.#options = options;
  }

  /** The draw, then the tour. True accepts, false refutes; undefined if too few could be judged. */
  async try(changes: readonly Change[], isFresh: boolean): Promise<boolean | undefined> {
    const { minSamples, N } = this.#options;
    const drawn = inDrawOrder(changes);
    const old = isFresh ? drawn.filter(({ form }) => this.#judged.has(form.text)) : [];
    const draw = isFresh ? [...drawn.filter(({ form }) => !this.#judged.has(form.text)), ...old] : drawn;
    const refuting = await this.#refutingOf(draw);
    if (this.#judged.stop !== undefined) return undefined;
    const order = [...new Set([...refuting, ...draw])];
    const tally = { positive: 0, negative: 0, foreign: 0 };
    const population = drawn.length === old.length ? drawn.length : drawn.length - old.length;
    let idle = 0;
    for (const change of order.slice(0, DRAWS_PER_SAMPLE * N)) {
      const requests = this.#judged.asker.requests;
      const seen = await this.#judged.ask(change);
      if (this.#judged.stop !== undefined) return undefined;
      if (seen === undefined) {
        // Samples that were refused without a request cost nothing.
        if (this.#judged.asker.requests > requests) idle++;
        if (idle >= MAX_IDLE && idle > 2 * (tally.positive + tally.negative)) break;
        continue;
      }
      if (seen.answer.reason === ELSEWHERE) continue;
      tally[seen.answer.kind]++;
      if (this.#hypothesis.isJoint && seen.answer.kind === 'negative') return false;
      if (tally.positive + tally.negative === MIN_WORDS + 2 && isBackward(this.#judged.seenIn(changes))) return false;
      // Pages that differ are examined below; here only their rate counts.
      const evidence = this.#isKnown ? 'known' : 'plenty';
      const decision = decide(tally, { ...this.#options, N: 10 * N }, evidence, population);
      if (decision === false) return false;
      if (decision !== true) continue;
      const soft = this.#judged.dropSoft();
      tally.positive -= soft;
      if (soft === 0) return (await this.#tour(changes)) && this.#judged.isTypical() ? true : undefined;
    }
    tally.positive -= this.#judged.dropSoft();
    const judged = tally.positive + tally.negative;
    if (judged < minSamples || judged < Math.min(order.length, 2 * minSamples))
      return tally.negative > 0 ? false : undefined;
    if (tally.negative > 0.1 * judged) return false;
    return this.#judged.isTypical() ? true : undefined;
  }

  /**
   * Changes whose pages are known from earlier nights, if they refute the rule. As the list grows the draw changes, and
   * a refuted rule would otherwise be asked about every night. Only refutations are reused; confirmations are always
   * drawn.
   */
  async #refutingOf(draw: readonly Change[]): Promise<readonly Change[]> {
    const { isKept } = this.#options;
    if (isKept === undefined) return [];
    const known = draw.filter(({ form, image }) => isKept(form.text) && isKept(image)).slice(0, MOST_KNOWN);
    let failed = 0;
    for (const [at, change] of known.entries()) {
      const seen = await this.#judged.ask(change);
      if (this.#judged.stop !== undefined) return [];
      if (seen?.answer.kind === 'negative' && seen.answer.reason !== ELSEWHERE) failed++;
      if (failed > 1 && failed > MOST_FAILED * at) return known.slice(0, at + 1);
    }
    return [];
  }

  /** One form of each corner; nearly every form if the site's word is needed. False if the run ended. */
  async #tour(changes: readonly Change[]): Promise<boolean> {
    const { left, choosing } = this.#options;
    const known = this.#judged.seenIn(changes).map(({ change }) => change);
    const stops = Math.min(stopsOf(changes.length), Math.ceil(left / REQUESTS_PER_STOP));
    const tour = tourOf(changes, known, choosing).slice(0, Math.min(stops, this.#judged.asker.pairsLeft));
    const most = this.#hypothesis.needsWord ? Math.min(MOST_FOR_WORD, Math.ceil(left / 25)) : 0;
    const each = this.#hypothesis.rules.length > 1 ? this.#ofEachRule(changes) : this.#ofEachName(changes);
    for (const change of [...tour, ...each, ...this.#pagesFirst(this.#judged.unseenOf(changes, tour)).slice(0, most)]) {
      const seen = await this.#judged.ask(change);
      if (this.#judged.stop !== undefined) return false;
      if (this.#hypothesis.isJoint && seen?.answer.kind === 'negative') break;
    }
    this.#judged.dropSoft();
    return true;
  }

  /** Forms that the log has as pages come first: they do not redirect, or did not, so there the site may disagree. */
  #pagesFirst(changes: readonly Change[]): Change[] {
    const isMoved = ({ form }: Change) => this.#judged.asker.isMoved(form.text);
    return changes.toSorted((a, b) => Number(isMoved(a)) - Number(isMoved(b)));
  }

  /** A few changes by each rule, so that none is accepted because of the others. */
  #ofEachRule(changes: readonly Change[]): Change[] {
    const drawn = inDrawOrder(changes);
    const { rules } = this.#hypothesis;
    const { left, minSamples } = this.#options;
    const each = left < FEW_REQUESTS ? minSamples : 2 * minSamples;
    return rules.flatMap((rule) => changesOf(rule, drawn).slice(0, each));
  }

  /** For a rule about fields of any name: one change of each name not judged yet, the commonest first. */
  #ofEachName(changes: readonly Change[]): Change[] {
    const [rule] = this.#hypothesis.rules;
    const fieldsOf = ({ form }: Change) => namedFields(rule!, form.text).map(({ is }) => is);
    const judged = new Set(this.#judged.seenIn(changes).flatMap(({ change }) => fieldsOf(change)));
    const byField = new Map<Condition['is'], Change[]>();
    for (const change of inDrawOrder(changes)) {
      for (const field of fieldsOf(change)) addTo(byField, field, change);
    }
    return [...byField]
      .filter(([field]) => !judged.has(field))
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, MOST_NAMES)
      .map(([, [change]]) => change!);
  }

  /** After a failure: a few more corners, and more if some were right. */
  async scout({ changes, saving }: Reach): Promise<void> {
    const known = this.#judged.seenIn(changes).map(({ change }) => change);
    const tour = tourOf(changes, known, this.#options.choosing);
    const drawn = this.#judged.unseenOf(changes, tour);
    const few = Math.min(8, Math.floor(saving / 8), Math.ceil(this.#options.left / 50));
    for (const [at, change] of [...tour, ...drawn].entries()) {
      const positives = this.#judged.seenIn(changes).filter(({ answer }) => answer.kind === 'positive').length;
      if (at >= (positives > 0 ? 2 * few : Math.min(few, tour.length))) return;
      await this.#judged.ask(change);
      if (this.#judged.stop !== undefined) return;
    }
  }

  /**
   * A rule that is right sometimes may be right always under some condition: tries a few more forms of the most
   * promising conditions.
   */
  async probe({ changes, saving }: Reach, limit: number): Promise<void> {
    const reach = changes.map(({ form }) => form.text);
    const most = Math.min(MAX_PROBES, Math.floor(saving / SAVING_PER_PROBE));
    for (
      let probes = 0;
      probes < most && this.#judged.stop === undefined && this.#judged.asker.requests < limit;
      probes++
    ) {
      const { positives, negatives } = this.#judged.sides(changes);
      const condition = promising(positives, negatives, reach);
      if (condition === undefined) return;
      const open = this.#judged
        .unseenOf(changes, [])
        .filter(({ form }) => holds(form.text, { only: [condition], not: [] }));
      if (open.length === 0) return;
      for (const change of open.slice(0, ASKED_PER_PROBE)) {
        const seen = await this.#judged.ask(change);
        if (this.#judged.stop !== undefined || seen?.answer.kind === 'negative') break;
      }
    }
  }

  /** A nearly certain hypothesis needs less evidence, and so does a likely one when few requests are left. */
  get #isKnown(): boolean {
    const { prior } = this.#hypothesis;
    return prior >= SURE_PRIOR || (this.#options.left < FEW_REQUESTS && prior >= LIKELY_PRIOR);
  }
}
