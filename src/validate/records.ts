// Pages as `dustbuster sketch` has them in its records: by digest and sketch, without their text.
import { encodeText } from '../base/bytes.js';
import type { ListedPage, PageList } from '../log/page-list.js';
import { mediaTypeOf, isMissing, isRedirect } from '../pages/headers.js';
import { documentOfRecord } from '../sketch/page.js';
import { isHttp, parseUrl } from '../url/parse.js';
import type { PageResult, PageSource } from './source.js';
import { createStoredSource } from './stored.js';

export interface RecordSourceOptions {
  readonly list: PageList;
  /** Whether an absolute URL, as text of `base/bytes`, belongs to a site. */
  readonly isInside: (url: string, site: string) => boolean;
}

/** Creates a source that reads from a list, and closes it when it is closed itself. */
export function createRecordSource({ list, isInside }: RecordSourceOptions): PageSource {
  return createStoredSource<ListedPage>({
    name: 'warc',
    find: (url) => list.find(url),
    redirectOf: ({ status, redirect }) => (isRedirect(status) ? redirect : undefined),
    resultOf,
    isInside,
    close: () => list.close(),
  });
}

function resultOf(
  { status, digest, sketch, canonical, type: said }: ListedPage,
  url: string,
  redirects: number,
): PageResult {
  // Status 0: none was recorded. The page was answered, or it would have no digest.
  if (status !== 0 && (status < 200 || status > 299)) {
    return { kind: isMissing(status) ? 'missing' : 'unavailable', reason: 'status', detail: `${status}` };
  }
  const document = documentOfRecord(digest, sketch);
  if (document === undefined) {
    return { kind: 'unavailable', reason: sketch === undefined ? 'not-archived' : 'damaged-sketch', detail: url };
  }
  const isUrl = canonical !== undefined && isHttp(parseUrl(encodeText(canonical)));
  const type = mediaTypeOf(said);
  return {
    kind: 'page',
    document,
    finalUrl: url,
    redirects,
    ...(type !== undefined && { type }),
    ...(isUrl && { canonical }),
  };
}
