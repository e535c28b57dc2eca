// The building blocks of a site's URLs, taken from the list: names and values of fields, folders, starts. From these,
// URLs are made that the list lacks and somebody may request tomorrow.
import { addTo } from '../../../base/group-by.js';
import { secretKindOf, valuesOf } from '../../../url/secret.js';
import { partsOf, type UrlParts } from '../parts.js';

/** Entries of a long list that are looked at. */
const MOST = 60;

export interface Known {
  readonly url: string;
  readonly parts: UrlParts;
  /** The URL up to its query. */
  readonly path: string;
}

export class Grammar {
  readonly all: readonly Known[];
  readonly #urls: ReadonlySet<string>;
  readonly #values = new Map<string, Map<string, number>>();
  readonly #folders = new Map<string, Known[]>();

  constructor(urls: readonly string[]) {
    this.all = urls.map((url) => ({ url, parts: partsOf(url), path: pathOf(url) }));
    this.#urls = new Set(urls);
    for (const one of this.all) {
      for (const { name, value } of one.parts.fields) if (value !== undefined) this.#count(name, value);
      const folder = folderOf(one.path);
      addTo(this.#folders, folder, one);
    }
  }

  #count(name: string, value: string): void {
    const values = this.#values.get(name) ?? new Map<string, number>();
    values.set(value, (values.get(value) ?? 0) + 1);
    this.#values.set(name, values);
  }

  has(url: string): boolean {
    return this.#urls.has(url);
  }

  /** Names of fields that have values, the commonest first. */
  names(): string[] {
    const total = (values: ReadonlyMap<string, number>) => [...values.values()].reduce((sum, n) => sum + n, 0);
    return [...this.#values]
      .filter(([name]) => name !== '')
      .sort(([a, m], [b, n]) => total(n) - total(m) || (a < b ? -1 : 1))
      .map(([name]) => name);
  }

  /** Values of a field on any path, the commonest first. */
  valuesOf(name: string): string[] {
    return [...(this.#values.get(name) ?? [])]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .map(([value]) => value);
  }

  /** The known URLs in the folder of this path. */
  beside(path: string): readonly Known[] {
    return this.#folders.get(folderOf(path)) ?? [];
  }
}

/** The URL before its query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0]!;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** True for a URL that somebody could write: it does not end in a space, and has no made-up secret of a visitor. */
export function isWritable(url: string): boolean {
  if (url.split('?').length > 2 || /(?:\+|%20|\s)(?:$|[?&;])/i.test(url)) return false;
  return valuesOf(url).every(({ name, text }) => ['random', undefined].includes(secretKindOf(name, text)));
}

/** A few entries from all over the list, which is sorted. */
export function spread<T>(all: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(all.length / MOST));
  return all.filter((_, at) => at % step === 0).slice(0, MOST);
}
