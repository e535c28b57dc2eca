// Which segments of a site's paths are names of its folders, and which are names of its pages? A tree of all paths:
//
//   /                      literal   has 2 % of the hits or URLs, and is a folder or a script
//     catalogue/           literal
//       a-book_17/         masked: {words}_{n}, with all others of its kind
//         reviews/         literal below a masked one if many of these have it
//     2025/  2026/         joined, though large: their children have the same names
//
// Children that are not literal become one node, whose children are those of all of them.
import { maskOf } from './mask.js';

/** A URL that was counted, and its hits. */
export interface Counted {
  readonly text: string;
  readonly hits: number;
}

interface Node {
  readonly children: Map<string, Node>;
  hits: number;
  urls: number;
  /** Of how many nodes with children it was joined. */
  from: number;
  /** URLs with a query that end here. */
  queries: number;
}

/** A node whose children are decided on. */
export interface Branch {
  /** Children that stand for themselves. */
  readonly literals: ReadonlyMap<string, Branch>;
  /** All others. */
  readonly rest: Branch | undefined;
}

const LEAST_SHARE = 0.02;
/** URLs of a literal folder or script, or hits if there are fewer. */
const FEWEST_URLS = 5;
const MANY_HITS = 100;
const LEAST_OF_JOINED = 0.2;
/** Of the names of children of a joined node, the share that several siblings have. */
const LEAST_ALIKE = 0.5;
const FEWEST_ALIKE = 3;
const MOST_DEPTH = 12;

export function emptyNode(): Node {
  return { children: new Map(), hits: 0, urls: 0, from: 1, queries: 0 };
}

/** Adds a URL with these segments. */
export function addPath(root: Node, segments: readonly string[], hits: number, hasQuery: boolean): void {
  let node = root;
  count(node, hits);
  for (const segment of segments.slice(0, MOST_DEPTH)) {
    let next = node.children.get(segment);
    if (next === undefined) node.children.set(segment, (next = emptyNode()));
    count(next, hits);
    node = next;
  }
  if (hasQuery) node.queries++;
}

function count(node: Node, hits: number): void {
  node.hits += hits;
  node.urls++;
}

/** Decides which children of each node are literal. */
export function decide(root: Node): Branch {
  return branchOf(root, root, 0);
}

function branchOf(node: Node, root: Node, depth: number): Branch {
  const joined = alike(node);
  const literals = new Map<string, Branch>();
  const others: Node[] = [];
  for (const [name, child] of node.children) {
    if (!joined.has(name) && isLiteral(child, node, root)) literals.set(name, branchOf(child, root, depth + 1));
    else others.push(child);
  }
  if (others.length === 0 || depth > MOST_DEPTH) return { literals, rest: undefined };
  return { literals, rest: branchOf(joinedOf(others), root, depth + 1) };
}

function isLiteral(node: Node, parent: Node, root: Node): boolean {
  if (parent.from > 1 && node.from < Math.max(2, LEAST_OF_JOINED * parent.from)) return false;
  const urls = node.children.size > 0 ? node.urls : node.queries;
  const isLarge = urls >= FEWEST_URLS || (urls > 0 && node.hits >= MANY_HITS);
  return isLarge && (node.hits >= LEAST_SHARE * root.hits || node.urls >= LEAST_SHARE * root.urls);
}

/** Names of children whose own children have the same names: years, repositories. */
function alike(node: Node): ReadonlySet<string> {
  const seen = new Map<string, number>();
  for (const child of node.children.values()) {
    for (const name of child.children.keys()) seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  const names = Array.from(node.children).flatMap(([name, { children }]) => {
    const shared = [...children.keys()].filter((own) => seen.get(own)! >= FEWEST_ALIKE).length;
    return children.size >= 2 && shared >= LEAST_ALIKE * children.size ? [name] : [];
  });
  return new Set(names.length >= FEWEST_ALIKE ? names : []);
}

function joinedOf(nodes: readonly Node[]): Node {
  const joined = emptyNode();
  joined.from = nodes.filter(({ children }) => children.size > 0).length || 1;
  for (const { children, hits, urls, queries } of nodes) {
    joined.hits += hits;
    joined.urls += urls;
    joined.queries += queries;
    for (const [name, child] of children) {
      const before = joined.children.get(name);
      joined.children.set(name, before === undefined ? child : joinedOfSame(before, child));
    }
  }
  return joined;
}

function joinedOfSame(a: Node, b: Node): Node {
  const both = joinedOf([a, b]);
  both.from = a.from + b.from;
  return both;
}

/** The template of a path: its literal segments, and masks for the rest. */
export function templateOf(branch: Branch, segments: readonly string[]): string[] {
  const template: string[] = [];
  let at: Branch | undefined = branch;
  let before = '';
  for (const segment of segments) {
    const literal: Branch | undefined = at?.literals.get(segment);
    before = literal === undefined ? maskOf(segment, before) : segment;
    template.push(before);
    at = literal ?? at?.rest;
  }
  return template;
}
