// The steps in which threads walk the nodes of a site (see envelope).
//
// Small nodes are walked whole by one thread. A large one is opened: its children take its place in the columns, and are then
// walked or opened by anyone. Its own buckets are looked at before that; or those of the largest nodes, which have most of all
// buckets, beside it, in a copy of their members: then they are written down and handed on for others to look at.
import type { Send } from '../base/crew-member.js';
import { giveBack } from '../base/heap.js';
import { BucketChunks } from './bucket-chunks.js';
import { eachBucketIn, eachBucketOf, openNode, type BucketOptions, type Nodes, type WalkColumns } from './envelope.js';
import {
  addBuckets,
  askForInstances,
  beginInstances,
  endInstances,
  handOnRest,
  type InstanceOptions,
} from './instance.js';
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

/** The site whose instances are being made, from one part of a walk to the next. */
let walk: { readonly number: number; readonly urls: SiteUrls } | undefined;

/** Does one step; what comes of it is sent. */
export function performWalk(task: WalkTask, send: Send<WalkResult>): void {
  const { job } = task;
  askForInstances(walkOf(job), send);
  const here = new BucketChunks(lookAt);
  switch (task.kind) {
    case 'walk':
      eachBucketIn(job.columns, job.options, task.nodes, here.visit);
      break;
    case 'open':
      if (task.buckets === 'here') eachBucketOf(job.columns, job.options, task.node, here.visit);
      else if (task.buckets === 'handed on') handOn(job, job.columns, task.node, send);
      send(openNode(job.columns, task.node));
      break;
    case 'runs': {
      const { member, shared } = task;
      handOn(job, { ...job.columns, member, shared }, task.node, send);
      break;
    }
    case 'buckets':
      Atomics.sub(job.waiting, 0, 1);
      lookAt(task.chunk);
      break;
    default:
      task satisfies never;
  }
  here.end();
  handOnRest();
}

/** Gives back what is kept. */
export function endWalk(): void {
  walk = undefined;
  endInstances();
}

function walkOf({ number, site, columns, options }: WalkJob): SiteUrls {
  if (walk?.number === number) return walk.urls;
  walk = { number, urls: SiteUrls.of(site) };
  beginInstances(walk.urls, columns, options);
  return walk.urls;
}

function lookAt(chunk: Int32Array): void {
  addBuckets(chunk);
  giveBack(chunk);
}

function handOn({ options, waiting }: WalkJob, columns: WalkColumns, node: Nodes, send: Send<WalkResult>): void {
  const chunks = new BucketChunks((chunk) => {
    if (Atomics.load(waiting, 0) >= MOST_WAITING) return lookAt(chunk);
    Atomics.add(waiting, 0, 1);
    send(chunk);
  });
  eachBucketOf(columns, options, node, chunks.visit);
  chunks.end();
}
