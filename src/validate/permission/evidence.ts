// What does the log show of the site's readers? It is read once; then this answers what a stranger may request: which
// kinds of URLs are read commonly, which hosts belong to the site, and whose values a field has.
import { decodeText } from '../../base/bytes.js';
import { VISITOR, type RecordBatch } from '../../log/record.js';
import { registrableDomain } from '../../url/public-suffix.js';
import { looksRandom, valuesOf, type UrlValue } from '../../url/secret.js';
import { Origins } from './origins.js';
import { Owners, type ClientBy } from './owners.js';
import { addReader, Frequent, noReaders, SEVERAL, type Reader, type Readers } from './readers.js';
import { Readings } from './readings.js';
import { maskOf, templateOf, templateText, type Template } from './template.js';

/** Kinds are remembered for this many URLs while reading, because logs repeat URLs. */
const MOST_REMEMBERED = 10_000;
/** An address with this share of the requests is a proxy, or the log's only client. */
const MOST_OF_ALL = 0.5;

interface Seen {
  readonly site: string;
  /** The host with its port; '' for a path. */
  readonly host: string;
  readonly template: Template;
  readonly random: readonly { readonly field: string; readonly value: number; readonly url: number }[];
}

export class Evidence {
  readonly #sites = new Map<string, Readings>();
  readonly #origins = new Origins();
  readonly #owners = new Owners();
  readonly #addresses = new Frequent();
  #seen = new Map<string, Seen>();
  #rows = 0;
  /** Readers of the whole log. */
  readonly #readers = noReaders();

  /** Expects a batch with visitors and clients. */
  add({ rows, bytes, urlStart, urlEnd, visitor, client, agent }: RecordBatch): void {
    this.#rows += rows;
    for (let row = 0; row < rows; row++) {
      const address = client?.[row] ?? 0;
      const program = agent?.[row] ?? 0;
      const isCrawler = (visitor?.[row] ?? VISITOR.unknown) >= VISITOR.bot;
      const together = address === 0 && program === 0 ? 0 : (Math.imul(address, 0x9e3779b1) ^ program) | 1;
      if (address !== 0) this.#addresses.add(address);
      const reader = { isCrawler, address, agent: together };
      addReader(this.#readers, reader);
      this.#addUrl(decodeText(bytes, urlStart[row], urlEnd[row]), reader);
    }
  }

  /**
   * False for a list without a crawler and with fewer than three clients, or without that information: then nobody
   * knows what is read commonly. Also false if nothing was read, as in a night without new lines.
   */
  get hasReaders(): boolean {
    return this.#rows === 0 || this.#areSeveral(this.#readers);
  }

  /** True if a crawler or several clients read URLs of this kind, on this site or in a log without hosts. */
  isReadCommonly(url: string): boolean {
    const template = templateOf(url);
    return this.#readingsOf(url).some((readings) =>
      readings
        .readersOf(template)
        .every((ofWord) => ofWord.some((readers) => readers !== undefined && this.#areSeveral(readers))),
    );
  }

  /** The kind of a URL in a few words, with its host, such as `www.example.com/forum/*?page`. */
  kindOf(url: string): string {
    const template = templateOf(url);
    const [readings] = this.#readingsOf(url);
    return `${hostOf(url)}${templateText(readings === undefined ? template : readings.kindOf(template))}`;
  }

  /** Learns from a URL that this program has fetched, so that others of its kind may be requested. */
  learn(url: string): void {
    const reader = { isCrawler: true, address: 0, agent: 0 };
    const [readings = this.#siteOf(siteKeyOf(hostOf(url)))] = this.#readingsOf(url);
    readings.add(templateOf(url), reader);
  }

  /** True if this host has enough of the log's requests. `host` includes the port unless that is the default. */
  isOwnHost(host: string): boolean {
    return this.#origins.isOwn(host);
  }

  isPersonal(value: UrlValue, url: string): boolean {
    return this.#owners.isPersonal(fieldOf(value, url), this.#by);
  }

  isToken(value: UrlValue, url: string): boolean {
    return this.#owners.isToken(fieldOf(value, url), hashText(value.text));
  }

  get #by(): ClientBy {
    return this.#addresses.total === 0 || this.#addresses.most > MOST_OF_ALL ? 'agents' : 'addresses';
  }

  #areSeveral(readers: Readers): boolean {
    return readers.crawler || readers[this.#by].length >= SEVERAL;
  }

  #addUrl(url: string, reader: Reader): void {
    const { site, host, template, random } = this.#look(url);
    this.#siteOf(site).add(template, reader);
    if (host !== '') this.#origins.add(host, reader);
    for (const { field, value, url: rest } of random) this.#owners.add({ field, value, url: rest, reader });
  }

  /** Readings of the URL's site, and of lines without a host. */
  #readingsOf(url: string): Readings[] {
    return [siteKeyOf(hostOf(url)), ''].flatMap((site) => this.#sites.get(site) ?? []);
  }

  #siteOf(site: string): Readings {
    let readings = this.#sites.get(site);
    if (readings === undefined) this.#sites.set(site, (readings = new Readings()));
    return readings;
  }

  #look(url: string): Seen {
    let seen = this.#seen.get(url);
    if (seen === undefined) {
      if (this.#seen.size === MOST_REMEMBERED) this.#seen = new Map();
      this.#seen.set(url, (seen = look(url)));
    }
    return seen;
  }
}

function look(url: string): Seen {
  const host = hostOf(url);
  const random = valuesOf(url)
    .filter(({ text }) => looksRandom(text))
    .map((value) => ({
      field: fieldOf(value, url),
      value: hashText(value.text),
      url: hashText(url.slice(0, value.start) + url.slice(value.end)),
    }));
  return { site: siteKeyOf(host), host, template: templateOf(url), random };
}

/** The host in lower case, with its port; '' for a path. */
export function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? '';
}

/** The URL without scheme and host. */
export function afterHost(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}

function siteKeyOf(host: string): string {
  return host === '' ? '' : registrableDomain(host.replace(/:\d*$/, ''));
}

/** The key of a field: its name, or for a segment the kind of the segments before it. */
function fieldOf({ name, start }: UrlValue, url: string): string {
  if (name !== '') return maskOf(name);
  return `/${templateOf(afterHost(url.slice(0, start))).segments.join('/')}`;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
