// Is a rule applied, and should pages be fetched for it? Its status decides, unless a user has.
//
// A rule that only adds text is an insertion: `/` → `//`, ε → `&utm_source=…`. A server that ignores what is added
// answers with the same page, so pages always support it; but nobody uses that address. It is applied only if the site
// itself confirms it, or a user.
import { compileSubstring } from './apply.js';
import type { Rule, Use } from './rule.js';

/**
 * Which rules are applied: those that pages confirmed, also those that can be trusted without, or all but refuted ones.
 */
export type Accept = 'valid' | 'confident' | 'likely';

export const ACCEPTS: readonly Accept[] = ['valid', 'confident', 'likely'];

/** The confidence from which a likely rule is trusted without pages: nineteen in twenty should hold. */
export const CONFIDENT = 0.95;

/**
 * True for the rules that are applied, including those that a user has pinned, but no vetoed ones. Keys are only
 * applied where forms are not written.
 */
export function accepts(rule: Rule, accept: Accept, use: Use = 'write'): boolean {
  if (isKey(rule) && use === 'write') return false;
  if (isPinned(rule)) return true;
  if (isVetoed(rule) || isLeftOut(rule)) return false;
  if (rule.status === 'valid') return true;
  if (rule.status === 'invalid' || accept === 'valid') return false;
  return accept === 'likely' || (rule.confidence >= CONFIDENT && !isInsertion(rule) && !isNumericSeries(rule));
}

/** True for a rule that says which URLs are one page, but whose image may not be there. */
export function isKey({ use }: Pick<Rule, 'use'>): boolean {
  return use === 'key';
}

/** True for a key whose images answer, but which the hits of the log or the site's controls forbid to write. */
export function isAnsweringKey({ use, hits, control }: Pick<Rule, 'use' | 'hits' | 'control'>): boolean {
  return use === 'key' && (hits !== undefined || control !== undefined);
}

/** The rule with the `use` of another one. */
export function usedAs<R extends Pick<Rule, 'use'>>(rule: R, other: Pick<Rule, 'use'>): R {
  return isKey(rule) === isKey(other) ? rule : { ...rule, use: other.use ?? 'write' };
}

/** True for a rule that would be accepted, but only adds text, and neither the site nor a user confirms it. */
export function isLeftOut(rule: Rule): boolean {
  return rule.word === undefined && !isPinned(rule) && isInsertion(rule);
}

/** True for a rule whose image contains the URL and more. A parameter is only ever set where it exists already. */
export function isInsertion(rule: Saying): boolean {
  switch (rule.kind) {
    case 'substring':
      return rule.to.includes(rule.from) && holdsWhole(rule.to, rule.from);
    case 'parameter':
      return false;
    case 'step':
      return rule.step === 'add-end-slash';
    case 'pattern':
      return false;
    default:
      return rule satisfies never;
  }
}

/**
 * True if everything that a rule replaces is still there, in its order, with more in between: `/p-12` → `/p-1-2`,
 * `post` → `posts`.
 */
export function isGrowth(rule: Saying): boolean {
  if (rule.kind !== 'substring') return isInsertion(rule);
  return isGrown(rule.from, rule.to);
}

/** True if all characters of one text are in the other, in their order, and more besides. */
export function isGrown(from: string, to: string): boolean {
  if (to.length <= from.length) return false;
  let at = 0;
  for (let k = 0; k < to.length && at < from.length; k++) if (to[k] === from[at]) at++;
  return at === from.length;
}

/** What a rule of each kind says, with or without a rank. */
type Saying = Rule extends infer R
  ? R extends Rule
    ? Pick<
        R,
        Extract<
          keyof R,
          'kind' | 'from' | 'to' | 'anchor' | 'name' | 'action' | 'step' | 'text' | 'pattern' | 'template'
        >
      >
    : never
  : never;

function holdsWhole(to: string, from: string): boolean {
  return from === '' || compileSubstring({ from, to, anchor: 'none' }).inside.length > 0;
}

/** True for two pages of a numbered series: `/page/2` → `/page/1`, `-2019` → `-2020`. */
export function isNumericSeries(rule: Saying): boolean {
  if (rule.kind !== 'substring') return false;
  const [from, to] = [rule.from, rule.to].map((side) => side.replace(/\d+/g, '0')) as [string, string];
  return from === to;
}

type Decided = Pick<Rule, 'status' | 'pin' | 'veto'>;

export function isVetoed({ veto }: Decided): boolean {
  return veto === true || veto === 'local';
}

export function isPinned(rule: Decided): boolean {
  return !isVetoed(rule) && (rule.pin === true || rule.pin === 'local');
}

/** True for the rules that canonization uses, except those that are only likely. */
export function isInUse(rule: Rule): boolean {
  return accepts(rule, 'valid');
}

/** Below this confidence, a rule without verdict is more probably wrong than right. */
const LIKELY = 0.5;

/** True for a rule that has the status `likely`, but is not called so to people. */
export function isCandidate(rule: Pick<Rule, 'status' | 'confidence'>): boolean {
  return rule.status === 'likely' && rule.confidence < LIKELY;
}

/** True for the rules that pages have yet to decide on. */
export function isPending(rule: Decided): boolean {
  return rule.status === 'likely' && !isVetoed(rule);
}

/** True for a key of which nobody knows yet whether its images answer; if they do, it will be written. */
export function isOpenKey(rule: Rule): boolean {
  if (!isKey(rule) || isAnsweringKey(rule) || rule.status === 'invalid' || isPinned(rule) || isVetoed(rule))
    return false;
  return rule.otherWay === undefined || rule.otherWay.undecided !== undefined;
}

/** True for the rules that a validation asks about. */
export function isOpen(rule: Rule): boolean {
  return isPending(rule) || isOpenKey(rule);
}

/** One or two words, as JSON has them. */
export function standingOf(rule: Rule): string {
  if (isVetoed(rule)) return 'vetoed';
  if (isPinned(rule)) return rule.status === 'invalid' ? 'pinned, refuted' : 'pinned';
  if (rule.history?.retired !== undefined) return 'retired';
  if (isKey(rule)) return `${rule.status}, a key`;
  return rule.status !== 'invalid' && isLeftOut(rule) ? `${rule.status}, only adds` : rule.status;
}

/** The same for people, to whom a likely rule of little confidence is only a candidate. */
export function calledOf(rule: Rule): string {
  const standing = standingOf(rule);
  return isCandidate(rule) ? standing.replace(/^likely/, 'candidate') : standing;
}
