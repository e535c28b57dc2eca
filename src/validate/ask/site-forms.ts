// The form of each URL of the list under the rules accepted so far, and what one more rule would make of these forms.
//
//     urls     u1  u2  u3  u4       as in the list
//     forms    f1  f1  f2  f3       after the accepted rules: the input of the next rule
//
// A rule saves the number of forms that disappear: f2 → f1 saves one, f3 → f4 none.
import { decodeText, encodeText } from '../../base/bytes.js';
import { compileRule, imageOf } from '../../rule/apply.js';
import type { Rule } from '../../rule/rule.js';
import { isGrown } from '../../rule/standing.js';
import { pathStart } from '../../url/form.js';
import { drawNumber } from '../sample.js';
import { type Hypothesis, hypothesisOf } from './hypothesis.js';

/** Returns a function that canonizes by the rules, to a fixed point. */
export type CanonizeBy = (rules: readonly Rule[]) => (url: Uint8Array) => Uint8Array;

export interface Form {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Offset of START. */
  readonly origin: number;
  /** The position of the form in every draw. */
  readonly number: number;
  /** How many URLs of the list have this form. */
  urls: number;
}

export interface Change {
  readonly form: Form;
  /** What canonization would make of the form if the hypothesis were accepted. */
  readonly image: string;
}

export interface Reach {
  readonly changes: readonly Change[];
  readonly saving: number;
}

/** Sorts changes into draw order. */
export function inDrawOrder(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => a.form.number - b.form.number);
}

/** How often a hypothesis is applied alternately with the accepted rules. */
const MAX_TURNS = 10;

export class SiteForms {
  readonly urls: readonly string[];
  /** Accepted rules, in the order in which they are applied. */
  rules: readonly Rule[] = [];
  #forms = new Map<string, Form>();
  /** The form of each URL, in list order. */
  #formOf: string[] = [];
  #canonize: (url: Uint8Array) => Uint8Array = (url) => url;
  readonly #canonizeBy: CanonizeBy;
  readonly #pathOnly: boolean;
  readonly #seed: number;

  constructor(
    urls: readonly string[],
    canonizeBy: CanonizeBy,
    { pathOnly, seed }: { readonly pathOnly: boolean; readonly seed: number },
  ) {
    this.urls = urls;
    this.#canonizeBy = canonizeBy;
    this.#pathOnly = pathOnly;
    this.#seed = seed;
    this.setRules([]);
  }

  get count(): number {
    return this.#forms.size;
  }

  all(): Iterable<Form> {
    return this.#forms.values();
  }

  texts(): string[] {
    return [...this.#forms.keys()];
  }

  has(text: string): boolean {
    return this.#forms.has(text);
  }

  /** Each URL of the list, and its form. */
  *entries(): Generator<readonly [url: string, form: string]> {
    for (const [at, url] of this.urls.entries()) yield [url, this.#formOf[at]!];
  }

  /** The canonical form of a URL under the accepted rules. */
  formOf(url: string): string {
    return decodeText(this.#canonize(encodeText(url)));
  }

  /**
   * Recomputes all forms under these rules. A form that does not change stays the same object. Returns the new forms.
   */
  setRules(rules: readonly Rule[]): Form[] {
    this.rules = rules;
    this.#canonize = rules.length === 0 ? (url) => url : this.#canonizeBy(rules);
    const before = this.#forms;
    this.#forms = new Map();
    this.#formOf = this.urls.map((url) => this.formOf(url));
    const added: Form[] = [];
    for (const text of this.#formOf) {
      const known = this.#forms.get(text);
      if (known !== undefined) {
        known.urls++;
        continue;
      }
      const form = before.get(text) ?? this.#newForm(text);
      if (!before.has(text)) added.push(form);
      form.urls = 1;
      this.#forms.set(text, form);
    }
    return added;
  }

  /** A form that need not be in the list. */
  looseForm(text: string): Form {
    return this.#forms.get(text) ?? this.#newForm(text);
  }

  #newForm(text: string): Form {
    const bytes = encodeText(text);
    const origin = this.#pathOnly ? pathStart(bytes) : 0;
    return { text, bytes, origin, number: drawNumber(bytes, this.#seed), urls: 0 };
  }

  /** The form of each URL of the list under `rules`, regardless of the accepted ones. */
  formsUnder(rules: readonly Rule[]): string[] {
    const canonize = this.#canonizeBy(rules);
    return this.urls.map((url) => decodeText(canonize(encodeText(url))));
  }

  /** True if one of the hypothesis' rules changes the form itself. */
  changes({ compiled }: Hypothesis, form: Form): boolean {
    return compiled.some((rule) => imageOf(rule, form.bytes, form.origin) !== form.bytes);
  }

  /**
   * What canonization would make of a form if the hypothesis were accepted: the two are applied alternately until
   * neither changes it.
   */
  imageOf({ compiled }: Hypothesis, { text, bytes }: Pick<Form, 'text' | 'bytes'>): string {
    let at = bytes;
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const before = at;
      for (const rule of compiled) at = imageOf(rule, at, this.#pathOnly ? pathStart(at) : 0);
      if (at === before) break;
      at = this.#canonize(at);
    }
    return at === bytes ? text : decodeText(at);
  }

  /** The changes that a hypothesis makes among these forms (by default all). */
  reachOf(hypothesis: Hypothesis, forms: Iterable<Form> = this.all()): Reach {
    const changes: Change[] = [];
    for (const form of forms) {
      if (this.#forms.get(form.text) !== form || !this.changes(hypothesis, form)) continue;
      const image = this.imageOf(hypothesis, form);
      if (image !== form.text) changes.push({ form, image });
    }
    const changed = new Set(changes.map(({ form }) => form.text));
    const made = new Set<string>();
    for (const { image } of changes) if (changed.has(image) || !this.#forms.has(image)) made.add(image);
    return { changes, saving: changes.length - made.size };
  }
}

/** URLs of the list that a rule changes by itself. */
export function urlsChangedBy(rule: Rule, forms: SiteForms): string[] {
  const hypothesis = hypothesisOf([rule], { prior: 1 });
  return forms.urls.filter((url) => forms.changes(hypothesis, forms.looseForm(url)));
}

/** True if the rule mostly inserts text: most forms are contained in their longer images. */
export function growsMost({ changes }: Reach): boolean {
  return 2 * changes.filter(({ form, image }) => isGrown(form.text, image)).length > changes.length;
}

/** The changes that the rule itself makes. */
export function changesOf(rule: Rule, changes: readonly Change[]): Change[] {
  const compiled = compileRule(rule);
  return changes.filter(({ form }) => imageOf(compiled, form.bytes, form.origin) !== form.bytes);
}
