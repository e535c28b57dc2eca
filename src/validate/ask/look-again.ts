// Is a verdict of an earlier night still true? A few forms, drawn anew each night, are compared on pages of tonight.
// Three of them are enough to see that a rule still holds or still fails. If they disagree with the verdict, the rule
// is tried in full.
//
//     valid     three of three are the same page     it stays, and has been visited
//     valid     one differs                          tried in full: it may be narrowed, or retired
//     invalid   one differs                          it stays, and has been visited
//     invalid   three of three are the same page     tried in full: it may recover
//
// A full trial may take more requests than a night has; then the next nights continue it with the answers so far.
//
// Missing answers are no evidence. A site that is going down can have a page for a form and none for its image. So a
// failed form is requested once more; if its own page is gone by then, nothing was learned.
import type { Rule } from '../../rule/rule.js';
import type { RefutedQuestions } from '../../state/refuted.js';
import { drawNumber } from '../sample.js';
import type { Anew, Asker } from './answer.js';
import { ELSEWHERE } from './answer.js';
import type { Change } from './site-forms.js';

/** What a run on a nightly budget needs in addition. */
export interface Night {
  /** New requests allowed for this site; answers from earlier runs are free. */
  readonly budget: number;
  /** Returns how many new requests it has taken. */
  readonly spent: () => number;
  /** Rules of the plan to look at again, the most urgent first. */
  readonly due: readonly Rule[];
  /** Seed for drawing the forms of this night. */
  readonly seed: number;
  /** Pages fetched before this time (milliseconds since 1970) are too old for tonight. */
  readonly since: number;
  /** With a state: the questions that earlier nights have asked in vain, to which those of tonight are added. */
  readonly refuted?: RefutedQuestions | undefined;
}

/** Requests for trying a rule in full, and the least share of a budget that goes to it. */
const REQUESTS_OF_A_TRIAL = 120;
const SHARE_FOR_A_TRIAL = 0.5;
const DAY_MS = 24 * 3_600_000;

/**
 * From when on pages may be used for trying a rule anew. On a small budget a trial takes several nights, so pages of
 * these nights count too; otherwise each night would start again.
 */
export function freshSince({ budget, since }: Pick<Night, 'budget' | 'since'>): number {
  const nights = Math.ceil(REQUESTS_OF_A_TRIAL / (SHARE_FOR_A_TRIAL * Math.max(1, budget)));
  return since - (nights - 1) * DAY_MS;
}

export interface Look {
  /** `silent`: too few forms could be judged. */
  readonly kind: 'holds' | 'fails' | 'silent' | 'stop';
  readonly unjudged: Readonly<Record<string, number>>;
}

/** How many judged forms are enough, and how many may be requested to get them. */
const ENOUGH = 3;
const MOST_ASKED = 8;

/** `changes`: the forms of the list, under all other rules, that the rule changes. */
export async function lookAgain(
  changes: readonly Change[],
  asker: Asker,
  { seed, ...anew }: Anew & Pick<Night, 'seed'>,
): Promise<Look> {
  const unjudged: Record<string, number> = {};
  let positive = 0;
  for (const { form, image } of drawn(changes, seed).slice(0, MOST_ASKED)) {
    const answer = await asker.askAnew(form.text, image, anew);
    if (answer.kind === 'stop') return { kind: 'stop', unjudged };
    const lost = await lostBy(answer, form.text, asker);
    if (lost !== undefined) unjudged[lost] = (unjudged[lost] ?? 0) + 1;
    else if (answer.kind === 'negative') return { kind: 'fails', unjudged };
    else if (++positive === ENOUGH) break;
  }
  return { kind: positive >= Math.min(ENOUGH, Math.max(1, changes.length)) ? 'holds' : 'silent', unjudged };
}

function drawn(changes: readonly Change[], seed: number): readonly Change[] {
  return changes
    .map((change) => ({ change, number: drawNumber(change.form.bytes, seed) }))
    .sort((a, b) => a.number - b.number)
    .map(({ change }) => change);
}

/** Why an answer is no evidence; undefined if it is. */
async function lostBy(
  answer: Exclude<Awaited<ReturnType<Asker['askAnew']>>, { kind: 'stop' }>,
  form: string,
  { judge }: Asker,
): Promise<string | undefined> {
  if (answer.kind === 'unjudged') return answer.reason;
  if (answer.kind === 'positive') return undefined;
  if (answer.reason === ELSEWHERE) return answer.reason;
  const now = await judge.nowOf(form);
  if (now === 'gone') return 'u: the site refuses it by now';
  return now === 'other' ? 'u: the page changes by itself' : undefined;
}
