// What does a validation do to the history of a rule?
//
//   before     verdict          after
//   likely     valid, invalid   that, since tonight
//   valid      valid            valid: a visit without change (N + 1)
//   valid      invalid          retired, with what differed: a change (X + 1), tried again from a night on
//   retired    invalid          retired still; the next try is twice as far away
//   invalid    valid            valid again
//   decided    nothing          as it was: a failure of the network is not evidence
//   any        not reached      as it was, and due again tonight: nothing was tried
//
// Retired rules must be able to recover, or one bad night of the site would disable a true rule for ever. But they must
// not be tried every night. So the first retry is a week later, then after two and four weeks, and later every ninety
// days.
import { saidAs, sayingKey } from './identity.js';
import { newHistory } from './history.js';
import { daysBetween, nightAfter } from './night.js';
import type { History, Retirement, Rule } from './rule.js';
import { isPinned } from './standing.js';

const FIRST_RETRY_DAYS = 7;
const MAX_RETRY_DAYS = 90;

/**
 * The rules that replace `before` after pages turned it into `after`: none if the rule is needless; if it is wrong, the
 * rule itself and narrower ones. Without a night no history is written.
 */
export function settleRule(before: Rule, after: readonly Rule[], night: string | undefined): Rule[] {
  const [first, ...narrower] = after;
  if (first === undefined) return isPinned(before) ? [before] : [];
  const { pin, veto, note } = before;
  const marks = {
    ...(pin !== undefined && { pin }),
    ...(veto !== undefined && { veto }),
    ...(note !== undefined && { note }),
  };
  const rule = asPinned(before, { ...first, ...marks });
  return [
    night === undefined ? rule : recordVisit(before, rule, night),
    ...narrower.map((one) => newlyFound(one, night)),
  ];
}

/** A pinned rule stays as it was written; a verdict for the other direction refutes it. */
function asPinned(before: Rule, after: Rule): Rule {
  if (!isPinned(before) || after.status !== 'valid' || sayingKey(before) === sayingKey(after)) return after;
  const { verdict, otherWay, except: _except, ...turned } = after;
  const verdicts = { ...(otherWay !== undefined && { verdict: otherWay }), ...(verdict && { otherWay: verdict }) };
  return { ...saidAs(turned, before), status: 'invalid', ...verdicts };
}

/** A rule that a validation found: it may have the figures of a wider one, but it has no verdict or history yet. */
export function newlyFound(rule: Rule, night: string | undefined): Rule {
  const { pin: _pin, veto: _veto, note: _note, history: _history, ...bare } = rule;
  return night === undefined ? bare : { ...bare, history: { ...newHistory(night), ...decidedOn(night) } };
}

function decidedOn(night: string): Pick<History, 'lastValidated' | 'verdictSince'> {
  return { lastValidated: night, verdictSince: night };
}

/** `after` with the history of `before` and one more visit. */
export function recordVisit(before: Rule, after: Rule, night: string): Rule {
  const history = before.history ?? newHistory(night);
  if (after.status === 'likely') {
    if (isUnreached(after)) return { ...before, history };
    const { undecided } = after.verdict ?? {};
    const wasCut = undecided === 'budget' || undecided === 'interrupted';
    return { ...(before.status === 'likely' ? after : before), history: wasCut ? history : tried(history, night) };
  }
  const { lastTried: _, retired: _retired, ...past } = history;
  const isChange = before.status !== after.status || sayingKey(before) !== sayingKey(after);
  const days = daysBetween(past.lastValidated ?? past.firstSeen, night);
  // A second look in one night counts as the same visit.
  const isVisit = before.status !== 'likely' && (isChange || days > 0);
  const retired = after.status === 'invalid' ? retirement(before, after, night) : undefined;
  return {
    ...after,
    ...exceptOf(before, after),
    history: {
      ...past,
      lastValidated: night,
      verdictSince: isChange ? night : (past.verdictSince ?? night),
      visits: past.visits + (isVisit ? 1 : 0),
      changes: past.changes + (isVisit && isChange ? 1 : 0),
      days: past.days + (isVisit ? days : 0),
      ...(retired !== undefined && { retired }),
    },
  };
}

/** Reasons for a missing page that concern the connection to the site, not the URL. */
const UNREACHED: ReadonlySet<string> = new Set(['network', 'time-out', 'host-given-up']);
/** Reasons that depend on the URL alone, without a request. */
const UNASKED: ReadonlySet<string> = new Set(['action-url', 'token-url', 'credentials']);

/** True if pages were requested for the rule but the site did not answer, which does not count as a visit. */
function isUnreached({ verdict }: Rule): boolean {
  if (verdict === undefined || verdict.positive + verdict.negative > 0) return false;
  const reasons = Object.keys(verdict.unjudged).map((code) => code.replace(/^[uv]: /, ''));
  const asked = reasons.filter((reason) => !UNASKED.has(reason));
  return asked.length > 0 && asked.every((reason) => UNREACHED.has(reason));
}

function tried(history: History, night: string): History {
  return { ...history, lastTried: night };
}

function retirement(before: Rule, { verdict }: Rule, night: string): Retirement | undefined {
  const earlier = before.history?.retired;
  if (before.status !== 'valid' && earlier === undefined) return undefined;
  if (earlier?.retryFrom !== undefined && night < earlier.retryFrom) return earlier;
  const failures = (earlier?.failures ?? 0) + 1;
  const pair = verdict?.negatives[0] ?? earlier?.pair;
  const retryFrom = nightAfter(night, retryDays(failures));
  return { night: earlier?.night ?? night, ...(pair && { pair }), failures, retryFrom };
}

/** Days until something is tried again that has failed so many times. */
export function retryDays(failures: number): number {
  return Math.min(MAX_RETRY_DAYS, FIRST_RETRY_DAYS * 2 ** (failures - 1));
}

/** Exceptions were not tried again, so they are kept together with new ones. */
function exceptOf(before: Rule, after: Rule): Pick<Rule, 'except'> {
  if (before.except === undefined || sayingKey(before) !== sayingKey(after)) return {};
  return { except: [...new Set([...before.except, ...(after.except ?? [])])] };
}
