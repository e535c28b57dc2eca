// Which hosts are asked first? Those with the least hashes of their names, as many as fit into memory: the same ones
// whatever the order of the hosts and however they are shared between machines.
import { encodeText } from '../../base/bytes.js';
import { hashBytes } from '../../base/hash.js';
import { giveBack, newU8, u16At, u32At, u8At } from '../../base/heap.js';
import { SiteUrls, type SharedSite } from '../../table/site-urls.js';
import { registrableDomain } from '../../url/public-suffix.js';

const MOST_HOSTS = 8192;
const LEAST_URLS = 2;
/** Larger hosts are only told what the others know. */
const MOST_URLS = 2000;
/** Whoever has a domain can make up any number of hosts in it. */
const MOST_OF_DOMAIN = 3;

interface Kept {
  readonly hash: number;
  readonly site: string;
  readonly list: SharedSite;
}

export class HostSample {
  readonly #mostBytes: number;
  #kept: Kept[] = [];
  #bytes = 0;
  /** Hosts with a hash from here on are not kept. */
  #limit = 2 ** 32;
  #hosts = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The number of hosts that were shown. */
  get hosts(): number {
    return this.#hosts;
  }

  add(urls: SiteUrls): void {
    this.#hosts++;
    if (urls.count < LEAST_URLS || urls.count > MOST_URLS || !urls.isResident || urls.site === '') return;
    const hash = hashOf(urls.site);
    if (hash >= this.#limit) return;
    this.#kept.push({ hash, site: urls.site, list: copyOf(urls) });
    this.#bytes += urls.usedBytes;
    if (this.#kept.length >= 2 * MOST_HOSTS || this.#bytes >= this.#mostBytes) this.#cut();
  }

  /** The lists of the kept hosts, by hash. */
  finish(): readonly SiteUrls[] {
    this.#cut();
    const ofDomain = new Map<string, number>();
    const isOneTooMany = ({ site }: Kept) => {
      const domain = registrableDomain(site.replace(/:\d+$/, ''));
      const count = (ofDomain.get(domain) ?? 0) + 1;
      ofDomain.set(domain, count);
      return count > MOST_OF_DOMAIN;
    };
    return this.#kept
      .filter((kept) => !isOneTooMany(kept))
      .map(({ site, list }) => {
        const urls = SiteUrls.of(list);
        urls.site = site;
        return urls;
      });
  }

  close(): void {
    for (const { list } of this.#kept) drop(list);
    this.#kept = [];
  }

  /** Keeps the hosts with the least hashes: as many as wanted, in half of the memory. */
  #cut(): void {
    this.#kept.sort((a, b) => a.hash - b.hash || (a.site < b.site ? -1 : 1));
    let [count, bytes] = [0, 0];
    while (count < this.#kept.length && count < MOST_HOSTS && bytes < this.#mostBytes / 2)
      bytes += this.#kept[count++]!.list.bytes.length;
    const gone = this.#kept.splice(count);
    if (gone.length === 0) return;
    for (const { list } of gone) drop(list);
    this.#limit = gone[0]!.hash;
    this.#bytes = bytes;
  }
}

function hashOf(site: string): number {
  const bytes = encodeText(site);
  return hashBytes(bytes, 0, bytes.length) >>> 0;
}

/** One block of memory, as there are thousands: positions, then records, then lengths. */
function copyOf(urls: SiteUrls): SharedSite {
  const { count, usedBytes } = urls;
  const recordsAt = 8 * Math.ceil(count / 2);
  const lengthsAt = recordsAt + 8 * Math.ceil(usedBytes / 8);
  const block = newU8(lengthsAt + 2 * count);
  const list = {
    count,
    position: u32At(block.byteOffset, count),
    bytes: u8At(block.byteOffset + recordsAt, usedBytes),
    length: u16At(block.byteOffset + lengthsAt, count),
  };
  list.bytes.set(urls.bytes.subarray(0, usedBytes));
  urls.copyPlaces(list.position, list.length, 0);
  return list;
}

function drop({ position }: SharedSite): void {
  giveBack(position);
}
