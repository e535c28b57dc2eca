// Which pages prove nothing? A page that is found under many unrelated URLs of a site is a soft 404, a login wall, an
// empty result: it makes every rule look right (paper §6, SPEC 10).
//
// URLs are related if they have the same name: the last part of the path up to its first dot, except `index` and
// `default`. So `/en/bind.html`, `/da/bind` and `/bind/?sid=7` are one name, and `/story_7`, `/story_9` are two. Real
// aliases of one page rarely have five names; an error page has all there are.
//
// A page with the same words as the page of a nonsense URL, apart from the words of the two URLs, is a soft error too,
// even if these words are so many that the pages are not alike: "lib:os:path - This topic does not exist yet".
import { withoutText, type Document } from '../sketch/document.js';
import { textOf } from './same-page.js';
import { likenessOf, sketchOf } from '../sketch/page.js';
import type { SetAside } from '../sketch/boilerplate.js';
import { ALIKE_RESEMBLANCE, isAlike, type Sketch } from '../sketch/sketch.js';
import { veiled } from '../sketch/veil.js';

/** From so many names on, a page counts as a soft error. */
const MANY_NAMES = 5;
/** With fewer words, what is left of a nonsense page says nothing. */
const MIN_WORDS = 5;

interface Kept {
  readonly document: Document;
  readonly sketch: Sketch | undefined;
  readonly names: Set<string>;
}

export class SoftErrors {
  readonly #boilerplate: SetAside;
  readonly #byDigest = new Map<string, Kept>();
  /** What the site says of URLs that cannot exist. */
  readonly #nonsense: { readonly url: string; readonly words: readonly string[] }[] = [];

  /** Number of distinct bodies added. */
  get pages(): number {
    return this.#byDigest.size;
  }

  constructor(boilerplate: SetAside) {
    this.#boilerplate = boilerplate;
  }

  add(url: string, document: Document): void {
    const { names } = this.#keptOf(document);
    if (names.size >= MANY_NAMES) return;
    if (this.#isNonsense(url, document)) giveManyNames(names);
    else names.add(nameOf(url));
  }

  #keptOf(document: Document): Kept {
    let kept = this.#byDigest.get(document.digest);
    if (kept === undefined) {
      kept = {
        document: withoutText(document),
        sketch: document.kind === 'text' ? sketchOf(document) : undefined,
        names: new Set(),
      };
      this.#byDigest.set(document.digest, kept);
    }
    return kept;
  }

  /** The answer to a URL that cannot exist. An answer that reads like it is not a page either, whatever its URL. */
  addNonsense(url: string, document: Document): void {
    const words = wordsOfPage(document);
    if (words !== undefined) this.#nonsense.push({ url, words });
    giveManyNames(this.#keptOf(document).names);
  }

  #isNonsense(url: string, document: Document): boolean {
    const words = this.#nonsense.length === 0 ? undefined : wordsOfPage(document);
    if (words === undefined) return false;
    return this.#nonsense.some((nonsense) => {
      const own = new Set([...wordsOf(veiled(url)), ...wordsOf(veiled(nonsense.url))]);
      const rest = (all: readonly string[]) => all.filter((word) => !own.has(word));
      const [said, asked] = [rest(nonsense.words), rest(words)];
      return said.length >= MIN_WORDS && said.join(' ') === asked.join(' ');
    });
  }

  isSoft(document: Document): boolean {
    const own = this.#byDigest.get(document.digest);
    if (own === undefined) return false;
    if (own.names.size >= MANY_NAMES) return true;
    if (own.sketch === undefined) return false;
    // An error page may echo the requested URL, so pages that read alike are counted together.
    const names = new Set(own.names);
    for (const other of this.#byDigest.values()) {
      if (other === own || other.sketch === undefined || !isAlike(own.sketch, other.sketch)) continue;
      if (!this.#readAlike(own.document, other.document)) continue;
      for (const name of other.names) names.add(name);
      if (names.size >= MANY_NAMES) return true;
    }
    return false;
  }

  /** Alike also without the boilerplate of the site. */
  #readAlike(a: Document, b: Document): boolean {
    return a.kind === 'text' && b.kind === 'text' && likenessOf(a, b, this.#boilerplate) >= ALIKE_RESEMBLANCE;
  }
}

/** A page for URLs that cannot exist: a soft error under any name. */
function giveManyNames(names: Set<string>): void {
  for (let name = 0; name < MANY_NAMES; name++) names.add(`?${name}`);
}

/** Undefined if the text was not kept. */
function wordsOfPage(document: Document): readonly string[] | undefined {
  const text = document.kind === 'text' ? textOf(document) : undefined;
  return text === undefined ? undefined : wordsOf(text);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The name of a URL. */
function nameOf(url: string): string {
  const path = url.replace(/^[a-z+.-]+:\/\/[^/?#]*/i, '').replace(/[?;#].*$/s, '');
  const names = path
    .split('/')
    .map((segment) => segment.replace(/\..*$/s, '').toLowerCase())
    .filter((name) => name !== '' && name !== 'index' && name !== 'default');
  return names.at(-1) ?? '';
}
