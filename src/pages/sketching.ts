// What does a captured page look like in a page record? By its body alone, so that any thread can make it.
import { createHash } from 'node:crypto';
import { chunkFingerprints } from '../sketch/chunks.js';
import { smallestFingerprints } from '../sketch/shingle.js';
import { createSketch, formatSketch } from '../sketch/sketch.js';
import { seenOf, sourceOf, type Source } from '../sketch/text.js';
import { canonicalLink } from './canonical-link.js';
import { linksOf } from './page-links.js';
import type { PageContent } from './record.js';

/** How sketches are made. */
export interface SketchSizes {
  /** Words of a shingle, w: 1 … 99. */
  readonly words: number;
  /** Fingerprints of a sketch at most, s: 1 … 147. */
  readonly minima: number;
  /** Whether a record has the links of its page. */
  readonly hasLinks?: boolean;
  /** Lines of a chunk, 0 for the whole page; undefined for no chunks. */
  readonly chunkLines?: number | undefined;
}

export interface Body {
  /** Absolute, as text of `base/bytes`. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  /** The Link header, one character per byte. */
  readonly link: string | undefined;
}

const none = new Float64Array(0);
const noText: Source = { kind: 'plain', utf8: new Uint8Array(0) };

/** Never throws. */
export function contentOf(page: Body, sizes: SketchSizes): PageContent {
  const { words, minima, hasLinks, chunkLines } = sizes;
  const { url, body, contentType } = page;
  const type = /^\s*([^\s;,/]+\/[^\s;,]+)/.exec(contentType ?? '')?.[1]?.toLowerCase();
  const source = sourceOf(body, contentType);
  const canonical = canonicalLink({ ...page, source: source ?? noText });
  const smallest = source === undefined ? none : smallestFingerprints(seenOf(source), words, minima);
  return {
    ...(type !== undefined && { type }),
    size: body.length,
    digest: `sha256:${createHash('sha256').update(body).digest('hex')}`,
    ...(smallest.length > 0 && { sketch: formatSketch(createSketch(smallest, words, minima)) }),
    ...(canonical !== undefined && { canonical }),
    ...(hasLinks === true && source?.kind === 'html' && { links: listed(linksOf(url, source.utf8)) }),
    ...(chunkLines !== undefined && source !== undefined && { chunks: listed(chunkFingerprints(source, chunkLines)) }),
  };
}

/** A record has to be a line of a log, which has 1 MiB at most. */
const MAX_LISTED_BYTES = 400_000;

/** As many of the first ones as fit. */
function listed(texts: readonly string[]): readonly string[] {
  let bytes = 0;
  const past = texts.findIndex((text) => (bytes += Buffer.byteLength(JSON.stringify(text)) + 1) > MAX_LISTED_BYTES);
  return past < 0 ? texts : texts.slice(0, past);
}
