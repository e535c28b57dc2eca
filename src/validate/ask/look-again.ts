// Is a verdict of an earlier night still true? A few forms, drawn anew each night, on pages of tonight: that a rule still
// holds, or still fails, is seen by three of them, and where they say otherwise the rule is tried in full.
//
//     valid     three of three are the same page     it stays, and has been visited
//     valid     one differs                          tried in full: it may be narrowed, or retired
//     invalid   one differs                          it stays, and has been visited
//     invalid   three of three are the same page     tried in full: it may recover
//
// In full may take more than a night has; then it goes on by what the last nights were answered.
//
// What the site does not answer says nothing. A site that is down can have a page for a form, and none for its image: so
// a form that failed is asked for once more, and if its own page is gone by now nothing was learned.
import type { Rule } from '../../rule/rule.js';
import { drawNumber } from '../sample.js';
import type { Anew, Asker } from './answer.js';
import { ELSEWHERE } from './answer.js';
import type { Change } from './site-forms.js';

/** What a run on a budget of requests does besides. */
export interface Night {
  /** New requests that this site may take; what earlier runs were answered is free. */
  readonly budget: number;
  /** New requests that it has taken. */
  readonly spent: () => number;
  /** Rules of the plan to look at again, the most urgent first. */
  readonly due: readonly Rule[];
  /** Draws the forms of this night. */
  readonly seed: number;
  /** Pages of before, in milliseconds since 1970, say nothing of tonight. */
  readonly since: number;
}

/** What it takes to try a rule in full, and the share of a budget that goes to it at least. */
const REQUESTS_OF_A_TRIAL = 120;
const SHARE_FOR_A_TRIAL = 0.5;
const DAY_MS = 24 * 3_600_000;

/**
 * Pages of before say nothing for a rule that is tried anew: on a small budget that takes several nights, and each would
 * begin again if only pages of tonight counted.
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

/** Forms that show enough, and how many may be asked for until there are as many. */
const ENOUGH = 3;
const MOST_ASKED = 8;

/** `changes`: what the rule changes of the list, under all other rules. */
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

/** Why an answer says nothing; undefined if it does. */
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
