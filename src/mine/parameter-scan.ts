// Finds the parameters of a URL, and its hash without each of them. The kernel does both in one pass over the bytes
// (kernel/parameters/scan explains how).
import { i32At, kernel, newI32 } from '../base/heap.js';
import * as SCAN from '../kernel/layout/scan.js';
import type { KernelExports } from '../kernel/exports.js';
import type { SiteUrls } from '../table/site-urls.js';

export { MAX_NAMES } from '../kernel/layout/scan.js';

const NOTHING: Int32Array = new Int32Array(0);

/** Refilled for each URL. Columns are by parameter; offsets are relative to the URL. */
export class UrlScan {
  bytes: Uint8Array = new Uint8Array(0);
  /** Where the URL starts in `bytes`, and how long it is. */
  at = 0;
  length = 0;
  hasHost = false;
  /** The parameters: distinct names, each at its first field that a rule can express. */
  count = 0;
  nameAt = NOTHING;
  nameEnd = NOTHING;
  end = NOTHING;
  nameHash = NOTHING;
  /** Hashes of name and value. */
  fieldHash = NOTHING;
  /** The result of the last {@link hashWithout}. */
  hashA = 0;
  hashB = 0;
  #isSimple = NOTHING;
  #restA = NOTHING;
  #restB = NOTHING;
  /** The result of the kernel, in the heap. Allocated on first use. */
  #words = NOTHING;
  #scanUrl: KernelExports['scanUrl'] | undefined;

  /** Finds the parameters of a URL. */
  read(urls: SiteUrls, row: number): this {
    return this.#scan(urls, row, 0);
  }

  /** The same, with the hash of the URL. */
  readHashed(urls: SiteUrls, row: number): this {
    this.#scan(urls, row, 1);
    this.hashA = this.#words[SCAN.HASH_A / 4]!;
    this.hashB = this.#words[SCAN.HASH_B / 4]!;
    return this;
  }

  /** Sets `hashA` and `hashB` for the URL without a parameter; call it after {@link readHashed}. */
  hashWithout(parameter: number): void {
    this.hashA = this.#restA[parameter]!;
    this.hashB = this.#restB[parameter]!;
  }

  /** True if removing the parameter cuts just one range of bytes out of the URL. */
  isSimple(parameter: number): boolean {
    return this.#isSimple[parameter] === 1;
  }

  #scan(urls: SiteUrls, row: number, hashes: number): this {
    this.#scanUrl ??= this.#open();
    this.at = urls.at(row);
    this.bytes = urls.bytes;
    this.length = urls.lengthOf(row);
    const words = this.#words;
    this.#scanUrl(this.bytes.byteOffset + this.at, this.length, words.byteOffset, hashes);
    this.count = words[SCAN.COUNT / 4]!;
    this.hasHost = words[SCAN.HAS_HOST / 4] === 1;
    return this;
  }

  #open(): KernelExports['scanUrl'] {
    this.#words = newI32(SCAN.SCAN_BYTES / 4);
    const column = (offset: number) => i32At(this.#words.byteOffset + offset, SCAN.MAX_NAMES);
    this.nameAt = column(SCAN.NAME_AT);
    this.nameEnd = column(SCAN.NAME_END);
    this.end = column(SCAN.FIELD_END);
    this.nameHash = column(SCAN.NAME_HASH);
    this.fieldHash = column(SCAN.FIELD_HASH);
    this.#isSimple = column(SCAN.IS_SIMPLE);
    this.#restA = column(SCAN.REST_A);
    this.#restB = column(SCAN.REST_B);
    return kernel().scanUrl;
  }
}

/** One of each per thread, for all sites: one for iterating over a list, one for single URLs of it meanwhile. */
export const listScan = new UrlScan();
export const urlScan = new UrlScan();
