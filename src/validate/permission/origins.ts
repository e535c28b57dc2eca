// Which hosts and ports belong to the site? With `--base`, its origin, the same host with the other scheme on its
// default port, both with or without `www.`, and the hosts of `--one-site`. Without `--base`, a host needs its share of
// the log's requests: a line can name any host, and a server that answers to all of them logs it.
import { registrableDomain } from '../../url/public-suffix.js';
import { addReader, noReaders, SEVERAL, type Reader, type Readers } from './readers.js';

/** A host's share of the requests to its domain. The least share is enough if the host is read commonly. */
const SHARE = 0.01;
const LEAST_SHARE = 0.001;
/** The share of the requests to a host that a port needs, unless it is the default port. */
const PORT_SHARE = 0.1;
/** Whoever writes lines can invent hosts, so further new hosts are not counted. */
const MOST_ORIGINS = 200_000;

interface Origin {
  readonly name: string;
  readonly domain: string;
  count: number;
  readonly readers: Readers;
}

/** Splits an origin such as `http://h:8080`; undefined if the text is no origin. */
function partsOf(
  origin: string,
): { readonly scheme: string; readonly name: string; readonly port: string } | undefined {
  const found = /^(https?):\/\/(\[[^\]]*\]|[^/?#:@]+)(?::(\d*))?$/i.exec(origin);
  if (found === null) return undefined;
  const [, scheme = '', name = '', port = ''] = found;
  return { scheme: scheme.toLowerCase(), name: name.toLowerCase().replace(/\.$/, ''), port };
}

export class Origins {
  readonly #origins = new Map<string, Origin>();
  readonly #ofNames = new Map<string, number>();
  readonly #ofDomains = new Map<string, number>();
  #total = 0;

  /** Counts a request to `name:port`, as in the URL, without a default port. */
  add(host: string, reader: Reader): void {
    this.#total++;
    let origin = this.#origins.get(host);
    if (origin === undefined) {
      if (this.#origins.size === MOST_ORIGINS) return;
      const name = host.replace(/:\d*$/, '');
      this.#origins.set(host, (origin = { name, domain: registrableDomain(name), count: 0, readers: noReaders() }));
    }
    origin.count++;
    addReader(origin.readers, reader);
    this.#ofNames.set(origin.name, (this.#ofNames.get(origin.name) ?? 0) + 1);
    this.#ofDomains.set(origin.domain, (this.#ofDomains.get(origin.domain) ?? 0) + 1);
  }

  /** True if this host and port have their share of the requests. */
  isOwn(host: string): boolean {
    const origin = this.#origins.get(host);
    if (origin === undefined) return false;
    const { name, domain, count, readers } = origin;
    // A log with many domains, such as a crawler's, asks for less: a quarter of a fair share.
    const ofAll = this.#ofDomains.get(domain)! / this.#total;
    if (ofAll < Math.min(LEAST_SHARE, 0.25 / this.#ofDomains.size)) return false;
    if (name !== host && count < PORT_SHARE * this.#ofNames.get(name)!) return false;
    const share = this.#ofNames.get(name)! / this.#ofDomains.get(domain)!;
    return share >= SHARE || (share >= LEAST_SHARE && (readers.crawler || readers.agents.length >= SEVERAL));
  }
}

/**
 * Returns a test for the origin of the base, its twin with the other scheme on default ports, and both with or without
 * `www.`.
 */
export function isOfBase(base: string): (origin: string) => boolean {
  const own = partsOf(base);
  const bare = (name: string) => name.replace(/^www\./, '');
  return (origin) => {
    const other = partsOf(origin);
    if (own === undefined || other === undefined || bare(own.name) !== bare(other.name)) return false;
    const isDefault = ({ scheme, port }: { readonly scheme: string; readonly port: string }) =>
      port === '' || port === (scheme === 'http' ? '80' : '443');
    if (isDefault(own)) return isDefault(other);
    return other.port === own.port && other.scheme === own.scheme;
  };
}
