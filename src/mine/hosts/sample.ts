// Which hosts are asked first? Those with the least hashes of their names: the same ones whatever the order of the hosts,
// and however they are shared between machines.
import { hashText } from '../../base/hash.js';
import { giveBack, newU8, u16At, u32At, u8At } from '../../base/heap.js';
import { UNIT } from '../../kernel/layout/record.js';
import { headUnits, SiteUrls, type SharedSite, urlUnits } from '../../table/site-urls.js';
import { registrableDomain } from '../../url/public-suffix.js';

const MOST_HOSTS = 8192;
/** Of their URLs, whatever the memory of the run: what is learned must not depend on it. Looking at them takes a while. */
const MOST_BYTES = 12 << 20;
const MOST_URLS_OF_ALL = 82_000;
const LEAST_URLS = 2;
/** Nothing is learned from larger hosts. */
const MOST_URLS = 500;
/** Whoever has a domain can make up any number of hosts in it. */
const MOST_OF_DOMAIN = 3;

interface Kept {
  readonly hash: number;
  readonly site: string;
  readonly list: SharedSite;
}

/** Of the hosts that others would learn from, those that are not heard, as their domains have more. */
export interface Crowd {
  readonly unheard: number;
  readonly of: number;
}

export class HostSample {
  /** Once `finish` was called. */
  crowd: Crowd = { unheard: 0, of: 0 };
  #kept: Kept[] = [];
  #bytes = 0;
  /** Hosts with a greater hash are not kept. Of equal ones the names decide. */
  #limit = 2 ** 32;

  add(urls: SiteUrls): void {
    if (urls.count < LEAST_URLS || urls.count > MOST_URLS || urls.site === '') return;
    const hash = hashText(urls.site);
    if (hash > this.#limit) return;
    this.#kept.push({ hash, site: urls.site, list: copyOf(urls) });
    this.#bytes += this.#kept.at(-1)!.list.bytes.length;
    if (this.#kept.length >= 2 * MOST_HOSTS || this.#bytes >= 2 * MOST_BYTES) this.#cut();
  }

  /**
   * The lists of the kept hosts, by hash. Of a part of the sites these are all that the sample of all sites can have of
   * it, so that adding those of all parts to one sample gives the sample of all sites.
   */
  hosts(): readonly SiteUrls[] {
    this.#cut();
    return this.#kept.map(listOf);
  }

  /** The lists of those of the kept hosts that are heard, by hash. */
  finish(): readonly SiteUrls[] {
    this.#cut();
    const ofDomain = new Map<string, number>();
    const isOneTooMany = ({ site }: Kept) => {
      const domain = registrableDomain(site.replace(/:\d+$/, ''));
      const count = (ofDomain.get(domain) ?? 0) + 1;
      ofDomain.set(domain, count);
      return count > MOST_OF_DOMAIN;
    };
    const heard = this.#kept.filter((kept) => !isOneTooMany(kept));
    this.crowd = { unheard: this.#kept.length - heard.length, of: this.#kept.length };
    return heard.map(listOf);
  }

  close(): void {
    for (const { list } of this.#kept) drop(list);
    this.#kept = [];
  }

  /** Keeps the hosts with the least hashes: as many as wanted. */
  #cut(): void {
    this.#kept.sort((a, b) => a.hash - b.hash || (a.site < b.site ? -1 : 1));
    let [count, bytes, urls] = [0, 0, 0];
    while (count < this.#kept.length && count < MOST_HOSTS && bytes < MOST_BYTES && urls < MOST_URLS_OF_ALL) {
      const { list } = this.#kept[count++]!;
      bytes += list.bytes.length;
      urls += list.count;
    }
    const gone = this.#kept.splice(count);
    if (gone.length === 0) return;
    for (const { list } of gone) drop(list);
    this.#limit = gone[0]!.hash;
    this.#bytes = bytes;
  }
}

function listOf({ site, list }: Kept): SiteUrls {
  const urls = SiteUrls.of(list);
  urls.site = site;
  return urls;
}

/** One block of memory, as there are thousands: positions, then records, then lengths. */
function copyOf(urls: SiteUrls): SharedSite {
  const { count } = urls;
  const rows = Array.from({ length: count }, (_, row) => ({
    head: headUnits(urls.labelLengthAt(urls.at(row))),
    units: urlUnits(urls.lengthOf(row)),
  }));
  const recordBytes = UNIT * rows.reduce((sum, { head, units }) => sum + head + units, 0);
  const recordsAt = UNIT * Math.ceil((4 * count) / UNIT);
  const lengthsAt = recordsAt + recordBytes;
  const block = newU8(lengthsAt + 2 * count);
  const list = {
    count,
    position: u32At(block.byteOffset, count),
    bytes: u8At(block.byteOffset + recordsAt, recordBytes),
    length: u16At(block.byteOffset + lengthsAt, count),
  };
  let used = 0;
  for (const [row, { head, units }] of rows.entries()) {
    const at = urls.at(row);
    const length = urls.lengthOf(row);
    list.bytes.set(urls.bytes.subarray(at - head * UNIT, at + length), used * UNIT);
    list.position[row] = used + head;
    list.length[row] = length;
    used += head + units;
  }
  return list;
}

function drop({ position }: SharedSite): void {
  giveBack(position);
}
