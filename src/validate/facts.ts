// What is known about a site while its rules are settled: the valid rules, and pairs of pages that are foreign to each
// other.
import { decodeText, encodeText } from '../base/bytes.js';
import { compileRule, imageOf, type CompiledRule } from '../rule/apply.js';
import type { Rule } from '../rule/rule.js';
import { isInUse } from '../rule/standing.js';
import { pathStart } from '../url/form.js';
import { isNeedless } from './needless.js';

/** Every rule is checked against all of them. */
const MAX_FOREIGN_PAIRS = 2000;

export class SiteFacts {
  /**
   * Counter-examples to any rule that maps one to the other. A wrong rule comes in many forms, each narrower or wider
   * by a token; without these pairs, each would be another chance to pass by luck.
   */
  readonly foreignPairs: (readonly [string, string])[] = [];
  readonly #rules: Rule[] = [];
  readonly #compiled: CompiledRule[] = [];
  readonly #pathOnly: boolean;

  constructor(pathOnly: boolean) {
    this.#pathOnly = pathOnly;
  }

  addForeign(url: string, image: string): void {
    if (this.foreignPairs.length < MAX_FOREIGN_PAIRS) this.foreignPairs.push([url, image], [image, url]);
  }

  get count(): number {
    return this.#rules.length;
  }

  add(rules: readonly Rule[]): void {
    for (const rule of rules) {
      if (!isInUse(rule)) continue;
      this.#rules.push(rule);
      this.#compiled.push(compileRule(rule));
    }
  }

  makeNeedless(rule: Rule): boolean {
    return this.#rules.some((broad) => isNeedless(rule, broad));
  }

  /** Rewrites a rule anchored at the start by these rules; undefined if its two sides become equal. */
  inTheirTerms(rule: Rule): Rule | undefined {
    if (rule.kind !== 'substring' || (rule.anchor !== 'start' && rule.anchor !== 'both')) return rule;
    const from = this.#prefixOf(rule.from);
    const to = this.#prefixOf(rule.to);
    if (from === to) return undefined;
    return from === rule.from && to === rule.to ? rule : { ...rule, from, to };
  }

  /** The start of a URL after the rules anchored at the start, and only those. */
  #prefixOf(text: string): string {
    let prefix = encodeText(text);
    for (const [at, rule] of this.#rules.entries()) {
      if (rule.kind === 'substring' && rule.anchor === 'start') prefix = imageOf(this.#compiled[at]!, prefix, 0);
    }
    return decodeText(prefix);
  }

  /** One round of canonization, from the rule number `first` on. */
  formOf(url: string, first = 0): string {
    let form = encodeText(url);
    for (let at = first; at < this.#compiled.length; at++) {
      form = imageOf(this.#compiled[at]!, form, this.#pathOnly ? pathStart(form) : 0);
    }
    return decodeText(form);
  }

  change(url: string, first: number): boolean {
    return this.formOf(url, first) !== url;
  }
}
