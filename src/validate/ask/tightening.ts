// A rule that held in a try claims no more than was seen: it is restricted to where it was tried, tried on URLs that the
// list lacks, and limited to the values of a few URLs if there were no more.
//
//     places    where was it tried (./places)? The other places are hypotheses of their own
//     probes    does it hold for URLs that the list lacks (./probe)?
//     bound     was it tried on more than a few URLs and values (./bound)?
//     controls  do the pages differ in a control (./control)?
import type { Rule } from '../../rule/rule.js';
import type { Asker } from './answer.js';
import { boundTo, boundToNames, boundToValues, ENOUGH_TRIED, hasTooManyExceptions, isOfOneId } from './bound.js';
import { stateOf } from './control.js';
import { asAsked, hypothesisOf, type Hypothesis } from './hypothesis.js';
import { leavingChosen } from './idle-queries.js';
import { extensionsOf, listSignsOf, placed } from './places.js';
import { isOfVisit } from './prior.js';
import { Grammar } from './probe/grammar.js';
import { refutedBy, stoppedIn, tooNarrow } from './probe/outcome.js';
import { probed, type Wrong } from './probe/probing.js';
import type { Making } from './probe/probes.js';
import { changesOf, type Reach, type SiteForms } from './site-forms.js';
import type { IsTracker } from './trackers.js';
import type { Tried } from './try/result.js';

/** The prior for trying a rule in another place after it held in one. */
const LIKELY_ELSEWHERE = 0.6;
/** Most probes of a rule, and how many requests must be left for each. */
const MOST_PROBES = 8;
const REQUESTS_PER_PROBE = 100;

interface TighteningOptions {
  readonly forms: SiteForms;
  readonly asker: Asker;
  readonly isTracker: IsTracker | undefined;
  /** Requests left. */
  readonly left: () => number;
  /** Takes what may hold in other places. */
  readonly onElsewhere: (hypotheses: readonly Hypothesis[]) => void;
  /** True for a rule that the site itself calls for: then controls do not matter. */
  readonly isCalledFor: (rule: Rule) => boolean;
}

export class Tightening {
  readonly #options: TighteningOptions;
  readonly #extensions: readonly string[];
  readonly #listSigns: readonly string[];
  #grammar: Grammar | undefined;

  constructor(options: TighteningOptions) {
    this.#options = options;
    this.#extensions = extensionsOf(options.forms.urls);
    this.#listSigns = listSignsOf(options.forms.urls);
  }

  /** Restricts the accepted rules to where they were tried (`./places`), and queues hypotheses for the other places. */
  placed(tried: Tried, { changes }: Reach): Tried {
    if (tried.decision !== 'accepted') return tried;
    const isRight = new Set(tried.positives);
    const rules = tried.rules.map((rule) => {
      const own = changesOf(rule, changes);
      const proofs = own
        .filter(({ form }) => isRight.has(form.text))
        .map(({ form, image }) => ({ form: form.text, document: this.#options.asker.documentOf(form.text, image) }));
      const found = placed(rule, {
        changes: own,
        reach: changes,
        proofs,
        extensions: this.#extensions,
        listSigns: this.#listSigns,
        isOfVisit: (name) => isOfVisit(name, this.#options.isTracker),
      });
      const { needsWord } = tried;
      this.#options.onElsewhere(
        found.elsewhere.map((one) => hypothesisOf([asAsked(one)], { prior: LIKELY_ELSEWHERE, needsWord })),
      );
      return found.rule;
    });
    return { ...tried, rules };
  }

  /** Tries the accepted rules on probes, which are URLs that the list lacks, and narrows them by the answers. */
  async probed(tried: Tried, minSaving: number): Promise<Tried> {
    if (tried.decision !== 'accepted' || tried.needsWord) return tried;
    const most = Math.min(MOST_PROBES, Math.ceil(this.#options.left() / REQUESTS_PER_PROBE));
    const probing = { forms: this.#options.forms, making: this.making, asker: this.#options.asker, most, minSaving };
    const rules: Rule[] = [];
    const wrong: Wrong[] = [];
    for (const rule of tried.rules) {
      const found = await probed(rule, tried.positives, probing);
      if (found.isCut) return stoppedIn(tried);
      wrong.push(...found.wrong);
      if (found.rule !== undefined && !hasTooManyExceptions(found.rule))
        rules.push(this.#bound(found.rule, tried.positives, found.right));
    }
    if (rules.length === 0) return refutedBy(tried, wrong);
    if (rules.every(isOfOneId)) return tooNarrow(tried);
    return { ...tried, rules };
  }

  /** Adds to the accepted rules whether pages' controls differ (`./control`). */
  async compared(tried: Tried, { changes }: Reach): Promise<Tried> {
    if (tried.decision !== 'accepted') return tried;
    const isRight = new Set(tried.positives);
    const rules: Rule[] = [];
    for (const rule of tried.rules) {
      const right = changesOf(rule, changes).filter(({ form }) => isRight.has(form.text));
      const control = this.#options.isCalledFor(rule) ? undefined : await stateOf(rule, right, this.#options.asker);
      rules.push(control === undefined ? rule : { ...rule, control });
    }
    return { ...tried, rules };
  }

  /** Limits a rule that was tried on few URLs or values to these (`./bound`). */
  #bound(rule: Rule, positives: readonly string[], probes: readonly string[]): Rule {
    if (rule.kind === 'parameter' && isOfVisit(rule.name, this.#options.isTracker)) return rule;
    const { changes } = this.#options.forms.reachOf(hypothesisOf([rule], { prior: 1 }));
    if (positives.length + probes.length < ENOUGH_TRIED) return boundTo(rule, changes);
    const bound = boundToNames(boundToValues(rule, changes, probes), changes, [...positives, ...probes]);
    // Known by now, so that rules for these fields are still worth asking about.
    const forms = changes.map(({ form }) => form.text);
    return leavingChosen(bound, forms, (name) => this.#options.asker.isSent(name));
  }

  /** What probes are made of. */
  get making(): Making {
    this.#grammar ??= new Grammar(this.#options.forms.urls);
    return { grammar: this.#grammar, isTracker: this.#options.isTracker };
  }
}
