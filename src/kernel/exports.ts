// The functions that JavaScript can call. `npm run kernel -- --pin` writes this; comments have the kernel's types.

export interface KernelExports {
  /**
   * memory/heap: () => void
   * Call this once, in the thread that made the memory.
   */
  readonly openHeap: () => void;
  /**
   * memory/heap: (usize) => usize
   * Allocates a block, at a multiple of 16; not initialized.
   */
  readonly alloc: (bytes: number) => number;
  /**
   * memory/heap: (usize) => void
   * Frees a block.
   */
  readonly free: (address: number) => void;
  /**
   * memory/heap: () => f64
   * Where the memory that was never allocated begins.
   */
  readonly heapBytes: () => number;
  /**
   * memory/heap: (usize) => usize
   * Allocates bytes of the arena, at a multiple of 16; not initialized.
   */
  readonly take: (bytes: number) => number;
  /**
   * memory/heap: () => usize
   * Memory allocated after this can be freed with `release`.
   */
  readonly mark: () => number;
  /**
   * memory/heap: (usize) => void
   */
  readonly release: (marked: number) => void;
  /**
   * memory/heap: () => void
   * Releases the lock for a thread that was stopped. A thread is never stopped while the free list is inconsistent.
   */
  readonly unlockHeap: () => void;
  /**
   * list/site: (usize, usize, usize, i32, i32) => void
   */
  readonly useSite: (bytesAt: number, positionAt: number, lengthAt: number, count: number, paged: number) => void;
  /**
   * read/plain-json: (usize, u32) => i32
   * Adds the unknown name that stopped the last call, with its meaning. Returns its node, or -1 if there is no room.
   */
  readonly addJsonName: (table: number, meaning: number) => number;
  /**
   * read/plain-lines: (usize, usize, usize, usize) => usize
   * Adds the records of plain lines in [from, end) to a batch, up to the first line that is not plain, or until the batch
   * is full. Returns where it stopped.
   */
  readonly readPlain: (reader: number, batch: number, from: number, end: number) => number;
  /**
   * parameters/scan: (usize, i32, usize, i32) => void
   * Scans a URL at a multiple of 8. Computes its hashes only if `hashes` is set.
   */
  readonly scanUrl: (urlAt: number, length: number, result: number, hashes: number) => void;
  /**
   * list/url-table: (u32) => usize
   * An empty table. Only the bits of the hash that are set in `bits` are used.
   */
  readonly newTable: (bits: number) => number;
  /**
   * list/url-table: (usize) => void
   * Removes all rows; keeps the memory for their numbers.
   */
  readonly clearTable: (table: number) => void;
  /**
   * list/url-table: (usize) => void
   * Frees the hash index: nothing can be added any more.
   */
  readonly freezeTable: (table: number) => void;
  /**
   * list/url-table: (usize) => void
   * Frees the rest of a frozen table.
   */
  readonly dropTable: (table: number) => void;
  /**
   * list/url-table: (usize, usize, usize, usize, usize, usize, usize, i32, i32, f64) => i32
   * Folds the records [from, to) of a batch into the entries of their URLs. The other parameters are the addresses of
   * the batch's columns, whose offsets are relative to `bytes`. Returns the first record that it left out because a new
   * entry would not fit `maxBytes` (the first entry always fits), or `to`.
   */
  readonly addRecords: (
    table: number,
    bytes: number,
    urlStart: number,
    urlEnd: number,
    size: number,
    sketchStart: number,
    sketchEnd: number,
    from: number,
    to: number,
    maxBytes: number,
  ) => number;
  /**
   * text/collation: (usize, usize, usize) => void
   * Writes [source, source + length) to `target` as collation bytes, padded with zeros to units of 8 bytes. Reads
   * `source` up to a whole unit.
   */
  readonly collateTo: (target: number, source: number, length: number) => void;
  /**
   * list/forward: (usize, usize, i32, i32) => void
   * Fills the columns of rows [from, to) of the current site.
   */
  readonly fillForward: (tokens: number, sharedFirst: number, from: number, to: number) => void;
  /**
   * list/forward: (usize, usize, usize, usize, usize, usize) => void
   * Stores how many tokens the URL [at, at + length) has, including START and END, and how many first tokens it shares
   * with the one before it, which is at `before`; START counts, but the result is 0 without one before. Both URLs are in
   * whole units of 8 bytes.
   */
  readonly setForward: (
    tokens: number,
    sharedFirst: number,
    before: number,
    beforeLength: number,
    at: number,
    length: number,
  ) => void;
  /**
   * sort/sort: (usize, i32, usize) => void
   * Sorts entries by their strings, stably. `spare` has room for COUNTS_BYTES and as many entries.
   */
  readonly sortStrings: (entries: number, count: number, spare: number) => void;
  /**
   * list/cuts: (usize, usize, usize, usize) => i32
   * The last cut that is not greater than a URL in collation bytes, or `first - 1` if all are greater. May read 8 bytes
   * past the URL.
   */
  readonly lastCutBefore: (cuts: number, root: number, url: number, length: number) => number;
  /**
   * list/cuts: (usize, i32, i32, usize) => usize
   * Writes the trie of cuts [from, to), at least one, at `address`; returns its end. May read 8 bytes past a cut.
   */
  readonly makeNodes: (cuts: number, from: number, to: number, address: number) => number;
  /**
   * list/cut-choice: (usize, i32, usize) => usize
   * Makes the cuts and the tries of large sites. `cutsOf`, by place of the site, is the number of cuts inside of it.
   * Returns the block with all of them, or 0 if there are none.
   */
  readonly findCuts: (job: number, sites: number, cutsOf: number) => number;
  /**
   * list/stretches: (i32, usize, usize, usize) => void
   * Counts the rows of each site of a table, and the units of their records: u32 each, interleaved, by number of the
   * site.
   */
  readonly countSites: (rows: number, places: number, sites: number, counts: number) => void;
  /**
   * list/stretches: (usize, usize, i32, i32) => void
   * Finds the stretches of rows [from, to), and adds to `counts`: rows and units of each stretch, u32 each, interleaved.
   */
  readonly findStretches: (job: number, counts: number, from: number, to: number) => void;
  /**
   * list/stretch-sort: (usize) => void
   * Computes what the first row of each stretch shares with the row before it, if both belong to one site.
   */
  readonly joinStretches: (job: number) => void;
  /**
   * list/stretch-sort: (usize, usize, i32, i32) => void
   * Copies rows [from, to) of the table to their stretches; `next` has the cursors of all stretches.
   */
  readonly scatter: (job: number, next: number, from: number, to: number) => void;
  /**
   * list/stretch-sort: (usize, i32, i32) => void
   * Sorts stretches [from, to), and computes what each row shares with the row before it in the same stretch.
   */
  readonly sortStretches: (job: number, from: number, to: number) => void;
  /**
   * walk/walk-columns: (usize, usize, usize, usize, usize, usize, usize, i32, i32, i32, i32) => usize
   * The columns are addresses. Returns the walk, which has to be freed with `free`.
   */
  readonly newWalk: (
    tokensAt: number,
    sharedFirstAt: number,
    childOfAt: number,
    memberAt: number,
    sharedAt: number,
    nextMemberAt: number,
    nextSharedAt: number,
    count: number,
    mostBetween: number,
    mostMembers: number,
    mostUnshared: number,
  ) => number;
  /**
   * walk/bucket: (i32) => void
   * Chooses whether buckets are written for JavaScript or become instances.
   */
  readonly beginBuckets: (writesDown: number) => void;
  /**
   * walk/walk: (usize) => void
   * Adds the root, the first task of a new walk.
   */
  readonly addRoot: (walk: number) => void;
  /**
   * walk/walk: (usize) => void
   * Call this in each thread before it walks. Allocates from the arena.
   */
  readonly beginWalk: (walk: number) => void;
  /**
   * walk/walk: (usize) => void
   * Call this when no thread walks any more.
   */
  readonly endWalk: (walk: number) => void;
  /**
   * walk/walk: () => i32
   * Does a part of the work. Returns the number of rows that it finished, or -1 when all are.
   */
  readonly walkOn: () => number;
  /**
   * instances/bucket-queue: (usize, usize) => void
   * Adds the instances of `bytes` of buckets.
   */
  readonly addBuckets: (address: number, bytes: number) => void;
  /**
   * instances/bucket-queue: (i32) => usize
   * Adds a bucket of at least two members to the queue; returns its address. The caller writes its box and members before
   * the next call. Its instances are made once the queue is full.
   */
  readonly queueBucket: (size: number) => number;
  /**
   * instances/instances: (i32, i32, i32, i32, usize, usize) => void
   * Begins instances for the current site: all buckets become instances, and URLs of crawler traps are marked. `tokens`
   * is a column of u16, `traps` one of u8. `endInstances` frees the memory of the site.
   */
  readonly beginInstances: (
    S: number,
    T_low: number,
    T_high: number,
    similarity: number,
    tokens: number,
    traps: number,
  ) => void;
  /**
   * instances/instances: () => void
   */
  readonly endInstances: () => void;
  /**
   * instances/instances: () => void
   * Passes on the rows of all buckets so far.
   */
  readonly handOnRest: () => void;
  /**
   * instances/similar: (i32, i32) => bool
   * Two URLs with one name, by the site itself, are one page, and pages without a common language are two. Else sketches
   * decide if both URLs have one, else overlapping size ranges if both have one, else yes.
   */
  readonly isSimilar: (a: number, b: number) => number;
  /**
   * count/deal: (usize, i32, i32) => usize
   * Partitions the rows of `count` blocks, each given as | address u32 | bytes u32 |, into 2^bits parts; returns a block
   * of the heap.
   */
  readonly deal: (blocks: number, count: number, bits: number) => number;
  /**
   * count/deal: (usize, i32, i32, usize, usize) => void
   * Copies the rows of `count` blocks to `target`, partitioned into 2^bits parts by the first bits of their hashes;
   * writes after which row each part ends to `ends`. For sites whose rows do not fit in memory.
   */
  readonly partition: (blocks: number, count: number, bits: number, target: number, ends: number) => void;
  /**
   * count/groups: (usize, i32, i32, i32, i32) => void
   * Counts the cores of a part that have at least `least` witnesses.
   */
  readonly countPart: (deals: number, count: number, parts: number, part: number, least: number) => void;
  /**
   * count/groups: (usize, i32, i32, i32, i32) => void
   * Finds the groups of a part in `count` deals at the given addresses.
   */
  readonly openPart: (deals: number, count: number, parts: number, part: number, least: number) => void;
  /**
   * count/groups: () => usize
   * The next group of the part, or 0. It is valid until the next call.
   */
  readonly nextGroup: () => number;
  /**
   * count/groups: () => void
   */
  readonly closePart: () => void;
  /**
   * count/instance-columns: (i32) => void
   * Begins a group, with room for so many instances.
   */
  readonly clearColumns: (wanted: number) => void;
  /**
   * count/instance-columns: (usize) => void
   * Adds the instance of a row; rows come in the order of their URLs.
   */
  readonly addInstance: (row: number) => void;
  /**
   * count/instance-columns: () => usize
   * The group of the instances added so far.
   */
  readonly group: () => number;
  /**
   * count/groups: (i32) => void
   * Begins with the first group. None has more than `most` rows.
   */
  readonly beginSorted: (most: number) => void;
  /**
   * count/groups: (usize, i32, i32) => void
   * Adds the next `count` rows; counts the groups that end among them, if they have at least `least` witnesses.
   */
  readonly addSorted: (row: number, count: number, least: number) => void;
  /**
   * count/groups: (i32) => void
   * Counts the last group.
   */
  readonly endSorted: (least: number) => void;
  /**
   * count/support: (i32, i32) => void
   * Call this first, for some groups of the current site. Passes blocks of pairs (pairs.ts) to `give` and, if `least` is
   * more than 0, blocks of branches with about `least` instances or more, which any thread counts with `countBranches`.
   */
  readonly beginCount: (leastSupport: number, least: number) => void;
  /**
   * count/support: (usize) => void
   * Counts the pairs of a group: instances whose cores have the same hash, which is nearly always one core.
   */
  readonly countGroup: (group: number) => void;
  /**
   * count/support: (usize) => void
   * Counts branches that were split off, and frees the block.
   */
  readonly countBranches: (block: number) => void;
  /**
   * count/support: () => void
   * Passes on the last pairs.
   */
  readonly endCount: () => void;
  /**
   * sort/sort-rows: (usize, i32, usize, usize, usize) => i32
   * Copies rows, whose addresses are at `order`, end to end to [target, end), as many as fit. May read and write eight
   * bytes past a row. Returns the number of rows, and writes their total bytes to `size`, u32.
   */
  readonly gatherRows: (order: number, rows: number, target: number, end: number, size: number) => number;
  /**
   * sort/sort-rows: (usize, i32, usize) => void
   * Writes the addresses of `rows` rows, which lie end to end, in the order of their keys.
   */
  readonly sortRows: (buffer: number, rows: number, order: number) => void;
  /**
   * sort/merge-rows: (usize, i32) => void
   * Makes a heap of `count` entries, each with a whole row in memory.
   */
  readonly beginMerge: (entries: number, count: number) => void;
  /**
   * sort/merge-rows: (usize, i32, usize, usize, i32) => i32
   * Writes the addresses of the next rows and their runs: at most `most`, and none after the last whole row that a run
   * has in memory. Returns how many. The first entry is then that of this run, and has the rest of its block.
   */
  readonly mergeRows: (entries: number, count: number, rows: number, runs: number, most: number) => number;
  /**
   * sort/merge-rows: (usize, i32) => void
   * Restores the heap after the first entry has got another row.
   */
  readonly replaceFirst: (entries: number, count: number) => void;
  /**
   * write/pair-lines: (usize, i32, usize, usize, usize, usize, usize) => i32
   * Writes the pairs of `rows` rows, whose addresses are at `order`, as lines into [target, targetEnd), as many as fit;
   * returns how many. `head` is the site and a tab.
   */
  readonly pairLines: (
    order: number,
    rows: number,
    head: number,
    headLength: number,
    target: number,
    targetEnd: number,
    result: number,
  ) => number;
  /**
   * write/pair-rows: (usize, usize, i32, usize, usize, usize) => usize
   * Writes the pairs [at, end) as rows into [target, targetEnd), as many as fit. Returns the address of the first pair
   * that does not fit. `isPrinted` is 1 for the order in which pairs are printed.
   */
  readonly pairRows: (
    at: number,
    end: number,
    isPrinted: number,
    target: number,
    targetEnd: number,
    result: number,
  ) => number;
  /**
   * order/backward: (usize, usize, i32, i32, i32) => usize
   * Makes a job that fills `rows`, i32, and `shared`, u16. Buckets should have `bucketRows` rows, and have at most
   * `mostRows`, up to MAX_PACKED_ROWS. Memory is allocated to pack `roomRows`, or at least one bucket.
   */
  readonly openBackward: (
    rows: number,
    shared: number,
    bucketRows: number,
    mostRows: number,
    roomRows: number,
  ) => number;
  /**
   * order/backward: (usize) => void
   * Returns when the job is done or given up.
   */
  readonly workOnBackward: (job: number) => void;
  /**
   * order/backward: (usize) => void
   * Makes all threads return, because one has failed.
   */
  readonly giveUpBackward: (job: number) => void;
  /**
   * order/backward: (usize) => void
   */
  readonly closeBackward: (job: number) => void;
}

export interface SweepExports {
  /**
   * sweep/lines: (usize, usize) => usize
   * Scans the lines in [from, end). The last line may lack its newline; there must be one after `end`. Returns where it
   * stopped: before the end if the results are full, or after a host that is not in the cache. Call it again once the
   * host is.
   */
  readonly sweep: (from: number, end: number) => number;
  /**
   * sweep/rounds: (usize) => usize
   * Settles lines from found[from] on, until it has taken long; returns where it stopped. If `from` is 0, canonical forms
   * are written from `FORMS` on, else after those of the last call.
   */
  readonly settle: (from: number) => number;
}
