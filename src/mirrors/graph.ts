// Two algorithms on graphs: perfect matchings between two clusters, and the start of the walk of a component.
import { Growing, type Lists } from '../base/numbers.js';

// A perfect matching of the links between two clusters gives every page a partner of its own (Hopcroft and Karp 1973).
// The condition |Ri| = s = d = |Rj| alone does not imply Definition 5:
//
//   a1 → b1, b2, b3    a2 → b1    a3 → b1          s = d = 3, and two of a1, a2, a3 have no partner

/** Distinct links between two clusters, ⟨from, to⟩, sorted. */
type Links = Uint32Array;

/** True if each page has one link, and each target is linked from one page. */
export function isUnique(links: Links, size: number): boolean {
  if (links.length !== 2 * size) return false;
  const targets = new Set<number>();
  for (let at = 0; at < links.length; at += 2) {
    if (at > 0 && links[at] === links[at - 2]) return false;
    targets.add(links[at + 1]!);
  }
  return targets.size === size;
}

/**
 * The partner of each of the `size` pages that have links; undefined if not all can have one. `before(a, from, b)` is
 * how much page `from` prefers b to a (negative: it prefers a). Preferences are followed as far as a perfect matching
 * allows.
 */
export function perfectMatching(
  links: Links,
  size: number,
  before: (a: number, from: number, b: number) => number = (a, _, b) => a - b,
): Map<number, number> | undefined {
  const from: number[] = [];
  const targets = new Map<number, number>();
  const names: number[] = [];
  const next: number[][] = [];
  for (let at = 0; at < links.length; at += 2) {
    if (at === 0 || links[at] !== links[at - 2]) {
      from.push(links[at]!);
      next.push([]);
    }
    const target = links[at + 1]!;
    if (!targets.has(target)) {
      targets.set(target, names.length);
      names.push(target);
    }
    next.at(-1)!.push(targets.get(target)!);
  }
  if (from.length !== size || names.length !== size) return undefined;
  for (let k = 0; k < size; k++) next[k]!.sort((a, b) => before(names[a]!, from[k]!, names[b]!));
  const partnerOf = matched(next, size);
  if (partnerOf === undefined) return undefined;
  return new Map(from.map((page, k) => [page, names[partnerOf[k]!]!]));
}

const NONE = -1;

/** Hopcroft and Karp, after each page got its preferred partner if that was free. */
function matched(next: readonly (readonly number[])[], size: number): Int32Array | undefined {
  const right = new Int32Array(size).fill(NONE);
  const left = new Int32Array(size).fill(NONE);
  const take = (page: number, target: number) => {
    right[page] = target;
    left[target] = page;
  };
  for (let page = 0; page < size; page++) if (left[next[page]![0]!] === NONE) take(page, next[page]![0]!);
  const depth = new Int32Array(size);
  for (;;) {
    const queue: number[] = [];
    for (let page = 0; page < size; page++) {
      depth[page] = right[page] === NONE ? 0 : NONE;
      if (right[page] === NONE) queue.push(page);
    }
    if (queue.length === 0) return right;
    let isOpen = false;
    for (let at = 0; at < queue.length; at++) {
      const page = queue[at]!;
      for (const target of next[page]!) {
        const other = left[target]!;
        if (other === NONE) isOpen = true;
        else if (depth[other] === NONE) {
          depth[other] = depth[page]! + 1;
          queue.push(other);
        }
      }
    }
    if (!isOpen) return undefined;
    augment(next, left, right, depth, take);
  }
}

/** Follows shortest alternating paths, without recursion: a path may be as long as the cluster. */
function augment(
  next: readonly (readonly number[])[],
  left: Int32Array,
  right: Int32Array,
  depth: Int32Array,
  take: (page: number, target: number) => void,
): void {
  const tried = new Int32Array(next.length);
  for (let start = 0; start < next.length; start++) {
    if (right[start] !== NONE) continue;
    const path = [start];
    const chosen: number[] = [];
    while (path.length > 0) {
      const page = path.at(-1)!;
      const target = next[page]![tried[page]!++];
      if (target === undefined) {
        path.pop();
        chosen.pop();
        continue;
      }
      const other = left[target]!;
      if (other !== NONE && depth[other] !== depth[page]! + 1) continue;
      chosen.push(target);
      if (other !== NONE) {
        path.push(other);
        continue;
      }
      for (let k = path.length - 1; k >= 0; k--) take(path[k]!, chosen[k]!);
      break;
    }
  }
}

// The walk of a component (Cho, Shivakumar, Garcia-Molina 2000, Figure 7) starts at a cluster from which all others can
// be reached. If there is none, it needs several starts. They are in the strongly connected parts that no edge leads
// into (Tarjan 1972).

/** The strongly connected part of each node. Edges lead to parts with lower numbers, or stay within a part. */
function strongParts({ starts, items }: Lists): Int32Array {
  const count = starts.length - 1;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const part = new Int32Array(count).fill(-1);
  const stack = new Growing();
  const place = starts.slice(0, count);
  // The current path: each node has its predecessor.
  const above = new Int32Array(count).fill(-1);
  let [visited, parts] = [0, 0];
  for (let start = 0; start < count; start++) {
    if (index[start] !== -1) continue;
    for (let node = start; node !== -1;) {
      if (index[node] === -1) {
        index[node] = low[node] = visited++;
        stack.push(node);
      }
      if (place[node]! < starts[node + 1]!) {
        const other = items[place[node]!++]!;
        if (index[other] === -1) {
          above[other] = node;
          node = other;
        } else if (part[other] === -1) low[node] = Math.min(low[node]!, index[other]!);
        continue;
      }
      const before = above[node]!;
      if (before !== -1) low[before] = Math.min(low[before]!, low[node]!);
      if (low[node] === index[node]) {
        for (let member = stack.pop(); ; member = stack.pop()) {
          part[member] = parts;
          if (member === node) break;
        }
        parts++;
      }
      node = before;
    }
  }
  return part;
}

/** The first node by `before` among all in parts that no edge leads into. */
export function startOf(next: Lists, before: (a: number, b: number) => number): number {
  const { starts, items } = next;
  const count = starts.length - 1;
  const part = strongParts(next);
  const isEntered = new Uint8Array(count);
  for (let node = 0; node < count; node++) {
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      const entered = part[items[at]!]!;
      if (entered !== part[node]) isEntered[entered] = 1;
    }
  }
  let first = -1;
  for (let node = 0; node < count; node++) {
    if (isEntered[part[node]!] === 0 && (first < 0 || before(node, first) < 0)) first = node;
  }
  return first;
}
