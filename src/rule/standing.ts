// Is a rule applied, and is it to be fetched for? Its status says, unless a user has decided.
import type { Rule } from './rule.js';

type Decided = Pick<Rule, 'status' | 'pin' | 'veto'>;

export function isVetoed({ veto }: Decided): boolean {
  return veto === true || veto === 'local';
}

export function isPinned(rule: Decided): boolean {
  return !isVetoed(rule) && (rule.pin === true || rule.pin === 'local');
}

/** True for the rules that canonization uses, those that are only likely apart. */
export function isInUse(rule: Decided): boolean {
  return isPinned(rule) || (rule.status === 'valid' && !isVetoed(rule));
}

/** True for the rules that pages have still to decide on. */
export function isPending(rule: Decided): boolean {
  return rule.status === 'likely' && !isVetoed(rule);
}

/** One word or two for people. */
export function standingOf(rule: Decided & Pick<Rule, 'history'>): string {
  if (isVetoed(rule)) return 'vetoed';
  if (isPinned(rule)) return rule.status === 'invalid' ? 'pinned, refuted' : 'pinned';
  return rule.history?.retired === undefined ? rule.status : 'retired';
}
