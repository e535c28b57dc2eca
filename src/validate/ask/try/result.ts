// What a try found, as rules for the file: conditions, figures, verdict, and what the site itself prefers.
import { isRedirect } from '../../../rule/redirecting.js';
import type { Rule, Verdict } from '../../../rule/rule.js';
import { isInsertion } from '../../../rule/standing.js';
import type { SiteWord } from '../answer.js';
import { figuresOf } from '../figures.js';
import type { Hypothesis } from '../hypothesis.js';
import { changesOf, type Reach, type SiteForms } from '../site-forms.js';
import { isBackward, MIN_WORDS, WORD_SHARE, type Judged, type Seen } from './judged.js';

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

/** What was decided, and of which rules: those of the hypothesis with their conditions. */
interface Outcome {
  readonly decision: Tried['decision'];
  readonly hypothesis: Hypothesis;
  readonly reach: Reach;
  /** Forms that the rules leave alone. */
  readonly exceptions: readonly string[];
}

export function triedOf({ decision, hypothesis, reach, exceptions }: Outcome, judged: Judged, forms: SiteForms): Tried {
  const { changes, saving } = reach;
  const { isJoint, rules: narrowed } = hypothesis;
  const seen = judged.seenIn(changes);
  const positives = seen.filter(({ answer }) => answer.kind === 'positive');
  const negatives = seen.filter(({ answer }) => answer.kind === 'negative');
  const verdict = verdictOf(decision, positives, negatives, judged);
  const word = wordOf(positives);
  const except = exceptions.length === 0 ? {} : { except: exceptions };
  const status = decision === 'accepted' ? 'valid' : decision === 'refuted' ? 'invalid' : 'likely';
  // Of several rules, keeps those that change something here.
  const own = narrowed.filter((rule) => narrowed.length === 1 || changesOf(rule, changes).length > 0);
  const rules = (own.length === 0 ? narrowed : own).map((rule): Rule => {
    const its = isJoint ? new Set(changesOf(rule, changes)) : undefined;
    const ofIt = (some: readonly Seen[]) => some.filter(({ change }) => its === undefined || its.has(change));
    const found = isJoint ? verdictOf(decision, ofIt(positives), ofIt(negatives), judged) : verdict;
    const figures = figuresOf(rule, its === undefined ? changes : [...its], found, forms);
    const otherWay = hypothesis.otherWay === undefined ? {} : { otherWay: hypothesis.otherWay };
    const said = { ...rule, ...figures, status, verdict: found, ...otherWay, ...except } as Rule;
    return word !== undefined && decision === 'accepted' && isInsertion(rule) ? { ...said, word } : said;
  });
  return {
    decision,
    rules,
    saving,
    positives: positives.map(({ change }) => change.form.text),
    negatives: negatives.map(({ change }) => change.form.text),
    leftOut: judged.leftOut(seen),
    needsWord: hypothesis.needsWord,
    isBackward: isBackward(seen),
    isMissing: negatives.length > 0 && negatives.every(({ answer }) => !answer.isForeign && !answer.isSame),
  };
}

function verdictOf(
  decision: Tried['decision'],
  positives: readonly Seen[],
  negatives: readonly Seen[],
  judged: Judged,
): Verdict {
  // Negatives that redirect are shown first: a rule that has one is not exported to a server.
  const shown = negatives.toSorted((a, b) => Number(isRedirect(b.answer.reason)) - Number(isRedirect(a.answer.reason)));
  const undecided = decision === 'undecided' ? 'few-samples' : decision === 'stop' ? judged.stop : undefined;
  return {
    source: judged.asker.judge.source.name,
    positive: positives.length,
    negative: negatives.length,
    unjudged: judged.unjudged,
    ...(undecided !== undefined && { undecided }),
    positives: positives.slice(0, 3).map(({ change }) => [change.form.text, change.image]),
    negatives: shown.slice(0, 3).map(({ change, answer }) => [change.form.text, change.image, answer.reason]),
  };
}

function wordOf(positives: readonly Seen[]): SiteWord | undefined {
  const words = positives.flatMap(({ answer }) => answer.forward ?? []);
  if (words.length < MIN_WORDS || words.length < WORD_SHARE * positives.length) return undefined;
  return words.includes('redirect') ? 'redirect' : 'canonical';
}
