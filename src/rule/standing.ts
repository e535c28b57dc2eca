// Is a rule applied, and should pages be fetched for it? Its status decides, unless a user has decided.
//
// What each function says of a rule in each state. `written` is accepts(rule, 'valid'), `used` the same with keys,
// `likely` accepts(rule, 'likely'); the others are the functions isKey … isOpen.
//
//     state                  written used likely  Key AnsweringKey LeftOut Pinned Vetoed  Candidate Pending OpenKey Open
//     likely, from .5 on        .     .     x      .       .          .      .      .         .        x       .      x
//     candidate, below .5       .     .     x      .       .          .      .      .         x        x       .      x
//     valid                     x     x     x      .       .          .      .      .         .        .       .      .
//     invalid                   .     .     .      .       .          .      .      .         .        .       .      .
//     likely, only adds         .     .     .      .       .          x      .      .         .        x       .      x
//     valid, only adds          .     .     .      .       .          x      .      .         .        .       .      .
//     pinned, likely            x     x     x      .       .          .      x      .         .        x       .      x
//     pinned, refuted           x     x     x      .       .          .      x      .         .        .       .      .
//     vetoed, pinned too        .     .     .      .       .          .      .      x         .        .       .      .
//     likely key                .     .     .      x       .          .      .      .         .        x       x      x
//     open key                  .     x     .      x       .          .      .      .         .        .       x      x
//     key, image tried          .     x     .      x       .          .      .      .         .        .       .      .
//     answering key             .     x     .      x       x          .      .      .         .        .       .      .
//     pinned key                .     x     .      x       .          .      x      .         .        .       .      .
//     refuted key               .     .     .      x       .          .      .      .         .        .       .      .
//
// A rule that only adds text is an insertion: `/` → `//`, ε → `&utm_source=…`. A server that ignores the added text
// answers with the same page, so pages always support such a rule, but nobody uses that address. It is applied only if
// the site itself or a user confirms it.
import { compileSubstring } from './apply.js';
import type { Rule, Use } from './rule.js';

/**
 * Which rules are applied: `valid`, those that pages confirmed; `confident`, also those with a high confidence;
 * `likely`, all except refuted ones.
 */
export type Accept = 'valid' | 'confident' | 'likely';

export const ACCEPTS: readonly Accept[] = ['valid', 'confident', 'likely'];

/** The confidence from which a likely rule is trusted without pages: nineteen in twenty should hold. */
export const CONFIDENT = 0.95;

/**
 * True if the rule is applied. Pinned rules are, vetoed ones are not, and keys are only if `use` is `key`: then forms
 * are not written.
 */
export function accepts(rule: Rule, accept: Accept, use: Use = 'write'): boolean {
  if (isKey(rule) && use === 'write') return false;
  if (isPinned(rule)) return true;
  if (isVetoed(rule) || isLeftOut(rule)) return false;
  if (rule.status === 'valid') return true;
  if (rule.status === 'invalid' || accept === 'valid') return false;
  return accept === 'likely' || (rule.confidence >= CONFIDENT && !isNumericSeries(rule));
}

/** True for a rule without a verdict that the log alone cannot be sure of: no redirect is written by it. */
export function isToBeProved(rule: Rule): boolean {
  return isPending(rule) && !accepts(rule, 'confident', 'key');
}

/** True for a rule that only says which URLs are one page, because its image may not exist. */
export function isKey({ use }: Pick<Rule, 'use'>): boolean {
  return use === 'key';
}

/**
 * True for a key whose images answer, but which is not written because of the hits of the log or the site's controls.
 */
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
 * True if the rule keeps everything that it matches, in order, and adds text in between: `/p-12` → `/p-1-2`, `post` →
 * `posts`.
 */
export function isGrowth(rule: Saying): boolean {
  if (rule.kind !== 'substring') return isInsertion(rule);
  return isGrown(rule.from, rule.to);
}

/** True if `to` has all characters of `from`, in their order, and more. */
export function isGrown(from: string, to: string): boolean {
  if (to.length <= from.length) return false;
  let at = 0;
  for (let k = 0; k < to.length && at < from.length; k++) if (to[k] === from[at]) at++;
  return at === from.length;
}

/** The statement of a rule, with or without a rank. */
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

/** With a lower confidence, a rule without a verdict is more probably wrong than right. */
const LIKELY = 0.5;

/** True for a rule with the status `likely` that people see as a candidate. */
export function isCandidate(rule: Pick<Rule, 'status' | 'confidence'>): boolean {
  return rule.status === 'likely' && rule.confidence < LIKELY;
}

/** True for rules that pages have not decided on. */
export function isPending(rule: Decided): boolean {
  return rule.status === 'likely' && !isVetoed(rule);
}

/** True for a key whose images may or may not answer. If they do, the rule will write URLs. */
export function isOpenKey(rule: Rule): boolean {
  if (!isKey(rule) || isAnsweringKey(rule) || rule.status === 'invalid' || isPinned(rule) || isVetoed(rule))
    return false;
  return rule.otherWay === undefined || rule.otherWay.undecided !== undefined;
}

/** True for the rules that a validation asks about. */
export function isOpen(rule: Rule): boolean {
  return isPending(rule) || isOpenKey(rule);
}

/** The standing in one or two words, for JSON. */
export function standingOf(rule: Rule): string {
  if (isVetoed(rule)) return 'vetoed';
  if (isPinned(rule)) return rule.status === 'invalid' ? 'pinned, refuted' : 'pinned';
  if (rule.history?.retired !== undefined) return 'retired';
  if (isKey(rule)) return `${rule.status}, a key`;
  return rule.status !== 'invalid' && isLeftOut(rule) ? `${rule.status}, only adds` : rule.status;
}

/** The standing in words for people: a likely rule with little confidence is a candidate. */
export function calledOf(rule: Rule): string {
  const standing = standingOf(rule);
  return isCandidate(rule) ? standing.replace(/^likely/, 'candidate') : standing;
}
