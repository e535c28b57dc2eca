// What does a captured page look like in a page record? By its body alone, so that any thread can make it.
import { hash } from 'node:crypto';
import { chunkFingerprints } from '../sketch/chunks.js';
import { pageLinks } from '../sketch/links.js';
import { smallestFingerprints } from '../sketch/shingle.js';
import { createSketch, formatSketch } from '../sketch/sketch.js';
import { createSpotMaker, formatSpots, type SpotMaker, type SpotOptions } from '../sketch/spots.js';
import { seenOf, type Source, sourceOf } from '../sketch/text.js';
import { baseOf, canonicalLink, webUrl } from './canonical-link.js';
import { typeIn } from './headers.js';
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
  /** Characters of a line of these at most, 0 for any number. */
  readonly lineWidth?: number | undefined;
  /** Spot signatures are made instead, if this is there. */
  readonly spots?: SpotOptions | undefined;
}

export interface Body {
  /** Absolute, as text of `base/bytes`. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  /** The Link header, one character per byte. */
  readonly link: string | undefined;
}

const noText: Source = { kind: 'plain', utf8: new Uint8Array(0) };

/** What makes the content of a page from its body. It never throws. */
export function createContentMaker(sizes: SketchSizes): (page: Body) => PageContent {
  const spots = sizes.spots && createSpotMaker(sizes.spots);
  return (page) => contentOf(page, sizes, spots);
}

function contentOf(page: Body, sizes: SketchSizes, spots: SpotMaker | undefined): PageContent {
  const { hasLinks, chunkLines, lineWidth } = sizes;
  const { url, body, contentType } = page;
  const type = typeIn(contentType);
  const source = sourceOf(body, contentType);
  const canonical = canonicalLink({ ...page, source: source ?? noText });
  const sketch = source && signatureOf(seenOf(source), sizes, spots);
  return {
    ...(type !== undefined && { type }),
    size: body.length,
    digest: `sha256:${hash('sha256', body, 'hex')}`,
    ...(sketch !== undefined && { sketch }),
    ...(canonical !== undefined && { canonical }),
    ...(hasLinks === true && source?.kind === 'html' && { links: listed(linksOf(url, source.utf8)) }),
    ...(chunkLines !== undefined &&
      source !== undefined && { chunks: listed(chunkFingerprints(source, chunkLines, lineWidth)) }),
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

function signatureOf(
  text: Uint8Array,
  { words, minima }: SketchSizes,
  spots: SpotMaker | undefined,
): string | undefined {
  if (spots !== undefined) {
    const signature = spots(text);
    return signature && formatSpots(signature);
  }
  const smallest = smallestFingerprints(text, words, minima);
  return smallest.length > 0 ? formatSketch(createSketch(smallest, words, minima)) : undefined;
}

/**
 * The links of a page, resolved like a canonical link: relative to the page's URL, or to `<base>`; absolute, http(s),
 * in safe normal form, without fragment. Each target once, in the order of the page, without the page itself. `url` is
 * absolute; `utf8` is its HTML.
 */
export function linksOf(url: string, utf8: Uint8Array): string[] {
  const { links, base } = pageLinks(utf8);
  const from = baseOf(base, url);
  const targets = new Set<string>();
  for (const link of new Set(links)) {
    const target = link.startsWith('#') ? undefined : webUrl(link, from);
    if (target !== undefined) targets.add(target);
  }
  targets.delete(webUrl(url, url) ?? url);
  return [...targets];
}
