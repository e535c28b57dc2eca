// Which step may use how much of --memory? Every share has a name here; a consumer gets a budget and takes its share of
// it.
//
//   mine       URL list and its columns: what base/heap leaves them (heapHalf); with them one step of a site at a time,
//              and in the end the ranked rules; a state reads and sorts what was found in sites meanwhile
//     step       the pairs of a site or its parameters; both at once with threads, each in half of the budget
//       rows       pairs, also in a quarter of what the list leaves of its half; and rules by rank, while they are sorted
//       instances  blocks in memory until they are too many, then a copy of them by partition; or a sort. The list
//                  adds half of what it leaves
//       parameters members are collected, then grouped, then groups are sorted twice, from sort to sort
//   canonize   the forms that were seen, and the sorts of lines that wait; with keys, three sorts instead. Beside them,
//              two counts of distinct strings, each with a set and a sort
//   report     visits, and what their URLs go to: all in use at once
//   asking     lists with sketches, while they are made and beside mining; then one site at a time
//   eval       measuring has four meters of a sixth each, one more if there are keys, and one with --leftover (the
//              reader of the list has its shares in cli/run/eval)
//   mirrors    what is read is sorted, and still read while other sorts are made of it, up to four at once; up to eight
//              columns with a number for each page, which are on disk if their share is too small; a union-find,
//              likewise. The rest is for one component of clusters
//
// The file test/memory-plan.test.ts says which steps are in use at the same time: together they do not exceed the
// whole.
import type { SpillOptions } from './base/spill.js';

/** A fraction, as two integers: a third of a number of bytes is the same for every consumer. */
type Share = readonly [parts: number, of: number];

export const SHARES = {
  // Of --memory, as far as the heap goes.
  'mine/step': [1, 6],
  'step/rows': [1, 2],
  // One sort passes its best rules to the next.
  'rows/sort': [1, 2],
  // JSON of the rules by rank, in memory; beyond that it is on disk.
  'mine/ranked': [1, 8],
  // What a state has kept of sites, and what it is to keep of them.
  'mine/kept': [1, 64],
  // Of a step and what the site leaves of the list's half.
  'step/beside': [1, 2],

  'asking/lists': [1, 16],
  'asking/site': [1, 2],

  'instances/blocks': [1, 2],
  'instances/sort': [2, 3],

  'parameters/names': [1, 16],
  'parameters/repeated-values': [2, 16],
  'parameters/values': [2, 16],
  'parameters/bases': [1, 16],
  'parameters/hashes': [1, 16],
  'parameters/rows': [9, 16],
  'parameters/grouping': [3, 16],
  'parameters/groups': [4, 16],
  'parameters/by-chance': [6, 16],
  'parameters/by-place': [6, 16],
  'parameters/accepted': [4, 16],
  // Rows that are put off go from one sort to the next.
  'grouping/put-off': [1, 2],
  'grouping/large-group': [1, 4],
  'grouping/ratios': [1, 4],

  // With rules by part: the two sorts of lines by part and place, beside all others.
  'canonize/parts': [1, 2],
  'canonize/others': [1, 2],
  'parts/sort': [1, 2],
  'canonize/forms': [3, 8],
  'canonize/sort': [3, 16],
  'canonize/named': [1, 4],
  'canonize/distinct': [1, 8],
  'distinct/seen': [1, 2],
  'distinct/sort': [1, 2],

  // The list of URLs, their parameters and the rules, beside the visits; the rest of the report comes afterwards. Where
  // the rules are given the list is needed for the parameters only.
  'report/mine': [10, 16],
  'report/parameters': [5, 16],
  'report/visits': [5, 16],
  'report/groups': [3, 16],
  'report/rules': [1, 16],
  'report/fixes': [1, 16],
  'report-fixes/changed': [1, 2],
  'report-fixes/forms': [1, 2],
  'report/visitors': [1, 32],
  'report/answers': [1, 32],
  'report-answers/urls': [1, 2],
  'report-answers/referrers': [1, 2],
  // Arrays double: a third is what they were, a third what they become, and a third the sort that they go to.
  'tally/table': [1, 3],
  'tally/sort': [1, 3],

  'eval/meter': [1, 6],
  'meter/sort': [1, 2],

  'mirrors/intake': [1, 4],
  'mirrors/sorts': [1, 4],
  'mirrors/column': [1, 32],
  'mirrors/unions': [1, 16],
  'mirrors/component': [3, 16],
} as const satisfies Readonly<Record<string, Share>>;

export type Step = keyof typeof SHARES;

/** Bytes of a step, of those of the whole. */
export function bytesFor(step: Step, memoryBytes: number): number {
  const [parts, of] = SHARES[step];
  return (memoryBytes * parts) / of;
}

/** The room of a step in that of the whole. */
export function roomFor<Room extends Pick<SpillOptions, 'memoryBytes'>>(step: Step, room: Room): Room {
  return { ...room, memoryBytes: bytesFor(step, room.memoryBytes) };
}
