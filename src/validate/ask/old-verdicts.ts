// What becomes of the verdicts of earlier nights? The due ones are checked again, the most urgent first. Those in doubt
// are tried in full on pages of tonight.
//
//     it stands           noted as visited
//     it does not         the rule in use is narrowed or retired; one that was refuted may recover
//     nothing answered    the rule is likely again
import type { Rule, Verdict } from '../../rule/rule.js';
import { isGrowth, isPinned } from '../../rule/standing.js';
import { asWriting, orStillKey } from '../key.js';
import type { Asker } from './answer.js';
import { asAsked, hypothesisOf, type Hypothesis } from './hypothesis.js';
import type { Known } from './known.js';
import { freshSince, lookAgain, type Look, type Night } from './look-again.js';
import type { Purse } from './purse.js';
import type { Reach, SiteForms } from './site-forms.js';
import type { Tried } from './try/result.js';

/** How a rule is tried again, and what happens with the result. */
export interface Trying {
  readonly forms: SiteForms;
  readonly asker: Asker;
  readonly purse: Purse;
  readonly known: Known;
  readonly learnNonsense: () => Promise<void>;
  readonly tryOn: (hypothesis: Hypothesis, reach: Reach) => Promise<Tried>;
  /** Restricts a newly accepted rule to where it was tried; not called for rules that are written already. */
  readonly placed: (tried: Tried, reach: Reach) => Tried;
  readonly probed: (tried: Tried) => Promise<Tried>;
  readonly take: (hypothesis: Hypothesis, tried: Tried, reach: Reach) => void;
  readonly refute: (rule: Rule) => void;
}

/** The prior of a rule that once held. */
const HELD_ONCE = 0.8;

export class OldVerdicts {
  readonly #night: Night;
  readonly #trying: Trying;
  readonly #due: Rule[];

  constructor(night: Night, trying: Trying) {
    this.#night = night;
    this.#trying = trying;
    this.#due = [...night.due];
  }

  /** Looks again at the verdicts that are due, until what `allot` allows is spent. */
  async look(allot: () => void): Promise<void> {
    const { asker, known, learnNonsense } = this.#trying;
    if (this.#due.length === 0) return;
    await learnNonsense();
    for (;;) {
      allot();
      if (asker.isSpent) return;
      const rule = this.#due.shift();
      if (rule === undefined) return;
      if (!known.settled.has(rule)) await this.#lookAt(rule);
    }
  }

  async #lookAt(rule: Rule): Promise<void> {
    const { forms, asker, purse, known, take } = this.#trying;
    const before = forms.rules;
    const inUse = before.find((one) => (known.originOf(one) ?? one) === rule);
    // A valid rule that is not applied (a key from clusters, or one that only adds text) is not checked.
    if (inUse === undefined && rule.status === 'valid') return;
    const asked = inUse ?? asAsked(asWriting(rule));
    forms.setRules(before.filter((one) => one !== inUse));
    const hypothesis = hypothesisOf([asked], { origin: rule, prior: HELD_ONCE, needsWord: isGrowth(asked) });
    const reach = forms.reachOf(hypothesis);
    const requests = asker.requests;
    const { since, seed } = this.#night;
    const look = await lookAgain(reach.changes, asker, { since, seed, needsWord: hypothesis.needsWord });
    if (look.kind === 'stop') this.#due.unshift(rule);
    const isHeld = inUse !== undefined && rule.status === 'valid';
    const isOpen = look.kind === (isHeld ? 'fails' : 'holds');
    // A verdict in doubt may use the requests reserved for questions.
    if (isOpen) purse.forLooks();
    const tried = isOpen ? await this.#triedAnew(hypothesis, reach) : undefined;
    forms.setRules(before);
    const isSettled = tried?.decision === 'accepted' || tried?.decision === 'refuted';
    if (isSettled && inUse === undefined) take(hypothesis, tried, reach);
    else if (isSettled) this.#takeAgain(inUse!, rule, tried);
    else if (!isOpen) this.#noteLook(look, rule, inUse);
    if (!isSettled && (isOpen || look.kind === 'silent' || look.kind === 'stop')) return;
    for (const one of [rule, inUse, ...(tried?.rules ?? [])]) {
      if (one !== undefined) known.requests.set(one, asker.requests - requests);
    }
  }

  /**
   * Tries a rule in full, on pages of tonight and of the nights that the trial has taken so far. A rule in use already
   * has the conditions under which it holds.
   */
  async #triedAnew(hypothesis: Hypothesis, reach: Reach): Promise<Tried> {
    const { asker, tryOn, placed, probed } = this.#trying;
    asker.judge.freshSince = freshSince(this.#night);
    const tried = await tryOn(hypothesis, reach);
    const isWritten = hypothesis.origin?.status === 'valid';
    const done = await probed(isWritten ? tried : placed(tried, reach));
    asker.judge.freshSince = undefined;
    return done;
  }

  /** A rule in use that was tried again. */
  #takeAgain(inUse: Rule, rule: Rule, { decision, rules: [now] }: Tried): void {
    const { forms, known, refute } = this.#trying;
    if (isPinned(rule)) {
      known.settled.set(rule, [now!]);
      return;
    }
    const next = decision === 'accepted' ? [now!] : [];
    forms.setRules(forms.rules.flatMap((one) => (one === inUse ? next : [one])));
    if (decision === 'accepted') return known.noteOrigin(now!, rule);
    refute(rule);
    known.settled.set(rule, [orStillKey(rule, now!)]);
  }

  /** Records that a verdict stands, or that nothing was learned. */
  #noteLook({ kind, unjudged }: Look, rule: Rule, inUse: Rule | undefined): void {
    const { asker, known } = this.#trying;
    const isSilent = kind === 'silent' && Object.keys(unjudged).length > 0;
    if (isSilent) known.settled.set(rule, [{ ...rule, status: 'likely', verdict: silentVerdict(unjudged, asker) }]);
    else if (inUse === undefined && kind === 'fails') known.settled.set(rule, [rule]);
  }
}

/** The verdict if no form of the rule could be judged again. */
function silentVerdict(unjudged: Look['unjudged'], { judge }: Asker): Verdict {
  const { name: source } = judge.source;
  return { source, positive: 0, negative: 0, unjudged, undecided: 'few-samples', positives: [], negatives: [] };
}
