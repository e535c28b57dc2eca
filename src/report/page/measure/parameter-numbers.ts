// The parameters that are listed individually, found by name and by the site of a URL.
import { isDigit } from '../../../base/bytes.js';
import type { SiteOf } from '../../../table/url-list.js';
import type { FoundParameter } from './parameter-values.js';

/** What all fields that are bare numbers are called. */
export const BARE_NUMBER = Buffer.from('(bare numbers)');

export class ParameterNumbers {
  readonly #siteOf: SiteOf;
  /** By name, one char per byte. */
  readonly #byName = new Map<string, { readonly site: string; readonly number: number }[]>();

  constructor(found: readonly FoundParameter[], siteOf: SiteOf) {
    this.#siteOf = siteOf;
    for (const [number, { nameBytes, site }] of found.entries()) {
      const name = textOf(nameBytes, 0, nameBytes.length);
      const sites = this.#byName.get(name);
      if (sites === undefined) this.#byName.set(name, [{ site, number }]);
      else sites.push({ site, number });
    }
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
