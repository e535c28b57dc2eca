// Lists of numbers for each of many things, as two columns: the list of k is items[starts[k], starts[k + 1]).
//
//   starts    0  2  2  5        k = 0: 7, 3    k = 1: none    k = 2: 4, 4, 9
//   items     7  3  4  4  9

export interface Lists {
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

/** For each of `count` things the numbers [0, keys.length) whose key it is, ascending. */
export function listsOf(count: number, keys: Uint32Array): Lists {
  const starts = new Uint32Array(count + 1);
  for (let number = 0; number < keys.length; number++) starts[keys[number]! + 1]!++;
  for (let k = 0; k < count; k++) starts[k + 1]! += starts[k]!;
  const next = starts.slice(0, count);
  const items = new Uint32Array(starts[count]!);
  for (let number = 0; number < keys.length; number++) items[next[keys[number]!]!++] = number;
  return { starts, items };
}
