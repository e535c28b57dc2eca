// Is a URL that of a document? Duplicates of these matter first: pictures and styles are parts of pages.
import { encodeText } from '../../base/bytes.js';
import { isDocument } from '../../log/filters.js';
import { emptyParts, splitUrl } from '../../url/parse.js';

export function isDocumentUrl(text: string): boolean {
  const url = encodeText(text);
  const { pathStart, queryStart } = splitUrl(url, 0, url.length, emptyParts());
  return isDocument(url, pathStart, queryStart);
}
