// Pages as crawlers fetched them, from WARC archives.
import type { WarcArchive } from '../log/warc/archive.js';
import type { Capture } from '../log/warc/capture.js';
import { controlsOf } from '../sketch/controls.js';
import type { Document } from '../sketch/document.js';
import { canonicalLink } from '../pages/canonical-link.js';
import { mediaTypeOf, locationOf, isMissing, isRedirect } from '../pages/headers.js';
import type { PageResult, PageSource } from './source.js';
import { createStoredSource } from './stored.js';

export interface ArchiveSourceOptions {
  readonly archive: WarcArchive;
  /** Makes a document of a body and its Content-Type. */
  readonly documentOf: (body: Uint8Array, contentType: string | undefined) => Document;
  /** Whether an absolute URL, as text of `base/bytes`, belongs to a site. */
  readonly isInside: (url: string, site: string) => boolean;
}

/** Creates a source that reads from an archive, and closes it when it is closed itself. */
export function createArchiveSource({ archive, documentOf, isInside }: ArchiveSourceOptions): PageSource {
  return createStoredSource<Capture>({
    name: 'warc',
    find: (url) => archive.find(url),
    redirectOf: (capture, url) => {
      const location = redirectOf(capture);
      return location === undefined ? undefined : locationOf(location, url);
    },
    resultOf: (capture, url, redirects) => resultOf(capture, url, redirects, documentOf),
    isInside,
    close: () => archive.close(),
  });
}

function redirectOf(capture: Capture): string | undefined {
  return capture.kind === 'answer' && isRedirect(capture.status) ? capture.location : undefined;
}

function resultOf(
  capture: Capture,
  url: string,
  redirects: number,
  documentOf: ArchiveSourceOptions['documentOf'],
): PageResult {
  switch (capture.kind) {
    case 'document': {
      const { body, contentType, link } = capture;
      const canonical = canonicalLink({ url, body, contentType, link });
      const type = mediaTypeOf(contentType);
      const controls = controlsOf(body, contentType);
      return {
        kind: 'page',
        document: documentOf(body, contentType),
        finalUrl: url,
        redirects,
        ...(type !== undefined && { type }),
        ...(canonical !== undefined && { canonical }),
        ...(controls !== undefined && { controls }),
      };
    }
    case 'answer':
      return {
        kind: isMissing(capture.status) ? 'missing' : 'unavailable',
        reason: 'status',
        detail: `${capture.status}`,
      };
    case 'unusable':
      return { kind: 'unavailable', reason: UNUSABLE[capture.reason], detail: capture.detail };
    default:
      return capture satisfies never;
  }
}

const UNUSABLE = {
  'too-large': 'too-large',
  decoding: 'decoding',
  'cut-short': 'network',
  'no-original': 'not-archived',
} as const;
