// In which order may a component be walked (Cho, Shivakumar, Garcia-Molina 2000, Figure 7)? From a cluster from which
// all others can be reached; where none reaches all, from several. Those are in the strongly connected parts that no
// edge leads into (Tarjan 1972).
import { Growing } from '../base/numbers.js';
import type { Lists } from './lists.js';

/** The part of each node, numbered so that edges lead to parts with lower numbers, or stay within one. */
function strongParts({ starts, items }: Lists): Int32Array {
  const count = starts.length - 1;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const part = new Int32Array(count).fill(-1);
  const stack = new Growing();
  const place = starts.slice(0, count);
  // The path of a node is by its predecessors.
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

/** Of the parts that no edge leads into, the node that comes first by `before`. */
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
