// What was found in a site stays true as long as its list, the options and the program are the same. A state keeps it
// (state/found-sites), so that a night mines only the sites that it has changed.
//
//   digest   SHA-256 of version, options, name of the site, and all that its list holds: URLs, hits, sizes, labels
//   found    | length of the counts u32 | counts as JSON | rows |   deflated; rows as in messages of threads (sites-task)
//
// Of a site all rows are kept, also those that rank behind the most rules of tonight's file.
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { decodeText, encodeText } from '../base/bytes.js';
import { readU32, RowWriter } from '../base/row.js';
import { FIXED } from '../kernel/layout/record.js';
import type { SiteUrls } from '../table/site-urls.js';
import type { RuleRows } from './best-rows.js';
import type { MinerOptions, SiteCounts } from './sites-task.js';

/** Keeps what was found in sites. Sites are asked for in the byte order of their names, and kept in any order. */
export interface KeptSites {
  /** What was found in the site when its digest was this one; undefined if that is not known. */
  find(site: string, digest: Uint8Array): Uint8Array | undefined;
  keep(site: string, digest: Uint8Array, found: Uint8Array): void;
}

/** The rules of a site as rows, one after another, and what was counted. */
export interface FoundInSite {
  readonly rows: Uint8Array;
  readonly counts: SiteCounts;
}

/** Fast, and half as large again as the best: 2,046 rules with their examples take 225 kB of 1.7 MB. */
const LEVEL = 1;

export function packFound({ rows, counts }: FoundInSite): Uint8Array {
  const said = encodeText(JSON.stringify(counts));
  return deflateRawSync(new RowWriter().u32(said.length).raw(said).raw(rows).taken, { level: LEVEL });
}

export function unpackFound(found: Uint8Array): FoundInSite {
  const bytes = inflateRawSync(found);
  const rowsAt = 4 + readU32(bytes, 0);
  return { rows: bytes.subarray(rowsAt), counts: JSON.parse(decodeText(bytes, 4, rowsAt)) as SiteCounts };
}

/** Collects all rows, each after its length and that of its key. */
export class CollectedRows implements RuleRows {
  readonly #rows = new RowWriter();

  /** What ranks too low tonight may not do so tomorrow. */
  wants(): boolean {
    return true;
  }

  add(bytes: Uint8Array, length: number, keyLength: number): void {
    this.#rows.u32(length).u32(keyLength).raw(bytes.subarray(0, length));
  }

  /** Bytes of the rows so far. */
  get length(): number {
    return this.#rows.length;
  }

  /** The rows, which are not copied: they are valid until {@link clear}. */
  get taken(): Uint8Array {
    return this.#rows.taken;
  }

  clear(): void {
    this.#rows.clear();
  }
}

/** Adds collected rows to others. */
export function addRows(rows: Uint8Array, ranked: RuleRows): void {
  for (let at = 0; at < rows.length;) {
    const [length, keyLength] = [readU32(rows, at), readU32(rows, at + 4)];
    ranked.add(rows.subarray(at + 8, at + 8 + length), length, keyLength);
    at += 8 + length;
  }
}

/** Records are hashed in blocks of this size: a call costs as much as 1 kB. */
const BLOCK = 1 << 16;

/** The digests of sites, for one program and its options. */
export class SiteDigests {
  readonly #head: string;
  #block = new Uint8Array(BLOCK);

  constructor(version: string, options: MinerOptions) {
    // Filters choose records, so that the list says all of them; `--since` differs every night.
    const { filters: _filters, ...mining } = options;
    this.#head = JSON.stringify([version, mining]);
  }

  of(urls: SiteUrls): Uint8Array {
    const hash = createHash('sha256').update(JSON.stringify([this.#head, urls.site, urls.count]));
    let used = 0;
    for (let row = 0; row < urls.count; row++) {
      const at = urls.at(row);
      const length = urls.lengthOf(row);
      const start = at - FIXED - urls.labelLengthAt(at);
      const size = 4 + at + length - start;
      if (used + size > this.#block.length) {
        hash.update(this.#block.subarray(0, used));
        used = 0;
        if (size > this.#block.length) this.#block = new Uint8Array(2 * size);
      }
      const block = this.#block;
      block[used] = length & 0xff;
      block[used + 1] = length >>> 8;
      block[used + 2] = (at - start) & 0xff;
      block[used + 3] = (at - start) >>> 8;
      block.set(urls.bytes.subarray(start, at + length), used + 4);
      used += size;
    }
    return hash.update(this.#block.subarray(0, used)).digest();
  }
}
