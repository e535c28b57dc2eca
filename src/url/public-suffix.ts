// Finds the site of a host by the public suffix list, private suffixes such as github.io included, and picks the few lines
// of the list that the rules of a site need.
//
// In a browser, which has only the rules of a site, the lines above, at and below the site are enough:
//
//     example.co.uk     co.uk                          as the site `co.uk` is only `http://co.uk/` itself
//     amazonaws.com     *.compute.amazonaws.com …      the hosts below these belong to other sites
//     example.com       nothing: a last label is a suffix by default
//
// With these lines `registrable-domain.ts` finds the same domains as with the whole list, for every host that belongs
// to one of the sites or has one in its name.
import { createRequire } from 'node:module';
import { withoutLastDots } from './registrable-domain.js';
import { createSiteFinder, type SiteOf, type SitePolicy } from './site-finder.js';

const require = createRequire(import.meta.url);
const how = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
let tldts: typeof import('tldts') | undefined;

/** The registrable domain of a lower-case host; the host itself if it has none. */
export function registrableDomain(host: string): string {
  // `import` of the module, which has 200 KB, takes 28 ms, as Node must detect its exported names. `require` takes 9
  // ms, and only if sites are domains.
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
 * begins with `!` if it is an exception.
 */
export function publicSuffixesOf(sites: Iterable<string>): string[] {
  const lines = new Set<string>();
  list ??= new SuffixList(require('tldts/dist/cjs/src/data/trie.js') as SuffixTree);
  for (const site of sites) list.eachLineOf(site, (line) => lines.add(line));
  return [...lines].sort();
}

/**
 * How tldts stores the list. This is not a public API, so package.json pins the exact version. Edges are labels, from
 * the last label of a name on. The edges of node n are edgeStart[n] to edgeStart[n + 1], and their names are end to end
 * in `labelText`. Nodes with a flag are ends of lines.
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

  /** As in tldts, a label with an edge of its own does not match `*`. */
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
    // Hosts below a suffix do not belong to it.
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

/** The site of a URL by the whole public suffix list. */
export type { SiteOf, SitePolicy };

/** Capacity of the cache: logs of search engines name many hosts. */
const HOSTS = 1 << 16;

/** The name of the site that `createOneSiteOf` makes of several hosts. */
export const ONE_SITE = '*';

/** Makes one site of these hosts, on any port, as if they had one domain. Every other host is a site of its own. */
export function createOneSiteOf(hosts: readonly string[]): SiteOf {
  const own = new Set(hosts);
  return createSiteFinder('domain', (host) => (own.has(host) ? ONE_SITE : host), HOSTS);
}

/** One finder per policy: it is only a cache, and takes 8 MiB if it sees many hosts. */
const finders: Partial<Record<SitePolicy, SiteOf>> = {};

export function createSiteOf(policy: SitePolicy): SiteOf {
  return (finders[policy] ??= createSiteFinder(policy, registrableDomain, HOSTS));
}
