// The lines of `dups --pairs`: URL, tab, URL, tab, resemblance. They look like lines of labels, and are none: the last
// field of all pairs of equal pages is 1.

export function formatPair(a: string, b: string, resemblance: number): string {
  return `${a}\t${b}\t${Number(resemblance.toFixed(4))}\n`;
}

const PAIR = /^[^\t]+\t[a-z][a-z\d+.-]*:\/\/[^\t]+\t(?:1|0\.\d+)$/i;

/** True while all lines that were shown to it are pairs; false if there was none. */
export class PairWatch {
  #lines = 0;
  #isOpen = true;

  get areAll(): boolean {
    return this.#isOpen && this.#lines > 0;
  }

  /** `lineOf` is called only as long as it matters. */
  see(lineOf: () => string): void {
    if (!this.#isOpen) return;
    this.#lines++;
    this.#isOpen = PAIR.test(lineOf());
  }
}

/** What to say of a file of pairs, where labels were expected. */
export const PAIRS_FOR_LABELS =
  'has pairs of URLs, as dups --pairs writes them; expected its clusters: those of dups -o FILE';
