// Which site does a URL belong to? Rules belong to sites (SPEC 1), so this is looked up once for every URL of the list.
//
// The registrable domain comes from the public suffix list, including private suffixes such as github.io. Logs repeat a
// few hosts very often, so results are cached in a direct-mapped table, indexed by a hash of the host; a hit allocates
// nothing.
//
// The function that returns the registrable domain of a host is a parameter: the list has 200 KB, which browsers should
// not have to load.
import { SLASH } from '../base/ascii.js';
import { chained, FNV_SEED } from '../base/hash.js';
import { decodeText } from '../base/bytes.js';
import { emptyParts, splitUrl, type UrlParts } from './parse.js';

export type SitePolicy = 'domain' | 'host' | 'all';

/** The site of the URL bytes[start, end); '' if it has no host. */
export type SiteOf = (url: Uint8Array, start: number, end: number) => string;

/** The registrable domain of a host in lower case without a final dot; the host itself if it has none. */
export type DomainOf = (host: string) => string;

/** Bytes of a slot: the length of its key, that of the scheme, and the key. Hosts that are longer are not remembered. */
const SLOT_BYTES = 128;
const MOST_KEY_BYTES = SLOT_BYTES - 2;

/**
 * `remembered`: the number of slots, a power of two. They are in one block, as an object for each of millions of hosts
 * that pass would grow old.
 */
export function createSiteFinder(policy: SitePolicy, domainOf: DomainOf, remembered = 1 << 10): SiteOf {
  if (policy === 'all') return () => '*';
  const siteOf = policy === 'domain' ? (parts: UrlParts) => domainOf(bareHost(parts)) : hostWithPort;
  // The system gives memory for them once they are used.
  const slots = new Uint8Array(remembered * SLOT_BYTES);
  // Sparse: most lists have one host.
  const sites: string[] = [];
  const parts = emptyParts();
  /** The latest URL up to the slash that begins its path, and its site. */
  let head = new Uint8Array(SLOT_BYTES);
  let headLength = 0;
  let latest = '';
  return (url, start, end) => {
    if (url[start] === SLASH) return '';
    if (headLength > 0 && headLength <= end - start && isEqual(head, 0, headLength, url, start)) return latest;
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
    if (slots[slot] === length && slots[slot + 1] === scheme && isEqual(slots, slot + 2, length, url, hostStart)) {
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

/** True if the bytes of both from these places on are the same, and there are so many. */
function isEqual(a: Uint8Array, start: number, length: number, b: Uint8Array, other: number): boolean {
  for (let at = 0; at < length; at++) if (a[start + at] !== b[other + at]) return false;
  return true;
}
