// The lines of `dups --pairs`: URL, tab, URL, tab, resemblance. They look like lines of labels: the last field of all
// pairs of equal pages is 1, which would make one class of them.

export function formatPair(a: string, b: string, resemblance: number): string {
  return `${a}\t${b}\t${Number(resemblance.toFixed(4))}\n`;
}

const PAIR = /^[^\t]+\t[a-z][a-z\d+.-]*:\/\/[^\t]+\t(?:1|0\.\d+)$/i;

/** Detects files of pairs: true while all lines that it has seen are pairs, false if it saw none. */
export class PairWatch {
  #lines = 0;
  #isOpen = true;

  get areAll(): boolean {
    return this.#isOpen && this.#lines > 0;
  }

  /** Calls `lineOf` only while the line matters. */
  see(lineOf: () => string): void {
    if (!this.#isOpen) return;
    this.#lines++;
    this.#isOpen = PAIR.test(lineOf());
  }
}

/** The message for a file of pairs where labels were expected. */
export const PAIRS_FOR_LABELS =
  'has pairs of URLs, as dups --pairs writes them; expected its clusters: those of dups -o FILE';
