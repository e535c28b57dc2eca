// Which rules lead to the same form without state? `canonize` remembers the forms of a URL, and takes the least of a
// cycle (SPEC 8). A list of regular expressions, applied round after round, remembers nothing. Its result is the same
// if no cycle is possible, and such a target gets the rules for which that can be proved.
//
// The proof is by measures, as for the termination of string rewriting: if no rule raises a measure, a rule that
// strictly lowers it is not part of a cycle, and can be set aside; then the others are considered by themselves.
// Measures are
//
//     how often byte b occurs in the URL     exact for a substring rule; a removed parameter takes its name along
//     the same, negated                      proves that there is no cycle, but lets forms grow; so only for targets
//                                            that give up after the rounds that `canonize` has
//     length, then byte order                all mined rules go down; so do `remove`, and `set` to a bare name
//
// In addition to rules that go down in length and order, `set` p=v is allowed if nothing can change the text `p=v` once
// it is there: no `from` overlaps it, no other `set` has the same name or such a text. For each such text that a cycle
// writes (at most |v| + 1 bytes more) it has to remove one, which is longer (|p| + 1 + |v|): by a `remove`, or as a
// duplicate field. So the URL would get shorter in each cycle.
//
// Rules that remain are dropped, the last one first, until the rest can be proved. What was set aside, or is harmless
// beside the others, stays so with fewer others: so the proof goes on after a rule is dropped, and each rule is looked at
// once, from the last to the first.
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

/** The effect of a rule on the measures. */
interface Effect {
  readonly at: number;
  /** By how much the count of each byte rises at most; negative if it certainly falls. */
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
 * `isBounded`: the target gives up a URL that takes more rounds than `canonize` allows. The rules, from `expressible`,
 * keep their order.
 */
export function carriable<R extends { readonly rule: Rule }>(
  expressible: readonly R[],
  { isBounded }: { readonly isBounded: boolean },
): Carried<R> {
  const effects = expressible.map(({ rule }, at) => effectOf(rule, at));
  const open = new OpenEffects(effects, isBounded);
  const dropped = new Set<number>();
  open.setAside();
  for (const effect of effects.toReversed()) {
    if (!open.has(effect) || isHarmless(effect, open)) continue;
    dropped.add(effect.at);
    open.delete(effect);
    open.setAside();
  }
  const reason = 'could lead in a circle with the other rules';
  return {
    carried: expressible.filter((_, at) => !dropped.has(at)),
    left: expressible.filter((_, at) => dropped.has(at)).map(({ rule }) => ({ rule, reason })),
  };
}

/** The rules that could still be in a cycle, and how many of them raise and lower the count of each byte. */
class OpenEffects {
  readonly #open = new Set<Effect>();
  readonly #raising = new Uint32Array(256);
  readonly #lowering = new Uint32Array(256);
  readonly #isBounded: boolean;
  #inexact = 0;

  constructor(effects: readonly Effect[], isBounded: boolean) {
    this.#isBounded = isBounded;
    for (const effect of effects) {
      this.#open.add(effect);
      this.#count(effect, 1);
    }
  }

  has(effect: Effect): boolean {
    return this.#open.has(effect);
  }

  [Symbol.iterator](): Iterator<Effect> {
    return this.#open.values();
  }

  delete(effect: Effect): void {
    if (this.#open.delete(effect)) this.#count(effect, -1);
  }

  /** Deletes those that one of the byte counts proves not to be in a cycle, as long as there are any. */
  setAside(): void {
    for (let byte = this.#provingByte(); byte !== -1; byte = this.#provingByte()) {
      for (const effect of this.#open) if (effect.rise[byte] !== 0) this.delete(effect);
    }
  }

  /** A byte whose count some rules lower and none raises, or the other way round; -1 if there is none. */
  #provingByte(): number {
    const mayRise = this.#isBounded && this.#inexact === 0;
    for (let byte = 0; byte < 256; byte++) {
      const [raising, lowering] = [this.#raising[byte]!, this.#lowering[byte]!];
      if (raising === 0 ? lowering > 0 : lowering === 0 && mayRise) return byte;
    }
    return -1;
  }

  #count({ rise, isExact }: Effect, by: 1 | -1): void {
    if (!isExact) this.#inexact += by;
    for (let byte = 0; byte < 256; byte++) {
      if (rise[byte]! > 0) this.#raising[byte]! += by;
      if (rise[byte]! < 0) this.#lowering[byte]! += by;
    }
  }
}

function isHarmless({ goesDown, set, at }: Effect, all: OpenEffects): boolean {
  if (set === undefined) return goesDown;
  for (const other of all) {
    if (other.at === at) continue;
    if (other.from !== undefined && set.isHitBy(other.from)) return false;
    if (other.step !== undefined && set.isHitByStep(other.step)) return false;
    if (other.set !== undefined && other.at < at && set.meets(other.set)) return false;
  }
  return true;
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
      const goesDown = !['add-end-slash', 'lower-case', 'sort-fields', 'sort-values'].includes(rule.step);
      const isExact = rule.step === 'add-end-slash';
      return { at, rise, isExact, goesDown, set: undefined, from: undefined, step };
    }
    case 'pattern':
      throw new Error('no target that proves this has patterns');
    default:
      return rule satisfies never;
  }
}

function isDown(from: Uint8Array, to: Uint8Array): boolean {
  return from.length > to.length || (from.length === to.length && Buffer.compare(from, to) > 0);
}
