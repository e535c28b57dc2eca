// Which rules lead to the same form without memory? `canonize` remembers the forms of a URL, and of a cycle it takes
// the least (SPEC 8). A list of regular expressions, done round after round, remembers nothing. Its result is the same
// wherever no cycle can be, and rules for which that can be proved are what such a target carries.
//
// The proof is by measures, as for string rewriting: if no rule raises a measure, one that lowers it strictly is part
// of no cycle, and can be set aside; the others are looked at again by themselves. Measures are
//
//     how often byte b stands in the URL           exact for a substring rule; a parameter that goes takes its name along
//     the same, turned round                       proves that there is no cycle, but lets forms grow; so only for targets
//                                                  that give up after the rounds that `canonize` has
//     length, then byte order                      all rules as mined go down; so do `remove`, and `set` to a bare name
//
// Beside rules that go down in length and order, `set` p=v may stay if nothing can harm the text `p=v` once it is
// there: no `from` overlaps it, no other `set` has the same name or such a text. For each such text that a cycle writes
// (at most |v| + 1 bytes more) it has to take one away, which is longer (|p| + 1 + |v|): by a `remove`, or where a
// field is dropped for being a second one. So the URL would be shorter each time round.
//
// What is left over is taken out of the rules, the last one first, until the rest can be proved.
import { encodeText } from '../base/bytes.js';
import { encodeSet, type SetText } from './set-text.js';
import type { Rule } from '../rule/rule.js';
import { compileStep, type StepEdit } from '../rule/step.js';
import { BARE_SIGNS } from '../rule/unescape.js';
import type { LeftOut } from './target.js';

export interface Carried<R> {
  readonly carried: readonly R[];
  readonly left: readonly LeftOut[];
}

/** What a rule does to the measures. */
interface Effect {
  readonly at: number;
  /** By how much the count of each byte rises at most; negative where it falls for sure. */
  readonly rise: Int32Array;
  /** False if counts may fall by any number, as a value of any length goes. */
  readonly isExact: boolean;
  /** True if each change makes the URL shorter, or as long and less in byte order. */
  readonly goesDown: boolean;
  /** What a `set` with a value writes. */
  readonly set: SetText | undefined;
  readonly from: Uint8Array | undefined;
  readonly step?: StepEdit;
}

/**
 * `isBounded` says that the target leaves a URL alone that takes more rounds than `canonize` would give it. Rules of
 * `expressible` are kept in their order.
 */
export function carriable<R extends { readonly rule: Rule }>(
  expressible: readonly R[],
  { isBounded }: { readonly isBounded: boolean },
): Carried<R> {
  const effects = expressible.map(({ rule }, at) => effectOf(rule, at));
  const dropped = new Set<number>();
  for (;;) {
    const open = unproved(
      effects.filter(({ at }) => !dropped.has(at)),
      isBounded,
    );
    if (open.length === 0) break;
    dropped.add(open.at(-1)!.at);
  }
  const reason = 'could lead in a circle with the other rules';
  return {
    carried: expressible.filter((_, at) => !dropped.has(at)),
    left: expressible.filter((_, at) => dropped.has(at)).map(({ rule }) => ({ rule, reason })),
  };
}

/** The rules that stand in the way of a proof; none if there is one. */
function unproved(effects: readonly Effect[], isBounded: boolean): readonly Effect[] {
  let open = effects;
  for (;;) {
    const inTheWay = open.filter((effect) => !isHarmless(effect, open));
    if (inTheWay.length === 0) return [];
    const rest = setAside(open, isBounded);
    if (rest.length === open.length) return inTheWay;
    open = rest;
  }
}

function isHarmless({ goesDown, set, at }: Effect, all: readonly Effect[]): boolean {
  if (set === undefined) return goesDown;
  return all.every((other) => {
    if (other.at === at) return true;
    if (other.from !== undefined && set.isHitBy(other.from)) return false;
    if (other.step !== undefined && set.isHitByStep(other.step)) return false;
    return other.set === undefined || other.at > at || !set.meets(other.set);
  });
}

/** Without those that one of the byte counts proves to be in no cycle. */
function setAside(effects: readonly Effect[], isBounded: boolean): readonly Effect[] {
  const isAllExact = isBounded && effects.every(({ isExact }) => isExact);
  for (let byte = 0; byte < 256; byte++) {
    if (effects.every(({ rise }) => rise[byte]! <= 0)) {
      const rest = effects.filter(({ rise }) => rise[byte] === 0);
      if (rest.length < effects.length) return rest;
    }
    if (isAllExact && effects.every(({ rise }) => rise[byte]! >= 0)) {
      const rest = effects.filter(({ rise }) => rise[byte] === 0);
      if (rest.length < effects.length) return rest;
    }
  }
  return effects;
}

function effectOf(rule: Rule, at: number): Effect {
  const rise = new Int32Array(256);
  const count = (text: string, by: number) => {
    for (const byte of encodeText(text)) rise[byte]! += by;
  };
  switch (rule.kind) {
    case 'substring': {
      count(rule.to, 1);
      count(rule.from, -1);
      const from = encodeText(rule.from);
      return { at, rise, isExact: true, goesDown: isDown(from, encodeText(rule.to)), set: undefined, from };
    }
    case 'parameter': {
      const isSet = rule.action === 'set' && rule.value !== null;
      if (isSet) count(`=${rule.value}`, 1);
      else if (rule.action === 'remove') count(rule.name, -1);
      const set = isSet ? encodeSet(rule.name, rule.value) : undefined;
      return { at, rise, isExact: false, goesDown: !isSet, set, from: undefined };
    }
    case 'step': {
      const step = compileStep(rule);
      if (rule.step === 'add-end-slash') count('/', 1);
      if (rule.step === 'one-separator') count('&', 1);
      if (rule.step === 'unescape') count(BARE_SIGNS, 1);
      if (rule.step === 'lower-case') count('abcdefghijklmnopqrstuvwxyz', 1);
      // `&` comes before `;`, but a letter comes before the same one in lower case.
      const goesDown = !['add-end-slash', 'lower-case', 'sort-fields'].includes(rule.step);
      const isExact = rule.step === 'add-end-slash';
      return { at, rise, isExact, goesDown, set: undefined, from: undefined, step };
    }
    default:
      return rule satisfies never;
  }
}

function isDown(from: Uint8Array, to: Uint8Array): boolean {
  return from.length > to.length || (from.length === to.length && Buffer.compare(from, to) > 0);
}
