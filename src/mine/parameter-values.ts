// Counts the groups in which each value occurs. The order of the members of a group depends on it, so it must be known
// before groups are judged.
//
// A value that occurs in only one URL, like most session ids, has no number: it can only be in one group. The others
// are numbered in byte order (`parameter-rows`), and only their counts are kept. For parameters that a report lists, the
// number of distinct values and the commonest values are also kept.
import type { TextTable } from '../base/text-table.js';
import { fromCollationByte, uncollate } from '../url/token.js';
import type { Names } from './parameter-names.js';
import type { UrlScan } from './parameter-scan.js';

/** The number of every value that occurs in only one URL. */
export const UNIQUE = 0xffff_ffff;

export class ValueCounts {
  #groups = new Uint32Array(256);

  /** The number of groups with a value. Until {@link takeOne} was called for all surplus URLs, the number of URLs. */
  groupsOf(value: number): number {
    return value === UNIQUE ? 1 : this.#groups[value]!;
  }

  add(value: number): void {
    if (value === UNIQUE) return;
    if (value >= this.#groups.length) {
      const wider = new Uint32Array(2 * value);
      wider.set(this.#groups);
      this.#groups = wider;
    }
    this.#groups[value]!++;
  }

  takeOne(value: number): void {
    this.#groups[value]!--;
  }
}

/** A value in raw bytes. */
interface Common {
  readonly bytes: Uint8Array;
  readonly urls: number;
  readonly value: number;
}

const MOST_COMMON = 5;

/** Hits and values of the parameters that a report lists. */
export class ListedValues {
  /** By name: hits of the URLs that have it, and how many distinct values it has. */
  readonly hits: Float64Array;
  readonly values: Uint32Array;
  readonly #names: Names;
  readonly #common: Common[][];
  /** By value of this part: the number of its name + 1, or 0. */
  #nameOf = new Uint32Array(256);

  constructor(names: Names) {
    this.#names = names;
    this.hits = new Float64Array(names.count);
    this.values = new Uint32Array(names.count);
    this.#common = Array.from({ length: names.count }, () => []);
  }

  /** A URL has this parameter; `inPart` is the number of its value in this part, if it is not unique. */
  add(name: number, scan: UrlScan, parameter: number, inPart: number, hits: number): void {
    if (!this.#names.isListed(name)) return;
    this.hits[name]! += hits;
    if (inPart !== UNIQUE) return this.#setName(inPart, name);
    this.values[name]!++;
    const [at, end] = [scan.nameAt[parameter]!, scan.end[parameter]!];
    this.#offer(name, scan.bytes, scan.at + this.#valueAt(name, at, end), scan.at + end, 1, UNIQUE);
  }

  /** All URLs were added whose values are in `table`; the first of them is numbered `first`. */
  endPart(table: TextTable, first: number, counts: ValueCounts): void {
    for (let inPart = 0; inPart < Math.min(table.count, this.#nameOf.length); inPart++) {
      const name = this.#nameOf[inPart]! - 1;
      if (name < 0) continue;
      this.values[name]!++;
      const text = table.text(inPart);
      const value = first + inPart;
      this.#offer(name, text, this.#valueAt(name, 0, text.length), text.length, counts.groupsOf(value), value);
    }
    this.#nameOf.fill(0);
  }

  /** The values in the most URLs, ties to the first in byte order. */
  commonest(name: number): readonly Uint8Array[] {
    return this.#common[name]!.map(({ bytes }) => bytes);
  }

  /** The numbers of the values that at least twice as many URLs have as any other of their parameter. */
  usual(): ReadonlySet<number> {
    const usual = this.#common.flatMap(([first, second]) =>
      first !== undefined && first.value !== UNIQUE && first.urls >= 2 * (second?.urls ?? 0) ? [first.value] : [],
    );
    return new Set(usual);
  }

  #setName(inPart: number, name: number): void {
    if (inPart >= this.#nameOf.length) {
      const wider = new Uint32Array(2 * inPart);
      wider.set(this.#nameOf);
      this.#nameOf = wider;
    }
    this.#nameOf[inPart] = name + 1;
  }

  /** Behind the `=`, if there is one; the value of the parameter without a name is the field. */
  #valueAt(name: number, at: number, end: number): number {
    return name === this.#names.bare ? at : Math.min(at + this.#names.lengthOf(name) + 1, end);
  }

  #offer(name: number, bytes: Uint8Array, start: number, end: number, urls: number, value: number): void {
    const common = this.#common[name]!;
    let place = common.length;
    while (place > 0 && isBefore(common[place - 1]!, bytes, start, end, urls)) place--;
    if (place === MOST_COMMON) return;
    common.splice(place, 0, { bytes: uncollate(bytes, start, end), urls, value });
    if (common.length > MOST_COMMON) common.pop();
  }
}

/** True if a value that is in so many URLs, in collation bytes, comes before `common`. */
function isBefore(common: Common, bytes: Uint8Array, start: number, end: number, urls: number): boolean {
  if (urls !== common.urls) return urls > common.urls;
  const length = Math.min(common.bytes.length, end - start);
  for (let k = 0; k < length; k++) {
    const byte = fromCollationByte(bytes[start + k]!);
    if (byte !== common.bytes[k]) return byte < common.bytes[k]!;
  }
  return end - start < common.bytes.length;
}
