// Which fixes belong together? Each fix is a redirect of its own, so each must lead to a canonical form by itself:
//
//   fix 1   /old/…  →  /new/…            a URL of the log: /old/x/index.html
//   fix 2   /new/x/index.html → /new/x/  changes that URL only after fix 1 did: they are one
//   fix 3   sid=… → ε                    changes /old/x?sid=1 with or without fix 1: it stays alone
//   fix 4   /old/x/…  →  /x/…            without fix 1, it would make a form that is not canonical: they are one
//
// The URLs of the log decide: a URL that several fixes could change is led through their redirects one after another.
import { addTo } from '../../../base/group-by.js';
import { type Canonizer, type CanonizerOptions, createCanonizer } from '../../../canonize/canonizer.js';
import { compileRule } from '../../../rule/apply.js';
import type { Rule } from '../../../rule/rule.js';
import { createFindRules, type FindRules } from '../../measure-rules.js';
import { bitsOf, type FixRules } from './fix-savings.js';

/** The most redirects that browsers follow. */
const MOST_REDIRECTS = 20;

/** Canonizers of single fixes that are kept. */
const MOST_ALONE = 256;

/** Build (`add`), then ask (`joined`). */
export class FixLinks {
  readonly #fixes: readonly FixRules[];
  readonly #how: CanonizerOptions;
  readonly #all: Canonizer;
  /** Made on demand: most fixes change no URL together with another. Successive URLs often have the same fixes. */
  readonly #alone = new Map<number, Canonizer>();
  readonly #numbers: ReadonlyMap<Rule, number>;
  readonly #findRules: FindRules;
  /** The fixes of what `findRules` finds. */
  readonly #fixesFound: readonly number[];
  /** A union-find: the least number of the set, or one closer to it. */
  readonly #parents: number[];
  readonly #touched = new Set<number>();

  constructor(fixes: readonly FixRules[], how: CanonizerOptions) {
    this.#fixes = fixes;
    this.#how = how;
    const rules = fixes.flatMap((fix) => fix.rules).toSorted((a, b) => a.rank - b.rank);
    this.#all = createCanonizer(rules, how);
    this.#numbers = new Map(fixes.flatMap((fix, number) => fix.rules.map((rule) => [rule, number] as const)));
    this.#findRules = createFindRules(rules, rules.map(compileRule), how);
    this.#fixesFound = rules.map((rule) => this.#numbers.get(rule)!);
    this.#parents = fixes.map((_, number) => number);
  }

  /** Adds a URL and the rules that change it. Returns the bits of the fixes that could change it (`bitsOf`). */
  add(url: Uint8Array, changing: readonly Rule[]): number {
    this.#touched.clear();
    for (const rule of changing) this.#touched.add(this.#numbers.get(rule)!);
    const touched = [...this.#touched];
    for (const rule of this.#findRules(url)) this.#touched.add(this.#fixesFound[rule]!);
    const fixes = [...this.#touched].sort((a, b) => a - b);
    if (fixes.length > 1) this.#join(url, fixes, touched);
    return bitsOf(fixes);
  }

  #join(url: Uint8Array, fixes: readonly number[], touched: readonly number[]): void {
    if (fixes.every((fix) => this.#rootOf(fix) === this.#rootOf(fixes[0]!))) return;
    const form = this.#all.canonize(url);
    for (const fix of fixes) if (!this.#keeps(fix, url, form)) this.#joinAll([fix, ...touched]);
    if (Buffer.compare(this.#follow(url, fixes), form) !== 0) this.#joinAll(touched);
  }

  /** True if the URL that a fix by itself leads to has the same canonical form. */
  #keeps(fix: number, url: Uint8Array, form: Uint8Array): boolean {
    const alone = this.#aloneBy(fix).canonize(url);
    return alone === url || Buffer.compare(this.#all.canonize(alone), form) === 0;
  }

  /** Returns where the redirects of the fixes end. A fix that creates work for another one is joined with it. */
  #follow(url: Uint8Array, fixes: readonly number[]): Uint8Array {
    let at = url;
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
      const fix = fixes.find((one) => this.#changes(one, at));
      if (fix === undefined) return at;
      const next = this.#aloneBy(fix).canonize(at);
      for (const other of fixes) {
        if (other !== fix && !this.#changes(other, at) && this.#changes(other, next)) this.#joinAll([fix, other]);
      }
      at = next;
    }
    return at;
  }

  #changes(fix: number, url: Uint8Array): boolean {
    const alone = this.#aloneBy(fix);
    alone.trace(url);
    return alone.canonical.isChanged;
  }

  #aloneBy(fix: number): Canonizer {
    const known = this.#alone.get(fix);
    if (known !== undefined) return known;
    if (this.#alone.size === MOST_ALONE) this.#alone.clear();
    const { rules } = this.#fixes[fix]!;
    const made = createCanonizer(rules, this.#how);
    this.#alone.set(fix, made);
    return made;
  }

  #rootOf(fix: number): number {
    let root = fix;
    while (this.#parents[root] !== root) root = this.#parents[root]!;
    this.#parents[fix] = root;
    return root;
  }

  #joinAll(fixes: readonly number[]): void {
    for (const fix of fixes) {
      const [a, b] = [this.#rootOf(fixes[0]!), this.#rootOf(fix)];
      this.#parents[Math.max(a, b)] = Math.min(a, b);
    }
  }

  /** The bits of the fixes that could change a URL by themselves (`bitsOf`). */
  bitsOf(url: Uint8Array): number {
    return bitsOf(Array.from(this.#findRules(url), (rule) => this.#fixesFound[rule]!));
  }

  /** The numbers of the joined fixes, by the first of each. */
  joined(): ReadonlyMap<number, readonly number[]> {
    const sets = new Map<number, number[]>();
    for (let fix = 0; fix < this.#parents.length; fix++) {
      const root = this.#rootOf(fix);
      addTo(sets, root, fix);
    }
    return sets;
  }
}
