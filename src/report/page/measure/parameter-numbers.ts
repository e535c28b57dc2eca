// The parameters that are listed individually, found by name and by the site of a URL.
import { encodeText, isDigit } from '../../../base/bytes.js';
import { RowWriter } from '../../../base/row-writer.js';
import type { SiteOf } from '../../../table/url-list.js';
import { putPart } from '../../measure-row.js';
import { hashOfRange, type UrlHash } from './hash.js';
import { BARE_NUMBERS } from '../bare-numbers.js';
import type { FoundParameter } from './parameter-values.js';

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
