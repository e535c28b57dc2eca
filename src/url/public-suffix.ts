// The public suffix list, private suffixes such as github.io included; and the few lines of it that some sites need.
//
// Who has only the rules of a site, as a browser, has to know of the list what lies above the site, at it and below it:
//
//     example.co.uk     co.uk                          of `co.uk` as a site only `http://co.uk/` itself is a part
//     amazonaws.com     *.compute.amazonaws.com …      what is below belongs to somebody else
//     example.com       nothing: a last label is a suffix without being told
//
// With these lines `registrable-domain.ts` gives the domains that the whole list gives, for every host that belongs to one of
// the sites or has one in its name.
import { createRequire } from 'node:module';
import { withoutLastDots } from './registrable-domain.js';

const require = createRequire(import.meta.url);
const how = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
let tldts: typeof import('tldts') | undefined;

/** The registrable domain of a host in lower case; the host itself where it has none. */
export function registrableDomain(host: string): string {
  // A module that imports the list, which is one of 200 KB, waits 28 ms for the names in it to be found; this way 9, and only
  // where sites are domains.
  tldts ??= require('tldts') as typeof import('tldts');
  return tldts.getDomain(host, how) ?? host;
}

/** True for a host below a public suffix that the list has: `index.html` is a name as well, but no host. */
export function hasKnownSuffix(host: string): boolean {
  tldts ??= require('tldts') as typeof import('tldts');
  const { isIcann, isPrivate } = tldts.parse(host, how);
  return isIcann === true || isPrivate === true;
}

/**
 * The lines of the list, of two labels or more, that decide which hosts belong to one of the sites; sorted. A line begins with
 * `!` where the list has it as an exception.
 */
export function publicSuffixesOf(sites: Iterable<string>): string[] {
  const lines = new Set<string>();
  list ??= new SuffixList(require('tldts/dist/cjs/src/data/trie.js') as SuffixTree);
  for (const site of sites) list.eachLineOf(site, (line) => lines.add(line));
  return [...lines].sort();
}

/**
 * How tldts keeps the list: package.json names its exact version, for this is nothing that it promises. Edges are labels, from
 * the last one of a name on. Those of node n are edgeStart[n] to edgeStart[n + 1], and what they are called stands end to end in
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
  /** Where the edge of a label leads, by node and label. */
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

  /** As tldts goes: a label that has an edge of its own is not taken for any label. */
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
    // To a suffix nothing below it belongs.
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
