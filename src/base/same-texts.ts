// Deduplicates recurring texts of many objects in memory: parsing an equal text twice makes two strings. Memory is
// bounded: when there are too many texts, all are forgotten.

const MOST_TEXTS = 1 << 16;

type TextPair = readonly [string, string];

export class SameTexts {
  readonly #most: number;
  #texts = new Map<string, string>();
  /** By first text: the pair stored last. */
  #pairs = new Map<string, TextPair>();

  constructor(most = MOST_TEXTS) {
    this.#most = most;
  }

  /** An equal text that was seen before, or this text. */
  text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= this.#most) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  /** The stored copy of a pair. Stores this pair if there is none. */
  pair([from, to]: TextPair): TextPair {
    const known = this.#pairs.get(from);
    if (known !== undefined && known[1] === to) return known;
    const pair: TextPair = [known?.[0] ?? this.text(from), this.text(to)];
    if (this.#pairs.size >= this.#most) this.#pairs.clear();
    this.#pairs.set(pair[0], pair);
    return pair;
  }
}
