// Does a hypothesis hold for all forms that it would change? If not, for which?
//
//     draw    a uniform draw of the forms that it changes: Wald's sequential test of the failure rate
//     tour    one form of each corner of the site that the draw has missed: finds exceptions
//     narrow  after failures: what separates them becomes a condition, and the narrowed rule is tried on a fresh draw
//
// A rule that fails early but would save much is tried in a few more corners, as it may hold in one of them.
import { compileRule, imageOf } from '../../rule/apply.js';
import { isRedirect } from '../../rule/redirecting.js';
import type { Condition, Rule, Verdict } from '../../rule/rule.js';
import { isGrown, isInsertion } from '../../rule/standing.js';
import { decide, type ValidateOptions } from '../trial.js';
import { ELSEWHERE, IMAGE_UNKNOWN, type Answer, type Asker, type SiteWord } from './answer.js';
import {
  failingOnly,
  holds,
  keptOf,
  NO_CONDITIONS,
  promising,
  separate,
  unseenIn,
  withConditions,
  type Conditions,
} from './conditions.js';
import { namedFields } from './bound.js';
import { figuresOf } from './figures.js';
import { isOfVisit } from './prior.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import { requestsFor, stopsOf } from './agenda.js';
import { inDrawOrder, type Change, type Reach, type SiteForms } from './site-forms.js';
import { tourOf } from './strata.js';

export interface Tried {
  /** `deferred`: it may hold somewhere, but other hypotheses save more for the same requests. */
  readonly decision: 'accepted' | 'refuted' | 'undecided' | 'deferred' | 'stop';
  /** The rules for the file, with conditions, verdict, and what the site itself prefers. */
  readonly rules: readonly Rule[];
  readonly saving: number;
  /** Forms that were judged, with what was found. */
  readonly positives: readonly string[];
  readonly negatives: readonly string[];
  /** Judged forms outside the conditions: how many confirm the rule, and how many refute it. */
  readonly leftOut: { readonly positive: number; readonly negative: number };
  /** True if the rule inserts text, so that the site itself had to prefer the images. */
  readonly needsWord: boolean;
  /** True if the site itself uses the forms, not their images. */
  readonly isBackward: boolean;
  /** True if the images do not exist: the other direction may still hold. */
  readonly isMissing: boolean;
}

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

/** How many answers of earlier nights are searched for what refutes a rule. */
const MOST_KNOWN = 60;
/** Known answers refute a rule if a larger share of them are failures. */
const MOST_FAILED = 0.1;

/** The most times that a rule is narrowed. */
const MAX_NARROWINGS = 5;
/** The least saving of a rule with an `only` condition: a smaller one overfits the sample. */
const LEAST_FOR_ONLY = 8;
const LEAST_SHARE_FOR_ONLY = 0.05;
/** How many conditions are probed after a rule failed, and how many forms of each. */
const MAX_PROBES = 10;
const SAVING_PER_PROBE = 20;
const ASKED_PER_PROBE = 3;
const LEAST_ALLOWANCE = 20;
/** The draw ends after so many samples without a verdict. */
const MAX_IDLE = 12;
/** Limit on the draw, as a multiple of N. */
const DRAWS_PER_SAMPLE = 3;
/**
 * For an archive: if it lacks more than this many images for each judged one, the judged ones are exceptions. If a site
 * redirects `/a` to `/a/`, except for feeds, an archive has pages in both forms only of feeds.
 */
const MOST_UNKNOWN = 10;
/** The site's preference counts if at least so many samples show it, and this share of them. */
const MIN_WORDS = 3;
/**
 * How many more forms a rule that inserts text is tried on: one folder that answers both ways is no reason to lengthen
 * its URLs.
 */
const MOST_FOR_WORD = 100;
/** For rules about fields of any name: how many names are tried once each. */
const MOST_NAMES = 12;
const WORD_SHARE = 0.8;
/** A tour visits one corner for each so many requests left. */
const REQUESTS_PER_STOP = 40;
/** With fewer requests left, only conditions that fit the allowance are tried. */
const FEW_FOR_CONDITIONS = 1000;
/** With fewer requests left, likely rules are accepted on less evidence too. Nearly certain rules always are. */
const FEW_REQUESTS = 600;
const LIKELY_PRIOR = 0.8;
const SURE_PRIOR = 0.95;
/** The share of samples that may be exceptions without a condition; more if nearly all forms were judged. */
const MAX_EXCEPTIONS = 0.02;
const MAX_KNOWN_EXCEPTIONS = 0.05;
/** The largest share of forms that redirect to a third URL: these are no failures, but are left alone. */
const MAX_ELSEWHERE = 0.1;
const NEARLY_ALL = 0.9;

interface Seen {
  readonly change: Change;
  readonly answer: Extract<Answer, { kind: 'positive' | 'negative' }>;
}

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
  readonly #asker: Asker;
  readonly #options: TryOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #unjudged: Record<string, number> = {};
  /** Forms whose pages turned out to be soft errors. */
  readonly #soft = new Set<string>();
  /** Forms whose images the archive lacks. */
  readonly #unknown = new Set<string>();
  #stop: 'budget' | 'interrupted' | undefined;

  constructor(hypothesis: Hypothesis, wide: Reach, forms: SiteForms, asker: Asker, options: TryOptions) {
    this.#hypothesis = growsMost(wide) ? { ...hypothesis, needsWord: true } : hypothesis;
    this.#wide = wide;
    this.#forms = forms;
    this.#asker = asker;
    this.#options = options;
  }

  async run(): Promise<Tried> {
    const pending: Conditions[] = [NO_CONDITIONS];
    const triedConditions = new Set<string>();
    const { requests } = this.#asker;
    // The result with exceptions, used unless a condition works better.
    let spare: Tried | undefined;
    let most = MAX_NARROWINGS;
    for (let narrowings = 0; pending.length > 0 && narrowings <= most; narrowings++) {
      const conditions = pending.shift()!;
      const spent = this.#asker.requests - requests;
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
      const isAccepted = await this.#try(reach.changes, narrowings > 0);
      if (this.#stop !== undefined) return this.#tried('stop', conditions, reach);
      const inReach = this.#seenIn(reach.changes);
      if (this.#isBackward(inReach)) break;
      const failed = inReach.filter(({ answer }) => answer.kind === 'negative');
      if (isAccepted === true && failed.length === 0) return this.#accepted(conditions, reach);
      if (isAccepted === undefined && failed.length === 0) return this.#tried('undecided', conditions, reach);
      if (this.#hypothesis.isJoint) break;
      if (isAccepted !== true) {
        await this.#scout(reach);
        await this.#probe(reach, requests + this.#allowance);
      }
      if (this.#stop !== undefined) return this.#tried('stop', conditions, reach);
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
    return this.#options.left < FEW_FOR_CONDITIONS ? 0.5 * requestsFor(this.#openIn(changes)) : 0;
  }

  #openIn(changes: readonly Change[]): number {
    return changes.filter(({ form }) => !this.#seen.has(form.text)).length;
  }

  /**
   * True if the narrowed rule, which holds half of the time, saves more per further request than the next hypothesis.
   */
  #isWorthMore({ changes, saving }: Reach): boolean {
    return 0.5 * saving >= this.#options.nextWorth * requestsFor(this.#openIn(changes));
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

  #seenIn(changes: readonly Change[]): Seen[] {
    return changes.flatMap(({ form }) => this.#seen.get(form.text) ?? []);
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
    if (!this.#hypothesis.needsWord || !changes.some(({ form }) => this.#asker.isMoved(form.text))) return false;
    return changes.every(({ form, image }) => this.#asker.isMoved(form.text) || this.#asker.knows(form.text, image));
  }

  /** The draw, then the tour. True accepts, false refutes; undefined if too few could be judged. */
  async #try(changes: readonly Change[], isFresh: boolean): Promise<boolean | undefined> {
    const { minSamples, N } = this.#options;
    const drawn = inDrawOrder(changes);
    const old = isFresh ? drawn.filter(({ form }) => this.#seen.has(form.text)) : [];
    const draw = isFresh ? [...drawn.filter(({ form }) => !this.#seen.has(form.text)), ...old] : drawn;
    const refuting = await this.#refutingOf(draw);
    if (this.#stop !== undefined) return undefined;
    const order = [...new Set([...refuting, ...draw])];
    const tally = { positive: 0, negative: 0, foreign: 0 };
    const population = drawn.length === old.length ? drawn.length : drawn.length - old.length;
    let idle = 0;
    for (const change of order.slice(0, DRAWS_PER_SAMPLE * N)) {
      const requests = this.#asker.requests;
      const seen = await this.#ask(change);
      if (this.#stop !== undefined) return undefined;
      if (seen === undefined) {
        // Samples that were refused without a request cost nothing.
        if (this.#asker.requests > requests) idle++;
        if (idle >= MAX_IDLE && idle > 2 * (tally.positive + tally.negative)) break;
        continue;
      }
      if (seen.answer.reason === ELSEWHERE) continue;
      tally[seen.answer.kind]++;
      if (this.#hypothesis.isJoint && seen.answer.kind === 'negative') return false;
      if (tally.positive + tally.negative === MIN_WORDS + 2 && this.#isBackward(this.#seenIn(changes))) return false;
      // Pages that differ are examined below; here only their rate counts.
      const evidence = this.#isKnown ? 'known' : 'plenty';
      const decision = decide(tally, { ...this.#options, N: 10 * N }, evidence, population);
      if (decision === false) return false;
      if (decision !== true) continue;
      const soft = this.#dropSoft();
      tally.positive -= soft;
      if (soft === 0) return (await this.#tour(changes)) && this.#isTypical() ? true : undefined;
    }
    tally.positive -= this.#dropSoft();
    const judged = tally.positive + tally.negative;
    if (judged < minSamples || judged < Math.min(order.length, 2 * minSamples))
      return tally.negative > 0 ? false : undefined;
    if (tally.negative > 0.1 * judged) return false;
    return this.#isTypical() ? true : undefined;
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
      const seen = await this.#ask(change);
      if (this.#stop !== undefined) return [];
      if (seen?.answer.kind === 'negative' && seen.answer.reason !== ELSEWHERE) failed++;
      if (failed > 1 && failed > MOST_FAILED * at) return known.slice(0, at + 1);
    }
    return [];
  }

  /** True if the judged images are typical of those that an archive lacks. */
  #isTypical(): boolean {
    return (this.#unjudged[IMAGE_UNKNOWN] ?? 0) <= MOST_UNKNOWN * this.#seen.size;
  }

  /** Withdraws positives whose page has proved to be a soft error since; returns their number. */
  #dropSoft(): number {
    let dropped = 0;
    for (const [form, { answer }] of this.#seen) {
      if (answer.kind !== 'positive' || answer.document === undefined || !this.#asker.judge.isSoft(answer.document))
        continue;
      this.#seen.delete(form);
      this.#soft.add(form);
      this.#unjudged['soft-error'] = (this.#unjudged['soft-error'] ?? 0) + 1;
      dropped++;
    }
    return dropped;
  }

  /** One form of each corner; nearly every form if the site's word is needed. False if the run ended. */
  async #tour(changes: readonly Change[]): Promise<boolean> {
    const { left, choosing } = this.#options;
    const known = this.#seenIn(changes).map(({ change }) => change);
    const stops = Math.min(stopsOf(changes.length), Math.ceil(left / REQUESTS_PER_STOP));
    const tour = tourOf(changes, known, choosing).slice(0, Math.min(stops, this.#asker.pairsLeft));
    const most = this.#hypothesis.needsWord ? Math.min(MOST_FOR_WORD, Math.ceil(left / 25)) : 0;
    const each = this.#hypothesis.rules.length > 1 ? this.#ofEachRule(changes) : this.#ofEachName(changes);
    for (const change of [...tour, ...each, ...this.#pagesFirst(this.#unseenOf(changes, tour)).slice(0, most)]) {
      const seen = await this.#ask(change);
      if (this.#stop !== undefined) return false;
      if (this.#hypothesis.isJoint && seen?.answer.kind === 'negative') break;
    }
    this.#dropSoft();
    return true;
  }

  /** Forms that the log has as pages come first: they do not redirect, or did not, so there the site may disagree. */
  #pagesFirst(changes: readonly Change[]): Change[] {
    const isMoved = ({ form }: Change) => this.#asker.isMoved(form.text);
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
    const judged = new Set(this.#seenIn(changes).flatMap(({ change }) => fieldsOf(change)));
    const byField = new Map<Condition['is'], Change[]>();
    for (const change of inDrawOrder(changes)) {
      for (const field of fieldsOf(change)) byField.set(field, [...(byField.get(field) ?? []), change]);
    }
    return [...byField]
      .filter(([field]) => !judged.has(field))
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, MOST_NAMES)
      .map(([, [change]]) => change!);
  }

  /** Changes that are neither judged nor on the tour, in draw order. */
  #unseenOf(changes: readonly Change[], tour: readonly Change[]): Change[] {
    const toured = new Set(tour.map(({ form }) => form));
    return inDrawOrder(changes.filter(({ form }) => !this.#seen.has(form.text) && !toured.has(form)));
  }

  /** After a failure: a few more corners, and more if some were right. */
  async #scout({ changes, saving }: Reach): Promise<void> {
    const known = this.#seenIn(changes).map(({ change }) => change);
    const tour = tourOf(changes, known, this.#options.choosing);
    const drawn = this.#unseenOf(changes, tour);
    const few = Math.min(8, Math.floor(saving / 8), Math.ceil(this.#options.left / 50));
    for (const [at, change] of [...tour, ...drawn].entries()) {
      const positives = this.#seenIn(changes).filter(({ answer }) => answer.kind === 'positive').length;
      if (at >= (positives > 0 ? 2 * few : Math.min(few, tour.length))) return;
      await this.#ask(change);
      if (this.#stop !== undefined) return;
    }
  }

  /**
   * A rule that is right sometimes may be right always under some condition: tries a few more forms of the most
   * promising conditions.
   */
  async #probe({ changes, saving }: Reach, limit: number): Promise<void> {
    const reach = changes.map(({ form }) => form.text);
    const most = Math.min(MAX_PROBES, Math.floor(saving / SAVING_PER_PROBE));
    for (let probes = 0; probes < most && this.#stop === undefined && this.#asker.requests < limit; probes++) {
      const { positives, negatives } = this.#sides(changes);
      const condition = promising(positives, negatives, reach);
      if (condition === undefined) return;
      const open = this.#unseenOf(changes, []).filter(({ form }) => holds(form.text, { only: [condition], not: [] }));
      if (open.length === 0) return;
      for (const change of open.slice(0, ASKED_PER_PROBE)) {
        const seen = await this.#ask(change);
        if (this.#stop !== undefined || seen?.answer.kind === 'negative') break;
      }
    }
  }

  async #ask(change: Change): Promise<Seen | undefined> {
    const { form, image } = change;
    if (this.#soft.has(form.text)) return undefined;
    const known = this.#seen.get(form.text);
    if (known !== undefined && known.change.image === image) return known;
    const { needsWord } = this.#hypothesis;
    const answer = await (needsWord ? this.#asker.askForWord(form.text, image) : this.#asker.ask(form.text, image));
    if (answer.kind === 'stop') {
      this.#stop = answer.reason;
      return undefined;
    }
    if (answer.kind === 'unjudged') {
      this.#unjudged[answer.reason] = (this.#unjudged[answer.reason] ?? 0) + 1;
      if (answer.reason === IMAGE_UNKNOWN) this.#unknown.add(form.text);
      return undefined;
    }
    const seen = { change, answer };
    this.#seen.set(form.text, seen);
    return seen;
  }

  /** A nearly certain hypothesis needs less evidence, and so does a likely one when few requests are left. */
  get #isKnown(): boolean {
    const { prior } = this.#hypothesis;
    return prior >= SURE_PRIOR || (this.#options.left < FEW_REQUESTS && prior >= LIKELY_PRIOR);
  }

  #isBackward(seen: readonly Seen[]): boolean {
    const same = seen.filter(({ answer }) => answer.isSame);
    const backward = same.filter(({ answer }) => answer.backward !== undefined && answer.forward === undefined);
    return backward.length >= MIN_WORDS && backward.length >= WORD_SHARE * same.length;
  }

  /** The judged forms, as text. */
  #sides(changes: readonly Change[]): { readonly positives: string[]; readonly negatives: string[] } {
    const seen = this.#seenIn(changes);
    const of = (kind: Seen['answer']['kind']) =>
      seen.filter(({ answer }) => answer.kind === kind).map(({ change }) => change.form.text);
    return { positives: of('positive'), negatives: of('negative') };
  }

  #separated({ changes }: Reach, { only, not }: Conditions): Conditions[] {
    const { positives, negatives } = this.#sides(changes);
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
    const { positives, negatives } = this.#sides(changes);
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
    if (isJoint || meansTheSame || this.#unknown.size === 0) return [];
    const reach = changes.map(({ form }) => form.text);
    const unknown = reach.filter((form) => this.#unknown.has(form));
    return unseenIn(this.#sides(changes).positives, unknown, reach);
  }

  #tried(
    decision: Tried['decision'],
    conditions: Conditions,
    { changes, saving }: Reach,
    exceptions: readonly string[] = [],
  ): Tried {
    const seen = this.#seenIn(changes);
    const positives = seen.filter(({ answer }) => answer.kind === 'positive');
    const negatives = seen.filter(({ answer }) => answer.kind === 'negative');
    const verdict = this.#verdict(decision, positives, negatives);
    const { isJoint } = this.#hypothesis;
    const word = wordOf(positives);
    const except = exceptions.length === 0 ? {} : { except: exceptions };
    const status = decision === 'accepted' ? 'valid' : decision === 'refuted' ? 'invalid' : 'likely';
    const narrowed = this.#narrowed(conditions).rules;
    // Of several rules, keeps those that change something here.
    const own = narrowed.filter((rule) => narrowed.length === 1 || changesAny(rule, changes));
    const rules = (own.length === 0 ? narrowed : own).map((rule): Rule => {
      const its = isJoint ? new Set(changesOf(rule, changes)) : undefined;
      const ofIt = (some: readonly Seen[]) => some.filter(({ change }) => its === undefined || its.has(change));
      const found = isJoint ? this.#verdict(decision, ofIt(positives), ofIt(negatives)) : verdict;
      const figures = figuresOf(rule, its === undefined ? changes : [...its], found, this.#forms);
      const otherWay = this.#hypothesis.otherWay === undefined ? {} : { otherWay: this.#hypothesis.otherWay };
      const said = { ...rule, ...figures, status, verdict: found, ...otherWay, ...except } as Rule;
      return word !== undefined && decision === 'accepted' && isInsertion(rule) ? { ...said, word } : said;
    });
    return {
      decision,
      rules,
      saving,
      positives: positives.map(({ change }) => change.form.text),
      negatives: negatives.map(({ change }) => change.form.text),
      leftOut: this.#leftOut(seen),
      needsWord: this.#hypothesis.needsWord,
      isBackward: this.#isBackward(seen),
      isMissing: negatives.length > 0 && negatives.every(({ answer }) => !answer.isForeign && !answer.isSame),
    };
  }

  #leftOut(inReach: readonly Seen[]): Tried['leftOut'] {
    const inside = new Set(inReach);
    const outside = [...this.#seen.values()].filter((seen) => !inside.has(seen));
    const positive = outside.filter(({ answer }) => answer.kind === 'positive').length;
    return { positive, negative: outside.length - positive };
  }

  #verdict(decision: Tried['decision'], positives: readonly Seen[], negatives: readonly Seen[]): Verdict {
    // Negatives that redirect are shown first: a rule that has one is not exported to a server.
    const shown = negatives.toSorted(
      (a, b) => Number(isRedirect(b.answer.reason)) - Number(isRedirect(a.answer.reason)),
    );
    const undecided = decision === 'undecided' ? 'few-samples' : decision === 'stop' ? this.#stop : undefined;
    return {
      source: this.#asker.judge.source.name,
      positive: positives.length,
      negative: negatives.length,
      unjudged: this.#unjudged,
      ...(undecided !== undefined && { undecided }),
      positives: positives.slice(0, 3).map(({ change }) => [change.form.text, change.image]),
      negatives: shown.slice(0, 3).map(({ change, answer }) => [change.form.text, change.image, answer.reason]),
    };
  }
}

/** True if the rule mostly inserts text: most forms are contained in their longer images. */
export function growsMost({ changes }: Reach): boolean {
  return 2 * changes.filter(({ form, image }) => isGrown(form.text, image)).length > changes.length;
}

function changesAny(rule: Rule, changes: readonly Change[]): boolean {
  return changesOf(rule, changes).length > 0;
}

/** The changes that the rule itself makes. */
export function changesOf(rule: Rule, changes: readonly Change[]): Change[] {
  const compiled = compileRule(rule);
  return changes.filter(({ form }) => imageOf(compiled, form.bytes, form.origin) !== form.bytes);
}

/** The rule's own conditions combined with those found. */
function joined(rule: Rule, { only, not }: Conditions): Conditions {
  return { only: only.length > 0 ? only : (rule.only ?? []), not: [...(rule.not ?? []), ...not] };
}

function wordOf(positives: readonly Seen[]): SiteWord | undefined {
  const words = positives.flatMap(({ answer }) => answer.forward ?? []);
  if (words.length < MIN_WORDS || words.length < WORD_SHARE * positives.length) return undefined;
  return words.includes('redirect') ? 'redirect' : 'canonical';
}
