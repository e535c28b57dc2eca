// The steps in which threads walk the nodes of a site (see envelope).
//
// Small nodes are walked whole by one thread. A large one is opened: its children take its place in the columns, and are then
// walked or opened by anyone. Its own buckets are looked at before that; or those of the largest nodes, which have most of all
// buckets, beside it, in a copy of their members: then they are written down and handed on for others to look at.
import type { Send } from '../base/crew-member.js';
import { BucketChunks, eachOfChunk } from './bucket-chunks.js';
import {
  eachBucketIn,
  eachBucketOf,
  openNode,
  type BucketOptions,
  type BucketVisitor,
  type Nodes,
  type WalkColumns,
} from './envelope.js';
import { instanceVisitor, RowChunks, type InstanceOptions } from './instance.js';
import { SiteUrls, type SharedSite } from './site-urls.js';

/** Columns of one site, in shared memory; sites have different numbers. */
export interface WalkJob {
  readonly number: number;
  readonly site: SharedSite;
  readonly columns: WalkColumns;
  readonly options: BucketOptions & InstanceOptions;
  /** Chunks of buckets that were handed on and that nobody has looked at. */
  readonly waiting: Int32Array<SharedArrayBuffer>;
}

export type WalkTask =
  | { readonly kind: 'walk'; readonly job: WalkJob; readonly nodes: Nodes }
  | {
      readonly kind: 'open';
      readonly job: WalkJob;
      readonly node: Nodes;
      /** Its buckets: looked at here, or handed on; or another thread has them. */
      readonly buckets: 'here' | 'handed on' | 'elsewhere';
    }
  | {
      readonly kind: 'runs';
      readonly job: WalkJob;
      readonly node: Nodes;
      /** Copies of the members of the node and of what they share. */
      readonly member: Int32Array;
      readonly shared: Uint16Array;
    }
  | { readonly kind: 'buckets'; readonly job: WalkJob; readonly chunk: Int32Array };

/** Rows of instances in shared memory; the children of a node; or buckets, for others to look at. */
export type WalkResult = Uint8Array | Nodes | Int32Array;

/** With so many chunks handed on (16 MB), a thread looks at the next one itself: others are no faster than it. */
const MOST_WAITING = 64;

interface Walking {
  readonly number: number;
  readonly visit: BucketVisitor;
  readonly rows: RowChunks;
}

/** What is kept from one part of a walk to the next. */
let walk: Walking | undefined;

/** Does one step; what comes of it is sent. */
export function performWalk(task: WalkTask, send: Send<WalkResult>): void {
  const { job } = task;
  const { visit, rows } = walkOf(job);
  switch (task.kind) {
    case 'walk':
      eachBucketIn(job.columns, job.options, task.nodes, visit);
      break;
    case 'open':
      if (task.buckets === 'here') eachBucketOf(job.columns, job.options, task.node, visit);
      else if (task.buckets === 'handed on') handOn(job, job.columns, task.node, visit, send);
      send(openNode(job.columns, task.node));
      break;
    case 'runs': {
      const { member, shared } = task;
      handOn(job, { ...job.columns, member, shared }, task.node, visit, send);
      break;
    }
    case 'buckets':
      Atomics.sub(job.waiting, 0, 1);
      eachOfChunk(task.chunk, visit);
      break;
    default:
      task satisfies never;
  }
  for (const chunk of rows.take()) send(chunk);
}

/** Gives back what is kept. */
export function endWalk(): void {
  walk = undefined;
}

function walkOf({ number, site, columns, options }: WalkJob): Walking {
  if (walk?.number === number) return walk;
  const rows = new RowChunks();
  return (walk = { number, rows, visit: instanceVisitor(SiteUrls.of(site), columns, options, rows) });
}

function handOn(
  { options, waiting }: WalkJob,
  columns: WalkColumns,
  node: Nodes,
  visit: BucketVisitor,
  send: Send<WalkResult>,
): void {
  const chunks = new BucketChunks((chunk) => {
    if (Atomics.load(waiting, 0) >= MOST_WAITING) return eachOfChunk(chunk, visit);
    Atomics.add(waiting, 0, 1);
    send(chunk);
  });
  eachBucketOf(columns, options, node, chunks.visit);
  chunks.end();
}
