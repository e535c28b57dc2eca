// The walk of a site's nodes by threads: what is there to do, and what comes first?
//
//   buckets that were handed on, as they take memory  >  nodes that are to be opened, as more to do comes of them  >  small nodes
//
// The caller only deals tasks out. The root is opened by one thread and looked at by another; meanwhile others have its buckets.
import type { Progress } from '../base/progress.js';
import type { TableCrew } from './crew.js';
import { rootOf, type BucketOptions, type Nodes, type WalkColumns } from './envelope.js';
import type { InstanceOptions } from './instance.js';
import type { SharedSite } from './site-urls.js';
import type { WalkJob, WalkTask } from './walk-task.js';

/** Small nodes come in so many tasks for each thread, so that they end at about one time. */
const WALKS_PER_THREAD = 12;
/** The largest nodes have more members than so many tasks: what is in their buckets is worth handing on. */
const HUGE = 4;
/** Bytes of a copy for each member. */
const COPY_BYTES = 6;
let jobs = 0;

export interface SharedWalk {
  readonly site: SharedSite;
  readonly columns: WalkColumns;
  readonly options: BucketOptions & InstanceOptions;
  /** Bytes that a copy of members may take. */
  readonly copyBytes: number;
}

/** Has threads walk all nodes; `take` gets rows of instances. Uses up the backward order. */
export function walkByThreads(
  crew: TableCrew,
  walk: SharedWalk,
  take: (rows: Uint8Array) => void,
  progress?: Progress,
): void {
  const dealer = new Dealer(walk, Math.ceil(walk.site.count / (WALKS_PER_THREAD * crew.threads)), progress);
  crew.run(dealer.tasks(), (found) => {
    if (found instanceof Uint8Array) take(found);
    else if (found instanceof Int32Array) dealer.addBuckets(found);
    else dealer.addNodes(found as Nodes);
  });
  dealer.end();
}

class Dealer {
  readonly #job: WalkJob;
  readonly #copyBytes: number;
  readonly #most: number;
  #chunks: Int32Array[] = [];
  readonly #large: Nodes = [];
  readonly #small: Nodes[] = [];
  readonly #progress: Progress | undefined;
  #told = 0;

  /** Nodes of up to `most` members are small. */
  constructor({ site, columns, options, copyBytes }: SharedWalk, most: number, progress?: Progress) {
    this.#progress = progress;
    const waiting = new Int32Array(new SharedArrayBuffer(4));
    this.#job = { number: ++jobs, site, columns, options, waiting };
    this.#copyBytes = copyBytes;
    this.#most = most;
    this.addNodes(rootOf(columns));
  }

  addBuckets(chunk: Int32Array): void {
    this.#chunks.push(chunk);
  }

  addNodes(nodes: Nodes): void {
    let some: Nodes = [];
    let members = 0;
    for (let k = 0; k < nodes.length; k += 4) {
      const node = nodes.slice(k, k + 4);
      const size = sizeOf(node);
      if (size > this.#most) {
        this.#large.push(...node);
        continue;
      }
      some.push(...node);
      members += size;
      if (members < this.#most) continue;
      this.#small.push(some);
      some = [];
      members = 0;
    }
    if (some.length > 0) this.#small.push(some);
  }

  /** What is to be done now; nothing where it is only to be known when more has been done. */
  *tasks(): Generator<WalkTask | undefined> {
    const job = this.#job;
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield { kind: 'buckets', job, chunk };
      else if (this.#large.length > 0) yield* this.#open(this.#large.splice(-4));
      else {
        const nodes = this.#small.pop();
        if (nodes !== undefined) this.#tell(membersOf(nodes));
        yield nodes === undefined ? undefined : { kind: 'walk', job, nodes };
      }
    }
  }

  /** Members that are in no small node are done by now. */
  end(): void {
    this.#tell(this.#job.site.count - this.#told);
  }

  #tell(members: number): void {
    this.#told += members;
    this.#progress?.add(members);
  }

  *#open(node: Nodes): Generator<WalkTask> {
    const job = this.#job;
    const size = sizeOf(node);
    const isHuge = size > HUGE * this.#most;
    if (!isHuge || size * COPY_BYTES > this.#copyBytes) {
      return yield { kind: 'open', job, node, buckets: isHuge ? 'handed on' : 'here' };
    }
    const [from, to, ...rest] = node as [number, number, number, number];
    const member = new Int32Array(new SharedArrayBuffer(size * 4));
    const shared = new Uint16Array(new SharedArrayBuffer(size * 2));
    member.set(job.columns.member.subarray(from, to));
    shared.set(job.columns.shared.subarray(from, to));
    yield { kind: 'open', job, node, buckets: 'elsewhere' };
    yield { kind: 'runs', job, node: [0, size, ...rest], member, shared };
  }
}

function membersOf(nodes: Nodes): number {
  let members = 0;
  for (let k = 0; k < nodes.length; k += 4) members += nodes[k + 1]! - nodes[k]!;
  return members;
}

function sizeOf(node: Nodes): number {
  return node[1]! - node[0]!;
}
