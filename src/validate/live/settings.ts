// How is a live site fetched: how fast, how often, for how long?
import type { Document } from '../../sketch/document.js';
import type { FetchCache } from './cache.js';
import type { Lookup } from './guard.js';
import type { Permission } from '../permission/permission.js';
import { realClock, type Clock } from './politeness.js';

export interface LiveOptions {
  /** The `User-Agent` header: `dustbuster/1.2.3`, with the user's contact if there is one. */
  readonly userAgent: string;
  readonly documentOf: (body: Uint8Array, contentType: string | undefined) => Document;
  /** True if an http(s) URL belongs to the site. */
  readonly isInside: (url: string, site: string) => boolean;
  /** Keeps answers between runs. Closed together with the source. */
  readonly cache?: FetchCache;
  /** Up to this age, an answer in the cache is used without a request. */
  readonly maxAgeSeconds?: number;
  /** The most requests per second to one host. */
  readonly rate?: number;
  readonly maxRequests?: number;
  readonly maxBodyBytes?: number;
  readonly maxRedirects?: number;
  readonly connectMs?: number;
  readonly headersMs?: number;
  readonly bodyMs?: number;
  /** Private addresses that are allowed: all, or those in networks such as `10.1.0.0/16`. */
  readonly allowPrivate?: boolean | readonly string[];
  /** Decides which URLs may be requested. Without it, only their words decide. */
  readonly permission?: Permission;
  /** Phrases that mark an action, in addition to those of `actions`. */
  readonly extraActions?: readonly string[];
  readonly signal?: AbortSignal;
  readonly lookup?: Lookup;
  /** Known addresses by host. A host with a private address is refused before any lookup. */
  readonly known?: ReadonlyMap<string, readonly string[]>;
  readonly clock?: Clock;
}

export const LIVE_DEFAULTS = {
  maxAgeSeconds: 7 * 24 * 3600,
  rate: 1,
  maxRequests: Infinity,
  maxBodyBytes: 5 << 20,
  maxRedirects: 5,
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 60_000,
  allowPrivate: false,
  extraActions: [],
  clock: realClock,
} as const satisfies Partial<LiveOptions>;

export type LiveSettings = Omit<LiveOptions, 'signal'> & Required<Pick<LiveOptions, keyof typeof LIVE_DEFAULTS>>;
