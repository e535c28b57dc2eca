// Which rewrite rules would the owner of a site agree to? Ask the site: general questions first, by how much the answer
// saves. Counter-examples narrow a rule to where it holds, an audit checks the result, and rules that change nothing
// are dropped.
//
//     hypotheses    likely rules of the file, questions, what redirects and canonical links suggest
//     agenda        which one is worth the next requests
//     try           is it true, everywhere or only in places
//     controls      which rules drop what a control of the site uses, and are keys (control-keys)
//     simplify      which rules change nothing
//     names         which side does the log go by (naming)
//     again         does the site call for what is inserted, also into forms that later rules have made
//     look again    with a budget, first: are the verdicts of earlier nights still true (old-verdicts)
//     audit         is the result of all rules together right (auditing)
import { encodeText } from '../../base/bytes.js';
import { createCanonizer, type Canonizer, type CanonizerOptions } from '../../canonize/canonizer.js';
import type { Turn } from '../../canonize/name/choose.js';
import { hitList, type HitList } from '../../canonize/name/census.js';
import { subjectKey } from '../../rule/identity.js';
import type { Audit, Preference, Rule } from '../../rule/rule.js';
import {
  isGrowth,
  isInsertion,
  accepts,
  isKey,
  isAnsweringKey,
  isOpen,
  isOpenKey,
  isPending,
  isPinned,
  isVetoed,
} from '../../rule/standing.js';
import type { SiteOf } from '../../url/site-finder.js';
import type { Judge } from '../judge.js';
import { asWriting, orStillKey } from '../key.js';
import type { PlannedRule } from '../plan.js';
import type { PageSource } from '../source.js';
import { drawNumber } from '../sample.js';
import type { ValidateOptions } from '../trial.js';
import { askAgain } from './again.js';
import { Agenda, type Next } from './agenda.js';
import { Asker } from './answer.js';
import { ranked } from './audit.js';
import { auditWritten } from './auditing.js';
import { harmlessOf } from './bundle.js';
import { remainder, turnedRound } from './follow-up.js';
import { ControlKeys } from './control-keys.js';
import { cutsEscapes } from './escapes.js';
import { Known } from './known.js';
import { namesOfFrontPage } from './front-page.js';
import { hypothesisKey, hypothesisOf, type Hypothesis } from './hypothesis.js';
import type { AskList } from './list.js';
import { OldVerdicts } from './old-verdicts.js';
import { chooseNames, keepNames } from './naming.js';
import { isOwnRedirect } from './own-redirects.js';
import { partsOf } from './parts.js';
import { isSetList } from './places.js';
import { isOfVisit, minedPrior } from './prior.js';
import { Purse, type Means } from './purse.js';
import { questionsOf, twinQuestions, whereWhole } from './questions.js';
import type { IsTracker, TrackerList } from './trackers.js';
import { sayOf, type Say } from './said-names.js';
import { asPolicies, dropImplied, dropUnneeded, simplify } from './simplify.js';
import { SiteForms, type Change, type Reach } from './site-forms.js';
import { choosers, ofCorners } from './strata.js';
import { Tightening } from './tightening.js';
import type { Tried } from './try/result.js';
import { tryHypothesis } from './try/try.js';
import { confirmedTurn } from './turned.js';
import { hypothesesOf } from './word.js';

export interface AskOptions extends ValidateOptions, Means {
  /** Scheme and host to put before URLs that start with `/`. */
  readonly base: string;
  readonly canonizer: CanonizerOptions;
  readonly siteOf: SiteOf;
  /** The host and the scheme that a user wants; rules between other hosts keep their direction as well. */
  readonly prefer?: Preference;
  /**
   * Dry run: every rule is tried on the list as it is, as if no other was accepted, which gives an upper bound on the
   * requests.
   */
  readonly isRehearsal: boolean;
  /** The list has all URLs that the site is known by: what it does not bear out, nothing does. */
  readonly isWholeList?: boolean;
  /** Only audits the rules in use: asks no question, changes no rule. */
  readonly auditAlone: boolean;
  readonly onQuestion?: (question: Question) => void;
  /**
   * True for rules that will only be keys, as they may mean money or choice. The audit leaves them out: it is about
   * what is written.
   */
  readonly isHeldBack?: (rule: Rule) => boolean;
  /** Parameter names on lists of trackers (`./trackers`). */
  readonly trackers?: TrackerList | undefined;
}

/** A hypothesis that was tried, as `--trace` reports it. */
export interface Question {
  readonly rules: readonly Rule[];
  readonly decision: Tried['decision'];
  readonly requests: number;
  /** Forms that it changes, and how many of them it saves. */
  readonly changes: number;
  readonly saving: number;
}

export interface SiteAnswer {
  /** Rules in use, in the order in which they are applied. */
  readonly accepted: readonly Rule[];
  /** What became of the pending rules of the plan that were not accepted; an empty list for a needless one. */
  readonly settled: ReadonlyMap<Rule, readonly Rule[]>;
  /** The rule of the plan from which an accepted one was made. */
  readonly origins: ReadonlyMap<Rule, Rule>;
  /** Requests spent on each rule. */
  readonly requests: ReadonlyMap<Rule, number>;
  readonly audit: Audit | undefined;
  readonly source: PageSource['name'];
  /** Why the run ended early. */
  readonly stop: 'budget' | 'interrupted' | undefined;
}

/** Least number of forms that a rule must save. */
const MIN_SAVING = 3;
/** Hypotheses that save fewer forms per request are not asked. */
const LEAST_WORTH = 0.01;
/** How often a hypothesis can be deferred. */
const MOST_DEFERRALS = 3;
/** A rule that changes at least this share of the forms may reveal twins. */
const SHARE_FOR_TWINS = 0.01;
/** Hosts that are asked for a nonsense URL. */
const NONSENSE_HOSTS = 3;
/** Limits on fetching URLs only to see where they redirect to. */
const REDIRECTS_PER_CORNER = 3;
const MOST_REDIRECTS = 40;
export async function askSite(
  site: string,
  plan: readonly PlannedRule[],
  list: AskList,
  judge: Judge,
  options: AskOptions,
  onAnswer: (answer: SiteAnswer) => Promise<void> | void = () => {},
): Promise<SiteAnswer> {
  return new Asking(site, plan, list, judge, options, onAnswer).run();
}

class Asking {
  readonly #site: string;
  readonly #plan: readonly PlannedRule[];
  readonly #options: AskOptions;
  readonly #asker: Asker;
  readonly #forms: SiteForms;
  readonly #agenda: Agenda;
  readonly #choosing: ReadonlySet<string>;
  readonly #tightening: Tightening;
  readonly #redirected: readonly string[];
  readonly #hits: HitList | undefined;
  readonly #isTracker: IsTracker | undefined;
  readonly #onAnswer: (answer: SiteAnswer) => Promise<void> | void;
  readonly #known: Known;
  readonly #controlKeys: ControlKeys;
  readonly #deferred = new Map<Hypothesis, number>();
  readonly #refuted = new Set<string>();
  readonly #purse: Purse;
  readonly #oldVerdicts: OldVerdicts | undefined;
  readonly #forbidden: ReadonlySet<string>;
  #knowsNonsense = false;
  #hints = 0;
  /** The number of rules in use when questions were last generated. */
  #rulesThought = 0;
  #stop: SiteAnswer['stop'];

  constructor(
    site: string,
    plan: readonly PlannedRule[],
    { urls, redirected, hits }: AskList,
    judge: Judge,
    options: AskOptions,
    onAnswer: (answer: SiteAnswer) => Promise<void> | void,
  ) {
    this.#site = site;
    this.#plan = plan;
    this.#known = new Known(plan);
    this.#options = options;
    this.#asker = new Asker(judge, options.base, redirected, options.night?.spent);
    this.#onAnswer = onAnswer;
    this.#forbidden = new Set(plan.flatMap(({ rule }) => (isVetoed(rule) ? subjectKey(rule) : [])));
    const canonizeBy = (rules: readonly Rule[]) => {
      const canonizer = this.#canonizerOf(ranked(rules));
      return (url: Uint8Array) => canonizer.canonize(url);
    };
    this.#forms = new SiteForms(urls, canonizeBy, options);
    this.#purse = new Purse(this.#forms, this.#asker, options);
    this.#controlKeys = new ControlKeys({
      forms: this.#forms,
      asker: this.#asker,
      known: this.#known,
      isCalledFor: (rule) => this.#isCalledFor(rule),
    });
    this.#agenda = new Agenda(this.#forms, {
      minSaving: MIN_SAVING,
      minSamples: options.minSamples,
      rests: (question) => options.night?.refuted?.rests(question) === true,
    });
    this.#choosing = choosers(urls);
    this.#redirected = redirected;
    this.#hits = hits.length === 0 ? undefined : hitList(urls, hits, redirected);
    this.#isTracker = options.trackers?.(`${urls[0]?.startsWith('/') === true ? options.base : ''}${urls[0] ?? ''}`);
    this.#tightening = new Tightening({
      forms: this.#forms,
      asker: this.#asker,
      isTracker: this.#isTracker,
      left: () => this.#purse.left,
      onElsewhere: (hypotheses) => this.#agenda.add(hypotheses),
      isCalledFor: (rule) => this.#isCalledFor(rule),
    });
    this.#oldVerdicts = this.#oldVerdictsOf(options);
  }

  #canonizerOf(rules: readonly Rule[]): Canonizer {
    return createCanonizer(rules, this.#options.canonizer, this.#options.siteOf);
  }

  #oldVerdictsOf(options: AskOptions): OldVerdicts | undefined {
    const { night, auditAlone } = options;
    if (night === undefined || auditAlone) return undefined;
    return new OldVerdicts(night, {
      forms: this.#forms,
      asker: this.#asker,
      purse: this.#purse,
      known: this.#known,
      learnNonsense: () => this.#learnNonsense(),
      tryOn: (hypothesis, reach) => this.#try(hypothesis, reach, 0),
      placed: (tried, reach) => (options.isRehearsal ? tried : this.#tightening.placed(tried, reach)),
      probed: async (tried) => (options.isRehearsal ? tried : this.#tightening.probed(tried, 0)),
      take: (hypothesis, tried, reach) => this.#take(hypothesis, tried, reach),
      refute: (rule) => this.#refuted.add(subjectKey(rule)),
    });
  }

  /** Neither vetoed, nor refuted before. */
  readonly #isAllowed = ({ rules, origin }: Hypothesis): boolean =>
    rules.every(
      (rule) =>
        !this.#forbidden.has(subjectKey(rule)) &&
        !cutsEscapes(rule, this.#forms.urls) &&
        !isSetList(rule) &&
        (origin !== undefined || !this.#refuted.has(subjectKey(rule))),
    );

  async run(): Promise<SiteAnswer> {
    this.#forms.setRules(this.#plan.flatMap(({ rule }) => this.#inUse(rule) ?? []));
    for (const { rule } of this.#plan) if (rule.status === 'invalid') this.#refuted.add(subjectKey(rule));
    const isNew = this.#isNew();
    const addQuestions = () => {
      if (isNew) this.#agenda.add(questionsOf(this.#site, this.#forms.urls, this.#isTracker).filter(this.#isAllowed));
    };
    // Rules learned from clusters come first: a question about the site may say the same with evidence from fewer URLs.
    const isTaught = this.#plan.some(({ rule }) => isOpenKey(rule));
    await this.#oldVerdicts?.look(() => this.#purse.forFirstLooks());
    this.#purse.forLooks();
    if (!this.#options.auditAlone) {
      this.#agenda.add(this.#ofPlan().filter(this.#isAllowed));
      if (!isTaught) addQuestions();
      await this.#tryPinned();
    }
    const hasQuestions = !this.#agenda.isEmpty;
    if (hasQuestions) {
      await this.#learnNonsense();
      await this.#hearRedirects();
      await this.#nameFrontPage();
      await this.#askAll();
      if (isTaught && this.#stop === undefined) {
        addQuestions();
        await this.#askAll();
      }
    }
    if (this.#stop === undefined) await this.#oldVerdicts?.look(() => this.#purse.forLooks());
    const controlled = this.#controlKeys.takeOut();
    if (hasQuestions) simplify(this.#forms, this.#known, { isNight: this.#options.night !== undefined });
    this.#purse.forNames();
    const isNamed = await this.#chooseNames();
    // Turned rules were tried under conditions of their own.
    if (hasQuestions) asPolicies(this.#forms, this.#known);
    if (hasQuestions) await this.#askAgain();
    // If nothing has changed, no audit is needed.
    const isIdle = !hasQuestions && !isNamed && !this.#options.auditAlone;
    const audit = isIdle ? undefined : await this.#audit();
    this.#dropUnneeded();
    this.#forms.setRules([...this.#forms.rules, ...controlled]);
    if (!this.#options.auditAlone) {
      if (!this.#options.isRehearsal) dropImplied(this.#forms, this.#known);
      this.#settleRest();
    }
    const answer = this.#answer(audit);
    await this.#onAnswer(answer);
    return answer;
  }

  /**
   * Questions are asked once; the rules that they led to are revisited like others. After an interrupted run, or one
   * for clusters, they are still open. On a budget they are asked each night, as known answers cost nothing.
   */
  #isNew(): boolean {
    if (this.#options.night !== undefined) return true;
    const verdicts = this.#plan
      .flatMap(({ rule }) => (isKey(rule) && !isAnsweringKey(rule) ? rule.otherWay : rule.verdict) ?? [])
      .filter(({ source }) => source !== 'clusters');
    const isCut = verdicts.some(({ undecided }) => undecided === 'budget' || undecided === 'interrupted');
    return isCut || verdicts.every(({ undecided }) => undecided !== undefined);
  }

  #answer(audit: Audit | undefined): SiteAnswer {
    return {
      accepted: this.#forms.rules.map((rule) => this.#controlKeys.asKey(rule)),
      settled: this.#known.settled,
      origins: this.#known.origins,
      requests: this.#known.requests,
      audit,
      source: this.#asker.judge.source.name,
      stop: this.#stop,
    };
  }

  /**
   * Drops what the list does not need, and marks rules that do what the site's own redirects do. Rules of earlier nights
   * stay if this log may lack what they are about.
   */
  #dropUnneeded(): void {
    const { isRehearsal, auditAlone, isWholeList = false } = this.#options;
    if (isRehearsal || auditAlone || this.#stop === 'interrupted') return;
    const { urls } = this.#forms;
    dropUnneeded(this.#forms, this.#known, {
      list: this.#hits ?? hitList(urls, Array(urls.length).fill(1), []),
      canonizerOf: (rules) => this.#canonizerOf(rules),
      isKept: (rule) => !isWholeList && this.#known.isOfPlan(rule),
    });
    this.#forms.setRules(this.#forms.rules.map((rule) => this.#withOwnWord(rule)));
  }

  #withOwnWord(rule: Rule): Rule {
    if (rule.word !== undefined || isKey(rule) || !isOwnRedirect(rule, this.#asker.heard(), this.#options)) return rule;
    const confirmed: Rule = { ...rule, word: 'redirect' };
    this.#known.follow(rule, confirmed);
    return confirmed;
  }

  #isCalledFor(rule: Rule): boolean {
    if (rule.word !== undefined || this.#saysOf(rule) === 'for') return true;
    return rule.kind === 'parameter' && isOfVisit(rule.name, this.#isTracker);
  }

  #ofPlan(): Hypothesis[] {
    return this.#plan
      .map(({ rule }) => rule)
      .filter((rule) => isOpen(rule) && !isPinned(rule))
      .map((rule) => {
        const asked = { prior: minedPrior(rule, this.#isTracker), needsWord: isGrowth(rule) };
        return hypothesisOf([whereWhole(asWriting(rule))], { ...asked, origin: rule });
      });
  }

  /** Pinned rules are applied whatever their verdict, but the verdict is recorded. */
  async #tryPinned(): Promise<void> {
    const inUse = this.#forms.rules;
    for (const { rule } of this.#plan) {
      if (!isPinned(rule) || isKey(rule) || !isPending(rule) || this.#stop !== undefined) continue;
      this.#forms.setRules(inUse.filter((one) => one !== rule));
      const hypothesis = hypothesisOf([rule], { origin: rule, prior: 1 });
      const tried = await this.#try(hypothesis, this.#forms.reachOf(hypothesis), 0);
      this.#known.settled.set(rule, tried.rules);
      if (tried.decision === 'stop') this.#stop = stopOf(tried);
    }
    this.#forms.setRules(inUse);
  }

  #try(hypothesis: Hypothesis, reach: Reach, minSaving: number, nextWorth = 0): Promise<Tried> {
    const isKept = this.#options.night === undefined ? undefined : this.#purse.isKept;
    const options = {
      ...this.#options,
      minSaving,
      left: this.#purse.left,
      choosing: this.#choosing,
      nextWorth,
      isKept,
    };
    return tryHypothesis(hypothesis, reach, this.#forms, this.#asker, options);
  }

  /**
   * Where does the site send the URLs that the log has only as redirects? A few of each stratum are requested, the
   * largest strata first.
   */
  async #hearRedirects(): Promise<void> {
    if (!this.#isNew()) return;
    this.#purse.forRedirects();
    for (const url of ofCorners(this.#redirected, this.#choosing, REDIRECTS_PER_CORNER).slice(0, MOST_REDIRECTS)) {
      if (!(await this.#asker.hear(url))) break;
    }
    this.#agenda.add(this.#suggested().filter(this.#isAllowed));
  }

  /** Hypotheses from the hints that are new since the last call. */
  #suggested(): Hypothesis[] {
    const hints = this.#asker.hints();
    if (hints.length === this.#hints) return [];
    this.#hints = hints.length;
    return hypothesesOf(this.#site, hints);
  }

  async #nameFrontPage(): Promise<void> {
    if (!this.#isNew() || this.#options.isRehearsal) return;
    const { places, hits } = this.#hits ?? { places: new Map<string, number>(), hits: [] };
    const hitsOf = (url: string) => hits[places.get(url) ?? -1] ?? 0;
    const names = await namesOfFrontPage(this.#site, this.#forms, this.#asker, hitsOf);
    this.#forms.setRules([
      ...this.#forms.rules,
      ...names.filter((rule) => this.#isAllowed(hypothesisOf([rule], { prior: 1 }))),
    ]);
  }

  async #askAll(): Promise<void> {
    for (;;) {
      this.#purse.forQuestions();
      const next = this.#agenda.next(LEAST_WORTH) ?? this.#secondThoughts();
      if (next === undefined) return;
      // A run with nothing left to ask is complete, even without requests left.
      if (this.#asker.isSpent) break;
      const { hypothesis, reach, isUnseen } = next;
      const requests = this.#asker.requests;
      const deferred = this.#deferred.get(hypothesis) ?? 0;
      const nextWorth = deferred < MOST_DEFERRALS ? next.nextWorth : 0;
      const minSaving = isUnseen ? 0 : MIN_SAVING;
      const found = await this.#try(hypothesis, reach, minSaving, nextWorth);
      const tried = this.#options.isRehearsal ? found : await this.#tightened(found, reach, minSaving);
      this.#options.onQuestion?.({
        rules: tried.rules,
        decision: tried.decision,
        requests: this.#asker.requests - requests,
        changes: reach.changes.length,
        saving: tried.saving,
      });
      if (tried.decision === 'deferred') {
        this.#deferred.set(hypothesis, deferred + 1);
        this.#agenda.defer(hypothesis, reach, (0.5 * tried.saving) / reach.saving);
        continue;
      }
      this.#take(hypothesis, tried, reach);
      this.#agenda.add((await harmlessOf(hypothesis, tried, this.#forms, this.#asker)).filter(this.#isAllowed));
      for (const rule of [...tried.rules, ...(hypothesis.origin === undefined ? [] : [hypothesis.origin])]) {
        this.#known.requests.set(rule, this.#asker.requests - requests);
        if (isUnseen) this.#known.unseen.add(rule);
      }
      await this.#onAnswer(this.#answer(undefined));
      if (tried.decision === 'stop') {
        this.#stop = stopOf(tried);
        return;
      }
    }
    this.#stop = 'budget';
  }

  async #tightened(tried: Tried, reach: Reach, minSaving: number): Promise<Tried> {
    const placed = this.#tightening.placed(tried, reach);
    return this.#tightening.compared(await this.#tightening.probed(placed, minSaving), reach);
  }

  /** The rule as it is applied; undefined if it is not. Whether it is only a key is decided anew. */
  #inUse(rule: Rule): Rule | undefined {
    if (accepts(rule, 'valid')) return isApplied(rule) ? rule : undefined;
    const isControlled = rule.control !== undefined;
    if (!isAnsweringKey(rule) || !(isControlled || this.#mayChooseNames) || !accepts(asWriting(rule), 'valid'))
      return undefined;
    const { hits: _, ...written } = asWriting(rule);
    this.#known.origins.set(written, rule);
    return written;
  }

  get #mayChooseNames(): boolean {
    return this.#hits !== undefined && !this.#options.isRehearsal && !this.#options.auditAlone;
  }

  /** True if this changed any rule. */
  async #chooseNames(): Promise<boolean> {
    if (!this.#mayChooseNames) return false;
    const [forms, known] = [this.#forms, this.#known];
    if (this.#stop === 'interrupted') {
      keepNames({ forms, known });
      return false;
    }
    return chooseNames({
      forms,
      known,
      hits: this.#hits!,
      canonizerOf: (rules) => this.#canonizerOf(rules),
      saysOf: (rule) => this.#saysOf(rule),
      isOfVisit: (name) => isOfVisit(name, this.#isTracker),
      prefer: this.#options.prefer,
      confirm: (turn) => this.#confirmTurned(turn),
    });
  }

  #saysOf(rule: Rule): Say {
    return sayOf(rule, this.#asker.hints(), this.#options);
  }

  async #confirmTurned(turn: Turn): Promise<Rule | undefined> {
    const before = this.#forms.rules;
    await this.#learnNonsense();
    const confirmed = await confirmedTurn(turn, {
      forms: this.#forms,
      asker: this.#asker,
      choosing: this.#choosing,
      tryOn: (hypothesis, reach, minSaving) => this.#try(hypothesis, reach, minSaving),
    });
    this.#forms.setRules(before);
    return confirmed;
  }

  async #learnNonsense(): Promise<void> {
    if (this.#knowsNonsense) return;
    this.#knowsNonsense = true;
    for (const url of nonsenseOf(this.#forms.urls, this.#options.seed)) await this.#asker.judge.learnNonsense(url);
  }

  /** Called when no hypothesis is worth asking: recounts on the current forms, and returns one that is worth it now. */
  #secondThoughts(): Next | undefined {
    if (this.#forms.rules.length === this.#rulesThought) return undefined;
    this.#rulesThought = this.#forms.rules.length;
    this.#agenda.reopen();
    if (this.#isNew()) {
      this.#agenda.add(questionsOf(this.#site, this.#forms.texts(), this.#isTracker).filter(this.#isAllowed));
    }
    return this.#agenda.next(LEAST_WORTH);
  }

  #take(hypothesis: Hypothesis, tried: Tried, reach: Reach): void {
    const { origin } = hypothesis;
    const isOpen = hypothesis.isJoint && tried.decision === 'refuted';
    if (tried.decision === 'accepted' || tried.decision === 'refuted') {
      if (!isOpen) this.#agenda.learn(hypothesis, tried.decision);
      if (origin === undefined)
        this.#options.night?.refuted?.note(hypothesisKey(hypothesis), tried.decision === 'refuted');
    }
    if (tried.decision === 'accepted' && !this.#options.isRehearsal) {
      if (origin !== undefined) this.#known.noteOrigin(tried.rules[0]!, origin);
      if (tried.needsWord) this.#noteHanded(tried.rules, reach);
      this.#agenda.widen(this.#forms.setRules([...this.#forms.rules, ...tried.rules]));
      this.#agenda.add(this.#twinsAfter(reach).filter(this.#isAllowed));
    } else {
      // If several rules failed together, each may hold alone.
      const [rule, ...others] = hypothesis.rules;
      if (tried.decision === 'refuted' && others.length === 0) this.#refuted.add(subjectKey(rule!));
      if (origin !== undefined)
        this.#known.settled.set(
          origin,
          tried.rules.map((one) => orStillKey(origin, tried.decision === 'stop' ? withVerdictOf(one, origin) : one)),
        );
    }
    const turned = [...turnedRound(hypothesis, tried), ...remainder(hypothesis, tried)];
    this.#agenda.add(
      [...turned, ...this.#suggested()].filter((one) =>
        one.rules.every((rule) => this.#isAllowed({ ...one, rules: [rule] }) || turned.includes(one)),
      ),
    );
  }

  /** Questions about twins among the forms, after a rule with a large reach. */
  #twinsAfter({ changes }: Reach): Hypothesis[] {
    if (changes.length < SHARE_FOR_TWINS * this.#forms.count || !this.#isNew()) return [];
    return twinQuestions(this.#site, this.#forms.texts().map(partsOf));
  }

  /**
   * Records that these forms reached the rule: the site was asked, or the log has them as redirects. A drawn sample
   * stands for all.
   */
  #noteHanded(rules: readonly Rule[], { changes }: Reach): void {
    const isKnown = ({ form, image }: Change) => this.#asker.isMoved(form.text) || this.#asker.knows(form.text, image);
    const handed = new Set(changes.filter(isKnown).map(({ form }) => form.text));
    for (const rule of rules) this.#known.handed.set(rule, handed);
  }

  /** Asks the site again about rules that insert text, where new forms reach them. */
  async #askAgain(): Promise<void> {
    if (this.#stop === 'interrupted') return;
    for (const rule of this.#forms.rules) {
      if (this.#known.isOfPlan(rule) || isKey(rule) || (rule.word === undefined && !this.#known.handed.has(rule)))
        continue;
      const { rules } = this.#forms;
      const requests = this.#asker.requests;
      this.#forms.setRules(rules.filter((one) => one !== rule));
      const { rule: next, handed } = await askAgain(
        rule,
        this.#known.handed.get(rule) ?? new Set(),
        this.#forms,
        this.#asker,
      );
      this.#forms.setRules(rules.flatMap((one) => (one === rule ? (next ?? []) : [one])));
      if (next === undefined) {
        this.#known.retire(rule);
        continue;
      }
      this.#known.narrow(rule, next);
      this.#known.handed.set(next, handed);
      this.#known.requests.set(next, (this.#known.requests.get(rule) ?? 0) + this.#asker.requests - requests);
    }
  }

  async #audit(): Promise<Audit | undefined> {
    const { audit, seed, auditAlone, isHeldBack } = this.#options;
    if (audit === 0 || this.#stop === 'interrupted') return undefined;
    const auditing = {
      forms: this.#forms,
      asker: this.#asker,
      purse: this.#purse,
      known: this.#known,
      making: this.#tightening.making,
      canonizerOf: (rules: readonly Rule[]) => this.#canonizerOf(rules),
      askAgain: () => this.#askAgain(),
    };
    return auditWritten({ ...auditing, audit, seed, auditAlone }, isHeldBack);
  }

  /** Hypotheses that were not tried and would save nothing are needless; the rest stay likely. */
  #settleRest(): void {
    for (const { hypothesis, changes } of this.#agenda.left()) {
      const { origin } = hypothesis;
      if (origin === undefined || this.#known.settled.has(origin) || changes || origin.status === 'valid') continue;
      this.#known.settled.set(origin, []);
    }
  }
}

/**
 * The verdict keeps what was found before the run was cut short; the rule stays as it was, and the next run asks again.
 */
function withVerdictOf({ verdict }: Rule, origin: Rule): Rule {
  return verdict === undefined ? origin : { ...origin, verdict };
}

function stopOf({ rules }: Tried): 'budget' | 'interrupted' {
  return rules[0]?.verdict?.undecided === 'interrupted' ? 'interrupted' : 'budget';
}

/** A URL that cannot exist, at each of the hosts with the most URLs. */
function nonsenseOf(urls: readonly string[], seed: number): string[] {
  const hosts = new Map<string, number>();
  for (const url of urls) {
    const { scheme, host } = partsOf(url);
    hosts.set(scheme + host, (hosts.get(scheme + host) ?? 0) + 1);
  }
  const word = drawNumber(encodeText('nonsense'), seed).toString(36);
  return [...hosts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, NONSENSE_HOSTS)
    .map(([host]) => `${host}/no-${word}`);
}

/** A rule that only inserts text is applied only if the site itself uses the longer form. */
function isApplied(rule: Rule): boolean {
  return isPinned(rule) || rule.word !== undefined || !isInsertion(rule);
}
