// What has become of a fix? Counted are requests for its URLs:
//
//   promised   in the earlier log: answered by pages, and would be redirected by the fix
//   already    in the earlier log: redirected without it, as to a login, or since some URLs were moved one by one
//   redirected in the log of now; as many of them as `already` lets expect are not by the fix
//   left       in the log of now: answered by pages since the first redirect by the fix
//
// Without the fix there are as many redirects as then in a log of the same length, and they are as large a part of the
// requests for its URLs; the larger of these two is expected, so that neither a longer log nor fewer links make a fix.
//
//   redirected ────────────────────────────────┬──────────── by the fix: it is made if they are clearly more
//   0                              expected     by chance
import { MOST_LEFT } from '../page/measure/done.js';
import type { FixOutcome } from '../page/model.js';

/** A fix that redirects less of what is asked for is not made. */
const LITTLE = 0.05;
/** Requests come in bursts of some four, so their number varies like the root of four times as many. */
const BURST = 4;

/** What an earlier log shows of a fix. */
export interface Then {
  readonly promised: number;
  readonly already: number;
  /** Requests in the log of now for each in the earlier one. */
  readonly scale: number;
}

/** Requests of the log of now. `before` are those that pages answered before the first redirect by the fix. */
export interface Now {
  readonly redirected: number;
  readonly before: number;
  readonly left: number;
}

/**
 * So many of the redirects of the log of now may come without the fix. A few may even where none came then, if a fix
 * redirects far more: without them, the first redirect would often be said to be by the fix that is not.
 */
export function redirectedAnyway({ already, scale }: Pick<Then, 'already' | 'scale'>, redirected: number): number {
  const few = Math.min(mostByChance(already * scale, scale), LITTLE * redirected);
  return Math.max(mostByChance(already * scale), few);
}

/** Three standard deviations more than expected. What was not seen `rare` times may come. */
function mostByChance(expected: number, rare = 0): number {
  return expected + 3 * Math.sqrt(BURST * (expected + rare));
}

/** A share in tenths of a percent, as it is shown: rounded down, so that what is less than a bound looks less. */
export function roundedDown(share: number): number {
  // A product such as .57 · 1000 may be less than 570.
  return Math.floor(share * 1000 + 1e-6) / 1000;
}

type Outcome = Pick<FixOutcome, 'state' | 'did' | 'already' | 'left'>;

export function outcomeOf({ promised, already, scale }: Then, { redirected, before, left }: Now): Outcome {
  const part = already === 0 ? 0 : already / (already + promised);
  const expected = Math.min(redirected, Math.max(already * scale, part * (redirected + before + left)));
  const byFix = redirected - expected;
  const due = promised * scale;
  const isOver = byFix > LITTLE * due && left <= MOST_LEFT * (byFix + left);
  if (isOver || (redirected > mostByChance(expected, scale) && byFix > LITTLE * (byFix + left))) {
    const isDone = isOver || left <= MOST_LEFT * due;
    const did = 1 - left / (isDone ? Math.max(due, byFix + left) : byFix + left);
    return { state: isDone ? 'done' : 'partly', did, already: Math.round(expected), left };
  }
  const asked = before + left;
  const isQuiet = asked <= MOST_LEFT * due;
  return {
    state: isQuiet ? 'quiet' : 'open',
    did: isQuiet ? 1 - asked / Math.max(1, due) : 0,
    already: Math.round(expected),
    left: asked,
  };
}
