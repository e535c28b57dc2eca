// How is a live site fetched: how fast, how often, for how long?
import type { Document } from '../../sketch/document.js';
import type { FetchCache } from './cache.js';
import type { Lookup } from './guard.js';
import type { Permission } from '../permission/permission.js';
import { realClock, type Clock } from './politeness.js';

export interface LiveOptions {
  /** The `User-Agent` header: `dustbuster/1.2.3`, with a contact if the user gives one. */
  readonly userAgent: string;
  readonly documentOf: (body: Uint8Array, contentType: string | undefined) => Document;
  /** Whether an http(s) URL belongs to the site. */
  readonly isInside: (url: string, site: string) => boolean;
  /** Kept between runs. Closed with the source. */
  readonly cache?: FetchCache;
  /** How old an answer in the cache may be to be used without a request. */
  readonly maxAgeSeconds?: number;
  /** Requests per second to one host, at most. */
  readonly rate?: number;
  readonly maxRequests?: number;
  readonly maxBodyBytes?: number;
  readonly maxRedirects?: number;
  readonly connectMs?: number;
  readonly headersMs?: number;
  readonly bodyMs?: number;
  /** Allows private addresses: all, or those in networks such as `10.1.0.0/16`. */
  readonly allowPrivate?: boolean | readonly string[];
  /** Which URLs may be asked for; by their words alone if it is not given. */
  readonly permission?: Permission;
  /** Phrases in addition to those of `actions`. */
  readonly extraActions?: readonly string[];
  readonly signal?: AbortSignal;
  readonly lookup?: Lookup;
  /** Addresses that are known without a lookup, by host, so that a private one is refused before it is asked. */
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
