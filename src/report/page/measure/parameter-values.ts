// Which parameters are there, in how many URLs, with which values? One tally, each parameter's values together:
//
//   site | name | value      URLs | hits
//
// So the number of distinct values is exact, however many there are, and nothing in memory grows with them.
import { byText, decodeText, encodeText, isDigit } from '../../../base/bytes.js';
import { hashBytes } from '../../../base/hash.js';
import { RowWriter } from '../../../base/row.js';
import type { SpillRoom } from '../../../base/spill.js';
import { TopK } from '../../../base/top-k.js';
import type { SiteOf } from '../../../table/url-list.js';
import { hashOfRange, partEnd, putPart, type UrlHash } from '../../sort-keys.js';
import { BARE_NUMBERS } from '../model.js';
import { sums, TallyTable } from './tally.js';

export interface FoundParameter {
  readonly site: string;
  readonly name: string;
  readonly nameBytes: Uint8Array;
  readonly urls: number;
  readonly hits: number;
  readonly values: number;
  /** The values that occur in the most URLs, ties to the first in byte order. */
  readonly commonest: readonly Uint8Array[];
  /** The value that at least twice as many URLs have as any other. */
  readonly usual: Uint8Array | undefined;
}

/** bytes[start, end) */
interface ValueRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const MAX_COMMONEST = 5;

/** Build (`add`), then read (`finish`). */
export class ParameterValues {
  readonly #table: TallyTable;
  readonly #row = new RowWriter();

  constructor(room: SpillRoom) {
    this.#table = new TallyTable(sums(2), room);
  }

  /** A URL with `hits` has the parameter. */
  add(site: Uint8Array, name: Uint8Array, value: ValueRange, hits: number): void {
    const row = putPart(putPart(this.#row.clear(), site), name);
    const { bytes, length } = row.range(value.bytes, value.start, value.end);
    const at = this.#table.entry(bytes, 0, length, hashBytes(bytes, 0, length));
    this.#table.numbers[at]!++;
    this.#table.numbers[at + 1]! += hits;
  }

  /** The top k by number of URLs, and how many more there are. */
  finish(most: number): { readonly found: readonly FoundParameter[]; readonly others: number } {
    const best = new TopK<FoundParameter>(most, byUrls);
    let count = 0;
    let open: OpenParameter | undefined;
    this.#table.each((key, numbers) => {
      const nameEnd = partEnd({ bytes: key }, partEnd({ bytes: key }, 0));
      if (open?.isOf(key, nameEnd) !== true) {
        if (open !== undefined) best.add(open.finish());
        open = new OpenParameter(key.slice(0, nameEnd));
        count++;
      }
      open.add(key.subarray(nameEnd), numbers[0]!, numbers[1]!);
    });
    if (open !== undefined) best.add((open as OpenParameter).finish());
    const found = best.finish();
    return { found, others: count - found.length };
  }
}

function byUrls(a: FoundParameter, b: FoundParameter): number {
  return b.urls - a.urls || b.hits - a.hits || byText(a.name, b.name) || byText(a.site, b.site);
}

interface Value {
  readonly bytes: Uint8Array;
  readonly urls: number;
}

class OpenParameter {
  readonly #key: Uint8Array;
  #urls = 0;
  #hits = 0;
  #values = 0;
  readonly #commonest = new TopK<Value>(MAX_COMMONEST, (a, b) => b.urls - a.urls || Buffer.compare(a.bytes, b.bytes));

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  isOf(key: Uint8Array, nameEnd: number): boolean {
    return nameEnd === this.#key.length && Buffer.compare(this.#key, key.subarray(0, nameEnd)) === 0;
  }

  add(value: Uint8Array, urls: number, hits: number): void {
    this.#urls += urls;
    this.#hits += hits;
    this.#values++;
    this.#commonest.add({ bytes: value.slice(), urls });
  }

  finish(): FoundParameter {
    const [first, second] = this.#commonest.finish();
    const siteEnd = partEnd({ bytes: this.#key }, 0);
    const nameBytes = this.#key.slice(siteEnd + 4);
    return {
      site: decodeText(this.#key, 4, siteEnd),
      name: decodeText(nameBytes),
      nameBytes,
      urls: this.#urls,
      hits: this.#hits,
      values: this.#values,
      commonest: this.#commonest.finish().map(({ bytes }) => bytes),
      usual: first !== undefined && first.urls >= 2 * (second?.urls ?? 0) ? first.bytes : undefined,
    };
  }
}

/** The parameters that are listed individually, found by name and by the site of a URL. */
export const BARE_NUMBER = Buffer.from(BARE_NUMBERS);

const key = new RowWriter();

export function hashOfParameter(site: Uint8Array, name: Uint8Array): UrlHash {
  const { bytes, length } = putPart(key.clear(), site).range(name, 0, name.length);
  return hashOfRange(bytes, 0, length);
}

export class ParameterNumbers {
  readonly #siteOf: SiteOf;
  /** By the first half of the hash of site and name. */
  readonly #byHash = new Map<number, { readonly second: number; readonly number: number }[]>();
  /** By name, one char per byte. */
  readonly #byName = new Map<string, { readonly site: string; readonly number: number }[]>();

  constructor(found: readonly FoundParameter[], siteOf: SiteOf) {
    this.#siteOf = siteOf;
    for (const [number, { nameBytes, site }] of found.entries()) {
      const name = textOf(nameBytes, 0, nameBytes.length);
      const { first, second } = hashOfParameter(encodeText(site), nameBytes);
      const others = this.#byHash.get(first >>> 0) ?? [];
      this.#byHash.set(first >>> 0, [...others, { second: second >>> 0, number }]);
      const sites = this.#byName.get(name);
      if (sites === undefined) this.#byName.set(name, [{ site, number }]);
      else sites.push({ site, number });
    }
  }

  /** The number of the parameter with this hash of site and name, its halves unsigned, or -1. */
  numberOfHash(first: number, second: number): number {
    return this.#byHash.get(first)?.find((one) => one.second === second)?.number ?? -1;
  }

  /** The number of the parameter bytes[start, end) of `url`, or -1. */
  numberOf(bytes: Uint8Array, start: number, end: number, url: Uint8Array): number {
    const sites =
      this.#byName.get(textOf(bytes, start, end)) ??
      (isNumber(bytes, start, end) ? this.#byName.get(BARE_NUMBER.toString()) : undefined);
    if (sites === undefined) return -1;
    const site = this.#siteOf(url, 0, url.length);
    return sites.find((one) => one.site === site)?.number ?? -1;
  }
}

export function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(bytes[at])) return false;
  return start < end;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
