// The public suffix list, including private suffixes such as github.io; and the few lines of it that some sites need.
//
// A browser that has only the rules of a site needs the part of the list above, at and below the site:
//
//     example.co.uk     co.uk                          the site `co.uk` has only `http://co.uk/` itself
//     amazonaws.com     *.compute.amazonaws.com …      what is below belongs to somebody else
//     example.com       nothing: a last label is a suffix by default
//
// With these lines `registrable-domain.ts` gives the same domains as the whole list, for every host that belongs to one
// of the sites or has one in its name.
import { createRequire } from 'node:module';
import { withoutLastDots } from './registrable-domain.js';
import { createSiteFinder, type SiteOf, type SitePolicy } from './site-finder.js';

const require = createRequire(import.meta.url);
const how = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
let tldts: typeof import('tldts') | undefined;

/** The registrable domain of a host in lower case; the host itself if it has none. */
export function registrableDomain(host: string): string {
  // Importing the list, a module of 200 KB, takes 28 ms, as its names have to be detected; this way it takes 9, and
  // only if sites are domains.
  tldts ??= require('tldts') as typeof import('tldts');
  return tldts.getDomain(host, how) ?? host;
}

/** True for a host below a public suffix on the list: `index.html` looks like a name, but is not a host. */
export function hasKnownSuffix(host: string): boolean {
  tldts ??= require('tldts') as typeof import('tldts');
  const { isIcann, isPrivate } = tldts.parse(host, how);
  return isIcann === true || isPrivate === true;
}

/**
 * The lines of the list, of two labels or more, that decide which hosts belong to one of the sites; sorted. A line
 * begins with `!` if it is an exception on the list.
 */
export function publicSuffixesOf(sites: Iterable<string>): string[] {
  const lines = new Set<string>();
  list ??= new SuffixList(require('tldts/dist/cjs/src/data/trie.js') as SuffixTree);
  for (const site of sites) list.eachLineOf(site, (line) => lines.add(line));
  return [...lines].sort();
}

/**
 * How tldts stores the list. package.json pins its exact version, as this is not a public API. Edges are labels, from
 * the last one of a name on. Those of node n are edgeStart[n] to edgeStart[n + 1], and their names are end to end in
 * `labelText`. A node with a flag is the end of a line.
 */
interface SuffixTree {
  readonly nodeFlags: ArrayLike<number>;
  readonly edgeStart: ArrayLike<number>;
  readonly edgeLength: ArrayLike<number>;
  readonly edgeChild: ArrayLike<number>;
  readonly labelText: string;
  readonly rulesRoot: number;
  readonly exceptionsRoot: number;
}

type TakeLine = (line: string) => void;

let list: SuffixList | undefined;

class SuffixList {
  readonly #tree: SuffixTree;
  readonly #labels: readonly string[];
  /** The target of an edge, by node and label. */
  readonly #children = new Map<string, number>();

  constructor(tree: SuffixTree) {
    this.#tree = tree;
    const { nodeFlags, edgeStart, edgeLength, edgeChild, labelText } = tree;
    let at = 0;
    this.#labels = Array.from(edgeLength, (length) => labelText.slice(at, (at += length)));
    for (let node = 0; node < nodeFlags.length; node++) {
      for (let edge = edgeStart[node]!; edge < edgeStart[node + 1]!; edge++) {
        this.#children.set(`${node} ${this.#labels[edge]!}`, edgeChild[edge]!);
      }
    }
  }

  eachLineOf(site: string, take: TakeLine): void {
    const labels = withoutLastDots(site).split('.').reverse();
    this.#walk(this.#tree.rulesRoot, labels, take);
    this.#walk(this.#tree.exceptionsRoot, labels, (line) => take(`!${line}`));
  }

  /** Like tldts: a label that has an edge of its own does not match `*`. */
  #walk(root: number, labels: readonly string[], take: TakeLine): void {
    let node = root;
    let path = '';
    for (const label of labels) {
      const own = this.#children.get(`${node} ${label}`);
      const next = own ?? (label === '' ? undefined : this.#children.get(`${node} *`));
      if (next === undefined) return;
      path = below(path, own === undefined ? '*' : label);
      node = next;
      if (path.includes('.') && this.#isEnd(node)) take(path);
    }
    // Nothing below a suffix belongs to it.
    if (!this.#isEnd(node)) this.#eachBelow(node, path, take);
  }

  #eachBelow(node: number, path: string, take: TakeLine): void {
    const { edgeStart, edgeChild } = this.#tree;
    for (let edge = edgeStart[node]!; edge < edgeStart[node + 1]!; edge++) {
      const child = edgeChild[edge]!;
      const line = below(path, this.#labels[edge]!);
      if (this.#isEnd(child)) take(line);
      this.#eachBelow(child, line, take);
    }
  }

  #isEnd(node: number): boolean {
    return this.#tree.nodeFlags[node] !== 0;
  }
}

function below(path: string, label: string): string {
  return path === '' ? label : `${label}.${path}`;
}

/** Which site a URL belongs to, by the whole public suffix list. */
export type { SiteOf, SitePolicy };

/** Logs of search engines name many hosts. */
const HOSTS = 1 << 16;

/** The site of all URLs on one of these hosts, on any port. */
export const ONE_SITE = '*';

/** Hosts that are one site, as if they were of one domain; each other host is a site of its own. */
export function createOneSiteOf(hosts: readonly string[]): SiteOf {
  const own = new Set(hosts);
  return createSiteFinder('domain', (host) => (own.has(host) ? ONE_SITE : host), HOSTS);
}

/** One for each policy: it only remembers, and takes 8 MiB if it meets many hosts. */
const finders: Partial<Record<SitePolicy, SiteOf>> = {};

export function createSiteOf(policy: SitePolicy): SiteOf {
  return (finders[policy] ??= createSiteFinder(policy, registrableDomain, HOSTS));
}
