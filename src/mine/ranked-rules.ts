// The rules of a run in ranked order, as JSON in memory or on disk. A rule is parsed only while it is used.
import type { Row } from '../base/row.js';
import type { SpillOptions } from '../base/spill.js';
import { TextShelf } from '../base/text-shelf.js';
import type { Rule, RuleList } from '../rule/rule.js';
import type { UnrankedRule } from './site.js';

export class RankedRules implements RuleList {
  readonly #texts: TextShelf;

  constructor(room: SpillOptions) {
    this.#texts = new TextShelf(room);
  }

  get length(): number {
    return this.#texts.length;
  }

  /** Adds the next rule, the payload of a row. */
  add({ bytes, keyEnd, end }: Row): void {
    this.#texts.add(bytes, keyEnd, end);
  }

  *[Symbol.iterator](): Generator<Rule> {
    let rank = 0;
    for (const text of this.#texts) yield { rank: ++rank, ...(JSON.parse(text) as UnrankedRule) };
  }

  /** Empties the list. */
  close(): void {
    this.#texts.close();
  }
}
