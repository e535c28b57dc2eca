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

interface Slot {
  readonly key: Uint8Array;
  readonly scheme: number;
  /** The first such URL up to the slash that begins its path; empty if there is none. */
  readonly head: Uint8Array;
  readonly site: string;
}

/** `remembered`: the number of slots, a power of two. */
export function createSiteFinder(policy: SitePolicy, domainOf: DomainOf, remembered = 1 << 10): SiteOf {
  if (policy === 'all') return () => '*';
  const siteOf = policy === 'domain' ? (parts: UrlParts) => domainOf(bareHost(parts)) : hostWithPort;
  // Sparse: most lists have one host, and a large table is slow to allocate.
  const slots: (Slot | undefined)[] = [];
  const parts = emptyParts();
  let last: Slot | undefined;
  return (url, start, end) => {
    if (url[start] === SLASH) return '';
    if (last !== undefined && startsWith(url, start, end, last.head)) return last.site;
    splitUrl(url, start, end, parts);
    const { hostStart, pathStart } = parts;
    if (pathStart === hostStart) return '';
    const scheme = parts.schemeEnd - parts.start;
    const index = hash(url, hostStart, pathStart) & (remembered - 1);
    const slot = slots[index];
    if (slot?.scheme === scheme && isEqual(slot.key, url, hostStart, pathStart)) {
      last = slot;
      return slot.site;
    }
    const head = copyOf(url, start, url[pathStart] === SLASH ? pathStart + 1 : start);
    last = slots[index] = { key: copyOf(url, hostStart, pathStart), scheme, head, site: siteOf(parts) };
    return last.site;
  };
}

/** `slice` of a Buffer is a view, and readers overwrite their buffers. */
function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes, start, end);
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

/** True if the URL continues after the same head as another one, whose site is then its site too. */
function startsWith(url: Uint8Array, start: number, end: number, head: Uint8Array): boolean {
  return head.length > 0 && head.length <= end - start && isEqual(head, url, start, start + head.length);
}

function isEqual(key: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let at = 0; at < key.length; at++) if (key[at] !== bytes[start + at]) return false;
  return true;
}
