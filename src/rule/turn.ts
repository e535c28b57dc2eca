// What is the reverse of a rule? Its sides change places. Conditions and exceptions are about the URLs that a rule
// changes, which were its images before, so they change too:
//
//     http://m.x/ → http://x/      not on m.x       except http://m.x/a
//     http://x/ → http://m.x/      not on x         except http://x/a
import { decodeText, encodeText } from '../base/bytes.js';
import { compileRule, imageOf } from './apply.js';
import type { Condition, Rule, StepRule, SubstringRule, Verdict } from './rule.js';

/** The reversed rule; undefined if an image does not determine the URL before. */
export function turnedRule(rule: Rule): Rule | undefined {
  if (rule.kind === 'substring') return turnedSubstring(rule);
  if (rule.kind !== 'step') return undefined;
  if (rule.step === 'drop-end-slash') return turnedStep(rule, 'add-end-slash');
  return rule.step === 'add-end-slash' ? turnedStep(rule, 'drop-end-slash') : undefined;
}

/** A turned substring rule, without what pages showed about its direction. */
export function turnedSubstring(rule: SubstringRule): SubstringRule {
  const { from, to } = rule;
  return { ...turnedBase(rule, (one) => movedCondition(one, rule)), from: to, to: from };
}

function turnedStep(rule: StepRule, step: StepRule['step']): StepRule {
  return { ...turnedBase(rule, (one) => slashCondition(one, step)), step };
}

function turnedBase<R extends SubstringRule | StepRule>(rule: R, moved: (one: Condition) => Condition | undefined): R {
  const { word: _word, otherWay: _otherWay, hits: _hits, verdict, except, only, not, ...bare } = rule;
  const onlyMoved = only?.flatMap((one) => moved(one) ?? []) ?? [];
  const notMoved = not?.flatMap((one) => moved(one) ?? []) ?? [];
  return {
    ...(bare as unknown as R),
    examples: rule.examples.map(([url, image]) => [image, url] as const),
    ...(onlyMoved.length > 0 && { only: onlyMoved }),
    ...(notMoved.length > 0 && { not: notMoved }),
    ...(except !== undefined && { except: imagesOf(rule, except) }),
    ...(verdict !== undefined && { verdict: verdictTurned(verdict) }),
  };
}

/** The images of URLs under the rule without its exceptions. */
function imagesOf({ except: _except, ...rule }: Rule, urls: readonly string[]): string[] {
  const compiled = compileRule(rule as Rule);
  return urls.map((url) => decodeText(imageOf(compiled, encodeText(url), 0)));
}

/** The verdict with URLs and images exchanged. */
export function verdictTurned(verdict: Verdict): Verdict {
  return {
    ...verdict,
    positives: verdict.positives.map(([url, image]) => [image, url] as const),
    negatives: verdict.negatives.map(([url, image, why]) => [image, url, why] as const),
  };
}

/** A condition on the image: the part of its text that the rule replaces is replaced. */
function movedCondition(one: Condition, { from, to }: SubstringRule): Condition {
  if (typeof one.is === 'number') {
    return one.part === 'depth' ? { ...one, is: one.is + segmentsOf(to).length - segmentsOf(from).length } : one;
  }
  const is = movedText(one.part, one.is, from, to);
  return is === one.is ? one : ({ ...one, is } as Condition);
}

function movedText(part: Condition['part'], is: string, from: string, to: string): string {
  if (part === 'host') {
    const [before, after] = [hostOf(from), hostOf(to)];
    if (before !== undefined && after !== undefined) return is === before ? after : is;
    const whole = ['//', 'http://', 'https://'].map((scheme) => `${scheme}${is}/`).find((url) => url.includes(from));
    return from === '' || whole === undefined ? is : (hostOf(whole.replace(from, () => to)) ?? is);
  }
  if (part !== 'first' && part !== 'segment' && part !== 'last') return is;
  const [before, after] = [segmentsOf(from), segmentsOf(to)];
  const at = before.indexOf(is);
  return at < 0 || before.length !== after.length ? is : after[at]!;
}

/**
 * A condition on the image of a slash step. A slash at the end hides the last segment: `/a/b` ends in `b`, `/a/b/` in
 * ''.
 */
function slashCondition(one: Condition, step: StepRule['step']): Condition | undefined {
  if (one.part !== 'last') return one;
  if (step === 'add-end-slash') return one.is === '' ? undefined : one;
  return { part: 'segment', is: one.is };
}

function hostOf(text: string): string | undefined {
  return /^(?:https?:)?\/\/([^/?#@]+)[/?#]/i.exec(text)?.[1];
}

/** The whole segments of a part of a URL. */
function segmentsOf(text: string): string[] {
  const path = text.replace(/^(?:https?:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  return path.split('/').filter((segment) => segment !== '');
}
