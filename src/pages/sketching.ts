// Makes the content of a page record from the body of the page alone, so that any thread can do it.
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

/** Parameters of sketches. */
export interface SketchSizes {
  /** Words of a shingle, w: 1 … 99. */
  readonly words: number;
  /** The most fingerprints of a sketch, s: 1 … 147. */
  readonly minima: number;
  /** Whether a record has the links of its page. */
  readonly hasLinks?: boolean;
  /** Lines per chunk, 0 for the whole page; undefined for no chunks. */
  readonly chunkLines?: number | undefined;
  /** The most characters of such a line, 0 for no limit. */
  readonly lineWidth?: number | undefined;
  /** If set, spot signatures are made instead of sketches. */
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

/** Returns a function that makes the content of a page from its body. It never throws. */
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

/** A record must fit into a line of a log, which has at most 1 MiB. */
const MAX_LISTED_BYTES = 400_000;

/** The first texts, as many as fit. */
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
 * The links of a page, resolved like a canonical link, relative to the page's URL or to `<base>`: absolute, http(s), in
 * safe normal form, without fragment, without duplicates and the page itself, in the order of the page. `url` is
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
