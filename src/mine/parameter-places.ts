// Finds a parameter in a URL of the list, its value, and the URL without it, its base.
//
//   a place   | end of the field u16, 0 if several fields go | offset of the name u16 |   in one number
//
// If the end of the field is known, the base is the URL without one range, and is compared in place, in collation
// bytes.
import { sameRange } from '../base/bytes.js';
import type { SiteUrls } from '../table/site-urls.js';
import { emptyFields, splitFields, withoutParameter } from '../url/fields.js';
import { collate, fromCollationByte, uncollate } from '../url/token.js';
import { kindOf } from './parameter-kinds.js';
import type { Names } from './parameter-names.js';
import { urlScan, type UrlScan } from './parameter-scan.js';

const QUESTION = collate(Buffer.from('?'))[0]!;

/** The place of a parameter in the scanned URL. */
export function placeIn(scan: UrlScan, parameter: number): number {
  const end = scan.isSimple(parameter) ? scan.end[parameter]! : 0;
  return ((end << 16) | scan.nameAt[parameter]!) >>> 0;
}

function nameAtOf(place: number): number {
  return place & 0xffff;
}

/** Reused by a thread, which handles one site after another. */
const fields = emptyFields();
let raw = new Uint8Array(4096);

/** URLs are given by row, and parameters by place and number of the name. The number -1 means the URL itself. */
export class Places {
  readonly #urls: SiteUrls;
  readonly #names: Names;
  readonly #cutA = new Cut();
  readonly #cutB = new Cut();

  constructor(urls: SiteUrls, names: Names) {
    this.#urls = urls;
    this.#names = names;
  }

  /** Raw bytes of a URL, valid until the next call of this or {@link baseOf}. */
  urlOf(row: number): Uint8Array {
    const length = this.#urls.lengthOf(row);
    if (length > raw.length) raw = new Uint8Array(2 * length);
    const at = this.#urls.at(row);
    const { bytes } = this.#urls;
    for (let k = 0; k < length; k++) raw[k] = fromCollationByte(bytes[at + k]!);
    return raw.subarray(0, length);
  }

  /** Raw bytes of the base, valid until the next call of this or {@link urlOf}. */
  baseOf(row: number, place: number, name: number): Uint8Array {
    const url = this.urlOf(row);
    if (name < 0) return url;
    const cut = this.#cutA;
    if (!cut.set(this.#urls, row, place, name)) {
      return withoutParameter(url, splitFields(url, fields), this.#nameIn(url, row, place, name));
    }
    url.copyWithin(cut.start, cut.end);
    return url.subarray(0, cut.left);
  }

  /** A bare number is the name of its field. */
  #nameIn(url: Uint8Array, row: number, place: number, name: number): Uint8Array {
    return name === this.#names.bare ? url.slice(nameAtOf(place), this.#endOf(row, place)) : this.#names.name(name);
  }

  /** The same in collation bytes. */
  collatedBaseOf(row: number, place: number, name: number): Uint8Array {
    const cut = this.#cutA;
    if (!cut.set(this.#urls, row, place, name)) return collate(this.baseOf(row, place, name));
    if (cut.left > raw.length) raw = new Uint8Array(2 * cut.left);
    const { bytes } = this.#urls;
    const lost = cut.end - cut.start;
    for (let k = 0; k < cut.start; k++) raw[k] = bytes[cut.at + k]!;
    for (let k = cut.start; k < cut.left; k++) raw[k] = bytes[cut.at + lost + k]!;
    return raw.subarray(0, cut.left);
  }

  isSameBase(rowA: number, placeA: number, nameA: number, rowB: number, placeB: number, nameB: number): boolean {
    const [a, b] = [this.#cutA, this.#cutB];
    if (!a.set(this.#urls, rowA, placeA, nameA) || !b.set(this.#urls, rowB, placeB, nameB)) {
      const baseA = this.baseOf(rowA, placeA, nameA).slice();
      return Buffer.compare(baseA, this.baseOf(rowB, placeB, nameB)) === 0;
    }
    if (a.left !== b.left) return false;
    // Three ranges: up to the first cut, from there to the second, and the rest.
    const first = Math.min(a.start, b.start);
    const second = Math.max(a.start, b.start);
    const { bytes } = this.#urls;
    return (
      sameRange(bytes, a.at, bytes, b.at, first) &&
      sameRange(bytes, a.behind(first), bytes, b.behind(first), second - first) &&
      sameRange(bytes, a.behind(second), bytes, b.behind(second), a.left - second)
    );
  }

  /** Orders values of one parameter: bare ones first, then by length, then by bytes. 0 for equal values. */
  compareValues(rowA: number, placeA: number, rowB: number, placeB: number, name: number): number {
    const [lengthA, lengthB] = [this.valueLength(rowA, placeA, name), this.valueLength(rowB, placeB, name)];
    if (lengthA !== lengthB) return lengthA - lengthB;
    const behind = this.#names.lengthOf(name);
    const atA = this.#urls.at(rowA) + nameAtOf(placeA) + behind;
    const atB = this.#urls.at(rowB) + nameAtOf(placeB) + behind;
    const { bytes } = this.#urls;
    for (let k = 0; k < lengthA; k++) {
      const [byteA, byteB] = [fromCollationByte(bytes[atA + k]!), fromCollationByte(bytes[atB + k]!)];
      if (byteA !== byteB) return byteA - byteB;
    }
    return 0;
  }

  /** Bytes from the `=` on; 0 for a bare name. A bare number is all value. */
  valueLength(row: number, place: number, name: number): number {
    return this.#endOf(row, place) - nameAtOf(place) - this.#names.lengthOf(name);
  }

  /** Raw bytes from the `=` on. */
  valueOf(row: number, place: number, name: number): Uint8Array {
    const length = this.valueLength(row, place, name);
    const at = this.#urls.at(row) + nameAtOf(place) + this.#names.lengthOf(name);
    return uncollate(this.#urls.bytes, at, at + length);
  }

  /** The kind of the value (parameter-kinds). */
  kindOf(row: number, place: number, name: number): number {
    const at = this.#urls.at(row);
    return kindOf(
      this.#urls.bytes,
      at + nameAtOf(place) + this.#names.lengthOf(name) + 1,
      at + this.#endOf(row, place),
    );
  }

  #endOf(row: number, place: number): number {
    if (place >>> 16 > 0) return place >>> 16;
    const scan = urlScan.read(this.#urls, row);
    return scan.end[scan.nameAt.indexOf(nameAtOf(place))]!;
  }
}

/** The range that is cut out of a URL, and what remains. */
class Cut {
  /** Where the URL starts. */
  at = 0;
  start = 0;
  end = 0;
  left = 0;

  /** False if more than one range is cut out. */
  set(urls: SiteUrls, row: number, place: number, name: number): boolean {
    const length = urls.lengthOf(row);
    this.at = urls.at(row);
    this.start = this.end = this.left = length;
    if (name < 0) return true;
    const nameAt = nameAtOf(place);
    this.end = place >>> 16;
    // If the first field of a query goes, its `?` stays for the next field.
    const isFollowed = this.end < length && urls.bytes[this.at + nameAt - 1] === QUESTION;
    this.start = isFollowed ? nameAt : nameAt - 1;
    if (isFollowed) this.end++;
    this.left = length - (this.end - this.start);
    return place >>> 16 > 0;
  }

  /** The position in `bytes` of byte `at` of what remains. */
  behind(at: number): number {
    return this.at + at + (at < this.start ? 0 : this.end - this.start);
  }
}
