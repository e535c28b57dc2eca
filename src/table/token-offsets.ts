// Where do the tokens of a URL start?
import { FIRST_RUN_BYTE } from '../url/token.js';
import type { UrlOrder } from './order.js';
import type { SiteUrls } from './site-urls.js';

/** Offsets in bytes at which the tokens of a URL start, kept for the URLs asked for last. */
export class TokenOffsets {
  readonly #urls: SiteUrls;
  readonly #order: Pick<UrlOrder, 'tokens'>;
  readonly #rows = new Int32Array(64).fill(-1);
  readonly #offsets: Int32Array[] = [];

  constructor(urls: SiteUrls, order: Pick<UrlOrder, 'tokens'>) {
    this.#urls = urls;
    this.#order = order;
  }

  of(row: number): Int32Array {
    const slot = row % this.#rows.length;
    if (this.#rows[slot] !== row) {
      this.#rows[slot] = row;
      this.#offsets[slot] = this.#find(row);
    }
    return this.#offsets[slot]!;
  }

  #find(row: number): Int32Array {
    const { bytes } = this.#urls;
    // START and END have no bytes: m tokens, and the end of the last.
    const offsets = new Int32Array(this.#order.tokens[row]! - 1);
    const first = this.#urls.at(row);
    const end = first + this.#urls.lengthOf(row);
    let token = 0;
    for (let at = first; at < end; at++) {
      const insideRun = at > first && bytes[at]! >= FIRST_RUN_BYTE && bytes[at - 1]! >= FIRST_RUN_BYTE;
      if (!insideRun) offsets[token++] = at - first;
    }
    offsets[token] = end - first;
    return offsets;
  }
}
