// An index of the records of archives by URL. It is built once, then queried. For each record it stores only
//
//   column   normal exact  digest date   status region offset  byNormal byDigest
//   bytes    4      4      4      4      2      2      8       4        4         = 36 a record
//
// `normal` and `exact` are hashes of the URL in safe normal form and as it is, `digest` is a hash of the payload
// digest. The last two columns are record numbers, sorted by these hashes. Hashes find candidates; the URL in the
// record itself decides.
import { hashBytes } from '../../base/hash.js';

interface IndexedRecord {
  readonly url: Uint8Array;
  readonly normalUrl: Uint8Array;
  readonly payloadDigest: Uint8Array | undefined;
  /** Seconds since 1970. */
  readonly date: number;
  /** 0 if the record has none. */
  readonly status: number;
  /** The region of the record, and its offset there. */
  readonly region: number;
  readonly offset: number;
}

export interface WarcIndex {
  readonly length: number;
  readonly region: Uint16Array;
  readonly offset: Float64Array;
  readonly date: Uint32Array;
  /** Candidates for a URL, best first: 2xx before others, then latest first. */
  withUrl(url: Uint8Array, normalUrl: Uint8Array): number[];
  /** Candidates for all URLs of a normal form, best first. */
  withNormalUrl(normalUrl: Uint8Array): number[];
  /** Candidates for the payload with this digest, earliest first. */
  withDigest(payloadDigest: Uint8Array): number[];
}

/** The maximum number of files and scratch files in an index. */
export const MAX_REGIONS = 1 << 16;

export class WarcIndexBuilder {
  #length = 0;
  #normal = new Uint32Array(64);
  #exact = new Uint32Array(64);
  #digest = new Uint32Array(64);
  #date = new Uint32Array(64);
  #status = new Uint16Array(64);
  #region = new Uint16Array(64);
  #offset = new Float64Array(64);

  add(record: IndexedRecord): void {
    if (this.#length === this.#normal.length) this.#resize(this.#length * 2);
    const at = this.#length++;
    this.#normal[at] = hashOf(record.normalUrl);
    this.#exact[at] = hashOf(record.url);
    this.#digest[at] = record.payloadDigest === undefined ? 0 : hashOf(record.payloadDigest);
    this.#date[at] = record.date;
    this.#status[at] = record.status;
    this.#region[at] = record.region;
    this.#offset[at] = record.offset;
  }

  /** Builds the index. The builder takes no more records. */
  freeze(): WarcIndex {
    this.#resize(this.#length);
    const [normal, exact, digest, date, status] = [this.#normal, this.#exact, this.#digest, this.#date, this.#status];
    const byNormal = sortedBy(normal);
    const byDigest = sortedBy(digest);
    const isGood = (record: number): number => Number(isSuccess(status[record]!));
    const byWorth = (a: number, b: number): number => isGood(b) - isGood(a) || date[b]! - date[a]! || b - a;
    const withNormalUrl = (normalUrl: Uint8Array): number[] =>
      withKey(byNormal, normal, hashOf(normalUrl)).sort(byWorth);
    return {
      length: this.#length,
      region: this.#region,
      offset: this.#offset,
      date,
      withNormalUrl,
      withUrl: (url, normalUrl) => {
        const key = hashOf(url);
        return withNormalUrl(normalUrl).filter((record) => exact[record] === key);
      },
      withDigest: (payloadDigest) =>
        withKey(byDigest, digest, hashOf(payloadDigest)).sort((a, b) => date[a]! - date[b]! || a - b),
    };
  }

  #resize(length: number): void {
    this.#normal = resized(this.#normal, new Uint32Array(length));
    this.#exact = resized(this.#exact, new Uint32Array(length));
    this.#digest = resized(this.#digest, new Uint32Array(length));
    this.#date = resized(this.#date, new Uint32Array(length));
    this.#status = resized(this.#status, new Uint16Array(length));
    this.#region = resized(this.#region, new Uint16Array(length));
    this.#offset = resized(this.#offset, new Float64Array(length));
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function hashOf(bytes: Uint8Array): number {
  return hashBytes(bytes, 0, bytes.length) >>> 0;
}

type Column = Uint32Array | Uint16Array | Float64Array;

function resized<C extends Column>(column: C, target: C): C {
  target.set(column.subarray(0, target.length));
  return target;
}

/** Record numbers sorted by key. Key and number are packed into one integer for the built-in sort. */
function sortedBy(keys: Uint32Array): Uint32Array {
  const packed = new BigUint64Array(keys.length);
  const halves = new Uint32Array(packed.buffer);
  for (let record = 0; record < keys.length; record++) {
    halves[2 * record] = record;
    halves[2 * record + 1] = keys[record]!;
  }
  packed.sort();
  return new Uint32Array(keys.length).map((_, k) => halves[2 * k]!);
}

function withKey(order: Uint32Array, keys: Uint32Array, key: number): number[] {
  let low = 0;
  for (let high = order.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (keys[order[middle]!]! < key) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let k = low; k < order.length && keys[order[k]!] === key; k++) found.push(order[k]!);
  return found;
}
