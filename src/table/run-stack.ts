// Which runs of neighbours are open while the members of a node are looked at one after another (see envelope)?

const ENTRY = 7;
const MOST = 0x7fffffff;

/** Runs that are open, each inside the one before: what they share, where they begin, what is known of the lengths in them. */
export class RunStack {
  depth = 0;
  /** The run that was popped last, or the member that came last: its members begin here. */
  left = 0;
  /** More than T_high members have at most so many tokens, and enough for every envelope around here. */
  reach = MOST;
  secondLongest = 0;
  secondShortest = 0;
  #longest = 0;
  #shortest = 0;
  /** shared | left | reach | longest | second longest | shortest | second shortest, for each */
  #entries: Int32Array;

  constructor(depth: number) {
    this.#entries = new Int32Array(depth * ENTRY);
  }

  topShared(): number {
    return this.#entries[(this.depth - 1) * ENTRY]!;
  }

  /** A run of one member. */
  begin(member: number, length: number): void {
    this.left = member;
    this.reach = MOST;
    this.#longest = this.#shortest = length;
    this.secondLongest = 0;
    this.secondShortest = MOST;
  }

  /** Takes the innermost open run off and joins the present one to it. */
  pop(): void {
    const at = --this.depth * ENTRY;
    const entries = this.#entries;
    this.left = entries[at + 1]!;
    this.reach = Math.min(this.reach, entries[at + 2]!);
    this.#joinLengths(at);
  }

  /** Joins the present run to the open one that shares as much, or opens it. */
  push(shared: number): void {
    const at = (this.depth - 1) * ENTRY;
    if (this.depth > 0 && this.#entries[at] === shared) {
      this.#entries[at + 2] = Math.min(this.reach, this.#entries[at + 2]!);
      this.#joinLengths(at);
      return this.#writeLengths(at);
    }
    this.add(shared, this.left);
    this.#entries[at + ENTRY + 2] = this.reach;
    this.#writeLengths(at + ENTRY);
  }

  add(shared: number, left: number): void {
    const at = this.depth++ * ENTRY;
    if (at === this.#entries.length) {
      const deeper = new Int32Array(at * 2);
      deeper.set(this.#entries);
      this.#entries = deeper;
    }
    this.#entries[at] = shared;
    this.#entries[at + 1] = left;
  }

  /** What the first entry that begins after `position` shares. */
  leastAfter(position: number): number {
    const entries = this.#entries;
    let at = (this.depth - 1) * ENTRY;
    while (at > 0 && entries[at - ENTRY + 1]! > position) at -= ENTRY;
    return entries[at]!;
  }

  #joinLengths(at: number): void {
    const [longest, second] = [this.#entries[at + 3]!, this.#entries[at + 4]!];
    const [shortest, next] = [this.#entries[at + 5]!, this.#entries[at + 6]!];
    this.secondLongest = Math.max(Math.min(this.#longest, longest), this.secondLongest, second);
    this.#longest = Math.max(this.#longest, longest);
    this.secondShortest = Math.min(Math.max(this.#shortest, shortest), this.secondShortest, next);
    this.#shortest = Math.min(this.#shortest, shortest);
  }

  #writeLengths(at: number): void {
    this.#entries[at + 3] = this.#longest;
    this.#entries[at + 4] = this.secondLongest;
    this.#entries[at + 5] = this.#shortest;
    this.#entries[at + 6] = this.secondShortest;
  }
}
