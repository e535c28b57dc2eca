// Finds the site of a URL. Rules belong to sites (SPEC 1), so this runs once for every URL of the list.
//
// The registrable domain comes from the public suffix list, with private suffixes such as github.io. Logs have few
// hosts, so a direct-mapped table, indexed by a hash of the host, caches the results. A hit allocates nothing.
//
// The function that finds the registrable domain is a parameter: browsers should not have to load the list of 200 KB.
import { SLASH } from '../base/ascii.js';
import { chained, FNV_SEED } from '../base/hash.js';
import { decodeText, sameRange } from '../base/bytes.js';
import { emptyParts, splitUrl, type UrlParts } from './parse.js';

export type SitePolicy = 'domain' | 'host' | 'all';

/** The site of the URL bytes[start, end); '' if it has no host. */
export type SiteOf = (url: Uint8Array, start: number, end: number) => string;

/** The registrable domain of a lower-case host without a final dot; the host itself if it has none. */
export type DomainOf = (host: string) => string;

/** Bytes of a slot: the length of its key, the length of the scheme, and the key. Longer hosts are not cached. */
const SLOT_BYTES = 128;
const MOST_KEY_BYTES = SLOT_BYTES - 2;

/**
 * `remembered`: the number of slots, a power of two. They are in one block: an object for each of millions of passing
 * hosts would burden the garbage collector.
 */
export function createSiteFinder(policy: SitePolicy, domainOf: DomainOf, remembered = 1 << 10): SiteOf {
  if (policy === 'all') return () => '*';
  const siteOf = policy === 'domain' ? (parts: UrlParts) => domainOf(bareHost(parts)) : hostWithPort;
  // The system allocates pages of it on first use.
  const slots = new Uint8Array(remembered * SLOT_BYTES);
  // Sparse, as most lists have one host.
  const sites: string[] = [];
  const parts = emptyParts();
  /** The last URL up to the slash that begins its path, and its site. */
  let head = new Uint8Array(SLOT_BYTES);
  let headLength = 0;
  let latest = '';
  return (url, start, end) => {
    if (url[start] === SLASH) return '';
    if (headLength > 0 && headLength <= end - start && sameRange(head, 0, url, start, headLength)) return latest;
    splitUrl(url, start, end, parts);
    const { hostStart, pathStart } = parts;
    const length = pathStart - hostStart;
    if (length === 0) return '';
    headLength = url[pathStart] === SLASH ? pathStart + 1 - start : 0;
    if (headLength > head.length) head = new Uint8Array(2 * headLength);
    head.set(url.subarray(start, start + headLength));
    if (length > MOST_KEY_BYTES) return (latest = siteOf(parts));
    const scheme = Math.min(parts.schemeEnd - parts.start, 0xff);
    const index = hash(url, hostStart, pathStart) & (remembered - 1);
    const slot = index * SLOT_BYTES;
    if (slots[slot] === length && slots[slot + 1] === scheme && sameRange(slots, slot + 2, url, hostStart, length)) {
      return (latest = sites[index]!);
    }
    slots[slot] = length;
    slots[slot + 1] = scheme;
    slots.set(url.subarray(hostStart, pathStart), slot + 2);
    return (latest = sites[index] = siteOf(parts));
  };
}

function bareHost(parts: UrlParts): string {
  const host = lowerCaseText(parts.bytes, parts.hostStart, parts.portStart);
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function hostWithPort(parts: UrlParts): string {
  const host = lowerCaseText(parts.bytes, parts.hostStart, parts.portStart);
  const port = decodeText(parts.bytes, parts.portStart, parts.pathStart);
  const defaultPort = parts.schemeEnd - parts.start === 5 ? ':443' : ':80';
  return port === ':' || port === defaultPort ? host : host + port;
}

function lowerCaseText(bytes: Uint8Array, start: number, end: number): string {
  return decodeText(bytes, start, end).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  const sum = chained(FNV_SEED, bytes, start, end);
  return (sum ^ (sum >>> 15)) >>> 0;
}
