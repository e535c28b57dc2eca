// In which order may a component be walked (Cho, Shivakumar, Garcia-Molina 2000, Figure 7)? From a cluster from which
// all others can be reached; where none reaches all, from several. Those are in the strongly connected parts that no
// edge leads into (Tarjan 1972).

/** The part of each node, numbered so that edges lead to parts with lower numbers, or stay within one. */
function strongParts(next: readonly (readonly number[])[]): Int32Array {
  const count = next.length;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const part = new Int32Array(count).fill(-1);
  const stack: number[] = [];
  const place = new Int32Array(count);
  let [visited, parts] = [0, 0];
  for (let start = 0; start < count; start++) {
    if (index[start] !== -1) continue;
    const path = [start];
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (index[node] === -1) {
        index[node] = low[node] = visited++;
        stack.push(node);
      }
      const other = next[node]![place[node]!++];
      if (other !== undefined) {
        if (index[other] === -1) path.push(other);
        else if (part[other] === -1) low[node] = Math.min(low[node]!, index[other]!);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) low[above] = Math.min(low[above]!, low[node]!);
      if (low[node] !== index[node]) continue;
      for (let member = stack.pop()!; ; member = stack.pop()!) {
        part[member] = parts;
        if (member === node) break;
      }
      parts++;
    }
  }
  return part;
}

/** For each part that no edge leads into, the node that comes first by `before`; these sorted by it. */
export function startsOf(next: readonly (readonly number[])[], before: (a: number, b: number) => number): number[] {
  const part = strongParts(next);
  const isEntered = new Set<number>();
  next.forEach((others, node) => {
    for (const other of others) if (part[other] !== part[node]) isEntered.add(part[other]!);
  });
  const best = new Map<number, number>();
  for (let node = 0; node < next.length; node++) {
    const own = part[node]!;
    if (isEntered.has(own)) continue;
    const known = best.get(own);
    if (known === undefined || before(node, known) < 0) best.set(own, node);
  }
  return [...best.values()].sort(before);
}
