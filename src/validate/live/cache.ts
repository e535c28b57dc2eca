// What did earlier runs fetch? One line per URL, in `fetched.jsonl` in the folder of `--fetch-cache`:
//
//   {"v":2,"form":"w4","url":"http://h/a","time":1767225600000,"kind":"page","status":200,"type":"text/html",
//    "etag":"\"x\"","modified":"…","canonical":"http://h/","controls":{"shown":"…","sent":["…"],"fields":["q"],"boxes":[]},
//    "document":{"kind":"text","digest":"…","isComplete":true,"fingerprints":"…","text":"…"}}
//   {"v":2,"form":"w4","url":"http://h/b","time":…,"kind":"redirect","status":301,"to":"http://h/a"}
//   {"v":2,"form":"w4","url":"http://h/c","time":…,"kind":"missing","status":404}
//   {"v":2,"form":"w4","url":"http://h","time":…,"kind":"robots","status":200,"text":"…"}
//
// The result of a second fetch has the key `http://h/a#again`. A page is stored as its document, whose text is veiled
// (`sketch/veil`), not as its bytes. Fingerprints are five bytes each, big endian, in base64, and so is the packed
// text. `form` identifies the code that makes documents. The last line of a URL counts. Unavailable pages are not
// stored.
//
// Whoever opens the file removes useless lines: damaged ones, old ones, and those of another form or version (in
// version 1, text could be read).
import type { Controls } from '../../sketch/controls.js';
import { KEPT_FINGERPRINTS, type Document } from '../../sketch/document.js';
import type { LinePlace, LineStore } from '../../base/line-store.js';

export type KeptAnswer = KeptPage | KeptRedirect | KeptMissing;

export interface KeptPage {
  readonly kind: 'page';
  readonly status: number;
  readonly document: Document;
  readonly type?: string;
  readonly etag?: string;
  readonly modified?: string;
  readonly canonical?: string;
  readonly controls?: Controls;
}

export interface KeptRedirect {
  readonly kind: 'redirect';
  readonly status: number;
  /** An absolute URL in ASCII. */
  readonly to: string;
}

export interface KeptMissing {
  readonly kind: 'missing';
  readonly status: number;
}

/** Stored under the origin as URL. URLs of pages have a path, so they differ from it. */
export interface KeptRobots {
  readonly kind: 'robots';
  readonly status: number;
  /** The bytes of the file, as Latin-1. */
  readonly text: string;
}

/** Settings of a cache. */
export interface CacheOptions {
  /** Identifies the code that makes documents. */
  readonly form: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Up to this age, an answer is used without a request. */
  readonly maxAgeSeconds: number;
}

export interface FetchCache {
  /** The last answer of earlier runs for a URL, and its time (milliseconds since 1970). */
  find(url: string): { readonly kept: KeptAnswer; readonly time: number } | undefined;
  /** True if there is an answer for a URL, however old. */
  has(url: string): boolean;
  /** The robots.txt of an origin, unless it is older than `maxAgeMs`. */
  findRobots(origin: string, now: number, maxAgeMs: number): KeptRobots | undefined;
  keep(url: string, kept: KeptAnswer | KeptRobots, time: number): void;
  /** How many lines were removed as damaged, foreign, or of another version or form. */
  readonly ignoredLines: number;
  close(): void;
}

/**
 * A longer line was not written by this program: a robots.txt has at most 500 KiB, and six times that with all bytes
 * escaped.
 */
export const MAX_CACHE_LINE = 4 << 20;

const VERSION = 2;
const DAY_MS = 24 * 3600 * 1000;
/** The age up to which a robots.txt is used. */
export const ROBOTS_MAX_AGE_MS = DAY_MS;
/**
 * How long an answer is kept. An answer older than `maxAgeSeconds` saves the page if the site answers that nothing has
 * changed (304).
 */
const KEPT_MS = 30 * DAY_MS;

interface Line {
  readonly url: string;
  readonly time: number;
  readonly kept: KeptAnswer | KeptRobots;
}

/**
 * Indexes the URLs of the file. Rewrites the file if it has a useless line, or if more than half of its lines are
 * superseded.
 */
export function createFetchCache(store: LineStore, { form, now, maxAgeSeconds }: CacheOptions): FetchCache {
  const places = new Map<string, LinePlace>();
  const keptMs = Math.max(KEPT_MS, maxAgeSeconds * 1000);
  let [lines, old, damaged] = [0, 0, 0];
  const index = () => {
    places.clear();
    lines = 0;
    return store.eachLine((text, place) => {
      const line = parseLine(text, form);
      if (line === undefined) return void damaged++;
      if (isOld(line, now, keptMs)) return void old++;
      lines++;
      places.set(line.url, place);
    });
  };
  const ignoredLines = index() + damaged;
  if (ignoredLines > 0 || old > 0 || lines > 2 * places.size) {
    store.rewrite([...places.values()]);
    index();
  }
  const read = (url: string) => {
    const place = places.get(url);
    return place === undefined ? undefined : parseLine(store.read(place), form);
  };
  return {
    ignoredLines,
    find(url) {
      const line = read(url);
      return line === undefined || line.kept.kind === 'robots' ? undefined : { kept: line.kept, time: line.time };
    },
    has: (url) => places.has(url),
    findRobots(origin, now, maxAgeMs) {
      const line = read(origin);
      if (line?.kept.kind !== 'robots' || line.time > now || line.time < now - maxAgeMs) return undefined;
      return line.kept;
    },
    keep(url, kept, time) {
      store.append(formatLine(url, kept, time, form));
    },
    close: () => store.close(),
  };
}

/** True for an old answer, and for one from the far future, whose time came from a wrong clock. */
function isOld({ time, kept }: Line, now: number, keptMs: number): boolean {
  return Math.abs(now - time) > (kept.kind === 'robots' ? ROBOTS_MAX_AGE_MS : keptMs);
}

function formatLine(url: string, kept: KeptAnswer | KeptRobots, time: number, form: string): string {
  const content = kept.kind === 'page' ? { ...kept, document: packDocument(kept.document) } : kept;
  return JSON.stringify({ v: VERSION, form, url, time, ...content });
}

/** Undefined unless the text is a whole line of this version and form. */
function parseLine(text: string, form: string): Line | undefined {
  const line = parseObject(text);
  if (line === undefined || line['v'] !== VERSION || line['form'] !== form) return undefined;
  const { url, time } = line;
  if (typeof url !== 'string' || typeof time !== 'number') return undefined;
  const kept = readKept(line);
  return kept === undefined ? undefined : { url, time, kept };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // counted as damaged by the caller
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function readKept(line: Readonly<Record<string, unknown>>): KeptAnswer | KeptRobots | undefined {
  const { kind, status, to, text } = line;
  if (typeof status !== 'number') return undefined;
  if (kind === 'missing') return { kind, status };
  if (kind === 'redirect' && typeof to === 'string') return { kind, status, to };
  if (kind === 'robots' && typeof text === 'string') return { kind, status, text };
  const document = unpackDocument(line['document']);
  if (kind !== 'page' || document === undefined) return undefined;
  const { type, etag, modified, canonical } = line;
  const controls = readControls(line['controls']);
  return {
    kind,
    status,
    document,
    ...(typeof type === 'string' && { type }),
    ...(typeof etag === 'string' && { etag }),
    ...(typeof modified === 'string' && { modified }),
    ...(typeof canonical === 'string' && { canonical }),
    ...(controls !== undefined && { controls }),
  };
}

/** Undefined for a line of an older version, which has no controls. */
function readControls(value: unknown): Controls | undefined {
  if (!isObject(value)) return undefined;
  const { shown, sent, fields, boxes } = value;
  if (typeof shown !== 'string' || !isTexts(sent) || !isTexts(fields) || !isTexts(boxes)) return undefined;
  return { shown, sent, fields, boxes };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

const BYTES = 5;

function packDocument(document: Document): object {
  if (document.kind === 'bytes') return document;
  const { kind, digest, isComplete, fingerprints } = document;
  const text = document.packedText === undefined ? null : Buffer.from(document.packedText).toString('base64');
  const bytes = Buffer.alloc(fingerprints.length * BYTES);
  for (let k = 0; k < fingerprints.length; k++) bytes.writeUIntBE(fingerprints[k]!, k * BYTES, BYTES);
  return { kind, digest, isComplete, fingerprints: bytes.toString('base64'), text };
}

function unpackDocument(value: unknown): Document | undefined {
  if (!isObject(value)) return undefined;
  const { kind, digest, isComplete, fingerprints: packed, text } = value;
  if (typeof digest !== 'string') return undefined;
  if (kind === 'bytes') return { kind, digest };
  if (kind !== 'text' || typeof isComplete !== 'boolean' || typeof packed !== 'string') return undefined;
  const fingerprints = unpackFingerprints(packed);
  if (fingerprints === undefined) return undefined;
  const packedText = typeof text === 'string' ? new Uint8Array(Buffer.from(text, 'base64')) : undefined;
  return { kind, digest, fingerprints, isComplete, ...(packedText !== undefined && { packedText }) };
}

/** Undefined if they are not distinct and ascending, or too many. */
function unpackFingerprints(packed: string): Float64Array | undefined {
  const bytes = Buffer.from(packed, 'base64');
  const count = bytes.length / BYTES;
  if (!Number.isInteger(count) || count > KEPT_FINGERPRINTS) return undefined;
  const fingerprints = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    fingerprints[k] = bytes.readUIntBE(k * BYTES, BYTES);
    if (k > 0 && fingerprints[k]! <= fingerprints[k - 1]!) return undefined;
  }
  return fingerprints;
}
