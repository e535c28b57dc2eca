// Which rules of a file are true? Each is applied by itself, by the code that is measured, to the URLs whose pages are
// known. It is true where of the URLs that it leads to another known URL at least 95 % show the same page there; the
// first rules that lead to none are judged by asking the site for a few of the pages that they lead to.
import { landingOf } from './ask.js';
import { areNear } from './clusters.js';
import type { Truth } from './measures.js';
import { textOf } from './page-text.js';

/** What of a rules file is looked at here, whatever kinds of rules there are. */
export interface AnyRule {
  readonly kind: string;
  readonly status: string;
  readonly confidence?: number;
  readonly from?: unknown;
  readonly to?: unknown;
}

export interface AnyRulesFile {
  readonly rules: readonly AnyRule[];
}

/** The canonizer of the checkout that is measured; rules that nobody validated are applied too. */
export type CanonizerOf = (file: AnyRulesFile) => (url: string) => string;

export interface JudgedRule {
  readonly rule: AnyRule;
  /** Null if it leads to no known URL. */
  readonly isTrue: boolean | null;
}

const LEAST_SAME = 0.95;
const MOST_ASKED = 8;

export function judgeRules(file: AnyRulesFile, truth: Truth, canonizerOf: CanonizerOf): JudgedRule[] {
  // Forms are normalized, so the known URLs are looked up as the rules without any rule leave them.
  const normalised = canonizerOf({ ...file, rules: [] });
  const known = new Map<string, string>();
  for (const [url, { near }] of truth) known.set(normalised(url), near);
  return file.rules.map((rule) => {
    const canonize = canonizerOf({ ...file, rules: [rule] });
    let [instances, same] = [0, 0];
    for (const [url, near] of known) {
      const form = canonize(url);
      const there = form === url ? undefined : known.get(form);
      if (there === undefined) continue;
      instances++;
      if (there === near) same++;
    }
    return { rule, isTrue: instances === 0 ? null : same / instances >= LEAST_SAME };
  });
}

/** Of the first `most` rules, those without a verdict, by eight pages each. One that changes nothing stays without. */
export async function judgeByAsking(
  judged: readonly JudgedRule[],
  { file, truth, canonizerOf, most }: { file: AnyRulesFile; truth: Truth; canonizerOf: CanonizerOf; most: number },
): Promise<JudgedRule[]> {
  const normalised = canonizerOf({ ...file, rules: [] });
  const urls = [...new Set(Array.from(truth.keys(), normalised))];
  const asked = [...judged];
  for (const [k, { rule, isTrue }] of judged.slice(0, most).entries()) {
    if (isTrue !== null) continue;
    const canonize = canonizerOf({ ...file, rules: [rule] });
    const changed = urls.filter((url) => canonize(url) !== url);
    const step = Math.max(1, Math.floor(changed.length / MOST_ASKED));
    const some = changed.filter((_, n) => n % step === 0).slice(0, MOST_ASKED);
    let same = 0;
    for (const url of some) if (await isSamePage(url, canonize(url))) same++;
    if (some.length > 0) asked[k] = { rule, isTrue: same >= LEAST_SAME * some.length };
  }
  return asked;
}

async function isSamePage(url: string, form: string): Promise<boolean> {
  if (!/^http:\/\/[\w.-]*localhost:\d+([/?]|$)/.test(form)) return false;
  const [here, there] = [await landingOf(url), await landingOf(form)];
  if (here?.status !== 200 || there?.status !== 200) return false;
  if (here.body.equals(there.body)) return true;
  const [a, b] = [textOf(here.type, here.body), textOf(there.type, there.body)];
  return a !== null && b !== null && areNear(a, b);
}

export interface Precision {
  readonly at: number;
  /** Share of the first rules that are true; a rule that could not be judged is not. */
  readonly share: number;
  readonly judged: number;
}

export function precisionAt(judged: readonly JudgedRule[], at: number): Precision {
  const first = judged.slice(0, at);
  return {
    at,
    share: first.filter(({ isTrue }) => isTrue === true).length / Math.max(1, first.length),
    judged: first.filter(({ isTrue }) => isTrue !== null).length,
  };
}

export interface Tenth {
  /** The confidences from `from` on, to a tenth more; the last with 1. */
  readonly from: number;
  readonly judged: number;
  readonly areTrue: number;
  readonly meanConfidence: number;
}

/** What does a confidence mean? Of the rules that could be judged, by tenths of it; tenths without any are left out. */
export function calibrationOf(judged: readonly JudgedRule[]): Tenth[] {
  return Array.from({ length: 10 }, (_, k) => {
    const inside = judged.filter(
      ({ rule: { confidence }, isTrue }) =>
        isTrue !== null && confidence !== undefined && Math.min(9, Math.floor(confidence * 10)) === k,
    );
    const sum = inside.reduce((total, { rule }) => total + rule.confidence!, 0);
    const areTrue = inside.filter(({ isTrue }) => isTrue === true).length;
    return { from: k / 10, judged: inside.length, areTrue, meanConfidence: sum / Math.max(1, inside.length) };
  }).filter((tenth) => tenth.judged > 0);
}
