// What is a learner to this bench? Something that makes rules from URLs with labels, and forms of other URLs with these.
import { seeded } from '../input/random.js';

/** URLs with the same label are the same page. */
export interface Labelled {
  readonly url: string;
  readonly label: string;
}

export interface Learned {
  /** One line each, for a reader. */
  readonly rules: readonly string[];
  /** URLs that are taken for one page have the same form; it need not be a URL. */
  readonly formOf: (url: string) => string;
}

export interface Learner {
  readonly name: string;
  readonly needs: string;
  readonly misses: string;
  readonly learn: (pages: readonly Labelled[], seed: number) => Learned;
}

/** The URLs of each label that has more than one, at most `most` of them, drawn with the seed. */
export function clustersOf(
  pages: readonly Labelled[],
  { most, seed }: { readonly most: number; readonly seed: number },
): string[][] {
  const random = seeded(seed);
  return [...byLabel(pages).values()].filter((urls) => urls.length > 1).map((urls) => drawn(urls, most, random));
}

export function byLabel(pages: readonly Labelled[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { url, label } of pages) {
    const urls = found.get(label);
    if (urls === undefined) found.set(label, [url]);
    else urls.push(url);
  }
  return found;
}

function drawn(urls: readonly string[], most: number, random: () => number): string[] {
  const left = [...urls];
  for (let at = 0; at < Math.min(most, left.length - 1); at++) {
    const other = at + Math.floor(random() * (left.length - at));
    [left[at], left[other]] = [left[other]!, left[at]!];
  }
  return left.slice(0, most);
}

/** `make` of a text, made once. */
export function kept<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) known.set(text, (value = make(text)));
    return value;
  };
}
