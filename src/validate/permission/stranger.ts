// How would a stranger request a URL? Values that belong to one visitor are replaced by made-up values of the same
// shape: a rule that removes a session can be tested just as well with a session that nobody has.
//
//   /cart?PHPSESSID=q2v8ksd0f9a7s6d5f4g3h2j1k0   →   /cart?PHPSESSID=x5k1dqz7m4h2n8w3p0c6r9t1b5
//
// A made-up value depends on its shape and on the number of earlier ones, never on the text that it replaces, so it
// reveals nothing about that.
import { createHash } from 'node:crypto';
import { secretKindOf, valuesOf, withValues, type UrlValue } from '../../url/secret.js';
import type { Evidence } from './evidence.js';

export class Stranger {
  readonly #evidence: Evidence | undefined;
  readonly #made = new Map<string, string>();
  readonly #own = new Set<string>();

  constructor(evidence: Evidence | undefined) {
    this.#evidence = evidence;
  }

  /** The URL with made-up values in place of a visitor's. Equal values get equal replacements. */
  url(given: string): string {
    return withValues(given, (value) => (this.#isVisitors(value, given) ? this.#madeUp(value.text) : undefined));
  }

  /** True if a URL still has a value that belongs to one visitor and was not made up here. */
  isVisitors(url: string): boolean {
    return valuesOf(url).some((value) => !this.#own.has(value.text) && this.#isVisitors(value, url));
  }

  #isVisitors(value: UrlValue, url: string): boolean {
    const kind = secretKindOf(value.name, value.text);
    if (kind === 'session' || kind === 'person') return true;
    return kind === 'random' && this.#isPersonal(value, url);
  }

  /** True for a value to replace. A token is not replaced: its URL is not requested. */
  #isPersonal(value: UrlValue, url: string): boolean {
    return this.#evidence?.isPersonal(value, url) === true && !this.#evidence.isToken(value, url);
  }

  #madeUp(text: string): string {
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    const made = ofShape(text, this.#made.size);
    this.#made.set(text, made);
    this.#own.add(made);
    return made;
  }
}

const HEX = '0123456789abcdef';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Makes up a text of the same shape: escapes and punctuation stay, digits become digits, letters letters of the same
 * case, hex digits hex digits.
 */
export function ofShape(text: string, index: number): string {
  const draw = drawsOf(index);
  const isHex = /^(?:[0-9a-f-]+|[0-9A-F-]+)$/.test(text);
  const signs = text.match(/%[0-9a-f]{2}|[^]/gi) ?? [];
  return signs
    .map((sign) => {
      if (sign.length > 1) return sign;
      if (isHex && /[0-9a-f]/i.test(sign)) {
        const digit = HEX[draw() % 16]!;
        return /[A-F]/.test(text) ? digit.toUpperCase() : digit;
      }
      if (/\d/.test(sign)) return String(draw() % 10);
      if (/[a-z]/.test(sign)) return SMALL[draw() % 26]!;
      return /[A-Z]/.test(sign) ? SMALL[draw() % 26]!.toUpperCase() : sign;
    })
    .join('');
}

/** Returns bytes of SHA-256, as many as are needed, the same for the same index. */
function drawsOf(index: number): () => number {
  let block = Buffer.alloc(0);
  let at = 0;
  let blocks = 0;
  return () => {
    if (at === block.length) {
      block = createHash('sha256').update(`stranger ${index} ${blocks++}`).digest();
      at = 0;
    }
    return block[at++]!;
  };
}
